/* fake_http.h - net/http_client.h without a network: exchanges as a script.
 *
 * A line of the script answers requests that hold a text; the first line that
 * fits and is not used up is taken, and counts when its answer was given whole. */
#pragma once
#include "fake_world.h"
#include "net/http_client.h"

enum fake_form {
    FORM_TEXT,  /* a chat stream with this text */
    FORM_TOOLS, /* a chat stream that calls a tool: "name arguments" */
    FORM_RAW,   /* a body as it is, in one piece */
};

struct fake_exchange {
    const char *has;     /* in the request's address or body */
    const char *and_has; /* or NULL: and this too */
    const char *reply;   /* NULL: nothing can be reached there */
    enum fake_form form;
    int status; /* 0: 200 */
    int times;  /* 0: always */
};

extern struct fake_http {
    const struct fake_exchange *script; /* ends in NULL has */
    unsigned ms;
    const char *secret; /* must not be in what a model's server gets; or NULL */
    unsigned exchanges, unknown; /* requests no line fits */
    unsigned betrayals;          /* requests with the secret */
} fake_http;

void fake_http_open(const struct fake_exchange *script);
