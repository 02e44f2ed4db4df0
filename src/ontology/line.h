/* line.h - a text that may have lines, on one line. */
#pragma once
#include "base/buf.h"

void line_put(struct buf *out, struct str s);
