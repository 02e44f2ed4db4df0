/* json.h - reading JSON into trees (jansson, with limits) and writing it
 * without one.
 *
 * Readers return jansson values, which are reference counted: free one with
 * json_decref, or hand it to flow's defer with json_drop.
 *
 * A writer appends straight to a buf and remembers only whether a comma is due;
 * it never fails. Invalid UTF-8 in text is written as U+FFFD. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/str.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { JSON_MAX_NESTING = 64 };

/* ---- reading ------------------------------------------------------------ */

struct json_problem {
    int line; /* 1-based, 0 when not known */
    char text[160];
};

/* Strict (RFC 8259; no duplicate names, depth at most JSON_MAX_NESTING). NULL
 * on failure; *problem, unless NULL, then says why. */
MUST_CHECK json_t *json_read(struct str text, struct json_problem *problem);

/* For what models write: falls back to the first fenced block or the outermost
 * braces within prose; lone surrogates and \u0000 become U+FFFD, numbers that
 * overflow become null. */
MUST_CHECK json_t *json_read_lenient(struct str text,
                                     struct json_problem *problem);
/* json_decref as a function for defer. */
void json_drop(void *value);

/* The text of a string value, borrowed; empty when v is not a string. */
struct str json_text(const json_t *v);
/* A member of an object, or the default when it is absent or of another
 * type. */
struct str json_get_text(const json_t *object, const char *key);
int64_t json_get_int(const json_t *object, const char *key, int64_t otherwise);
bool json_get_bool(const json_t *object, const char *key, bool otherwise);
/* A tree as compact text, in the arena or appended to `out`; NULL is "null". */
struct str json_print(struct arena *arena, const json_t *v);
void json_print_into(struct buf *out, const json_t *v);

/* ---- writing ------------------------------------------------------------ */

struct json_writer {
    struct buf *out;
    bool comma; /* the next value needs a comma before it */
};

void json_writer_init(struct json_writer *w, struct buf *out);
void json_put_object(struct json_writer *w); /* { */
void json_put_object_end(struct json_writer *w);
void json_put_array(struct json_writer *w); /* [ */
void json_put_array_end(struct json_writer *w);
/* A key that is a C string is written as it is: it must need no escapes. */
void json_put_key(struct json_writer *w, const char *key);
void json_put_key_str(struct json_writer *w, struct str key);
void json_put_str(struct json_writer *w, struct str s);
void json_put_text(struct json_writer *w, const char *text_or_null);
void json_put_int(struct json_writer *w, int64_t n);
void json_put_real(struct json_writer *w, double d); /* not finite: null */
void json_put_bool(struct json_writer *w, bool b);
void json_put_null(struct json_writer *w);
void json_put_raw(struct json_writer *w, struct str json); /* as it is */
/* An array of texts. */
void json_put_strs(struct json_writer *w, const struct str *texts, size_t n);

/* A key and its value. */
void json_field_str(struct json_writer *w, const char *key, struct str s);
/* The same; null if it is empty. */
void json_field_str_or_null(struct json_writer *w, const char *key,
                            struct str s);
void json_field_text(struct json_writer *w, const char *key, const char *text);
void json_field_int(struct json_writer *w, const char *key, int64_t n);
void json_field_real(struct json_writer *w, const char *key, double d);
void json_field_bool(struct json_writer *w, const char *key, bool b);
void json_field_null(struct json_writer *w, const char *key);
void json_field_raw(struct json_writer *w, const char *key, struct str json);
void json_field_strs(struct json_writer *w, const char *key,
                     const struct str *texts, size_t n);
/* A key and the beginning of its value. */
void json_field_object(struct json_writer *w, const char *key);
void json_field_array(struct json_writer *w, const char *key);

/* The text of a value in a cell, as PostgreSQL prints it; of null it has no
 * ptr. */
struct str json_cell_text(struct arena *arena, const json_t *v);
/* Appends a JSON string literal with its quotes. */
void json_quote(struct buf *out, struct str s);
