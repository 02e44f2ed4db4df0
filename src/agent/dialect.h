/* dialect.h - which SQL the source of a run speaks, in words for prompts. */
#pragma once
#include "db/source.h"

struct dialect {
    struct str engine; /* "PostgreSQL" */
    struct str rules;  /* what a writer of SQL must know, after "The dialect
                          is" */
};

const struct dialect *dialect_of(const struct source *source);
