/* explorer_remote.h - follows an exploration that another process runs. */
#pragma once
#include "../request.h"

/* Ends the request: with the stream of the user's exploration of that id, after
 * the frame `after`, or with 204 when none is under way. */
struct next explorer_follow_elsewhere(struct flow *f, struct str id,
                                      int64_t after);
