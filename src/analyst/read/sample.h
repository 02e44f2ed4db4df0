/* sample.h - values that the ontology names: the examples of a field, and what its
 * description lists ("in_store or online", "for example Houston"). */
#pragma once
#include "base/map.h"
#include "ontology/model.h"
#include "words.h"

struct sample {
    size_t dataset, field;
    struct str literal; /* as the ontology writes it */
    bool coded;         /* a code, found by what it means: F by "female" */
};

struct sample_list {
    struct sample *items;
    size_t n, room;
};

struct samples {
    struct arena *arena;
    struct map values; /* struct sample_list by the value's letters */
    bool seasons;      /* some are called like 2023/24 */
};

/* Collects the values of all text fields. */
void samples_init(struct arena *arena, const struct ontology *ontology,
                  struct samples *samples);

/* The fields of the longest value that begins at word `at` and ends before `end`,
 * and its length in *n_words; its last word may be a plural. NULL: no value begins
 * there. */
const struct sample_list *samples_match(const struct samples *samples,
                                        const struct question_words *words,
                                        size_t at, size_t end, size_t *n_words);
/* The fields of a value given as text, or NULL; of "pivots", those of "pivot". */
const struct sample_list *samples_find(const struct samples *samples,
                                       struct str value);
/* The field's own entry of the list, or NULL. */
const struct sample *sample_of(const struct sample_list *list, size_t dataset,
                               size_t field);
/* The words are the value as the ontology writes it, not its plural or what it
 * means. */
bool sample_is_spelled(const struct samples *samples,
                       const struct sample *sample, struct str words);
