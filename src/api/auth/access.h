/* access.h - who may come in: what a process holds to decide it.
 *
 *   keys      those that check tokens of others, where the server takes such
 *   proxies   whose X-Forwarded-For is believed
 *   attempts  how often an address, or an account, was tried of late
 *   watch     a flow that hears of changed users: their roles are forgotten, and
 *             what a disabled one has open is closed, at once or, when it was not
 *             told, within WATCH_MS */
#pragma once
#include "attempts.h"
#include "base/address.h"
#include "key_source.h"
#include "loop/wait.h"
#include "../request.h"
#include "store/notices.h"

enum { LOGIN_PER_ACCOUNT = 10, LOGIN_PER_ADDRESS = 100 };

struct access {
    struct jwk_set *pem;       /* NULL: none is set */
    struct key_source *source; /* the same */
    struct network *proxies;
    size_t n_proxies;
    struct attempts *attempts;
    struct arena
        scratch; /* of one token, while it is judged: it ends no flow, so
                             that no JSON is left behind */
    struct flow *watch;
    struct wake wake; /* look at once */
    struct notice_hearer hearer;
    bool closing;
};

/* Sets a->access; false with *why. The watch ends soon after the close and asks
 * then whether the api may go (api_free_if_over); access_free comes last. */
bool access_open(struct api *a, struct str *why);
void access_close(struct api *a);
void access_free(struct api *a);
/* user_watch.c */
void user_watch_open(struct api *a);
void user_watch_close(struct api *a);

/* A subflow with the request: knows the user in q->user, or has answered. */
struct next authenticate_begin(struct flow *f);
/* Tokens come from somewhere else: nobody signs in here. */
bool access_is_elsewhere(const struct api *a);

/* Where the request comes from: the peer, or behind proxies that are believed
 * the right-most address that is none of them. */
struct address request_address(struct request *q);
/* The name under which attempts are counted: a IPv6 network counts as one. */
struct str address_name(struct arena *arena, const struct address *a);
