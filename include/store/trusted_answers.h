/* trusted_answers.h - questions whose query an owner of the ontology, or an
 * admin, vouches for.
 *
 *   stale    the query no longer passes the guard or the guardrails, since the
 *            semantic model has changed; a stale answer is not used
 *   checked  against this version of the ontology. Before anything uses or
 *            lists the answers of an ontology, those that were checked against
 *            another version are checked again (agent/trusted.h)
 *
 * A question (wording and values, ontology/question_key.h) has one answer in an
 * ontology. */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    TRUSTED_MOST = 500,           /* of one ontology */
    TRUSTED_QUESTION_MOST = 2000, /* characters */
    TRUSTED_SQL_MOST = 30000,
};

/* A page of the trusted answers that a user may see, by ontology and time. */
struct trusted_page {
    struct store *store;
    struct str user_id;
    struct str ontology_id, message_id, search; /* each may be empty */
    struct str state; /* "trusted", "stale", or empty */
    bool all;         /* the user is an admin */
    int page, page_size;
    /* Out: rows for trusted_write, in the flow's keep, and their total */
    struct query *query;
    int64_t total;
};
struct next trusted_page_begin(struct flow *f);
/* Writes a trusted answer's members into the object that is open. */
void trusted_write(struct json_writer *w, const struct query *q, int row);

/* A row of a page, for people; slices that live as long as the page. */
struct trusted_line {
    struct str id, state, ontology_name, question, problem;
};
struct trusted_line trusted_line_at(const struct query *q, int row);
/* Writes a page of one ontology as a set of questions in YAML
 * (ontology/question_set.h); nothing but the head when it has no rows. */
void trusted_set_write(struct buf *out, const struct query *q,
                       struct str ontology_name);

/* Adds or replaces answers of one ontology that were checked. The caller has
 * checked that the user may. */
struct trusted_put {
    struct store *store;
    struct str ontology_id, user_id, request_id;
    /* JSON: [{"question","wording","bound_values","period","sql","message_id",
     * "step_id","checked_version"}], no question twice */
    struct str items; /* ends with a NUL, not copied */
    /* Out */
    bool found; /* the ontology */
    bool room;  /* false: there would be more than TRUSTED_MOST */
    int added, replaced;
    struct str id; /* of the first */
    struct query *query;
};
struct next trusted_put_begin(struct flow *f);

/* Reads one answer: whose ontology it belongs to. */
struct trusted_find {
    struct store *store;
    struct str user_id, id;
    bool all;
    /* Out */
    bool found; /* and the user may see its ontology */
    struct str owner_id;
    struct query *query; /* a row for trusted_write, kept */
};
struct next trusted_find_begin(struct flow *f);

/* Removes one answer. */
struct trusted_remove {
    struct store *store;
    struct str id, user_id, request_id;
    bool found; /* out */
    struct query *query;
};
struct next trusted_remove_begin(struct flow *f);

/* ---- checking again ------------------------------------------------------- */

struct trusted_unchecked {
    struct str id, sql;
};
/* Reads answers that were checked against an older version, TRUSTED_BATCH at
 * most. */
enum { TRUSTED_BATCH = 50 };
struct trusted_due {
    struct store *store;
    struct str ontology_id;
    int version;
    struct arena *memory;            /* of what comes out */
    struct trusted_unchecked *items; /* out */
    size_t n;
    struct query *query;
};
struct next trusted_due_begin(struct flow *f);

/* Stores what the check of that version found. */
struct trusted_checked {
    struct store *store;
    int version;
    struct str items; /* JSON: [{"id","problem"}], problem null: it passed */
};
struct next trusted_checked_begin(struct flow *f);

/* The ontologies that a user may see and that have answers to check again; a
 * hundred at most. */
struct trusted_stale_ontologies {
    struct store *store;
    struct str user_id, ontology_id; /* ontology_id may be empty */
    bool all;
    struct str *ids; /* out, kept */
    int *versions;
    size_t n;
    struct query *query;
};
struct next trusted_stale_ontologies_begin(struct flow *f);

/* The engine of an ontology's source, by whose functions its queries are
 * judged. */
struct trusted_engine {
    struct store *store;
    struct str ontology_id;
    /* Out */
    bool of_trino;
    struct str catalog; /* Trino's, kept; of others: the database */
    struct query *query;
};
struct next trusted_engine_begin(struct flow *f);

/* ---- marking an answer ---------------------------------------------------- */

/* Reads the question and the SQL of a step of an answer of the user. */
struct trusted_source {
    struct store *store;
    struct str user_id, message_id;
    int step_id; /* 0: the first one with SQL */
    /* Out */
    bool found; /* the answer, in a chat of the user, and such a step */
    struct str question, sql, ontology_id;
    bool continues; /* the chat has earlier messages */
    int64_t answered_ms;
    int found_step;
    struct query *query;
};
struct next trusted_source_begin(struct flow *f);

/* ---- for a run ------------------------------------------------------------ */

/* Reads the answer to the same question. */
struct trusted_match {
    struct store *store;
    struct str ontology_id, wording, values;
    struct arena *memory; /* of what comes out */
    /* Out */
    bool found; /* and it was not stale when it was checked */
    struct str id, question, sql, period, by, at;
    int checked_version;
    struct query *query;
};
struct next trusted_match_begin(struct flow *f);

struct trusted_example {
    struct str question, sql;
};
/* Reads the questions that may serve as examples. They may have been checked
 * against an older version. Long queries are left out. */
enum { TRUSTED_EXAMPLE_BYTES = 4000 };
struct trusted_pool {
    struct store *store;
    struct str ontology_id;
    struct arena *memory;          /* of what comes out */
    struct trusted_example *items; /* out */
    size_t n;
    struct query *query;
};
struct next trusted_pool_begin(struct flow *f);
