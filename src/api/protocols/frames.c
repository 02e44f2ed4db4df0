/* frames.c - takes frames of the event log apart; see frames.h. */
#include "frames.h"
#include "base/banned.h"

static struct str field_of(struct str frame, struct str name)
{
    struct str line;
    while (str_split(&frame, '\n', &line))
        if (str_starts(line, name))
            return str_from(line, name.len);
    return STR("");
}

bool frame_next(struct str *frames, struct frame *out)
{
    if (!frames->len)
        return false;
    ptrdiff_t end = str_find(*frames, STR("\n\n"));
    size_t n = end < 0 ? frames->len : (size_t)end;
    struct str frame = str_cut(*frames, 0, n);
    out->type = field_of(frame, STR("event: "));
    out->data = field_of(frame, STR("data: "));
    *frames = str_from(*frames, end < 0 ? n : n + 2);
    return true;
}
