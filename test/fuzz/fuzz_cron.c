/* Any cron line: it is refused with a reason, or its next times are later, whole
 * minutes, and one after the other. */
#include "base/cron.h"
#include <stdlib.h>
#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct cron_offset zone[] = {
        {0, 3600}, {1774746000, 7200}, {1792890000, 3600}};
    struct cron c;
    const char *why = NULL;
    int64_t at = 1774600000;
    if (!cron_parse((struct str){(const char *)data, size}, &c, &why)) {
        if (!why)
            abort();
        return 0;
    }
    for (int i = 0; i < 8 && at >= 0; i++) {
        int64_t next = cron_next(&c, zone, 3, at);
        if (next >= 0 && (next <= at || next % 60))
            abort();
        at = next;
    }
    return 0;
}
