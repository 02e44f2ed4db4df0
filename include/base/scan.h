/* scan.h - reading JSON without building it.
 *
 * A stream's events are many, small and mostly skipped: a tree for each would be
 * most of what a call costs (6 us against 0.5). A scan walks the text once;
 * values are taken in order or skipped. It forgives what does no harm (commas,
 * control characters; lone surrogates and \u0000 become U+FFFD), and says `bad`
 * when the text ends early, is no JSON or nests too deeply.
 *
 *     struct scan s = scan_of(text);
 *     struct str key;
 *     scan_object(&s);
 *     while (scan_member(&s, &key))
 *         if (str_is(key, "id")) scan_string(&s, &id);
 *         else scan_skip(&s);
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"

struct scan {
    const char *at, *end;
    bool bad;
};

struct scan scan_of(struct str text);
/* The first character of the value ahead: { [ " t f n - or a digit; 0: none. */
char scan_peek(struct scan *s);

/* Enters; false: it is none, and was skipped. Then walk to its end. */
bool scan_object(struct scan *s);
bool scan_member(struct scan *s, struct str *key); /* its value is ahead */
bool scan_array(struct scan *s);
bool scan_element(struct scan *s);

/* Each takes the value ahead. A value of another kind is skipped. */
struct str scan_skip(struct scan *s); /* its text */
bool scan_string(struct scan *s, struct buf *append_to);
int64_t scan_int(struct scan *s, int64_t otherwise);
double scan_real(struct scan *s, double otherwise);
