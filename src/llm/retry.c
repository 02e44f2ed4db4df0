#include "retry.h"
#include <stddef.h>
#include "base/banned.h"

enum { LEAST_LEFT_MS = 1000 };

unsigned retry_wait_ms = 500;

/* ---- why it failed ------------------------------------------------------ */

static enum err error_of_status(int status)
{
    switch (status) {
    case 408:
    case 409:
    case 429:
        return ERR_MODEL_UNAVAILABLE;
    default:
        return status >= 500 ? ERR_MODEL_UNAVAILABLE : ERR_MODEL_REFUSED;
    }
}

static enum err error_of(const struct retry_facts *f)
{
    if (f->how == ERR_CANCELLED || f->how == ERR_TIMEOUT)
        return f->how;
    if (f->status && (f->status < 200 || f->status > 299))
        return error_of_status(f->status);
    if (f->heard_error)
        return f->told;
    if (f->how == ERR_BAD_GATEWAY && !f->status)
        return ERR_MODEL_UNAVAILABLE;
    return ERR_BAD_REPLY; /* cut, unreadable or empty */
}

static const char *sentence_of_status(int status)
{
    switch (status) {
    case 401:
    case 403:
        return "The language model's server did not accept our credentials.";
    case 404:
        return "The language model's server does not know this model.";
    case 429:
        return "The language model's server has too much to do.";
    default:
        return status >= 500 ? "The language model's server failed."
                             : "The language model's server refused the "
                               "request.";
    }
}

static const char *sentence_of(const struct retry_facts *f, enum err why)
{
    switch (why) {
    case ERR_TIMEOUT:
        return "The language model did not answer in time.";
    case ERR_BAD_REPLY:
        return "The language model's answer was cut off or could not be read.";
    case ERR_MODEL_REFUSED:
    case ERR_MODEL_UNAVAILABLE:
        if (f->status > 299)
            return sentence_of_status(f->status);
        return f->heard_error ? "The language model's server broke its answer "
                                "off with an error."
                              : "The language model's server could not be "
                                "reached.";
    default:
        return "";
    }
}

/* ---- whether again ------------------------------------------------------ */

static bool may_help(const struct retry_facts *f, enum err why)
{
    bool answered = f->status > 299;
    if (answered && f->should_retry >= 0)
        return f->should_retry == 1 && f->status != 401 && f->status != 403;
    return why == ERR_MODEL_UNAVAILABLE || why == ERR_TIMEOUT ||
           why == ERR_BAD_REPLY;
}

static unsigned wait_before(const struct retry_facts *f)
{
    double wait = retry_wait_ms;
    if (f->retry_after_ms >= 0) /* not all at the same instant */
        return (unsigned)((double)f->retry_after_ms + wait / 2 * f->chance);
    for (unsigned i = 1; i < f->tries; i++)
        wait *= 2;
    return (unsigned)(wait * (0.75 + 0.5 * f->chance));
}

static const char *reason_of(const struct retry_facts *f, enum err why)
{
    if (f->status == 429)
        return "model_rate_limited";
    return why == ERR_BAD_REPLY ? "model_reply_incomplete"
                                : "model_unavailable";
}

struct retry_verdict retry_judge(const struct retry_facts *f)
{
    if (f->whole && f->status >= 200 && f->status <= 299)
        return (struct retry_verdict){.move = RETRY_ACCEPT};
    enum err why = error_of(f);
    struct retry_verdict v = {.move = RETRY_FAIL, .why = why,
                              .sentence = sentence_of(f, why)};
    bool may = may_help(f, why) && f->tries < RETRY_MOST_TRIES &&
               (!f->shown || f->can_restart);
    if (!may)
        return v;
    /* Longer than an int of ms is longer than any call. */
    if (f->retry_after_ms > INT32_MAX / 2 ||
        wait_before(f) + LEAST_LEFT_MS > f->left_ms) {
        v.asks_too_much = f->retry_after_ms >= 0;
        return v;
    }
    v.move = RETRY_AGAIN;
    v.wait_ms = wait_before(f);
    v.reason = reason_of(f, why);
    return v;
}

bool retry_is_outage(const struct retry_facts *f)
{
    if (f->how == ERR_CANCELLED || f->whole)
        return false;
    if (f->status > 299)
        return f->status >= 500 || f->status == 408;
    if (f->heard_error)
        return f->told == ERR_MODEL_UNAVAILABLE;
    return f->how != OK;
}
