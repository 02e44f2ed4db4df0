/* page.c - the report as one self-contained HTML page: each question with the
 * SQL that was written next to the SQL that was expected, and of wrong answers
 * both results. */
#include "base/utf8.h"
#include "eval.h"
#include "base/banned.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'\">\n";

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif "
    "}\n"
    "body { max-width: 76rem; margin: 2rem auto; padding: 0 1rem }\n"
    "table { border-collapse: collapse } th, td { padding: .2rem .8rem; "
    "text-align: right; border-bottom: 1px solid #8884 }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "details { border-top: 1px solid #8884; padding: .5rem 0 }\n"
    "summary { cursor: pointer } .pair { display: grid; gap: 1rem; "
    "grid-template-columns: 1fr 1fr }\n"
    "@media (max-width: 50rem) { .pair { grid-template-columns: 1fr } }\n"
    "pre { overflow: auto; background: #8881; padding: .6rem; margin: .3rem 0; "
    "white-space: pre-wrap }\n"
    ".right::before { content: '\\2713\\a0' } "
    ".wrong::before { content: '\\2717\\a0' }\n"
    ".right { color: #2a7d3f } .wrong { color: #c62828 } "
    ".note { opacity: .75 } .rows { font-size: 85%; overflow: auto }\n"
    ".null { opacity: .5 }\n</style>\n";

static void put_escaped(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '<')
            buf_text(out, "&lt;");
        else if (c == '>')
            buf_text(out, "&gt;");
        else if (c == '&')
            buf_text(out, "&amp;");
        else if (c == '"')
            buf_text(out, "&quot;");
        else
            buf_char(out, c);
    }
}

static void put_page_line(struct buf *out, struct str name,
                          const struct eval_totals *t)
{
    buf_text(out, "<tr><td>");
    put_escaped(out, name);
    buf_printf(out,
               "<td>%zu<td>%zu<td>%.1f&nbsp;%%<td>%zu<td>%.1f&nbsp;s<td>%lld\n",
               t->questions, t->right, eval_percent(t), t->verified_wrong,
               (double)t->median_ms / 1000,
               (long long)(t->prompt_tokens + t->completion_tokens));
}

static void put_page_totals(struct arena *arena, const struct eval *e,
                            struct buf *out)
{
    struct eval_totals t;
    struct str_list categories = eval_categories(arena, e);
    buf_text(out, "<table>\n<tr><th>Category<th>Asked<th>Right<th>Accuracy"
                  "<th>Confident and wrong<th>Median<th>Tokens\n");
    for (size_t i = 0; i < categories.n; i++) {
        eval_count(arena, e, categories.items[i], &t);
        put_page_line(out, categories.items[i], &t);
    }
    eval_count(arena, e, STR(""), &t);
    put_page_line(out, STR("All"), &t);
    buf_printf(
        out,
        "</table>\n<p>%zu answers right, %zu wrong; %zu refusals right, "
        "%zu wrong, %zu missed; %zu questions back right, %zu wrong, %zu "
        "missed; %zu failed; %lld revisions; %.1f s in all.\n",
        t.answered_right, t.answered_wrong, t.refusals_right, t.refusals_wrong,
        t.refusals_missed, t.clarified_right, t.clarified_wrong,
        t.clarified_missed, t.failed, (long long)t.revisions,
        (double)e->duration_ms / 1000);
    if (e->price.known)
        buf_printf(out, "<p>Cost %.4f.\n",
                   eval_cost(&e->price, t.prompt_tokens, t.cached_tokens,
                             t.completion_tokens));
    if (e->baseline) {
        struct buf changes;
        buf_init(&changes, arena);
        eval_changes_table(&e->changes, &changes);
        buf_text(out, "<pre>");
        put_escaped(out, str_trim(buf_view(&changes)));
        buf_text(out, "</pre>\n");
    }
}

static void put_page_gold(struct buf *out, const struct eval_question *q)
{
    if (!q->n_sql) {
        buf_printf(out, "<p>%s", eval_actions[q->expect]);
        if (q->why.len) {
            buf_text(out, ": ");
            put_escaped(out, q->why);
        }
    }
    for (size_t i = 0; i < q->n_sql; i++) {
        buf_text(out, "<pre>");
        put_escaped(out, q->sql[i]);
        buf_text(out, "</pre>\n");
    }
}

