/* retry.c - the rules for retries.
 *
 * A try is classified as one of a few causes; a table says what follows from
 * each. */
#include "retry.h"
#include <stddef.h>
#include "base/banned.h"

enum { LEAST_LEFT_MS = 1000, MOST_DOUBLINGS = 4, MANY = 1000 };

unsigned retry_wait_ms = 1000;

/* ---- causes ------------------------------------------------------------- */

enum cause {
    STOPPED,
    TOO_LATE,
    UNREACHABLE,
    RATE_LIMITED,
    OVERLOADED,
    UNAVAILABLE,
    SERVER_TIMEOUT,
    FAILED,
    BROKEN_OFF,
    UNREADABLE,
    NO_QUOTA,
    NO_ACCESS,
    UNKNOWN_MODEL,
    TOO_LARGE,
    REFUSED,
};

/* What follows from a cause. `tries` MANY: as often as time permits. */
static const struct consequence {
    enum err why;
    unsigned tries;
    bool outage, quotable;
    const char *reason, *sentence;
} consequences[] = {
    [STOPPED] = {ERR_CANCELLED, 1, false, false, "", ""},
    [TOO_LATE] = {ERR_TIMEOUT, RETRY_MOST_TRIES, true, false,
                  "model_unavailable",
                  "The language model did not answer in time."},
    [UNREACHABLE] = {ERR_MODEL_UNAVAILABLE, RETRY_MOST_TRIES, true, false,
                     "model_unavailable",
                     "The language model's server could not be reached."},
    [RATE_LIMITED] = {ERR_MODEL_UNAVAILABLE, MANY, false, false,
                      "model_rate_limited",
                      "The language model's server limits the rate of "
                      "requests."},
    [OVERLOADED] = {ERR_MODEL_UNAVAILABLE, MANY, true, false,
                    "model_unavailable",
                    "The language model's server is overloaded."},
    [UNAVAILABLE] = {ERR_MODEL_UNAVAILABLE, MANY, true, false,
                     "model_unavailable",
                     "The language model's server is not available."},
    [SERVER_TIMEOUT] = {ERR_MODEL_UNAVAILABLE, RETRY_MOST_TRIES, true, false,
                        "model_unavailable",
                        "The language model's server timed out."},
    [FAILED] = {ERR_MODEL_UNAVAILABLE, RETRY_MOST_TRIES, true, false,
                "model_unavailable", "The language model's server failed."},
    [BROKEN_OFF] = {ERR_MODEL_UNAVAILABLE, RETRY_MOST_TRIES, true, false,
                    "model_unavailable",
                    "The language model's server ended its reply with an "
                    "error."},
    [UNREADABLE] = {ERR_BAD_REPLY, RETRY_MOST_TRIES, false, false,
                    "model_reply_incomplete",
                    "The language model's answer was cut off or could not be "
                    "read."},
    [NO_QUOTA] = {ERR_MODEL_REFUSED, 1, false, false, "model_unavailable",
                  "The account at the language model's vendor has no quota "
                  "left."},
    [NO_ACCESS] = {ERR_MODEL_REFUSED, 1, false, false, "model_unavailable",
                   "The language model's server did not accept our "
                   "credentials."},
    [UNKNOWN_MODEL] = {ERR_MODEL_REFUSED, 1, false, true, "model_unavailable",
                       "The language model's server does not know this model."},
    [TOO_LARGE] = {ERR_MODEL_REFUSED, 1, false, true, "model_unavailable",
                   "The request is too large for the language model's server."},
    [REFUSED] = {ERR_MODEL_REFUSED, 1, false, true, "model_unavailable",
                 "The language model's server refused the request."},
};

static bool code_contains(struct str code, const char *word)
{
    return str_find_nocase(code, str_of(word)) >= 0;
}

/* By the code of the error: some servers report with 429 or 500, or within a
 * stream, what has a status of its own elsewhere. */
