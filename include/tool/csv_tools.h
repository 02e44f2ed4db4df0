/* csv_tools.h - the tools of the CSV analyst.
 *
 *   dataset   what the agent may ask: the tables of one chat. A model calls
 *             them by the id of the upload, or of the ontology
 *   result    a JSON object, as text: {"status":"success","columns":[…],
 *             "rows":[[…]],"row_count":n,"exec_time_ms":n}, or
 *             {"status":"error","error":CODE,"message":sentence}
 *
 * The same rules as for other tools hold: the guard, the limits, and what a
 * model may see (tool/disclosure.h). `shown`, for users, is always a whole JSON
 * object, however large the result is. */
#pragma once
#include "base/buf.h"
#include "tool/tool.h"

extern const struct tool_set csv_tools;

/* The codes of errors. Those of the first kind say that the call is not
 * allowed as it is (the run is rejected), the others that it was tried. */
#define CSV_POLICY_VIOLATION "SQL_POLICY_VIOLATION"
#define CSV_PLAN_ERROR "PLAN_VALIDATION_ERROR"
#define CSV_FEATURE_DISABLED "FEATURE_DISABLED"
#define CSV_NO_DATASET "DATASET_NOT_FOUND"
#define CSV_BAD_ARGUMENTS "INVALID_ARGUMENTS"
#define CSV_SQL_ERROR "SQL_ERROR"
#define CSV_TIMEOUT "TIMEOUT"
#define CSV_PYTHON_ERROR "PYTHON_ERROR"
#define CSV_NO_RESULT "NO_RESULT"
#define CSV_UNAVAILABLE "UNAVAILABLE"
/* The code is one of the first kind. */
bool csv_error_rejects(struct str code);

/* The file in which execute_python's code leaves result_df: a JSON object with
 * columns, rows, row_count, truncated. */
extern const struct str csv_result_file;
/* That object as this process prints it; empty when the file is missing or is
 * something else. In the arena. */
struct str csv_python_rows(struct arena *arena, const struct python_tool *p);

/* The rows of a result, one array after the other. */
struct row_arrays {
    const bool *numeric;
    size_t n_columns;
    struct str rest; /* private: JSON text that was not read */
};
/* `rows`: JSON text of an array of objects, as query_json.c writes it. `types`
 * are PostgreSQL's names. */
void row_arrays_init(struct row_arrays *r, struct arena *arena, struct str rows,
                     const struct str *types, size_t n_columns);
/* Appends the next row, "[1,"Rome"]". A numeric that a double can hold becomes a
 * number. False: there are no more. */
bool row_arrays_next(struct row_arrays *r, struct buf *out);
