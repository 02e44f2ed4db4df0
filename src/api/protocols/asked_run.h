/* asked_run.h - asks a question and follows its run to the end, for protocols
 * that answer in another form than the event stream.
 *
 * A user has a limit of runs at once. A question waits for its turn here,
 * because its client cannot come back for it. */
#pragma once
#include "../request.h"
#include "../resources/run_watch.h"
#include "store/claims.h"
#include "store/conversations.h"
#include "store/messages.h"

struct asked_run {
    /* In */
    struct request *request;
    struct str ontology_id;
    struct str chat_id; /* empty: that of the turns, or a new one */
    struct str turns;   /* as conversation_open */
    size_t n_turns;
    struct str question;   /* trimmed, 1 to 10,000 characters */
    struct str message_id; /* not empty: it was asked in the chat already, so
                              that there is no question here */
    struct str answer_id;  /* a UUID that is free; empty: a new one */
    bool ends_with_client; /* cancelled when `gone` is set */
    /* The run has been claimed and is about to start. May be NULL. */
    void (*on_start)(struct asked_run *r);
    /* As run_watch.on_frames; may be NULL. */
    bool (*on_frames)(struct asked_run *r, struct str frames);
    void *who;

    /* Out */
    enum err refused;          /* not OK: it was not started */
    const char *why;           /* a sentence for users; NULL: the error's own */
    int64_t again_s;           /* when to ask again; 0: not known */
    bool ended;                /* the run has ended, and `answer` was read */
    struct run_claim claim;    /* its outcome says why it was not started */
    struct answer_read answer; /* of the question; else nothing */

    /* private */
    struct run_watch watch;
    struct conversation_open open;
    struct message_pair pair;
    struct ticket *ticket;
    struct run_cancel cancel;
    struct pause pause;
    uint64_t asked_ms;
    unsigned pause_ms;
};
/* A subflow; its locals live as long as the flow. It fails as queries do. */
step_fn asked_run_begin;
/* The client has disconnected. */
void asked_run_gone(struct asked_run *r);
/* Whether the client's queue is full: frames then wait in the log. */
void asked_run_pace(struct asked_run *r, bool full);

/* The error of a run that did not answer, by its code; OK: it did. */
enum err asked_run_error(const struct answer_read *a);
