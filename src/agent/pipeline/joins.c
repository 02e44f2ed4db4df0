/* joins.c - see joins.h. */
#include "joins.h"
#include "llm/provider.h"
#include "pipeline.h"
#include <string.h>
#include "base/banned.h"

/* ---- in words ----------------------------------------------------------- */

static void put_neighbours(struct buf *out, struct arena *arena,
                           const struct ontology *o, size_t dataset)
{
    struct join_edges edges = ontology_neighbours(arena, o, dataset);
    struct buf names;
    buf_init(&names, arena);
    for (size_t i = 0; i < edges.n; i++) {
        bool again = edges.items[i].to == dataset;
        for (size_t k = 0; k < i; k++)
            again = again || edges.items[k].to == edges.items[i].to;
        if (!again)
            buf_printf(&names, "%s%.*s", names.len ? ", " : "",
                       STR_ARG(o->datasets[edges.items[i].to].name));
    }
    buf_str(out, names.len ? buf_view(&names) : STR("nothing"));
}

struct str joins_apart(struct arena *arena, const struct ontology *o,
                       const struct dataset_pair *pair)
{
    struct str a = o->datasets[pair->a].name, b = o->datasets[pair->b].name;
    struct buf out;
    buf_init(&out, arena);
    buf_printf(&out,
               "No join path connects %.*s and %.*s. %.*s can be joined "
               "with ",
               STR_ARG(a), STR_ARG(b), STR_ARG(a));
    put_neighbours(&out, arena, o, pair->a);
    buf_printf(&out, "; %.*s with ", STR_ARG(b));
    put_neighbours(&out, arena, o, pair->b);
    buf_char(&out, '.');
    return buf_view(&out);
}

struct str joins_perhaps_text(struct arena *arena, const struct ontology *o,
                              const struct perhaps_join *join)
{
    struct str a = o->datasets[join->from].name, b = o->datasets[join->to].name;
    return arena_printf(arena,
                        "The model does not relate %.*s and %.*s; perhaps "
                        "%.*s.%.*s = %.*s.%.*s joins them.",
                        STR_ARG(a), STR_ARG(b), STR_ARG(a),
                        STR_ARG(join->from_column), STR_ARG(b),
                        STR_ARG(join->to_column));
}

static void put_list(struct buf *out, struct str_list names)
{
    for (size_t i = 0; i < names.n; i++)
        buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(names.items[i]));
}

static void put_path(struct buf *out, const struct ontology *o,
                     const struct join_path *path)
{
    for (size_t i = 0; i < path->n_edges; i++) {
        const struct relationship *r =
            &o->relationships[path->edges[i].relationship];
        buf_printf(out, "%s%.*s (%.*s.", i ? ", then " : "", STR_ARG(r->name),
                   STR_ARG(o->datasets[r->from].name));
        put_list(out, r->from_columns);
        buf_printf(out, " -> %.*s.", STR_ARG(o->datasets[r->to].name));
        put_list(out, r->to_columns);
        buf_char(out, ')');
    }
}

static void put_choice(struct buf *out, const struct ontology *o,
                       const struct join_choice *choice)
{
    const struct join_path *first = &choice->paths[0];
    struct str a = o->datasets[first->edges[0].from].name;
    struct str b = o->datasets[first->edges[first->n_edges - 1].to].name;
    buf_printf(out,
               "- %.*s and %.*s are connected in %zu ways; the question "
               "decides which is meant:\n",
               STR_ARG(a), STR_ARG(b), choice->n_paths);
    for (size_t i = 0; i < choice->n_paths; i++) {
        buf_text(out, "  - ");
        put_path(out, o, &choice->paths[i]);
        buf_char(out, '\n');
    }
}

struct str joins_report(struct arena *arena, const struct ontology *o,
                        const struct join_tree *tree)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < tree->n_choices; i++)
        put_choice(&out, o, &tree->choices[i]);
    for (size_t i = 0; i < tree->n_apart; i++)
        buf_printf(&out, "- %.*s\n",
                   STR_ARG(joins_apart(arena, o, &tree->apart[i])));
    return buf_view(&out);
}

/* ---- what the notes decide ---------------------------------------------- */

