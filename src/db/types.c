/* types.c - see types.h. */
#include "types.h"
#include <stddef.h>
#include "base/banned.h"

static const struct type {
    Oid oid;
    const char *name;
    bool is_short;
} types[] = {
#define TYPE(oid, name, is_short) {oid, name, is_short},
#include "types.def"
#undef TYPE
};

static const struct type *type_find(Oid oid)
{
    size_t low = 0, high = sizeof types / sizeof *types;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (types[middle].oid == oid)
            return &types[middle];
        if (types[middle].oid < oid)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *type_name(Oid oid)
{
    const struct type *type = type_find(oid);
    return type ? type->name : NULL;
}

bool type_is_short(Oid oid)
{
    const struct type *type = type_find(oid);
    return type && type->is_short;
}
