/* fake_http.h - net/http_client.h without a network: scripted exchanges.
 *
 * A line of the script answers requests that contain a text. The first matching
 * line that is not used up answers; it counts when its whole answer was sent. */
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
    /* As a request begins, with NULL; and as its whole answer arrives, with the
     * text of the script; or NULL */
    void (*on_call)(const struct http_call *c, const char *reply);
    unsigned exchanges, unknown; /* requests no line fits */
    unsigned betrayals;          /* requests with the secret */
} fake_http;

void fake_http_open(const struct fake_exchange *script);
