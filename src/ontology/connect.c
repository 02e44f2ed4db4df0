/* connect.c - one tree of joins for a set of datasets.
 *
 * Finding the smallest tree is the Steiner problem. We grow a tree: each time
 * the nearest dataset that is still missing is added with its path. Such a tree
 * has at most twice as many edges as the smallest one. We try every dataset as
 * the start and keep the best tree, which is usually the smallest.
 *
 * A path goes up (many to one) and down (one to many). Each turn from up to
 * down is a chasm trap: two many sides are joined through a one side. A
 * search keeps, for each dataset and each direction of arrival, the fewest
 * turns. Where paths have the same length and the same number of turns, the
 * model does not decide: they become a join_choice. */
#include "adjacency.h"
#include <stdint.h>
#include <string.h>
#include "base/banned.h"

/* Each start costs one search for each dataset asked for. */
enum { STARTS_TRIED = 12, SEARCHES_TRIED = 60 };
enum direction { UP, DOWN, DIRECTIONS };

struct tree_growth {
    struct arena *arena;
    const struct adjacency *adjacency;
    const size_t *asked;
    size_t n_asked;
    bool *is_asked;  /* by dataset */
    size_t *tree;    /* by dataset: number of its tree; 0: none */
    size_t *reached; /* datasets in the order they were added */
    size_t n_reached;
    struct join_edge *edges;
    size_t n_edges;
    size_t n_trees;
    size_t turns; /* of all paths */
    struct join_choice *choices;
    size_t n_choices;
    /* of the latest search */
    size_t *far, *queue;
    size_t (*fewest)[DIRECTIONS]; /* turns, by direction of arrival */
};

static void grow_init(struct tree_growth *grow, struct arena *arena,
                      const struct adjacency *adjacency)
{
    size_t n = adjacency->o->n_datasets;
    grow->arena = arena;
    grow->adjacency = adjacency;
    grow->is_asked = arena_new_array(arena, bool, n);
    for (size_t i = 0; i < grow->n_asked; i++)
        grow->is_asked[grow->asked[i]] = true;
    grow->tree = arena_new_array(arena, size_t, n);
    grow->reached = arena_new_array(arena, size_t, n);
    grow->edges = arena_new_array(arena, struct join_edge, n);
    grow->choices =
        arena_new_array(arena, struct join_choice, grow->n_asked + 1);
    grow->far = arena_new_array(arena, size_t, n);
    grow->queue = arena_new_array(arena, size_t, n);
    grow->fewest = arena_alloc_array(arena, n, sizeof *grow->fewest);
}

static void add_dataset(struct tree_growth *grow, size_t dataset)
{
    grow->tree[dataset] = grow->n_trees;
    grow->reached[grow->n_reached++] = dataset;
}

static bool in_tree(const struct tree_growth *grow, size_t dataset)
{
    return grow->far[dataset] == 0;
}

/* Turns of the best paths to `at` that continue in `direction`. */
static size_t turns_at(const struct tree_growth *grow, size_t at,
                       enum direction direction)
{
    if (in_tree(grow, at))
        return 0;
    size_t up = grow->fewest[at][UP], down = grow->fewest[at][DOWN];
    if (direction == DOWN && up != SIZE_MAX)
        up++;
    return up < down ? up : down;
}

static void count_turns(struct tree_growth *grow, const struct join_edge *edge)
{
    enum direction direction = edge->reversed ? DOWN : UP;
    size_t turns = turns_at(grow, edge->from, direction);
    size_t *fewest = &grow->fewest[edge->to][direction];
    if (turns < *fewest)
        *fewest = turns;
}

/* Breadth-first search from all datasets of the tree that grows, up to the
 * distance of the nearest missing dataset. */
static void search_tree(struct tree_growth *grow)
{
    const struct adjacency *adjacency = grow->adjacency;
    size_t head = 0, tail = 0, farthest = JOIN_MAX_EDGES;
    for (size_t i = 0; i < adjacency->o->n_datasets; i++) {
        grow->far[i] = SIZE_MAX;
        grow->fewest[i][UP] = grow->fewest[i][DOWN] = SIZE_MAX;
    }
    for (size_t i = 0; i < grow->n_reached; i++) {
        size_t dataset = grow->reached[i];
        if (grow->tree[dataset] != grow->n_trees)
            continue;
        grow->far[dataset] = 0;
        grow->queue[tail++] = dataset;
    }
    while (head < tail) {
        size_t at = grow->queue[head++];
        if (grow->far[at] >= farthest)
            return;
        for (size_t i = adjacency->starts[at]; i < adjacency->starts[at + 1];
             i++) {
            const struct join_edge *edge = &adjacency->edges[i];
            if (grow->far[edge->to] == SIZE_MAX) {
                grow->far[edge->to] = grow->far[at] + 1;
                grow->queue[tail++] = edge->to;
                if (grow->is_asked[edge->to] && !grow->tree[edge->to])
                    farthest = grow->far[at] + 1;
            }
            if (grow->far[edge->to] == grow->far[at] + 1)
                count_turns(grow, edge);
        }
    }
}

