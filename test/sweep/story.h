/* story.h - recorded stories: a question, what the world answers, how it
 * ends. */
#pragma once
#include "fake_db.h"
#include "fake_http.h"

struct story {
    const char *name;
    const char *question;               /* NULL: about the revenue by city */
    const struct fake_exchange *script; /* ends in NULL has */
    const struct fake_rows *(*on_read)(struct str sql);
    const char *status;  /* of the row when nothing goes wrong */
    const char *says;    /* in its content or metadata, likewise */
    bool embeds;         /* questions are embedded by a model */
    bool by_pgvector;    /* and it compares their vectors */
    bool neo4j;          /* there is one, empty at first */
    bool clarified;      /* the turn before asked for clarification */
    const char *capture; /* the user's capture mode; NULL: none set */
    /* Taken over: begins at this phase, with the artifacts of those before
     * it. */
    const char *phase; /* NULL: a new run */
    int attempt;       /* 0: 1 */
    uint64_t age_ms;   /* since its first claim */
    const char *model; /* of the ontology, JSON; NULL: the shop */
    const char *provider, *ontology_status; /* NULL: "openai", "ready" */
    const char *share;   /* what a model may see of the data; NULL: "all" */
    const char *damaged; /* kind of an artifact that cannot be read */
    const char *agent;   /* NULL: "pipeline" */
    int max_calls;       /* 0: plenty */
    bool lasting;        /* swept with long outages, too */
    bool watched;        /* an admin looks at it */
    const char *trusted; /* the query of the question's trusted answer; NULL:
                            it has none */
    bool similar;        /* similar questions have trusted answers */
    bool files;          /* the source is files, not a database */
    bool queued;         /* another run has the only ticket until it waits */
};

extern const struct story stories[]; /* ends in a NULL name */

struct artifact_record {
    const char *kind, *body;
    const char *phase; /* that left it */
};
/* What a whole run left, in order; ends in a NULL kind. */
extern const struct artifact_record record[];
