/* frames.h - takes whole frames of the event log (net/sse.h) apart. Pure. */
#pragma once
#include "base/str.h"

struct frame {
    struct str type, data; /* slices; data is a JSON object */
};
/* Moves the first frame of *frames into *out. False: there are no more. */
bool frame_next(struct str *frames, struct frame *out);
