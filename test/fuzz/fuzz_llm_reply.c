/* What models send: the first byte picks provider and form, the rest are events,
 * each ended by a NUL. Nothing may be read beyond its bytes; what comes of it is
 * bounded. */
#include "llm/provider.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *who, struct str piece)
{
    *(size_t *)who += piece.len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ids[] = {"openai", "anthropic"};
    if (size < 2)
        return 0;
    size_t shown = 0;
    struct llm_call call = {.on_text = ignore, .who = &shown};
    if (*data & 4)
        call.schema_name = STR("answer");
    struct llm_reply r;
    llm_reply_init(&r, &call);
    const struct llm_provider *p = llm_provider_find(str_of(ids[*data & 1]));
    struct str type = *data & 2 ? STR("whole") : STR("message");
    const char *at = (const char *)data + 1, *end = (const char *)data + size;
    while (at < end) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        size_t len = (size_t)((nul ? nul : end) - at);
        char *copy = malloc(len ? len : 1); /* so that ASan sees its end */
        if (!copy)
            abort();
        memcpy(copy, at, len);
        p->on_event(&r, type, (struct str){copy, len});
        free(copy);
        at += len + 1;
    }
    if (r.n_tools > LLM_MOST_TOOL_CALLS || shown != r.content.len)
        abort();
    llm_reply_done(&r);
    return 0;
}
