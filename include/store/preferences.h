/* preferences.h - values that a user wants runs to remember.
 *
 *   scope      global, or one ontology; a key has one value in each
 *   effective  what applies in an ontology: its own value before a global one
 *   capture    what happens to answers to clarifying questions: the global
 *              preference "auto_capture_mode", which no model sees */
#pragma once
#include "base/json.h"
#include "db/query.h"
#include "store/store.h"

enum {
    PREFERENCES_MOST = 200,    /* of one user */
    PREFERENCE_KEY_MOST = 255, /* characters */
    PREFERENCE_VALUE_MOST = 2000,
};
#define CAPTURE_KEY "auto_capture_mode"

enum capture_mode { CAPTURE_OFF, CAPTURE_AUTO, CAPTURE_ASK };
/* "off", "auto", "ask"; false: none of them. */
bool capture_mode_of(struct str word, enum capture_mode *out);

enum preference_scope {
    SCOPE_ALL, /* with an ontology: only its own */
    SCOPE_GLOBAL,
    SCOPE_ONTOLOGY,
    SCOPE_EFFECTIVE,
};

/* Lists a user's preferences. */
struct preference_list {
    struct store *store;
    struct str user_id, ontology_id; /* ontology_id may be empty */
    bool all_ontologies;             /* the user is an admin */
    enum preference_scope scope;
    bool ontology_found; /* out: the user may see it, or none was given */
    struct query *query;
};
struct next preference_list_begin(struct flow *f);
/* The number of rows of a list; 1 for what was put or changed. */
int preference_rows(const struct query *q);
/* Writes a preference's object. */
void preference_write(struct json_writer *w, const struct query *q, int row);

/* Adds a preference, or replaces its value. */
struct preference_put {
    struct store *store;
    struct str user_id, ontology_id, key, value, source;
    bool all_ontologies;
    bool ontology_found, room; /* out */
    struct query *query;
};
struct next preference_put_begin(struct flow *f);

/* Changes the value of a preference. */
struct preference_change {
    struct store *store;
    struct str user_id, id, value;
    bool found;
    bool allowed; /* false: its key cannot have this value */
    struct query *query;
};
struct next preference_change_begin(struct flow *f);

/* Deletes one preference by id, those of one ontology, or all but the capture
 * mode. */
struct preference_delete {
    struct store *store;
    struct str user_id, id, ontology_id; /* both empty: all */
    bool all_ontologies;
    bool found; /* the preference, or the ontology */
    struct query *query;
};
struct next preference_delete_begin(struct flow *f);

/* ---- for a run ---------------------------------------------------------- */

struct preference {
    struct str key, value;
};
struct preference_set { /* without the capture mode */
    struct preference *items;
    size_t n;
    enum capture_mode capture;
};
/* Begins the query for effective preferences in a step of f; preferences_read
 * reads its rows into `memory`. */
struct query *preferences_query_begin(struct flow *f, struct store *s,
                                      struct str user_id,
                                      struct str ontology_id);
void preferences_read(struct arena *memory, const struct query *q,
                      struct preference_set *out);

/* Stores what a run has learned from its user, for its ontology, if the run
 * still has this epoch. An answer replaces a value that the user set by hand;
 * an assumption does not. */
struct preference_capture {
    struct store *store;
    struct str message_id, user_id, ontology_id;
    int epoch;
    struct str learned; /* JSON: [{"key","value","given":bool}], keys once */
    struct preference *saved; /* out */
    size_t n_saved;
    struct query *query;
};
struct next preference_capture_begin(struct flow *f);
