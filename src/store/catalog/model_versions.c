/* model_versions.c - see store/model_versions.h. */
#include "store/model_versions.h"
#include "../rows.h"
#include "base/banned.h"

static step_fn versions_listed, version_read;

/* ---- the list ------------------------------------------------------------- */

#define MODEL_VERSION_ROW(FIRST, X) \
    FIRST(int32, version, "p.version", "version") \
    X(text, author, "coalesce(nullif(u.display_name, ''), u.email)", "author") \
    X(json, changes, "p.changes", "changes") \
    X(json, restores, "p.restores", "restores") \
    X(time, created_at, "rfc3339(p.created_at)", "createdAt") \
    X(int64, total, "t.total")
#define MODEL_VERSION_COLUMNS ROW_SQL(MODEL_VERSION_ROW)
ROW_STRUCT(model_version_row, MODEL_VERSION_ROW);

/* A page past the end is one row that has the total alone. */
static const struct statement page_statement = {
    .name = "model_versions.page",
    .again = true,
    .sql = "select " MODEL_VERSION_COLUMNS
           " from (select count(*) as total from semantic_model_versions"
           "   where semantic_model_id = $1::uuid) t"
           " left join (select version, author_id, changes, restores,"
           "     created_at from semantic_model_versions"
           "   where semantic_model_id = $1::uuid"
           "   order by version desc limit $2::int offset $3::int) p on true"
           " left join users u on u.id = p.author_id"
           " order by p.version desc",
};

struct next model_version_page_begin(struct flow *f)
{
    struct model_version_page *p = locals(f, struct model_version_page);
    struct query *q = p->query =
        query_new(f, p->store->system, &page_statement);
    query_str(f, q, p->model_id);
    query_page(f, q, p->page, p->page_size);
    query_begin(f, q);
    return await(f, versions_listed);
}

static struct next versions_listed(struct flow *f)
{
    struct model_version_page *p = locals(f, struct model_version_page);
    struct model_version_row first = model_version_row_at(p->query, 0);
    p->query = rows_keep_page(f, p->query, first.created_at);
    p->total = first.total;
    return back(f);
}

void model_version_write(struct json_writer *w, const struct query *q, int row)
{
    struct model_version_row v = model_version_row_at(q, row);
    ROW_WRITE(MODEL_VERSION_ROW, w, &v);
}

/* ---- one version ---------------------------------------------------------- */

/* Its first columns are those of a row of the list. */
#define VERSION_TEXT_ROW(FIRST, X) \
    MODEL_VERSION_ROW(FIRST, X) \
    X(text, text, "p.source_text", "yaml") \
    X(text, before, \
      "(select b.source_text from semantic_model_versions b" \
      "   where b.semantic_model_id = p.semantic_model_id" \
      "     and b.version < p.version order by b.version desc limit 1)", \
      "previousYaml")
#define VERSION_TEXT_COLUMNS ROW_SQL(VERSION_TEXT_ROW)
ROW_STRUCT(version_text_row, VERSION_TEXT_ROW);

static const struct statement text_statement = {
    .name = "model_versions.text",
    .again = true,
    .sql = "select " VERSION_TEXT_COLUMNS " from (select 1::bigint as total) t,"
           "   semantic_model_versions p left join users u"
           "     on u.id = p.author_id"
           " where p.semantic_model_id = $1::uuid and p.version = $2::int",
};

struct next model_version_text_begin(struct flow *f)
{
    struct model_version_text *t = locals(f, struct model_version_text);
    t->query = query_new(f, t->store->system, &text_statement);
    query_str(f, t->query, t->model_id);
    query_int(f, t->query, t->version);
    query_begin(f, t->query);
    return await(f, version_read);
}

static struct next version_read(struct flow *f)
{
    struct model_version_text *t = locals(f, struct model_version_text);
    t->query = rows_keep(f, t->query);
    t->found = t->query->n_rows > 0;
    if (t->found)
        t->text = version_text_row_at(t->query, 0).text;
    return back(f);
}

void model_version_text_write(struct json_writer *w, const struct query *q,
                              int row)
{
    struct version_text_row v = version_text_row_at(q, row);
    ROW_WRITE(VERSION_TEXT_ROW, w, &v);
}
