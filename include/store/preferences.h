/* preferences.h - what a user wants remembered (seed 000, "User Preferences").
 *
 *   scope      global, or one ontology; a key has one value in each
 *   effective  what applies in an ontology: its own before the global ones
 *   capture    what is done with answers to clarifying questions: the global
 *              preference "auto_capture_mode", which steers us and no model */
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
    SCOPE_ALL, /* with an ontology: that one's alone */
    SCOPE_GLOBAL,
    SCOPE_ONTOLOGY,
    SCOPE_EFFECTIVE,
};

struct preference_list {
    struct store *store;
    struct str user_id, ontology_id; /* ontology empty: any */
    bool all_ontologies;             /* an admin sees all */
    enum preference_scope scope;
    bool ontology_found; /* out: one that the user may see, or none was named */
    struct query *query;
};
struct next preference_list_begin(struct flow *f);
/* Rows of the list; the one row of what was put or changed. */
int preference_rows(const struct query *q);
void preference_write(struct json_writer *w, const struct query *q, int row);

/* Made, or its value replaced. */
struct preference_put {
    struct store *store;
    struct str user_id, ontology_id, key, value, source;
    bool all_ontologies;
    bool ontology_found, room; /* out */
    struct query *query;
};
struct next preference_put_begin(struct flow *f);

struct preference_change {
    struct store *store;
    struct str user_id, id, value;
    bool found;
    bool allowed; /* false: no value that its key may have */
    struct query *query;
};
struct next preference_change_begin(struct flow *f);

/* One by id, or all but the capture mode, or those of one ontology. */
struct preference_delete {
    struct store *store;
    struct str user_id, id, ontology_id; /* both empty: all */
    bool all_ontologies;
    bool found; /* the preference, or the ontology that was named */
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
/* The query for what is effective, begun in a step of f; then its rows. */
struct query *preferences_ask(struct flow *f, struct store *s,
                              struct str user_id, struct str ontology_id);
void preferences_take(struct arena *memory, const struct query *q,
                      struct preference_set *out);

/* What a run has learned from its user, stored for its ontology while the run
 * is still ours. What he set by hand is replaced by what he answered, never by
 * an assumption. */
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