static enum cause cause_of_code(struct str code, enum cause otherwise)
{
    if (code_contains(code, "quota") || code_contains(code, "billing"))
        return NO_QUOTA;
    if (code_contains(code, "overloaded"))
        return OVERLOADED;
    if (code_contains(code, "rate_limit") ||
        code_contains(code, "too_many_requests"))
        return RATE_LIMITED;
    return otherwise;
}

static enum cause cause_of_status(int status, struct str code)
{
    switch (status) {
    case 401:
    case 403:
        return NO_ACCESS;
    case 404:
        return UNKNOWN_MODEL;
    case 413:
        return TOO_LARGE;
    case 408:
    case 504:
        return SERVER_TIMEOUT;
    case 409:
        return FAILED;
    case 429:
        return cause_of_code(code, RATE_LIMITED);
    case 503:
        return cause_of_code(code, UNAVAILABLE);
    case 529:
        return OVERLOADED;
    default:
        return status >= 500 ? cause_of_code(code, FAILED) : REFUSED;
    }
}

static enum cause cause_of(const struct retry_facts *f)
{
    if (f->how == ERR_CANCELLED)
        return STOPPED;
    if (f->how == ERR_TIMEOUT)
        return TOO_LATE;
    if (f->status && (f->status < 200 || f->status > 299))
        return cause_of_status(f->status, f->code);
    if (f->has_stream_error)
        return cause_of_code(f->code, f->stream_error == ERR_MODEL_REFUSED
                                          ? REFUSED
                                          : BROKEN_OFF);
    if (f->how == ERR_BAD_GATEWAY && !f->status)
        return UNREACHABLE;
    return UNREADABLE; /* or incomplete, or empty */
}

/* ---- the decision ------------------------------------------------------- */

static bool may_retry(const struct retry_facts *f, enum cause cause)
{
    unsigned most = consequences[cause].tries;
    bool answered = f->status > 299;
    if (answered && f->should_retry == 0)
        return false;
    if (answered && f->should_retry == 1 && most == 1 && cause != NO_ACCESS)
        most = RETRY_MOST_TRIES;
    return f->tries < most && (!f->shown || f->can_restart);
}

static double backoff(const struct retry_facts *f)
{
    double wait = retry_wait_ms;
    for (unsigned i = 1; i < f->tries && i <= MOST_DOUBLINGS; i++)
        wait *= 2;
    return wait * (0.75 + 0.5 * f->chance);
}

/* The wait before the next try: what the server asks for, plus jitter; after
 * several tries at least the backoff, in case the server's figure is wrong. */
static double wait_before_retry(const struct retry_facts *f)
{
    double own = backoff(f);
    if (f->retry_after_ms < 0) {
        double most = f->left_ms > LEAST_LEFT_MS
                          ? (double)(f->left_ms - LEAST_LEFT_MS)
                          : own;
        return own < most ? own : most; /* leaves time for a last try */
    }
    double asked = (double)f->retry_after_ms + retry_wait_ms / 4.0 * f->chance;
    return f->tries > 2 && asked < own ? own : asked;
}

struct retry_verdict retry_decide(const struct retry_facts *f)
{
    if (f->whole && f->status >= 200 && f->status <= 299)
        return (struct retry_verdict){.move = RETRY_ACCEPT};
    enum cause cause = cause_of(f);
    const struct consequence *c = &consequences[cause];
    struct retry_verdict v = {.move = RETRY_FAIL,
                              .why = c->why,
                              .sentence = c->sentence,
                              .quotable = c->quotable};
    if (!may_retry(f, cause))
        return v;
    double wait = wait_before_retry(f);
    if (wait + LEAST_LEFT_MS > (double)f->left_ms) {
        v.asks_too_much = f->retry_after_ms >= 0;
        return v;
    }
    v.move = RETRY_AGAIN;
    v.wait_ms = (unsigned)wait;
    v.reason = c->reason;
    return v;
}

bool retry_is_outage(const struct retry_facts *f)
{
    if (f->whole || f->status == 409)
        return false;
    enum cause cause = cause_of(f);
    /* A reply that broke off is an outage of the connection; a malformed one is
     * not. */
    return consequences[cause].outage || (cause == UNREADABLE && f->how != OK);
}
