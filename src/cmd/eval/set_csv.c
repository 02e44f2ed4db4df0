/* set_csv.c - reads a set in CSV (RFC 4180). */
#include "base/utf8.h"
#include "set_reading.h"
#include "base/banned.h"

enum { MOST_COLUMNS = 40 };

struct csv_reader {
    struct arena *arena;
    struct buf *problems;
    struct str rest;
    int line;
};

/* Reads the next field; *last: it ends its line. */
static struct str read_csv_field(struct csv_reader *r, bool *last)
{
    struct buf out;
    bool quoted = r->rest.len && *r->rest.ptr == '"';
    size_t at = quoted;
    buf_init(&out, r->arena);
    for (; at < r->rest.len; at++) {
        char c = r->rest.ptr[at];
        r->line += c == '\n';
        if (quoted && c == '"') {
            if (at + 1 == r->rest.len || r->rest.ptr[at + 1] != '"') {
                quoted = false;
                continue;
            }
            at++;
        } else if (!quoted && (c == ',' || c == '\n')) {
            break;
        } else if (!quoted && c == '\r') {
            continue;
        }
        buf_char(&out, c);
    }
    if (quoted)
        set_problem(r->problems, r->line, "a quote is not closed");
    *last = at >= r->rest.len || r->rest.ptr[at] == '\n';
    r->rest = str_from(r->rest, at < r->rest.len ? at + 1 : at);
    return buf_finish(&out);
}

static size_t read_csv_line(struct csv_reader *r, struct str *fields)
{
    size_t n = 0;
    for (bool last = false; !last;) {
        struct str field = read_csv_field(r, &last);
        if (n < MOST_COLUMNS)
            fields[n] = field;
        n++;
    }
    if (n > MOST_COLUMNS)
        set_problem(r->problems, r->line, "more than %d columns", MOST_COLUMNS);
    return n < MOST_COLUMNS ? n : MOST_COLUMNS;
}

static void check_csv_head(struct csv_reader *r, const struct str *names,
                           size_t n)
{
    struct buf unused;
    struct eval_question none = {0};
    buf_init(&unused, r->arena);
    for (size_t i = 0; i < n; i++)
        if (!set_member(r->arena, &none, str_trim(names[i]), STR(""), &unused))
            set_problem(r->problems, 1, "a question has no %.*s",
                        STR_ARG(utf8_first(names[i], 40)));
}

static size_t count_csv_lines(struct str text)
{
    size_t n = 1;
    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

static void read_csv_questions(struct csv_reader *r, struct eval_set *set)
{
    struct str names[MOST_COLUMNS], fields[MOST_COLUMNS];
    size_t most = count_csv_lines(r->rest), n_names = read_csv_line(r, names);
    check_csv_head(r, names, n_names);
    if (most > EVAL_MOST_QUESTIONS)
        most = EVAL_MOST_QUESTIONS;
    set->questions = arena_new_array(r->arena, struct eval_question, most + 1);
    while (r->rest.len && set->n < most) {
        int line = r->line;
        size_t n = read_csv_line(r, fields);
        struct eval_question *q = &set->questions[set->n];
        if (n == 1 && !str_trim(fields[0]).len)
            continue;
        q->line = line;
        set->n++;
        if (n > n_names)
            set_problem(r->problems, line, "more fields than names");
        for (size_t i = 0; i < n && i < n_names; i++)
            set_member(r->arena, q, str_trim(names[i]), fields[i], r->problems);
    }
    if (r->rest.len)
        set_problem(r->problems, r->line, "more than %d questions",
                    EVAL_MOST_QUESTIONS);
}

bool eval_set_read_csv(struct arena *arena, struct str text,
                       struct eval_set *set, struct buf *problems)
{
    struct csv_reader r = {
        .arena = arena, .problems = problems, .rest = text, .line = 1};
    *set = (struct eval_set){0};
    if (str_starts(text, STR("\xef\xbb\xbf")))
        r.rest = str_from(text, 3);
    if (!utf8_valid(text))
        set_problem(problems, 1, "the text is not UTF-8");
    else
        read_csv_questions(&r, set);
    return set_check(arena, set, problems);
}
