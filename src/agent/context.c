/* context.c - see context.h. */
#include "context.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "cut_totals.h"
#include "examples.h"
#include "guard/functions.h"
#include "ontology/brief.h"
#include "tool/disclosure.h"
#include "base/banned.h"

enum {
    ANSWER_BYTES = 1500,
    STDOUT_BYTES = 4000,
    OTHERS = 200, /* datasets that are only named */
    NAME_BYTES = 100,
    TAIL_BYTES = 1000, /* of the lines after the datasets */
    EXAMPLE_BYTES = 500,
    FUNCTIONS_BYTES = 4096 /* more than the list of functions has */
};

size_t context_found(struct arena *a, const struct run *r, size_t **datasets)
{
    const struct discovery *d = &r->discovery;
    size_t n =
        d->n_matched < CONTEXT_DATASETS ? d->n_matched : CONTEXT_DATASETS;
    *datasets = arena_new_array(a, size_t, n + 1);
    for (size_t i = 0; i < n; i++)
        (*datasets)[i] = d->matched[i].dataset;
    return n;
}

/* How many datasets are not described, and the names of some. */
static void put_others(struct buf *out, const struct run *r, size_t from)
{
    const struct discovery *d = &r->discovery;
    if (from >= d->n_matched)
        return;
    buf_printf(out, "# %zu more datasets:", d->n_matched - from);
    for (size_t i = from; i < d->n_matched && i < from + OTHERS; i++) {
        const struct dataset *set =
            &r->ontology->model->datasets[d->matched[i].dataset];
        buf_text(out, i > from ? ", " : " ");
        one_line_put(out, set->name, NAME_BYTES);
    }
    buf_text(out, d->n_matched > from + OTHERS ? ", …\n" : "\n");
}

struct str context_datasets(struct arena *a, struct run *r,
                            const size_t *datasets, size_t n, size_t budget)
{
    struct buf out, shortened;
    size_t *found, others = 0;
    if (n == 0) {
        n = others = context_found(a, r, &found);
        datasets = found;
    }
    buf_init(&out, a);
    buf_init(&shortened, a);
    if (n > CONTEXT_DATASETS)
        n = CONTEXT_DATASETS;
    size_t room = budget > 8 * TAIL_BYTES ? budget - 2 * TAIL_BYTES : budget;
    brief_put_datasets(r->ontology->model, datasets, n, room, &out, &shortened);
    if (others)
        put_others(&out, r, others);
    if (shortened.len)
        buf_text(&out, PROMPT_SHORTENED);
    one_line_put(&out, buf_view(&shortened), TAIL_BYTES - 64);
    return str_trim(buf_view(&out));
}

/* What code printed, what databases say and earlier answers may quote a cell:
 * indented, none of its lines begins a section. Goes on in a line that has
 * begun. */
static void put_lines(struct buf *out, struct str text)
{
    struct str line;
    for (bool first = true; text.len; first = false) {
        str_split(&text, '\n', &line);
        if (!first)
            buf_text(out, "\n    ");
        one_line_put(out, line, 0);
    }
}

struct str context_lines(struct arena *a, struct str text)
{
    struct buf out;
    buf_init(&out, a);
    if (text.len)
        buf_text(&out, "    ");
    put_lines(&out, text);
    return buf_view(&out);
}

struct str context_owner(struct arena *a, const struct run *r)
{
    struct buf out;
    buf_init(&out, a);
    brief_put_notes(r->ontology->model, &out);
    return buf_view(&out);
}

struct str context_relationships(struct arena *a, const struct run *r,
                                 const size_t *datasets, size_t n)
{
    struct buf out;
    buf_init(&out, a);
    brief_put_relationships(r->ontology->model, datasets, n, &out);
    return context_lines(a, str_trim(buf_view(&out)));
}

struct str context_metrics(struct arena *a, const struct run *r,
                           const size_t *datasets, size_t n)
{
    struct buf out;
    buf_init(&out, a);
    brief_put_metrics(r->ontology->model, datasets, n, &out);
    return context_lines(a, str_trim(buf_view(&out)));
}

struct str context_functions(struct arena *a)
{
    struct buf out;
    buf_init(&out, a);
    buf_reserve(&out, FUNCTIONS_BYTES);
    guard_functions_put(&out);
    return buf_finish(&out);
}

struct str context_examples(struct arena *a, const struct run *r)
{
    struct example found[EXAMPLES_MOST];
    struct buf out;
    size_t n = examples_like(a, r, found);
    buf_init(&out, a);
    for (size_t i = 0; i < n; i++) {
        buf_text(&out, i ? "\n\n- " : "- ");
        one_line_put(&out, found[i].question, EXAMPLE_BYTES);
        buf_text(&out, "\n  ");
        one_line_put(&out, found[i].sql, 0);
    }
    return buf_view(&out);
}

/* The text of an answer quotes rows, unless it asks the user something. */
static struct str answer_text(const struct run *r, const struct run_turn *t)
{
    bool plain = str_is(t->status, "clarification_needed");
    return plain || disclose_derived(r->tools.share_rows, NULL) ? t->content
                                                                : not_disclosed;
}