static bool is_part_of_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* `name` is a whole word of the text. */
static bool mentions(struct str text, struct str name)
{
    ptrdiff_t at;
    while (name.len && (at = str_find_nocase(text, name)) >= 0) {
        size_t end = (size_t)at + name.len;
        bool before = at > 0 && is_part_of_name(text.ptr[at - 1]);
        bool after = end < text.len && is_part_of_name(text.ptr[end]);
        if (!before && !after)
            return true;
        text = str_from(text, end);
    }
    return false;
}

static bool goes_along(const struct join_path *path, size_t relationship)
{
    for (size_t i = 0; i < path->n_edges; i++)
        if (path->edges[i].relationship == relationship)
            return true;
    return false;
}

/* The notes name a relationship of the path that not all paths share. */
static bool names_path(const struct ontology *o,
                       const struct join_choice *choice, size_t path,
                       struct str notes)
{
    const struct join_path *p = &choice->paths[path];
    for (size_t i = 0; i < p->n_edges; i++) {
        size_t relationship = p->edges[i].relationship, shared = 0;
        for (size_t k = 0; k < choice->n_paths; k++)
            shared += goes_along(&choice->paths[k], relationship);
        if (shared < choice->n_paths &&
            mentions(notes, o->relationships[relationship].name))
            return true;
    }
    return false;
}

size_t joins_decide(const struct ontology *o, struct join_tree *tree,
                    struct str notes)
{
    size_t n_open = 0;
    for (size_t i = 0; i < tree->n_choices; i++) {
        size_t named = 0, path = 0;
        for (size_t k = 0; k < tree->choices[i].n_paths; k++)
            if (names_path(o, &tree->choices[i], k, notes)) {
                named++;
                path = k;
            }
        bool decided = named == 1 && join_tree_choose(tree, i, path);
        if (!decided) {
            struct join_choice open = tree->choices[i];
            tree->choices[i] = tree->choices[n_open];
            tree->choices[n_open++] = open;
        }
    }
    return n_open;
}

/* ---- steps -------------------------------------------------------------- */

/* For each dataset, the index of one member of its tree. */
static size_t *tree_of_datasets(struct arena *arena, const struct ontology *o,
                                const struct join_tree *tree)
{
    size_t *root = arena_new_array(arena, size_t, o->n_datasets + 1);
    for (size_t i = 0; i < o->n_datasets; i++)
        root[i] = i;
    for (size_t i = 0; i < tree->n_edges; i++) {
        size_t a = root[tree->edges[i].from], b = root[tree->edges[i].to];
        for (size_t k = 0; k < o->n_datasets; k++)
            if (root[k] == a)
                root[k] = b;
    }
    return root;
}

static void join_roots(const struct ontology *o, size_t *root, size_t a,
                       size_t b)
{
    for (size_t k = 0, from = root[b]; k < o->n_datasets; k++)
        if (root[k] == from)
            root[k] = root[a];
}

/* Guesses joins until the datasets of the step are one tree, or none is left. */
static void guess_step(struct arena *arena, const struct ontology *o,
                       const struct plan_step *step, size_t *root,
                       struct joins_perhaps *out)
{
    for (size_t i = 0; i < step->n_datasets; i++)
        for (size_t k = i + 1; k < step->n_datasets; k++) {
            const struct dataset *a = ontology_dataset(o, step->datasets[i]);
            const struct dataset *b = ontology_dataset(o, step->datasets[k]);
            size_t x = a ? dataset_index(o, a) : SIZE_MAX;
            size_t y = b ? dataset_index(o, b) : SIZE_MAX;
            struct perhaps_join join;
            if (!a || !b || root[x] == root[y] || out->n == JOINS_APART ||
                out->looked > GUESS_FIELDS)
                continue;
            out->looked += a->n_fields + b->n_fields;
            struct arena_mark mark = arena_mark(arena);
            bool found = ontology_perhaps_join(arena, o, x, y, &join);
            arena_reset(arena, mark); /* the names are the model's */
            if (!found)
                continue;
            out->items[out->n++] = join;
            join_roots(o, root, x, y);
        }
}

