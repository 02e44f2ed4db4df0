/* random.h - cryptographically secure random numbers and UUIDs. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void random_bytes(void *out, size_t len);
uint64_t random_below(uint64_t bound); /* 0 .. bound-1; bound > 0 */

enum { UUID_SIZE = 37 };
/* Writes a version 4 UUID in lower case and a NUL. */
void uuid_new(char out[UUID_SIZE]);
/* Whether s is 8-4-4-4-12 hexadecimal digits, in either case. */
bool uuid_valid(struct str s);
