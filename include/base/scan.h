/* scan.h - reading JSON without building a tree.
 *
 * The events of a model's stream are many, small and mostly skipped: a tree for
 * each would be most of the cost of a call (6 us against 0.5). A scan goes
 * through the text once; values are read in order or skipped. It tolerates what
 * does no harm (extra commas, control characters; lone surrogates and \u0000
 * become U+FFFD) and sets `bad` when the text ends early, is not JSON or nests
 * too deeply.
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
/* The first character of the next value: { [ " t f n - or a digit; 0: none. */
char scan_peek(struct scan *s);

/* Enters the next value. False: it is not of that kind, and was skipped. After
 * true the members or elements must be read to the end. */
bool scan_object(struct scan *s);
bool scan_array(struct scan *s);
/* Moves to the next member (and returns its key, still escaped) or element.
 * False: there are no more. */
bool scan_member(struct scan *s, struct str *key);
bool scan_element(struct scan *s);

/* Each consumes the next value; one of another kind is skipped. */
struct str scan_skip(struct scan *s); /* its JSON text */
bool scan_string(struct scan *s, struct buf *append_to);
int64_t scan_int(struct scan *s, int64_t otherwise);
double scan_real(struct scan *s, double otherwise);

/* A member of an object, by a scan of its own: its JSON text, or its value if
 * it is an integer. Empty or `otherwise` when it is absent. */
struct str scan_get(struct str object, const char *name);
int64_t scan_get_int(struct str object, const char *name, int64_t otherwise);
