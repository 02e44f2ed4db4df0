/* Pages of a hostile cluster, and texts that are written for it: bounded, and a
 * text that was written is read again as the same tokens. */
#include "base/arena.h"
#include "trino_reply.h"
#include "trino_sql.h"
#include "trino_token.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_pages(struct str text)
{
    struct trino_reply r = {.max_rows = 20, .max_bytes = 1000};
    struct str page;
    while (str_split(&text, '\n', &page) && trino_reply_take(&r, page))
        continue;
    if (r.n_rows > r.max_rows)
        abort();
    for (size_t i = 0; i < r.n_kept; i++)
        if (trino_reply_cell(&r, i).len > 4000)
            abort();
    trino_reply_done(&r);
}

/* No comment and no semicolon is left outside strings. */
static void write_text(struct str text)
{
    struct arena arena;
    struct str out, why;
    struct trino_tokens tokens;
    arena_init(&arena, 0);
    if (trino_sql(&arena, text, &out, &why)) {
        if (out.len && !trino_tokens_read(&arena, out, &tokens, &why))
            abort();
    } else if (!why.len) {
        abort();
    }
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size || size > 32768)
        return 0;
    struct str text = {(const char *)data + 1, size - 1};
    if (data[0] & 1)
        take_pages(text);
    else
        write_text(text);
    return 0;
}
