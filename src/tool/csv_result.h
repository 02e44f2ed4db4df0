/* csv_result.h - what the tools of the CSV analyst share: the ways they end. */
#pragma once
#include "tool/csv_tools.h"

enum {
    CSV_SHOWN_BYTES = 1900, /* of `shown`: events keep 2,000 characters */
    CSV_MESSAGE_BYTES = 1500,
};

/* Ends the call with this JSON text. `shown` may be empty. */
struct next csv_succeed(struct flow *f, struct str result, struct str shown);
/* Ends the call with an error of that code. `message` is for the model, `shown`
 * for the user; empty: the same. */
struct next csv_fail(struct flow *f, const char *code, struct str message,
                     struct str shown);
/* The same; `more` are further members, ",\"key\":…". */
struct next csv_fail_with(struct flow *f, const char *code, struct str message,
                          struct str shown, struct str more);
/* The call's dataset is that of the chat. False after ending it is due: the
 * step then returns csv_wrong_dataset. */
bool csv_right_dataset(struct flow *f, const json_t *args);
struct next csv_wrong_dataset(struct flow *f, const json_t *args);

/* The tools of the other files. */
struct next csv_get_schema(struct flow *f, const json_t *args);
struct next csv_execute_python(struct flow *f, const json_t *args);
