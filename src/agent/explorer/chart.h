/* chart.h - takes a Vega-Lite specification of a model and leaves only what
 * draws the rows of its query.
 *
 * The specification is hostile. Members are on an allow-list, each with the
 * types and words that its value may have; what is unknown is dropped. What
 * loads something, links somewhere or computes (addresses, image marks,
 * expressions, transforms, parameters, other data) refuses the whole, with a
 * sentence. What remains is valid Vega-Lite (version 6) and has no `data`:
 * the page that draws it adds the rows. Pure. */
#pragma once
#include "base/arena.h"
#include "base/json.h"
#include "tools.h"

enum {
    CHART_LAYERS = 8,
    CHART_FIELDS = 64,
    CHART_TEXT = 300,  /* characters of a title */
    CHART_LIST = 200,  /* values of a domain or a sort order */
    CHART_SIDE = 2000, /* pixels */
    CHART_DEPTH = 24,
};

struct chart_check {
    struct str spec;       /* JSON text of an object (slice.h) */
    struct str chart_type; /* bar, line, scatter, area, pie */
    struct str title;
    struct arena *arena;
    /* Out */
    struct str text;                 /* the specification as JSON text */
    struct str problem;              /* a sentence, when it is refused */
    struct str fields[CHART_FIELDS]; /* columns that it names, each once */
    size_t n_fields;
};

/* The kinds of charts by name; false: it is none of them. */
bool chart_type_known(struct str type);
/* Judges the specification. False: `problem` says why not. */
bool chart_check(struct chart_check *c);
