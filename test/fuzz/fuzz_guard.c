/* Any bytes: the guard answers and does not crash; what it allows stays one
 * allowed statement when it is wrapped. */
#include "base/arena.h"
#include "guard/guard.h"
#include <stdlib.h>
#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct guard_policy policy = {.any_relation = true};
    struct guard_verdict verdict, again;
    struct arena arena;
    arena_init(&arena, 0);
    guard_check(&arena, (struct str){(const char *)data, size}, &policy,
                &verdict);
    if (verdict.ok) {
        struct str wrapped = arena_printf(&arena, "select * from (\n%.*s\n) q",
                                          STR_ARG(verdict.text));
        guard_check(&arena, wrapped, &policy, &again);
        /* The wrapper itself may pass a cap. */
        bool fits =
            str_is(again.code, "too_long") || str_is(again.code, "too_deep");
        if (!again.ok && !fits)
            abort();
        if (again.ok && again.n_relations != verdict.n_relations)
            abort();
    }
    arena_done(&arena);
    return 0;
}
