/* asking.h - asks one question in this process and follows it to its end. The
 * run is the same as a server's.
 *
 *   create the messages -> claim -> run -> last event */
#pragma once
#include "base/json.h"
#include "engine.h"
#include "net/sse_decoder.h"
#include "store/claims.h"
#include "store/messages.h"
#include "store/runs.h"

struct asking {
    /* In */
    const struct engine *engine;
    struct str user_id, chat_id, question;
    /* Called for each event but the last; may be NULL. */
    void (*on_event)(void *who, struct str type, const json_t *data);
    void (*on_tick)(void *who); /* called often while it waits; may be NULL */
    void *who;
    /* Out; valid until the frame of the caller ends */
    const json_t *last; /* data of the terminal event */
    struct str message_id;
    /* private */
    struct message_pair pair;
    struct run_claim claim;
    struct run_frames frames;
    struct journal_reader reader;
    struct sse_decoder decoder;
    struct wait wait;
    uint64_t looked;
};
/* Subflow (locals: struct asking, which must live until the flow ends, because
 * its last event is freed then). Fails with ERR_CHAT_BUSY, ERR_NOT_FOUND or
 * ERR_CONFLICT. A run that fails is an answer too. */
struct next asking_begin(struct flow *f);
