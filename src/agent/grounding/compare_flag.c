/* compare_flag.c - what columns of true and false say of rows: "dark_mode is
 * enabled", of `is_enabled`; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "base/banned.h"

enum { ADJECTIVE_LEAST = 4, NOUN_LEAST = 2 };

/* The word that such a column's name has, but for "is" and "has"; empty: it
 * has several. */
static struct str adjective_of(struct split_name *own, struct str name)
{
    struct str found = {0};
    column_name_read(name, own);
    for (size_t i = 0; i < own->n; i++) {
        if (wording_among(own->words[i],
                          " is was has supports offers includes "))
            continue;
        if (found.len)
            return STR("");
        found = own->words[i];
    }
    return found;
}

/* 1: the word is the adjective of the name; 0: its opposite; -1: neither. */
static int says_adjective(struct str word, struct str name)
{
    static const char *const opposites[] = {"in", "un", "non", "dis"};
    struct split_name own;
    struct str adjective = adjective_of(&own, name);
    /* "Has DLC", and not "is new" */
    bool noun = own.n > 1 &&
                wording_among(own.words[0], " has supports offers includes ");
    if (adjective.len < (noun ? NOUN_LEAST : ADJECTIVE_LEAST))
        return -1;
    if (str_eq(word, adjective))
        return 1;
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        if (str_starts(word, str_of(opposites[i])) &&
            str_eq(str_from(word, strlen(opposites[i])), adjective))
            return 0;
    bool disables = str_starts(word, STR("dis")) &&
                    str_starts(adjective, STR("en")) &&
                    str_eq(str_from(word, 3), str_from(adjective, 2));
    return disables ? 0 : -1;
}

/* The only column of true and false of which the i-th word is; n_columns: none,
 * or several. */
static size_t flag_column(const struct compare_clause *c,
                          const struct fact_table *t, size_t i)
{
    size_t found = t->n_columns, n = 0;
    for (size_t k = 0; i < c->end && k < t->n_columns; k++)
        if (t->columns[k].flags &&
            says_adjective(clause_word(c, i)->lower, t->columns[k].name) >= 0) {
            found = k;
            n++;
        }
    return n == 1 ? found : t->n_columns;
}

bool flag_count(const struct compare_clause *c, const struct fact_table *t,
                const struct scope_rows *rows, size_t word, size_t *n)
{
    size_t column = flag_column(c, t, word);
    size_t size = rows->n ? rows->n : t->n_rows;
    *n = 0;
    if (column == t->n_columns || !facts_work(c->s->facts, size))
        return false;
    for (size_t k = 0; k < size; k++)
        *n += t->columns[column].flags[rows->n ? rows->rows[k] : k] == 1;
    return true;
}

bool flag_word(const struct compare_clause *c, size_t i, bool *is)
{
    struct facts *facts = c->s->facts;
    for (size_t t = 0; t < facts->n_tables; t++) {
        if (!facts_work(facts, facts->tables[t].n_columns))
            return false;
        size_t k = flag_column(c, &facts->tables[t], i);
        if (k == facts->tables[t].n_columns)
            continue;
        *is = says_adjective(clause_word(c, i)->lower,
                             facts->tables[t].columns[k].name);
        return true;
    }
    return false;
}

struct scope_rows clause_flag_rows(const struct compare_clause *c, size_t table,
                                   bool is)
{
    const struct fact_table *t = &c->s->facts->tables[table];
    struct scope_rows out = {0};
    size_t column = t->n_columns;
    bool opposite = false;
    for (size_t i = c->word; i < c->end && column == t->n_columns; i++) {
        if (!facts_work(c->s->facts, t->n_columns))
            return out;
        column = flag_column(c, t, i);
        opposite = column < t->n_columns &&
                   says_adjective(clause_word(c, i)->lower,
                                  t->columns[column].name) == 0;
    }
    if (column == t->n_columns || !facts_work(c->s->facts, t->n_rows))
        return out;
    out.rows = arena_new_array(c->s->facts->arena, size_t, t->n_rows + 1);
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->columns[column].flags[i] == (is != opposite))
            out.rows[out.n++] = i;
    return out;
}

