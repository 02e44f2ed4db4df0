/* vendor.h - the error messages of model servers, made safe to show. */
#pragma once
#include "llm/llm.h"

enum { VENDOR_CODE = 64, VENDOR_WORDS = 300 };

struct vendor_error {
    char code[VENDOR_CODE + 1]; /* its code, else its type */
    /* Its message on one line, with an ellipsis if it was truncated; without
     * control characters, the model's key, anything that looks like a key, and
     * user information and queries of URLs. Empty: there is none. */
    char words[VENDOR_WORDS + sizeof "…"];
};

/* Parses the body of an error response. */
void vendor_read(struct vendor_error *e, struct str body,
                 const struct llm_model *m);
/* The same for an error whose code and message are known. */
void vendor_take(struct vendor_error *e, struct str code, struct str message,
                 const struct llm_model *m);
