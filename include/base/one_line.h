/* one_line.h - text from data, models and users for one line of a prompt. */
#pragma once
#include "base/buf.h"

/* Appends `text` on one line: a blank in place of each line break, control
 * character and bidirectional control, and two backticks where there are more
 * in a row, so that the text can neither leave the list that it is in nor end
 * the fence around it. At most `most` bytes, then "…"; 0: all. */
void one_line_put(struct buf *out, struct str text, size_t most);