static size_t *guess_all(struct arena *arena, struct run *r,
                         const struct join_tree *tree,
                         struct joins_perhaps *out)
{
    const struct plan *plan = pipeline_of(r)->plan;
    const struct ontology *o = r->ontology->model;
    size_t *root = tree_of_datasets(arena, o, tree);
    bool strict = r->provider &&
                  str_is(str_of(r->provider->model.provider->id), "builtin");
    out->n = out->looked = 0;
    for (size_t i = 0; !strict && i < plan->n_steps; i++)
        guess_step(arena, o, &plan->steps[i], root, out);
    return root;
}

void joins_guess(struct arena *arena, struct run *r,
                 const struct join_tree *tree, struct joins_perhaps *out)
{
    guess_all(arena, r, tree, out);
}

static void pair_add(struct join_tree *tree, size_t a, size_t b)
{
    for (size_t i = 0; i < tree->n_apart; i++)
        if (tree->apart[i].a == a && tree->apart[i].b == b)
            return;
    if (tree->n_apart < JOINS_APART)
        tree->apart[tree->n_apart++] = (struct dataset_pair){a, b};
}

/* All datasets of the step are connected. Adds pairs that are not to `tree`,
 * which may be NULL. */
static bool is_connected(const struct ontology *o, const struct plan_step *step,
                         const size_t *root, struct join_tree *tree)
{
    size_t first = SIZE_MAX;
    bool possible = true;
    for (size_t i = 0; i < step->n_datasets; i++) {
        const struct dataset *d = ontology_dataset(o, step->datasets[i]);
        size_t at = d ? dataset_index(o, d) : SIZE_MAX;
        if (d && first == SIZE_MAX)
            first = at;
        if (!d || root[at] == root[first])
            continue;
        possible = false;
        if (tree)
            pair_add(tree, first, at);
    }
    return possible;
}

/* Datasets of different steps need not be connected. */
void joins_of_plan(struct arena *arena, struct run *r, struct join_tree *tree)
{
    const struct pipeline *p = pipeline_of(r);
    const struct ontology *o = r->ontology->model;
    size_t *datasets, n = pipeline_plan_datasets(r, &datasets);
    ontology_join_tree(arena, o, datasets, n, tree);
    struct joins_perhaps guessed;
    const size_t *root = guess_all(arena, r, tree, &guessed);
    tree->apart = arena_new_array(arena, struct dataset_pair, JOINS_APART);
    tree->n_apart = 0;
    for (size_t i = 0; i < p->plan->n_steps; i++)
        is_connected(o, &p->plan->steps[i], root, tree);
}

bool joins_leave_no_step(struct run *r, const struct join_tree *tree)
{
    const struct pipeline *p = pipeline_of(r);
    const struct ontology *o = r->ontology->model;
    struct joins_perhaps guessed;
    const size_t *root = guess_all(&r->arena, r, tree, &guessed);
    size_t n = 0;
    for (size_t i = 0; tree->n_apart && i < p->plan->n_steps; i++) {
        const struct plan_step *step = &p->plan->steps[i];
        n += step->n_datasets > 0;
        if (step->n_datasets && is_connected(o, step, root, NULL))
            return false;
    }
    return n > 0;
}

/* ---- as a plan ---------------------------------------------------------- */

static struct str *column_list(struct arena *a, const struct str_list *columns)
{
    struct str *out = arena_new_array(a, struct str, columns->n + 1);
    memcpy(out, columns->items, columns->n * sizeof *out);
    return out;
}

static struct join_plan_edge edge_of(struct arena *a, const struct ontology *o,
                                     const struct join_edge *e)
{
    const struct relationship *rel = &o->relationships[e->relationship];
    return (struct join_plan_edge){
        .from_dataset = o->datasets[rel->from].name,
        .to_dataset = o->datasets[rel->to].name,
        .from_columns = column_list(a, &rel->from_columns),
        .n_from_columns = rel->from_columns.n,
        .to_columns = column_list(a, &rel->to_columns),
        .n_to_columns = rel->to_columns.n,
        .relationship_name = rel->name};
}

