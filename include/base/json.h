/* json.h - reading JSON (jansson, with limits) and writing it (no tree).
 *
 * Reading gives jansson values, which are counted references: json_decref them,
 * or give them to an arena's owner with flow's defer.
 *
 * Writing goes straight into a buf; a writer keeps only where commas belong. It
 * never fails. Invalid UTF-8 in text is written as U+FFFD. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { JSON_MAX_NESTING = 64 };

struct json_problem {
    int line, column; /* 1-based, 0 when not known */
    char text[160];
};

/* Strict (RFC 8259, no duplicate names, depth at most JSON_MAX_NESTING). NULL
 * on failure, with the reason in *problem when that is not NULL. */
json_t *json_read(struct str text, struct json_problem *problem);

/* What models write: the same, but a fenced block or the outermost braces are
 * found within prose, lone surrogates and \u0000 become U+FFFD, and numbers
 * that overflow become null. */
json_t *json_read_loosely(struct str text, struct json_problem *problem);
/* json_decref for defer. */
void json_drop(void *value);

/* Borrowed views; empty when v is not of that kind. */
struct str json_text(const json_t *v);
struct str json_get_text(const json_t *object, const char *key);
int64_t json_get_int(const json_t *object, const char *key, int64_t otherwise);
bool json_get_bool(const json_t *object, const char *key, bool otherwise);
/* Compact text of a tree, in the arena. */
struct str json_print(struct arena *arena, const json_t *v);
void json_print_into(struct buf *out, const json_t *v);

struct json_writer {
    struct buf *out;
    bool comma; /* a value stands before the next one */
};

void json_write_to(struct json_writer *w, struct buf *out);
void json_put_object(struct json_writer *w); /* { */
void json_put_object_end(struct json_writer *w);
void json_put_array(struct json_writer *w);
void json_put_array_end(struct json_writer *w);
/* A name of ours: nothing in it has to be escaped. Here and wherever a key is a
 * C string. */
void json_put_key(struct json_writer *w, const char *key);
void json_put_key_str(struct json_writer *w, struct str key);
void json_put_str(struct json_writer *w, struct str s);
void json_put_text(struct json_writer *w, const char *text_or_null); /* null */
void json_put_int(struct json_writer *w, int64_t n);
void json_put_real(struct json_writer *w, double d); /* not finite: null */
void json_put_bool(struct json_writer *w, bool b);
void json_put_null(struct json_writer *w);
void json_put_raw(struct json_writer *w, struct str json); /* as it is */

/* key and value at once */
void json_field_str(struct json_writer *w, const char *key, struct str s);
void json_field_text(struct json_writer *w, const char *key, const char *text);
void json_field_int(struct json_writer *w, const char *key, int64_t n);
void json_field_bool(struct json_writer *w, const char *key, bool b);
void json_field_null(struct json_writer *w, const char *key);
void json_field_raw(struct json_writer *w, const char *key, struct str json);

/* A JSON string literal with its quotes. */
void json_quote(struct buf *out, struct str s);
