/* docs_html.h - turns the Markdown of openapi_markdown.c into one HTML page
 * that needs no other file and no script.
 *
 * It supports what that text uses: headings, paragraphs, tables, fenced code,
 * inline code, links and escaped bars. A heading's id is what links to it
 * use. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/* Appends the page. */
void docs_html(struct buf *out, struct str markdown);