static size_t fewest_turns(const struct tree_growth *grow, size_t dataset)
{
    const size_t *fewest = grow->fewest[dataset];
    return fewest[UP] < fewest[DOWN] ? fewest[UP] : fewest[DOWN];
}

/* The missing dataset that is nearest to the tree, or SIZE_MAX. */
static size_t nearest_missing(const struct tree_growth *grow)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < grow->n_asked; i++) {
        size_t dataset = grow->asked[i];
        if (grow->tree[dataset] || grow->far[dataset] == SIZE_MAX)
            continue;
        bool better = best == SIZE_MAX || grow->far[dataset] < grow->far[best];
        if (better || (grow->far[dataset] == grow->far[best] &&
                       fewest_turns(grow, dataset) < fewest_turns(grow, best)))
            best = dataset;
    }
    return best;
}

/* ---- all best paths to one dataset
 * ------------------------------------------ */

struct path_back {
    struct tree_growth *grow;
    size_t to, turns;
    struct join_edge edges[JOIN_MAX_EDGES]; /* the last ones are known */
    struct join_choice *choice;
};

static void keep_path(struct path_back *back)
{
    size_t n = back->grow->far[back->to];
    struct join_choice *choice = back->choice;
    struct join_path *path = &choice->paths[choice->n_paths++];
    path->n_edges = n;
    path->edges = arena_new_array(back->grow->arena, struct join_edge, n);
    memcpy(path->edges, back->edges, n * sizeof *path->edges);
}

static size_t turns_of(const struct join_edge *edges, size_t n)
{
    size_t turns = 0;
    for (size_t i = 1; i < n; i++)
        turns += !edges[i - 1].reversed && edges[i].reversed;
    return turns;
}

/* Lists the best paths from the far end back to the tree, in the order of the
 * model. */
static void walk_back(struct path_back *back, size_t at)
{
    const struct tree_growth *grow = back->grow;
    const struct adjacency *adjacency = grow->adjacency;
    size_t far = grow->far[at], whole = grow->far[back->to];
    if (far == 0) {
        keep_path(back);
        return;
    }
    for (size_t i = adjacency->starts[at];
         i < adjacency->starts[at + 1] &&
         back->choice->n_paths < JOIN_MAX_CHOICES;
         i++) {
        const struct join_edge *edge = &adjacency->edges[i];
        if (grow->far[edge->to] != far - 1)
            continue;
        struct join_edge *last = &back->edges[far - 1];
        *last = (struct join_edge){.relationship = edge->relationship,
                                   .from = edge->to,
                                   .to = edge->from,
                                   .reversed = !edge->reversed};
        size_t before = turns_at(grow, last->from, last->reversed ? DOWN : UP);
        if (before + turns_of(last, whole - far + 1) == back->turns)
            walk_back(back, edge->to);
    }
}

static void add_path(struct tree_growth *grow, size_t to)
{
    struct join_choice choice = {.at = grow->n_edges};
    choice.paths =
        arena_new_array(grow->arena, struct join_path, JOIN_MAX_CHOICES);
    struct path_back back = {.grow = grow,
                             .to = to,
                             .turns = fewest_turns(grow, to),
                             .choice = &choice};
    walk_back(&back, to);
    const struct join_path *path = &choice.paths[0];
    for (size_t i = 0; i < path->n_edges; i++) {
        grow->edges[grow->n_edges++] = path->edges[i];
        add_dataset(grow, path->edges[i].to);
    }
    grow->turns += back.turns;
    if (choice.n_paths > 1)
        grow->choices[grow->n_choices++] = choice;
}

static void grow_tree(struct tree_growth *grow, size_t start)
{
    grow->n_trees++;
    add_dataset(grow, start);
    for (;;) {
        search_tree(grow);
        size_t next = nearest_missing(grow);
        if (next == SIZE_MAX)
            return;
        add_path(grow, next);
    }
}

/* Grows trees until each dataset asked for is in one. */
static void grow_all(struct tree_growth *grow, size_t start)
{
    grow_tree(grow, grow->asked[start]);
    for (size_t i = 0; i < grow->n_asked; i++)
        if (!grow->tree[grow->asked[i]])
            grow_tree(grow, grow->asked[i]);
}

