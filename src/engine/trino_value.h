/* trino_value.h - a value of Trino's JSON in the form that PostgreSQL gives it.
 * Pure. */
#pragma once
#include "base/buf.h"
#include "base/json.h"

/* The name of a type in our words ("numeric" of decimal(12,2)); what has no such
 * word is "text". `signature` is the typeSignature of a column. */
const char *trino_type(const json_t *signature);
/* Appends a value of that type; `value` is not null. */
void trino_value_put(struct buf *out, const json_t *signature,
                     const json_t *value);
