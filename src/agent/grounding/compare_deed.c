/* compare_deed.c - verbs for what columns hold: "rated", of `rating`, "convert",
 * of `conversion_pct`; see compare_clause.h. */
#include "compare_clause.h"
#include "column_name.h"
#include "base/banned.h"

bool column_is_of_deed(struct str name, struct str word)
{
    enum { COMMON = 5, LEFT = 2 };
    struct split_name own;
    if (word.len < COMMON)
        return false;
    column_name_read(name, &own);
    for (size_t k = 0; k < own.n; k++) {
        struct str part = own.words[k];
        size_t n = 0;
        while (n < part.len && n < word.len && part.ptr[n] == word.ptr[n])
            n++;
        if (n >= COMMON && n + LEFT >= word.len)
            return true;
    }
    return false;
}

bool clause_deed_of_some(const struct compare_clause *c, struct str word)
{
    const struct facts *facts = c->s->facts;
    for (size_t t = 0; t < facts->n_tables; t++)
        for (size_t i = 0; i < facts->tables[t].n_columns; i++)
            if (facts->tables[t].columns[i].adds &&
                column_is_of_deed(facts->tables[t].columns[i].name, word))
                return true;
    return false;
}

bool column_is_done(struct str name, struct str word)
{
    struct split_name own;
    column_name_read(name, &own);
    for (size_t k = 0; k < own.n; k++)
        if (column_word_same(own.words[k], word) ||
            column_word_done(own.words[k], word))
            return true;
    return false;
}

bool clause_form_of_some(const struct compare_clause *c, size_t i)
{
    const struct facts *facts = c->s->facts;
    struct str word = clause_text(c, i);
    struct compare_clause one = {c->s, i, i + 2};
    if (i + 2 > c->end)
        return false;
    for (size_t t = 0; t < facts->n_tables && str_ends(word, STR("ed")); t++)
        for (size_t k = 0; k < facts->tables[t].n_columns; k++)
            if (facts->tables[t].columns[k].adds &&
                (column_name_resembles(facts->tables[t].columns[k].name,
                                       word) ||
                 clause_names(&one, facts->tables[t].columns[k].name)))
                return true;
    return false;
}

bool clause_names_whole(const struct compare_clause *words, struct str name)
{
    size_t parts = 1;
    for (size_t i = 0; i < name.len; i++)
        parts += name.ptr[i] == '_' || name.ptr[i] == ' ';
    return words->end > words->word && clause_names(words, name) &&
           parts >= words->end - words->word;
}
