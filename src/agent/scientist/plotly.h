/* plotly.h - takes a Plotly figure that code in the sandbox made, and leaves
 * only what draws: the page may then give it to Plotly.
 *
 * The figure is hostile. Kept are `data` and `layout`; dropped is what loads
 * something (images, maps, links, addresses), calls something (buttons,
 * sliders) or refers to a server of Plotly. Texts keep the few tags that Plotly
 * draws; of all others the bracket is escaped. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdbool.h>

enum {
    PLOTLY_BYTES = 2 * 1024 * 1024,
    PLOTLY_TRACES = 100,
    PLOTLY_OBJECTS = 300, /* in one array: annotations, shapes */
    PLOTLY_MEMBERS = 200, /* of one object */
    PLOTLY_NESTING = 24,
    PLOTLY_TEXT = 10000, /* bytes of one text; longer ones are cut */
};

/* The figure as compact JSON text in the arena. An empty text: it is not shown,
 * and *why is the end of a sentence: "has more than 100 traces". The work is
 * linear in the length of the text, which is PLOTLY_BYTES at most. */
struct str plotly_read(struct arena *arena, struct str json, const char **why);
