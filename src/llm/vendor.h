/* vendor.h - what a model's server says about a request it did not answer. */
#pragma once
#include "llm/llm.h"

enum { VENDOR_CODE = 64, VENDOR_WORDS = 300 };

struct vendor_error {
    char code[VENDOR_CODE + 1]; /* what it calls itself: code, else type */
    /* Its message in one line, with an ellipsis where it was cut, without
     * control characters, the model's key, anything that looks like a key,
     * users and queries of addresses. Empty: it says nothing for people. */
    char words[VENDOR_WORDS + sizeof "…"];
};

/* Takes the body of an answer with a bad status; fills in what it says. */
void vendor_read(struct vendor_error *e, struct str body,
                 const struct llm_model *m);
/* The same of an error whose code and message are known. */
void vendor_take(struct vendor_error *e, struct str code, struct str message,
                 const struct llm_model *m);