static void find_apart(const struct tree_growth *grow, struct join_tree *tree)
{
    size_t first = tree->n_asked ? tree->datasets[0] : 0;
    tree->apart =
        arena_new_array(grow->arena, struct dataset_pair, tree->n_asked);
    for (size_t i = 1; i < tree->n_asked; i++) {
        size_t other = tree->datasets[i];
        if (grow->tree[other] != grow->tree[first])
            tree->apart[tree->n_apart++] =
                (struct dataset_pair){.a = first, .b = other};
    }
}

/* The datasets asked for come first, then those in between, as they were
 * added. */
static void list_datasets(const struct tree_growth *grow,
                          struct join_tree *tree)
{
    size_t n = grow->adjacency->o->n_datasets;
    bool *listed = arena_new_array(grow->arena, bool, n);
    for (size_t i = 0; i < tree->n_asked; i++)
        listed[tree->datasets[i]] = true;
    tree->n_datasets = tree->n_asked;
    for (size_t i = 0; i < grow->n_reached; i++)
        if (!listed[grow->reached[i]])
            tree->datasets[tree->n_datasets++] = grow->reached[i];
}

static void list_asked(struct arena *arena, const struct ontology *o,
                       const size_t *datasets, size_t n, struct join_tree *tree)
{
    bool *seen = arena_new_array(arena, bool, o->n_datasets);
    tree->datasets = arena_new_array(arena, size_t, o->n_datasets);
    for (size_t i = 0; i < n; i++) {
        if (!seen[datasets[i]])
            tree->datasets[tree->n_asked++] = datasets[i];
        seen[datasets[i]] = true;
    }
}

static bool is_better(const struct tree_growth *grow,
                      const struct tree_growth *best)
{
    if (grow->n_trees != best->n_trees)
        return grow->n_trees < best->n_trees;
    if (grow->n_edges != best->n_edges)
        return grow->n_edges < best->n_edges;
    return grow->turns < best->turns;
}

void ontology_join_tree(struct arena *arena, const struct ontology *o,
                        const size_t *datasets, size_t n,
                        struct join_tree *tree)
{
    struct adjacency adjacency;
    struct tree_growth best = {0};
    *tree = (struct join_tree){0};
    list_asked(arena, o, datasets, n, tree);
    if (!tree->n_asked)
        return;
    adjacency_make(arena, o, &adjacency);
    for (size_t i = 0; i < tree->n_asked && i < STARTS_TRIED &&
                       (i == 0 || (i + 1) * tree->n_asked <= SEARCHES_TRIED);
         i++) {
        struct tree_growth grow = {.asked = tree->datasets,
                                   .n_asked = tree->n_asked};
        grow_init(&grow, arena, &adjacency);
        grow_all(&grow, i);
        if (i == 0 || is_better(&grow, &best))
            best = grow;
    }
    tree->edges = best.edges;
    tree->n_edges = best.n_edges;
    tree->choices = best.choices;
    tree->n_choices = best.n_choices;
    find_apart(&best, tree);
    list_datasets(&best, tree);
}

static bool depends_on(const struct join_tree *tree, size_t from,
                       size_t dataset)
{
    for (size_t i = from; i < tree->n_edges; i++)
        if (tree->edges[i].from == dataset)
            return true;
    return false;
}

static bool passes_through(const struct join_path *path, size_t dataset)
{
    for (size_t i = 0; i < path->n_edges; i++)
        if (path->edges[i].to == dataset)
            return true;
    return false;
}

/* Replaces a dataset that only the old path passes through. */
static void swap_dataset(struct join_tree *tree, size_t old, size_t new)
{
    for (size_t i = tree->n_asked; i < tree->n_datasets; i++)
        if (tree->datasets[i] == old)
            tree->datasets[i] = new;
}

bool join_tree_choose(struct join_tree *tree, size_t choice, size_t path)
{
    const struct join_choice *c = &tree->choices[choice];
    const struct join_path *new = &c->paths[path];
    struct join_edge *old = tree->edges + c->at;
    for (size_t i = 0; i + 1 < new->n_edges; i++)
        if (!passes_through(new, old[i].to) &&
            depends_on(tree, c->at + new->n_edges, old[i].to))
            return false;
    for (size_t i = 0; i + 1 < new->n_edges; i++)
        swap_dataset(tree, old[i].to, new->edges[i].to);
    memcpy(old, new->edges, new->n_edges * sizeof *old);
    return true;
}
