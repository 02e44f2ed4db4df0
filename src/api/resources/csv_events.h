/* csv_events.h - the event log of a run as the events of the CSV analyst's
 * stream:
 *
 *   message_chunk                       token        {text}
 *   tool_call, tool_start               tool_call    {name, input}
 *   tool_result, tool_end, tool_error   tool_result  {name, output}
 *
 * Other events have no counterpart. The end of the stream (result, done, error)
 * is made of the capsule, not of the log. Pure. */
#pragma once
#include "base/buf.h"

/* Appends the events of whole frames (net/sse.h). */
void csv_events_put(struct buf *out, struct str frames);
