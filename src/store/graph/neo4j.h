/* neo4j.h - one statement to a Neo4j server, by its HTTP Query API
 * (POST /db/{database}/query/v2; neo4j.com/docs/query-api). A statement is a
 * transaction of its own. */
#pragma once
#include "base/json.h"
#include "net/http_client.h"
#include "store/store.h"

enum { NEO4J_PROBLEM = 240 };

struct neo4j_query {
    /* In */
    struct neo4j *neo4j;
    unsigned total_ms;
    /* Out: an array of arrays, until the next statement; NULL: it failed */
    const json_t *rows;
    /* private */
    struct buf body;
    struct json_writer parameters;
    json_t *reply;
    struct http_call *http;
};

/* Zeroed fields are fine. Frees what it holds when the frame ends. */
void neo4j_query_init(struct flow *f, struct neo4j_query *q,
                      struct neo4j *neo4j);
/* Begins a statement; the caller writes the members of its parameters and then
 * calls neo4j_query_begin. `cypher` needs no escapes in JSON but for those of
 * quotes. */
struct json_writer *neo4j_statement(struct neo4j_query *q, const char *cypher);
/* A subflow (locals: neo4j_query). Fails with ERR_UNAVAILABLE and a sentence;
 * Neo4j then has a break (neo4j_may_ask). */
struct next neo4j_query_begin(struct flow *f);

/* False for some seconds after a failure. */
bool neo4j_may_ask(const struct neo4j *neo4j);

/* Whether this process has made constraints and indexes for vectors of this
 * size. */
bool neo4j_has_schema(const struct neo4j *neo4j, size_t dimensions);
void neo4j_note_schema(struct neo4j *neo4j, size_t dimensions);
