/* share_text.h - what of an answer's text a link without rows shows. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* The Markdown text without its tables: a line says where each of them was. A
 * slice of `text` if there is none. Anything that any reader of Markdown may
 * take for a table counts as one. */
struct str text_without_tables(struct arena *arena, struct str text);
