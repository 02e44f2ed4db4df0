/* line.h - a text that may have several lines, written on one line. */
#pragma once
#include "base/buf.h"

/* Appends the text with a blank in place of each CR and LF. */
void text_put_line(struct buf *out, struct str s);
