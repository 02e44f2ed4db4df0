/* suggest.h - "did you mean": the known word nearest to one that is not. */
#pragma once
#include "base/str.h"
#include <stddef.h>

/* NULL when none is near enough. */
const char *suggest(struct str word, const char *const *known, size_t n);