/* The first cells of a result as a table. */
static void put_page_sample(struct buf *out, const struct eval_sample *s)
{
    size_t n = s->rows.n_columns;
    buf_text(out, "<div class=\"rows\"><table>\n<tr>");
    for (size_t c = 0; c < n; c++) {
        buf_text(out, "<th>");
        put_escaped(out, s->names[c]);
    }
    for (size_t i = 0; i < s->rows.n_rows * n; i++) {
        struct str cell = s->rows.cells[i];
        buf_text(out, i % n ? "" : "\n<tr>");
        buf_text(out, cell.ptr ? "<td>" : "<td class=\"null\">NULL");
        put_escaped(out, cell);
    }
    buf_printf(out, "\n</table></div><p class=\"note\">%zu row%s, %zu column%s",
               s->all_rows, s->all_rows == 1 ? "" : "s", s->all_columns,
               s->all_columns == 1 ? "" : "s");
    if (s->all_rows > s->rows.n_rows || s->all_columns > n)
        buf_printf(out, "; the first %zu and %zu are shown", s->rows.n_rows, n);
    buf_char(out, '\n');
}

static void put_page_difference(struct buf *out, const struct eval_case *c)
{
    if (c->right || !c->difference.len)
        return;
    buf_text(out, "<p>First difference: ");
    put_escaped(out, c->difference);
    buf_char(out, '\n');
}

static void put_page_case(struct buf *out, const struct eval_case *c)
{
    const struct eval_question *q = c->question;
    const char *mark = c->right ? "right" : "wrong";
    buf_printf(out, "<details%s><summary><span class=\"%s\">",
               c->right ? "" : " open", mark);
    put_escaped(out, q->id);
    buf_text(out, "</span> ");
    put_escaped(out, q->question);
    buf_text(out, "</summary>\n<p class=\"note\">");
    put_escaped(out, c->why);
    buf_printf(out, "; %.1f s, %lld tokens, %lld revisions, %s",
               (double)c->duration_ms / 1000,
               (long long)(c->prompt_tokens + c->completion_tokens),
               (long long)c->revisions,
               c->verified ? "verified" : "not verified");
    if (c->eval->price.known)
        buf_printf(out, ", cost %.6f",
                   eval_cost(&c->eval->price, c->prompt_tokens,
                             c->cached_tokens, c->completion_tokens));
    buf_char(out, '\n');
    put_page_difference(out, c);
    buf_text(out, "<div class=\"pair\"><div>Written\n");
    if (c->sql.len) {
        buf_text(out, "<pre>");
        put_escaped(out, c->sql);
        buf_text(out, "</pre>\n");
    }
    if (!c->right && c->found.all_columns)
        put_page_sample(out, &c->found);
    buf_text(out, "<p>");
    put_escaped(out, c->answer);
    buf_text(out, "</div><div>Wanted\n");
    put_page_gold(out, q);
    if (!c->right && c->wanted.all_columns)
        put_page_sample(out, &c->wanted);
    buf_text(out, "</div></div></details>\n");
}

void eval_html(struct arena *arena, const struct eval *e, struct buf *out)
{
    buf_text(out, head);
    buf_text(out, "<title>Evaluation: ");
    put_escaped(out, e->set.name);
    buf_text(out, "</title>\n");
    buf_text(out, style);
    buf_text(out, "<h1>Evaluation: ");
    put_escaped(out, e->set.name);
    buf_text(out, "</h1>\n<p>Ontology ");
    put_escaped(out, e->ontology.name);
    buf_text(out, ", model ");
    put_escaped(out, e->provider.len ? e->provider : STR("the default"));
    buf_text(out, ".\n");
    put_page_totals(arena, e, out);
    buf_text(out, "<h2>Questions</h2>\n");
    for (size_t i = 0; i < e->n; i++)
        put_page_case(out, &e->cases[i]);
    buf_text(out, "</html>\n");
}
