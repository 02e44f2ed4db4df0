/* suggest.h - "did you mean": the known word nearest to an unknown one. */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* Returns NULL if none is near enough. */
const char *suggest(struct str word, const char *const *known, size_t n);
