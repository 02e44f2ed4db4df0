/* file_tables.c - see file_tables.h. The sandbox ran code over hostile files, so
 * nothing of its answer is taken as it is but what is stored as JSON and read
 * with care again. */
#include "file_tables.h"
#include "base/json.h"
#include "base/map.h"
#include "base/utf8.h"
#include <inttypes.h>
#include "base/banned.h"

enum {
    TABLE_NAME_MOST = 63,
    PROMPTS_MOST = 3,
    GROUPS_MOST = 50, /* of a column that a prompt groups by */
    PROBLEMS_MOST = 32,
    MESSAGE_MOST = 500,
};

/* ---- tables -------------------------------------------------------------- */

static bool format_known(struct str format)
{
    static const char *const known[] = {"csv", "tsv", "parquet", "jsonl",
                                        "xlsx"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(format, known[i]))
            return true;
    return false;
}

/* Lower case, and valid without quotes, as the contract says. */
static bool name_good(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return s.len && s.len <= TABLE_NAME_MOST;
}

static bool table_good(const json_t *t, struct str sha256)
{
    return str_eq(json_get_text(t, "sha256"), sha256) &&
           name_good(json_get_text(t, "name")) &&
           format_known(json_get_text(t, "format")) &&
           json_is_integer(json_object_get(t, "rows")) &&
           json_get_int(t, "rows", 0) >= 0 &&
           json_array_size(json_object_get(t, "columns")) > 0 &&
           json_is_array(json_object_get(t, "sample"));
}

/* Writes the tables of one file. False: one of them is not good. */
static bool write_file(struct tables_read *r, struct json_writer *w,
                       const json_t *tables, size_t place)
{
    struct str format = {0};
    int64_t rows = 0;
    size_t k, n = 0;
    const json_t *t;
    struct buf list;
    buf_init(&list, &r->memory);
    json_array_foreach(tables, k, t)
    {
        if (!str_eq(json_get_text(t, "filename"), r->sent[place].name))
            continue;
        if (!table_good(t, r->sent[place].sha256))
            return false;
        buf_text(&list, n++ ? "," : "[");
        json_print_into(&list, t);
        format = json_get_text(t, "format");
        rows += json_get_int(t, "rows", 0);
    }
    if (!n)
        return true;
    buf_text(&list, "]");
    r->n_tables += n;
    json_put_object(w);
    json_field_int(w, "place", (int64_t)place);
    json_field_str(w, "format", format);
    json_field_int(w, "rows", rows);
    json_field_raw(w, "tables", buf_view(&list));
    json_put_object_end(w);
    return true;
}

static bool write_files(struct tables_read *r, const json_t *tables)
{
    struct buf out;
    struct json_writer w;
    bool good = true;
    buf_init(&out, &r->memory);
    json_writer_init(&w, &out);
    json_put_array(&w);
    for (size_t i = 0; i < r->n_files && good; i++)
        good = write_file(r, &w, tables, i);
    json_put_array_end(&w);
    r->files = buf_finish(&out);
    return good;
}

/* ---- questions to begin with --------------------------------------------- */

static bool groups_well(const json_t *column)
{
    struct str type = json_get_text(column, "type");
    int64_t distinct = json_get_int(column, "distinct", 0);
    return (str_is(type, "text") || str_is(type, "bool")) && distinct >= 2 &&
           distinct <= GROUPS_MOST;
}

static void write_prompts(struct tables_read *r, const json_t *tables)
{
    struct buf out;
    struct json_writer w;
    size_t k, c, n = 0;
    const json_t *t, *column;
    buf_init(&out, &r->memory);
    json_writer_init(&w, &out);
    json_put_array(&w);
    json_array_foreach(tables, k, t)
    {
        json_array_foreach(json_object_get(t, "columns"), c, column)
        {
            struct str by = json_get_text(column, "name");
            if (n == PROMPTS_MOST || !groups_well(column) ||
                by.len > TABLE_NAME_MOST)
                continue;
            n++;
            json_put_str(&w, arena_printf(&r->memory, "How many %.*s per %.*s?",
                                          STR_ARG(json_get_text(t, "name")),
                                          STR_ARG(by)));
        }
    }
    json_put_array_end(&w);
    r->prompts = buf_finish(&out);
}

/* ---- problems ------------------------------------------------------------ */

static struct str short_text(struct str s)
{
    return s.len <= MESSAGE_MOST ? s : utf8_cut(s, MESSAGE_MOST);
}

static void write_problems(struct tables_read *r, const json_t *problems)
{
    struct buf out;
    struct json_writer w;
    size_t k;
    const json_t *p;
    buf_init(&out, &r->memory);
    json_writer_init(&w, &out);
    json_put_array(&w);
    r->refusal = STR("There is no table in the files.");
    json_array_foreach(problems, k, p)
    {
        struct str name = short_text(json_get_text(p, "filename"));
        struct str message = short_text(json_get_text(p, "message"));
        if (k == PROBLEMS_MOST)
            break;
        if (k == 0 && message.len)
            r->refusal = arena_printf(&r->memory, "%.*s%s%.*s", STR_ARG(name),
                                      name.len ? ": " : "", STR_ARG(message));
        json_put_object(&w);
        json_field_str(&w, "filename", name);
        json_field_str(&w, "message", message);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    r->problems = buf_finish(&out);
}

/* ---- the job ------------------------------------------------------------- */

void tables_read_job(void *what)
{
    struct tables_read *r = what;
    json_t *v = json_read(r->reply, NULL);
    const json_t *tables = json_object_get(v, "tables");
    r->good = json_is_array(tables) && write_files(r, tables);
    if (r->good) {
        write_prompts(r, tables);
        write_problems(r, json_object_get(v, "problems"));
    }
    json_decref(v);
}

void tables_read_done(void *what)
{
    arena_done(&((struct tables_read *)what)->memory);
}
