/* trino_names.c - see trino_names.h. */
#include "trino_names.h"
#include "base/map.h"
#include "base/banned.h"

void trino_unique_names(struct arena *arena, struct str *names, int n)
{
    struct map taken, used;
    map_init(&taken, arena);
    map_init(&used, arena);
    for (int i = 0; i < n; i++)
        map_put(&taken, names[i], names);
    for (int i = 0; i < n; i++) {
        struct str name = names[i];
        for (int k = 2;
             map_get(&used, name) || (k > 2 && map_get(&taken, name)); k++)
            name = arena_printf(arena, "%.*s_%d", STR_ARG(names[i]), k);
        names[i] = name;
        map_put(&used, name, names);
    }
}
