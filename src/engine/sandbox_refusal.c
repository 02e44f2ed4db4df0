/* sandbox_refusal.c - see engine/sandbox_refusal.h. The sandbox runs untrusted
 * code, so that even its own words are bounded and cleaned. */
#include "engine/sandbox_refusal.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/one_line.h"
#include "base/utf8.h"
#include "base/banned.h"

enum { BODY_MOST = 4096, MESSAGE_MOST = 200, BUSY = 503 };

struct str sandbox_refusal(struct arena *arena, int status, struct str body)
{
    if (status != BUSY || body.len > BODY_MOST)
        return STR("");
    struct buf out;
    buf_init(&out, arena);
    buf_reserve(&out, MESSAGE_MOST + sizeof "…"); /* no jump while v is held */
    json_t *v = json_read(body, NULL);
    one_line_put(&out, str_trim(json_get_text(v, "message")), MESSAGE_MOST);
    json_decref(v);
    struct str text = utf8_repair(arena, str_trim(buf_view(&out)));
    while (text.len && text.ptr[text.len - 1] == '.')
        text.len--;
    return text;
}