static void put_dataset(struct run *r, struct join_plan *plan, size_t dataset)
{
    const struct dataset *d = &r->ontology->model->datasets[dataset];
    for (size_t i = 0; i < plan->n_relevant_datasets; i++)
        if (str_eq(plan->relevant_datasets[i].name, d->name))
            return;
    plan->relevant_datasets[plan->n_relevant_datasets++] =
        (struct dataset_detail){d->name, d->description, d->source, d->yaml};
}

static struct join_plan_path *path_add(struct run *r, struct join_plan *plan,
                                       const struct join_edge *edges, size_t n)
{
    struct arena *a = &r->arena;
    struct join_plan_path *path = &plan->join_paths[plan->n_join_paths++];
    path->datasets = arena_new_array(a, struct str, n + 2);
    path->edges = arena_new_array(a, struct join_plan_edge, n + 1);
    for (size_t i = 0; i < n; i++)
        path->edges[path->n_edges++] =
            edge_of(a, r->ontology->model, &edges[i]);
    return path;
}

static void put_open(struct run *r, struct join_plan *plan,
                     const struct join_choice *choice)
{
    const struct ontology *o = r->ontology->model;
    for (size_t i = 1; i < choice->n_paths; i++) {
        const struct join_path *p = &choice->paths[i];
        struct join_plan_path *path = path_add(r, plan, p->edges, p->n_edges);
        path->datasets[path->n_datasets++] = o->datasets[p->edges[0].from].name;
        for (size_t k = 0; k < p->n_edges; k++) {
            path->datasets[path->n_datasets++] =
                o->datasets[p->edges[k].to].name;
            put_dataset(r, plan, p->edges[k].to);
        }
    }
}

static void put_perhaps(struct run *r, struct join_plan *plan,
                        const struct perhaps_join *join)
{
    const struct ontology *o = r->ontology->model;
    struct arena *a = &r->arena;
    struct join_plan_path *path = &plan->join_paths[plan->n_join_paths++];
    struct str *columns = arena_new_array(a, struct str, 2);
    columns[0] = join->from_column;
    columns[1] = join->to_column;
    path->datasets = arena_new_array(a, struct str, 2);
    path->datasets[path->n_datasets++] = o->datasets[join->from].name;
    path->datasets[path->n_datasets++] = o->datasets[join->to].name;
    path->edges = arena_new(a, struct join_plan_edge);
    path->n_edges = 1;
    path->edges[0] =
        (struct join_plan_edge){.from_dataset = path->datasets[0],
                                .to_dataset = path->datasets[1],
                                .from_columns = columns,
                                .n_from_columns = 1,
                                .to_columns = columns + 1,
                                .n_to_columns = 1,
                                .relationship_name = STR(JOIN_PERHAPS)};
}

static void put_tree(struct run *r, struct join_plan *plan,
                     const struct join_tree *tree)
{
    struct arena *a = &r->arena;
    const struct ontology *o = r->ontology->model;
    struct join_plan_path *path = path_add(r, plan, tree->edges, tree->n_edges);
    path->datasets = arena_new_array(a, struct str, tree->n_datasets + 1);
    for (size_t i = 0; i < tree->n_datasets; i++)
        path->datasets[path->n_datasets++] =
            o->datasets[tree->datasets[i]].name;
}

void joins_put(struct run *r, struct join_plan *plan,
               const struct join_tree *tree, size_t n_open)
{
    struct arena *a = &r->arena;
    size_t most = tree->n_datasets + n_open * JOIN_MAX_CHOICES * JOIN_MAX_EDGES;
    plan->relevant_datasets =
        arena_new_array(a, struct dataset_detail, most + 1);
    plan->join_paths = arena_new_array(
        a, struct join_plan_path, 1 + n_open * JOIN_MAX_CHOICES + JOINS_APART);
    for (size_t i = 0; i < tree->n_datasets; i++)
        put_dataset(r, plan, tree->datasets[i]);
    struct joins_perhaps guessed;
    joins_guess(a, r, tree, &guessed);
    if (tree->n_edges > 0)
        put_tree(r, plan, tree);
    for (size_t i = 0; i < n_open; i++)
        put_open(r, plan, &tree->choices[i]);
    for (size_t i = 0; i < guessed.n; i++)
        put_perhaps(r, plan, &guessed.items[i]);
}
