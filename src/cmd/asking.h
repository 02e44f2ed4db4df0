/* asking.h - one question asked and followed to its end, in this process: the
 * same run as a server's, followed as any stream follows it.
 *
 *   the pair of messages -> claim -> run -> last event */
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
    /* Each event but the last, and now and then a moment without one; NULL: not
     * told. */
    void (*on_event)(void *who, struct str type, const json_t *data);
    void (*on_tick)(void *who);
    void *who;
    /* Out, until the frame of the caller ends */
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
/* Fails with ERR_CHAT_BUSY, ERR_NOT_FOUND, ERR_CONFLICT; a run that failed is an
 * answer too. */
struct next asking_begin(struct flow *f);
