/* figure_parts.h - the parts of reading a figure: digits, dates, and what is
 * spelled out. Each `read` takes the place of a word's or number's start. */
#pragma once
#include "figure.h"

/* The digit at the start of s, in any script, and its bytes; -1: none. */
int figure_digit(struct str s, size_t *bytes);
/* Whether the word is "thousand", "million" and the like, and its factor. */
bool figure_scale_word(struct str word, double *by);
/* Reads "%", "percent", "percentage points" or "times" after the figure. */
bool figure_read_suffix(struct str text, struct figure *f);

/* figure_date.c: a date or a period. False: there is none, and *at stays. */
bool figure_read_date(struct str text, size_t *at, struct figure *out);

/* figure_word.c: a number, a fraction or a ratio in words. False: there is
 * none, and *at stays. */
bool figure_read_spelled(struct str text, size_t *at, struct figure *out);
/* "2 thirds": turns the number into a share. */
void figure_read_fraction_after(struct str text, size_t *at,
                                struct figure *out);
/* "about", "more than", "up to" before the figure. */
void figure_read_bound(struct str text, struct figure *out);
