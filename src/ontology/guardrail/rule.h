/* rule.h - shared by the files that judge a query by rules.def. */
#pragma once
#include "findings.h"

enum rule_name {
#define RULE(name, id, severity, sentence, remedy) RULE_##name,
#include "rules.def"
#undef RULE
    RULE_COUNT
};

/* A question that says this wants groups by a name. */
#define RULE_BY_NAME \
    "by name|share a name|same name|each name|per name|every name|names|" \
    "by title|same title|each title|per title|every title|share a title|" \
    "by label|same label|each label|per label|common title|common titles"

/* Adds a finding: the sentence made from `format`, then the remedy. */
void rule_broken(struct guardrail_check *j, enum rule_name rule,
                 enum asked_for asked, struct str of, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Phrases of a question that is content with any rows; "sample" is none where the
 * model has samples. */
struct str rule_any_rows(const struct guardrail_check *j);

/* ---- values (rule_value.c) ----------------------------------------------- */

enum value_type {
    TYPE_UNKNOWN,
    TYPE_INTEGER,
    TYPE_BIGINT, /* its sum is numeric */
    TYPE_NUMBER, /* with a fraction */
    TYPE_TEXT,
    TYPE_BOOLEAN,
    TYPE_DATE,
    TYPE_TIMESTAMP,
    TYPE_TIMESTAMPTZ,
    TYPE_INTERVAL,
};

/* The type of a value, by PostgreSQL's rules and the datatypes of the model.
 * TYPE_UNKNOWN also when the query has used up its budget of lookups. */
enum value_type rule_type(struct guardrail_check *j,
                          const struct shape_value *value);
static inline bool type_is_integer(enum value_type t)
{
    return t == TYPE_INTEGER || t == TYPE_BIGINT;
}
static inline bool type_is_time(enum value_type t)
{
    return t == TYPE_DATE || t == TYPE_TIMESTAMP || t == TYPE_TIMESTAMPTZ;
}
/* The value that a column of a derived table passes on: a column of a table, or
 * what computes it. Of a set operation, that of its first SELECT. */
const struct shape_value *rule_resolve(const struct shape_value *value);
/* The same without round, coalesce and the like around it. */
const struct shape_value *rule_peel(const struct shape_value *value);
/* The first column in a value that is not in a nested query, or NULL. */
const struct shape_value *rule_column(const struct shape_value *value);
/* A hash that is equal for values that compute the same from the same columns,
 * whatever the aliases are. */
uint64_t rule_print(struct guardrail_check *j, const struct shape_value *value);
/* The value is a column of this source, perhaps passed on by derived tables that
 * pass on each row. */
bool rule_comes_from(const struct shape_value *value,
                     const struct shape_source *source);
/* The value is NULL or false whenever this source has a row of NULLs. */
bool rule_rejects_null(const struct shape_value *value,
                       const struct shape_source *source);
/* The dataset of a column, or NULL. */
const struct dataset *rule_dataset(const struct guardrail_check *j,
                                   struct column_origin origin);
/* The field of a column, or NULL. */
const struct field *rule_field(const struct guardrail_check *j,
                               struct column_origin origin);
struct str rule_column_name(struct column_origin origin);
/* The column alone is the primary key of its dataset. */
bool rule_is_key(const struct guardrail_check *j, struct column_origin origin);
/* The dataset that the column alone refers to, or NULL. */
const struct dataset *rule_target(const struct guardrail_check *j,
                                  struct column_origin origin);
/* The value contains a call of one of these functions (a list that ends with
 * NULL), or any aggregate that is no window when `functions` is NULL. */
bool rule_holds(const struct shape_value *value, const char *const *functions);

/* ---- derived tables (rule_derived.c) --------------------------------------- */

/* A derived table that passes on each row of its SELECT once, and all of them.
 */
bool rule_passes_rows(const struct shape_source *source);
/* Rows of a SELECT, and those of its values that all rows of a group share. */
struct rule_rows {
    struct shape_select *select; /* NULL: not known */
    struct shape_value **groups;
    size_t n_groups;
};
/* The rows of a derived table of `of`, which is not a set operation. */
struct rule_rows rule_rows_within(struct guardrail_check *j,
                                  struct rule_rows of,
                                  const struct shape_source *source);
/* The rows that `s` aggregates: its own or, if it only reads one derived table
 * that passes rows on, those of that one. Not known if a window decides which
 * rows are kept. */
struct rule_rows rule_rows_of(struct guardrail_check *j,
                              struct shape_select *s);
/* The rows of a derived table that passes them on, if all that `of` joins it with
 * is looked up: each of its rows occurs once. Else not known. */
struct rule_rows rule_rows_looked_up(struct guardrail_check *j,
                                     struct rule_rows of,
                                     const struct shape_source *source);
/* What a derived table computes for its column `n` in `n = 1` or `n <= 3`, and that
 * table; NULL: the condition is no such one. */
const struct shape_value *
rule_limited_number(const struct shape_value *condition,
                    const struct shape_source **source);
/* A condition compares a row with other rows of its table: "the first one". */
bool rule_picks_rows(const struct shape_select *s);

/* ---- words (rule_nouns.c) ------------------------------------------------ */

/* The names of a dataset, in the singular, for ASKS_COUNT_OF. */
struct str rule_names_of(struct guardrail_check *j, const struct dataset *d);
/* The name of the output that is this call, perhaps within coalesce and the like;
 * empty: there is none. */
struct str rule_output_name(const struct shape_select *s,
                            const struct shape_value *call);
/* The singulars of the words of an output's name without count, number, total …,
 * separated by blanks: what it counts. */
struct str rule_counted_noun(struct guardrail_check *j, struct str name);
/* One of the names, separated by '|', is this noun, perhaps with a participle:
 * "machine affected". */
bool rule_names_hold(struct str names, struct str noun);
/* One of the names is what this noun, of more words, is a kind of: "student" of
 * "absent student". */
bool rule_names_end(struct str names, struct str noun);
/* The singulars of a name's words, separated by blanks. */
struct str rule_noun(struct guardrail_check *j, struct str name);

/* ---- the rules, by file -------------------------------------------------- */

void judge_rows(struct guardrail_check *j, struct shape_select *s);
/* The rows come from one derived table that is ordered. */
bool rule_takes_ordered(const struct shape_select *s);
/* Of DISTINCT ON and windows. */
void judge_picks(struct guardrail_check *j, struct shape_select *s);
void judge_order(struct guardrail_check *j, struct shape_select *s);
void judge_arithmetic(struct guardrail_check *j, struct shape_select *s);
void judge_zones(struct guardrail_check *j, struct shape_select *s);
void judge_counts(struct guardrail_check *j, struct shape_select *s);
void judge_grouped_names(struct guardrail_check *j, struct shape_select *s);
void judge_shares(struct guardrail_check *j, struct shape_select *s);
void judge_self_joins(struct guardrail_check *j, struct shape_select *s);
void judge_dates(struct guardrail_check *j, struct shape_select *s);
/* Of the outputs of the whole query. */
void judge_metrics(struct guardrail_check *j);
