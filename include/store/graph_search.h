/* graph_search.h - finds the datasets nearest to a question in Neo4j, and fills
 * Neo4j with the graph of an ontology when it lacks it.
 *
 * Neo4j holds copies: a node for each dataset of a version of an ontology, with
 * its YAML and its vector, and a RELATES_TO relationship for each of the
 * model's. So it may be emptied at any time: the next question fills it again
 * (docs/ontology.md, "Where the graph is stored").
 *
 * Every vector is compared, as in ontology/similarity.h: an index that
 * approximates could miss the dataset that a question needs. */
#pragma once
#include "ontology/similarity.h"
#include "store/ontologies.h"

struct neo4j_options {
    const char *url; /* of its HTTP interface; NULL: there is no Neo4j */
    const char *user;
    const char *password; /* NULL: no authentication */
    const char *database;
};
/* Copies the options; NULL without a url. */
struct neo4j *neo4j_new(const struct neo4j_options *options);
/* Sets *n to NULL, which it may be. */
void neo4j_free(struct neo4j **n);

struct graph_search {
    struct store *store;                /* with a Neo4j */
    const struct cached_ontology *held; /* with `vectors` */
    struct similarity *search;          /* begun; gets its best */
};
/* A subflow (locals: graph_search). Fails with ERR_UNAVAILABLE and a sentence
 * when Neo4j cannot be used now. After a failure it is not asked again for some
 * seconds. */
struct next graph_search_begin(struct flow *f);
