/* similarity.h - finds the datasets most similar to a question, by vectors.
 *
 * The lexical embedding needs no model and no network. It sees words (lower
 * case, identifiers split, English endings cut, stop words left out) and, with
 * less weight, their letter trigrams; both are hashed with a sign into
 * LEXICAL_DIMENSIONS, and the vector is scaled to length 1. The same text must
 * always give the same vector, because vectors are stored: a change needs a new
 * LEXICAL_VERSION. The search works with vectors of any embedding. */
#pragma once
#include "base/arena.h"
#include "ontology/model.h"

enum { LEXICAL_DIMENSIONS = 512, LEXICAL_VERSION = 2 };

/* The lexical vector of a text; all zeros if it has no words. */
void lexical_embed(struct str text, float out[LEXICAL_DIMENSIONS]);

/* The cosine similarity, -1 … 1, of vectors of any length; 0 if one is all
 * zeros. */
float cosine(const float *a, const float *b, size_t n);

/* The text that is embedded for a dataset, in `arena`: name, description,
 * synonyms, then names, labels, synonyms and descriptions of its fields. */
struct str dataset_embedding_text(struct arena *arena,
                                  const struct dataset *dataset);

/* The lexical vectors of all datasets, one after the other, in `arena`:
 * n_datasets times LEXICAL_DIMENSIONS floats. */
float *ontology_lexical_vectors(struct arena *arena, const struct ontology *o);

struct similar {
    size_t dataset;
    float score;
};

/* A search for the `top_k` datasets most similar to `query`. It compares some
 * vectors at a time, so that ten thousand datasets do not block the loop. */
struct similarity {
    const struct ontology *ontology;
    const float *vectors; /* `dimensions` for each dataset, in their order; all
                             zeros where there is none */
    size_t dimensions;
    const float *query;
    size_t top_k;
    /* Result: the best first, ties by name */
    struct similar *best;
    size_t n_best;
    /* private */
    size_t at;
    float query_length;
};
/* Starts a search whose public fields are set; `best` is allocated in
 * `arena`. */
void similarity_begin(struct arena *arena, struct similarity *s);
/* Adds a result from elsewhere, if it is among the best. */
void similarity_offer(struct similarity *s, struct similar one);
/* Compares up to `most` more floats, but at least one vector. False when all
 * vectors have been compared. */
bool similarity_continue(struct similarity *s, size_t most);