/* ---- parts of all rows ---------------------------------------------------- */

/* The number of rows of a table with several, or a word for all of them. */
static bool says_whole(const struct compare_clause *c, size_t i)
{
    static const char whole[] = " among of within the these those our all its ";
    const struct facts *facts = c->s->facts;
    if (wording_among(clause_text(c, i), whole) || clause_counts_rows(c, i))
        return true;
    for (size_t k = 0; k < c->s->n_figures; k++) {
        const struct figure *f = &c->s->figures[k];
        for (size_t t = 0; t < facts->n_tables; t++)
            if (f->from <= clause_word(c, i)->from &&
                f->to >= clause_word(c, i)->to && f->kind == FIGURE_NUMBER &&
                f->value == (double)facts->tables[t].n_rows)
                return true;
    }
    return false;
}

bool clause_part(const struct compare_clause *c, struct compare_clause *part)
{
    static const char leads[] = " among within of excluding except apart "
                                "besides ";
    size_t first = c->s->sentence->word;
    bool whole = true;
    if (c->word == first ||
        !wording_among(c->s->wording->words[first].lower, leads))
        return false;
    *part = (struct compare_clause){c->s, first, clause_end(c->s, first)};
    for (size_t i = first; i < part->end; i++)
        whole = whole && says_whole(part, i);
    return !whole;
}

bool clause_leads_part(const struct compare_clause *c)
{
    struct compare_clause part;
    return clause_part(c, &part);
}

struct scope_rows clause_part_rows(const struct compare_clause *part,
                                   size_t table)
{
    static const struct scope_rows none = {0};
    const struct row_mention *m = clause_subject(part, false);
    if (!wording_among(clause_text(part, part->word), " among within of "))
        return none;
    if (m && clause_holds(part, m))
        return mention_rows(part->s, m, table);
    return clause_flag_rows(part, table, true);
}

/* The text that the word is said of: the last one before it, with only words
 * between that link them. NULL: none. */
static const struct row_mention *flag_subject(const struct compare_clause *c,
                                              size_t word)
{
    static const char links[] = " is are was were has have been currently "
                                "still now both all the a an ";
    /* What a thing may have, if nothing follows. */
    static const char offers[] =
        " supports support offers offer includes include "
        "provides provide allows has have had ";
    bool last = word + 1 == c->end ||
                wording_among(clause_text(c, word + 1),
                              " in on at with too as since for by ") ||
                wording_among(clause_text(c, word + 1), " mode support ");
    const struct row_mention *m = NULL;
    size_t at = c->word;
    bool linked = false;
    for (size_t i = 0; i < c->s->n_subjects; i++) {
        const struct row_mention *next = &c->s->subjects[i];
        if (clause_holds(c, next) && next->place &&
            next->to <= clause_word(c, word)->from)
            m = next;
    }
    while (m && at < word && clause_word(c, at)->from < m->to)
        at++;
    for (; m && at < word; at++) {
        bool link = wording_among(clause_word(c, at)->lower, links) ||
                    (last && wording_among(clause_word(c, at)->lower, offers));
        if (!link && (linked || !clause_counts_rows(c, at)))
            return NULL;
        linked = linked || link;
    }
    return linked ? m : NULL;
}

bool clause_wrong_flag(const struct compare_clause *c, size_t word)
{
    bool is = false, looked = false;
    if (!flag_word(c, word, &is) || clause_says(c, PROSE_NEGATION))
        return false;
    const struct row_mention *m = flag_subject(c, word);
    for (size_t t = 0; m && t < c->s->facts->n_tables; t++) {
        const struct fact_table *table = &c->s->facts->tables[t];
        struct scope_rows rows = mention_rows(c->s, m, t);
        size_t column = flag_column(c, table, word);
        if (column == table->n_columns || !rows.n ||
            !facts_work(c->s->facts, rows.n))
            continue;
        for (size_t i = 0; i < rows.n; i++)
            if (table->columns[column].flags[rows.rows[i]] == !is)
                looked = true;
    }
    return looked;
}
