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
    [DIALECT_TRINO] =
        {.engine = TEXT("Trino"),
         .rules = TEXT(
             "Trino's SQL, as far as PostgreSQL's grammar reads it: no "
             "TABLE(…), no lambdas with several names, no subscripts without "
             "parentheses. Casts by ::, ILIKE, ~, string_agg, "
             "percentile_cont and to_char with date patterns are "
             "translated. Use date_diff('day', a, b) for the days between two "
             "dates, interval '3' day for intervals, "
             "approx_percentile(x, 0.9) and approx_distinct(x) for large "
             "data, row_number() instead of DISTINCT ON. Dividing decimals "
             "keeps few digits: write cast(a as double) / b")},
};

const struct dialect *dialect_of(const struct source *source)
{
    return &dialects[source_dialect(source)];
}