/* What a run did, then what its tools returned, which quotes rows. */
static void put_digest(struct buf *out, const struct run *r, struct str digest)
{
    ptrdiff_t border = str_find_char(digest, DIGEST_BORDER);
    struct str done = border < 0 ? digest : str_cut(digest, 0, (size_t)border);
    struct str returned =
        str_from(digest, border < 0 ? digest.len : (size_t)border + 1);
    bool all = disclose_derived(r->tools.share_rows, NULL);
    if (border < 0 && !all)
        done = STR(""); /* without a border there may be rows in it */
    if (!done.len)
        return;
    buf_text(out, "\n    (");
    put_lines(out, done);
    if (all)
        put_lines(out, returned);
    buf_char(out, ')');
}

struct str context_conversation(struct arena *a, struct run *r)
{
    struct buf out;
    const struct run_turn *turns = turns_read(&r->load.turns, a);
    buf_init(&out, a);
    for (size_t i = 0; i < r->load.turns.n; i++) {
        const struct run_turn *t = &turns[i];
        struct str text = t->from_user ? t->content : answer_text(r, t);
        struct str shown = utf8_cut(text, ANSWER_BYTES);
        buf_text(&out, t->from_user ? "User: " : "Assistant:\n    ");
        if (t->from_user)
            buf_str(&out, shown);
        else
            put_lines(&out, shown);
        if (shown.len < text.len)
            buf_text(&out, " […]");
        put_digest(&out, r, t->digest);
        buf_text(&out, "\n\n");
    }
    return str_trim(buf_view(&out));
}

struct str context_preferences(struct arena *a, const struct run *r)
{
    const struct preference_set *p = &r->load.preferences;
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; i < p->n; i++) {
        buf_text(&out, i ? "\n- " : "- ");
        one_line_put(&out, p->items[i].key, 0);
        buf_text(&out, ": ");
        one_line_put(&out, p->items[i].value, 0);
    }
    return buf_view(&out);
}

struct str context_asked(struct arena *a, const struct run *r)
{
    struct buf out;
    if (!r->load.clarified)
        return STR("");
    buf_init(&out, a);
    for (size_t i = 0; i < r->n_asked; i++) {
        buf_printf(&out, "%s- %.*s: ", i ? "\n" : "", STR_ARG(r->asked[i].key));
        one_line_put(&out, r->asked[i].question, 0);
        buf_text(&out, " (assumption: ");
        one_line_put(&out, r->asked[i].assumption, 0);
        buf_char(&out, ')');
    }
    return out.len ? buf_view(&out) : STR("- (see the conversation)");
}

/* The text of the first `most` objects of a JSON array. */
static struct str first_objects(struct str json, int most)
{
    int depth = 0, count = 0;
    bool quoted = false;
    for (size_t i = 0; i < json.len; i++) {
        char c = json.ptr[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c == '}' && depth == 1 && ++count == most)
            return i + 2 < json.len ? str_cut(json, 0, i + 1) : json;
    }
    return json;
}

static void put_rows(struct buf *out, const struct sql_result *s, int rows)
{
    struct str data = first_objects(s->data, rows);
    buf_str(out, data);
    buf_text(out, data.len < s->data.len ? ", …]\n" : "\n");
}

static void put_sql_result(struct buf *out, const struct run *r,
                           const struct sql_result *s, int rows)
{
    buf_printf(out, "Rows: %lld%s. Columns: ", (long long)s->row_count,
               s->truncated ? " (cut: there are more; totals, shares and "
                              "ranks of these rows are not those of all)"
                            : "");
    for (size_t i = 0; i < s->n_columns; i++) {
        buf_text(out, i ? ", " : "");
        one_line_put(out, s->columns[i], 0);
        buf_printf(out, " %.*s", STR_ARG(s->column_types[i]));
    }
    buf_char(out, '\n');
    if (disclose_rows(r->tools.share_rows, s) && s->n_totals)
        buf_printf(out, "%.*s\n", STR_ARG(cut_totals_text(out->arena, s)));
    if (disclose_rows(r->tools.share_rows, s))
        put_rows(out, s, rows);
    else
        buf_printf(out, "%.*s\n", STR_ARG(not_disclosed));
    if (s->values_cut)
        buf_text(out, "Some long values were cut.\n");
}

static void put_printed(struct buf *out, const struct run *r,
                        const struct python_result *p)
{
    struct str text = utf8_cut(p->out, STDOUT_BYTES);
    if (!disclose_derived(r->tools.share_rows, r->results))
        text = not_disclosed;
    if (p->out.len)
        buf_printf(out, "Python printed:\n%.*s\n",
                   STR_ARG(context_lines(out->arena, text)));
    if (p->n_charts)
        buf_printf(out, "Charts: %zu\n", p->n_charts);
}

static void put_result(struct buf *out, const struct run *r,
                       const struct step_result *s, int rows)
{
    buf_printf(out, "### Step %lld: %.*s\n", (long long)s->step_id,
               STR_ARG(s->description));
    if (s->sql_result)
        put_sql_result(out, r, s->sql_result, rows);
    if (s->python_result)
        put_printed(out, r, s->python_result);
    if (s->error.len)
        buf_printf(out, "Error:\n%.*s\n",
                   STR_ARG(context_lines(
                       out->arena,
                       disclose_error(r->tools.share_rows, s->error, false))));
    buf_char(out, '\n');
}

struct str context_results(struct arena *a, struct run *r, int rows)
{
    struct buf out;
    buf_init(&out, a);
    for (size_t i = 0; r->results && i < r->results->n_results; i++)
        put_result(&out, r, &r->results->results[i], rows);
    return buf_view(&out);
}
