/* similarity.h - which datasets may answer a question: vectors and cosines.
 *
 * The lexical embedding needs no model and no network. It sees words (lower
 * case, identifiers split, English endings cut, stop words left out) and, with
 * less weight, their letter trigrams; both are hashed with a sign into
 * LEXICAL_DIMENSIONS and scaled to length 1. The same text always gives the
 * same vector, and must, because vectors are stored: a change needs a new
 * LEXICAL_VERSION. The code that compares vectors takes any embedding. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { LEXICAL_DIMENSIONS = 512, LEXICAL_VERSION = 2 };

/* All zeros when the text holds no word. */
void lexical_embed(struct str text, float out[LEXICAL_DIMENSIONS]);

/* -1 … 1; 0 when one of them is all zeros. The vectors need not be scaled. */
float cosine(const float *a, const float *b, size_t n);

/* What is embedded for a dataset: name, description, synonyms, then names,
 * labels, synonyms and descriptions of its fields. */
struct str dataset_embedding_text(struct arena *arena,
                                  const struct dataset *dataset);

/* The lexical vectors of all datasets, row by row: n_datasets times
 * LEXICAL_DIMENSIONS floats. */
float *ontology_embed_lexically(struct arena *arena, const struct ontology *o);

struct similar {
    size_t dataset;
    float score;
};

/* A search for the `top_k` datasets (fewer if there are fewer) nearest to
 * `query`, some vectors at a time, so that ten thousand of them hold up nobody. */
struct similarity {
    const struct ontology *ontology;
    const float *vectors; /* `dimensions` for each dataset, in their order; all
                             zeros where there is none */
    size_t dimensions;
    const float *query;
    size_t top_k;
    /* Out: the best first, ties by name */
    struct similar *best;
    size_t n_best;
    /* private */
    size_t at;
    float query_length;
};
void similarity_begin(struct arena *arena, struct similarity *s);
/* What another has found, among the best. */
void similarity_take(struct similarity *s, struct similar one);
/* Compares up to `most` floats more, one vector at least; false: that was all. */
bool similarity_go_on(struct similarity *s, size_t most);
/* The whole at once. */
void similarity_search(struct arena *arena, struct similarity *s);
