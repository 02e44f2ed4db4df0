/* dialect.c - see dialect.h: one row for each engine. */
#include "dialect.h"
#include "base/banned.h"

#define TEXT(literal) {literal, sizeof(literal) - 1}

static const struct dialect dialects[] = {
    [DIALECT_POSTGRES] = {.engine = TEXT("PostgreSQL"),
                          .rules = TEXT(
                              "PostgreSQL with the grammar of version 15")},
    [DIALECT_DUCKDB] =
        {.engine = TEXT("DuckDB"),
         .rules = TEXT(
             "DuckDB, over uploaded files. Write what PostgreSQL 15 understands "
             "too, but regexp_matches(text, pattern, 'i') instead of ~*; "
             "median(x) and quantile_cont(x, 0.9) exist")},
};

const struct dialect *dialect_of(const struct source *source)
{
    return &dialects[source_dialect(source)];
}
