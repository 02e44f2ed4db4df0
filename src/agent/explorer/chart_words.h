/* chart_words.h - the words that members of a Vega-Lite specification may have
 * (Vega-Lite's JSON schema, version 6). Each list ends with NULL. */
#pragma once
#include <stddef.h>

static const char *const chart_marks[] = {
    "bar",  "line", "area", "point", "circle", "square",  "arc",
    "rect", "rule", "tick", "text",  "trail",  "boxplot", NULL};
static const char *const chart_types[] = {"quantitative", "temporal", "ordinal",
                                          "nominal", NULL};
static const char *const chart_aggregates[] = {
    "average", "count",   "distinct", "max",       "mean",  "median",
    "min",     "missing", "q1",       "q3",        "stdev", "stdevp",
    "sum",     "valid",   "variance", "variancep", NULL};
static const char *const chart_time_units[] = {
    "year",     "quarter",     "month",        "date",
    "week",     "day",         "hours",        "minutes",
    "seconds",  "yearquarter", "yearmonth",    "yearmonthdate",
    "yearweek", "monthdate",   "hoursminutes", "yearmonthdatehours",
    NULL};
static const char *const chart_orders[] = {"ascending", "descending", NULL};
static const char *const chart_sorts[] = {
    "ascending", "descending", "x",    "y",     "-x", "-y",
    "color",     "-color",     "size", "-size", NULL};
static const char *const chart_stacks[] = {"zero", "center", "normalize", NULL};
static const char *const chart_curves[] = {
    "linear", "monotone", "step",    "step-before", "step-after",
    "basis",  "cardinal", "natural", "catmull-rom", NULL};
static const char *const chart_directions[] = {"horizontal", "vertical", NULL};
static const char *const chart_alignments[] = {"left", "center", "right", NULL};
static const char *const chart_baselines[] = {"top", "middle", "bottom",
                                              "alphabetic", NULL};
static const char *const chart_shapes[] = {
    "circle",        "square",         "cross",
    "diamond",       "triangle-up",    "triangle-down",
    "triangle-left", "triangle-right", NULL};
static const char *const chart_sides[] = {"top", "bottom", "left", "right",
                                          NULL};
static const char *const chart_corners[] = {
    "left",      "right",       "top",          "bottom", "top-left",
    "top-right", "bottom-left", "bottom-right", "none",   NULL};
static const char *const chart_scales[] = {"linear",  "log", "sqrt", "symlog",
                                           "time",    "utc", "band", "point",
                                           "ordinal", NULL};
static const char *const chart_schemes[] = {"accent",
                                            "category10",
                                            "category20",
                                            "category20b",
                                            "category20c",
                                            "dark2",
                                            "paired",
                                            "pastel1",
                                            "pastel2",
                                            "set1",
                                            "set2",
                                            "set3",
                                            "tableau10",
                                            "tableau20",
                                            "blues",
                                            "greens",
                                            "greys",
                                            "oranges",
                                            "purples",
                                            "reds",
                                            "viridis",
                                            "inferno",
                                            "magma",
                                            "plasma",
                                            "turbo",
                                            "cividis",
                                            "bluegreen",
                                            "bluepurple",
                                            "greenblue",
                                            "orangered",
                                            "purpleblue",
                                            "redpurple",
                                            "yellowgreen",
                                            "teals",
                                            "warmgreys",
                                            "yellowgreenblue",
                                            "yelloworangered",
                                            "blueorange",
                                            "redblue",
                                            "redyellowblue",
                                            "redyellowgreen",
                                            "spectral",
                                            "rainbow",
                                            "sinebow",
                                            NULL};
static const char *const chart_colours[] = {
    "aqua",           "black",        "blue",       "blueviolet",
    "brown",          "coral",        "crimson",    "cyan",
    "darkblue",       "darkgray",     "darkgreen",  "darkgrey",
    "darkorange",     "darkred",      "dodgerblue", "firebrick",
    "forestgreen",    "fuchsia",      "gold",       "goldenrod",
    "gray",           "green",        "grey",       "hotpink",
    "indianred",      "indigo",       "khaki",      "lavender",
    "lightblue",      "lightgray",    "lightgreen", "lightgrey",
    "lime",           "limegreen",    "magenta",    "maroon",
    "mediumseagreen", "midnightblue", "navy",       "olive",
    "orange",         "orangered",    "orchid",     "pink",
    "plum",           "purple",       "red",        "royalblue",
    "salmon",         "seagreen",     "sienna",     "silver",
    "skyblue",        "slateblue",    "slategray",  "slategrey",
    "steelblue",      "tan",          "teal",       "tomato",
    "transparent",    "turquoise",    "violet",     "white",
    "yellow",         "yellowgreen",  NULL};
