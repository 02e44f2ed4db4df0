/* compare_noun.c - nouns for what the rows of a table are of: "cities", "months";
 * see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "base/banned.h"

static bool days_differ(const struct fact_table *t)
{
    const int64_t *days = t->columns[t->period].days;
    for (size_t i = 1; i < t->n_rows; i++)
        if (days[i] == days[i - 1] || days[i] == INT64_MIN)
            return false;
    return t->n_rows > 1 && days[0] != INT64_MIN;
}

static bool is_weekly(const struct fact_table *t)
{
    enum { WEEK = 7 };
    const int64_t *days = t->columns[t->period].days;
    for (size_t i = 1; i < t->n_rows; i++)
        if (days[i] - days[i - 1] != WEEK && days[i - 1] - days[i] != WEEK)
            return false;
    return t->n_rows > 1;
}

/* Whether the noun is the time that each row of the table is of: "months". */
bool table_counts_periods(const struct fact_table *t, struct str noun)
{
    static const char *const grains[] = {" day days date dates ",
                                         " month months ", " quarter quarters ",
                                         " year years "};
    return t->period < t->n_columns &&
           (wording_among(noun, grains[t->columns[t->period].grain]) ||
            wording_among(noun, " period periods ") ||
            (wording_among(noun, " week weeks ") && is_weekly(t))) &&
           days_differ(t);
}

static struct str next_word(struct str *rest)
{
    size_t n = 0, from = 0;
    while (from < rest->len && strchr(" ,.?!", rest->ptr[from]))
        from++;
    while (from + n < rest->len && !strchr(" ,.?!", rest->ptr[from + n]))
        n++;
    struct str word = str_cut(*rest, from, n);
    *rest = str_from(*rest, from + n);
    return word;
}

/* "How many units did each power tool sell": the question asks of each of them.
 * `before`: the word before the noun, or empty. */
static bool asked_of_each(struct facts *facts, struct str before,
                          struct str noun)
{
    struct str rest = facts->of->question;
    if (noun.len < 3 || !facts_work(facts, rest.len / 4))
        return false;
    for (struct str word; (word = next_word(&rest)).len;) {
        struct str after = rest;
        if (!wording_among(word, " each every per which Which "))
            continue;
        struct str one = next_word(&after), two = next_word(&after);
        if (before.len
                ? str_eq_nocase(one, before) && column_word_same(two, noun)
                : column_word_same(one, noun) || column_word_same(two, noun))
            return true;
    }
    return false;
}

/* Each row is of one thing that has a name or a number. */
bool table_has_things(const struct fact_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (!t->columns[i].adds && !t->columns[i].dated && t->n_rows > 1 &&
            t->columns[i].distinct == t->n_rows)
            return true;
    return false;
}

/* Whether the noun is what each row of the table is of: "cities", "months". */
bool table_counts_rows(struct facts *facts, const struct fact_table *t,
                       struct str noun)
{
    if (!t->whole || t->n_rows < 2 ||
        !facts_work(facts, t->n_rows + 8 * t->n_columns))
        return false;
    if (wording_among(noun,
                      " combination combinations row rows entry entries "))
        return true;
    if (table_counts_periods(t, noun))
        return true;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct fact_column *c = &t->columns[i];
        if (!c->adds && c->distinct == t->n_rows &&
            column_name_has(c->name, noun))
            return true;
    }
    return table_has_things(t) && asked_of_each(facts, STR(""), noun);
}

/* "Business units", of `business_unit`, or as the question asks of each. */
bool clause_one_noun(const struct compare_clause *c, size_t word)
{
    struct facts *facts = c->s->facts;
    if (word + 1 < c->end && !clause_word(c, word + 1)->says &&
        asked_of_each(facts, clause_text(c, word), clause_text(c, word + 1)))
        return true;
    for (size_t t = 0; word + 1 < c->end && t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++) {
            const struct fact_column *of = &facts->tables[t].columns[i];
            struct split_name own;
            if (of->adds)
                continue;
            column_name_read(of->name, &own);
            for (size_t k = 1; k < own.n; k++)
                if (str_eq(own.words[k - 1], clause_text(c, word)) &&
                    column_word_same(own.words[k], clause_text(c, word + 1)))
                    return true;
        }
    return false;
}

bool clause_counts_rows(const struct compare_clause *c, size_t word)
{
    struct facts *facts = c->s->facts;
    for (size_t t = 0; word < c->end && t < facts->n_tables; t++)
        if (table_counts_rows(facts, &facts->tables[t], clause_text(c, word)))
            return true;
    return false;
}
