/* docs_html.h - the Markdown that openapi_markdown.c writes as one page of HTML,
 * which needs no other file and no script.
 *
 * It knows what that text has: headings, paragraphs, tables, fenced code, and in
 * a line code, links and escaped bars. A heading's id is what links to it say. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

void docs_html(struct buf *out, struct str markdown);
