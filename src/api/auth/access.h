/* access.h - authentication: what a process keeps to decide who may enter.
 *
 *   keys      check tokens of another issuer, where the server accepts those
 *   proxies   addresses whose X-Forwarded-For is trusted
 *   limiter   how often an address or an account tried to sign in recently
 *   watch     a flow that learns of changed users: it drops their cached roles
 *             and closes what a disabled user has open, at once, or within
 *             WATCH_MS if the notice was lost */
#pragma once
#include "limiter.h"
#include "base/address.h"
#include "key_source.h"
#include "loop/wait.h"
#include "../request.h"
#include "store/notices.h"

enum { LOGIN_PER_ACCOUNT = 10, LOGIN_PER_ADDRESS = 100 };

struct access {
    struct jwk_set *pem;       /* NULL: not configured */
    struct key_source *source; /* NULL: not configured */
    struct network *proxies;
    size_t n_proxies;
    struct limiter *limiter;
    /* For one token while it is verified. It is not a flow's arena: a jump out
     * of a full one would leak JSON. */
    struct arena scratch;
    struct flow *watch;
    struct wake wake; /* look at once */
    struct notice_listener hearer;
    bool closing;
};

/* Sets a->access. Returns false with the reason in *why. */
bool access_open(struct api *a, struct str *why);
/* Stops the watch, which ends soon after and then calls api_free_if_over. */
void access_close(struct api *a);
/* Frees the rest; the watch must have ended. */
void access_free(struct api *a);
/* user_watch.c: starts and stops the watch. */
void user_watch_open(struct api *a);
void user_watch_close(struct api *a);

/* Subflow of the request. Sets q->user, or answers the request with a
 * refusal. */
struct next authenticate_begin(struct flow *f);
/* Whether another issuer makes the tokens, so that no one signs in here. */
bool access_is_elsewhere(const struct api *a);

/* The address of the client: the peer or, behind trusted proxies, the
 * right-most address that is not a trusted proxy. */
struct address request_address(struct request *q);
/* The name under which attempts from an address are counted. All addresses of
 * an IPv6 /64 network count as one. */
struct str address_name(struct arena *arena, const struct address *a);
