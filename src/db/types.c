/* types.c - see types.h. */
#include "types.h"
#include <stddef.h>
#include "base/banned.h"

/* From pg_type.dat; these oids never change. */
static const struct type {
    Oid oid;
    const char *name;
    bool is_short;
} types[] = {
    {16, "bool", true},
    {17, "bytea", false},
    {18, "char", true},
    {19, "name", true},
    {20, "int8", true},
    {21, "int2", true},
    {23, "int4", true},
    {24, "regproc", false},
    {25, "text", false},
    {26, "oid", true},
    {27, "tid", true},
    {28, "xid", true},
    {29, "cid", true},
    {114, "json", false},
    {142, "xml", false},
    {600, "point", true},
    {601, "lseg", true},
    {602, "path", false},
    {603, "box", true},
    {604, "polygon", false},
    {628, "line", true},
    {650, "cidr", true},
    {700, "float4", true},
    {701, "float8", true},
    {705, "unknown", false},
    {718, "circle", true},
    {774, "macaddr8", true},
    {790, "money", true},
    {829, "macaddr", true},
    {869, "inet", true},
    {1000, "bool[]", false},
    {1001, "bytea[]", false},
    {1005, "int2[]", false},
    {1007, "int4[]", false},
    {1009, "text[]", false},
    {1015, "varchar[]", false},
    {1016, "int8[]", false},
    {1021, "float4[]", false},
    {1022, "float8[]", false},
    {1042, "bpchar", false},
    {1043, "varchar", false},
    {1082, "date", true},
    {1083, "time", true},
    {1114, "timestamp", true},
    {1115, "timestamp[]", false},
    {1182, "date[]", false},
    {1184, "timestamptz", true},
    {1185, "timestamptz[]", false},
    {1186, "interval", true},
    {1231, "numeric[]", false},
    {1266, "timetz", true},
    {1560, "bit", false},
    {1562, "varbit", false},
    {1700, "numeric", false},
    {2249, "record", false},
    {2278, "void", true},
    {2950, "uuid", true},
    {2951, "uuid[]", false},
    {3220, "pg_lsn", true},
    {3614, "tsvector", false},
    {3615, "tsquery", false},
    {3802, "jsonb", false},
    {3904, "int4range", true},
    {3906, "numrange", false},
    {3908, "tsrange", true},
    {3910, "tstzrange", true},
    {3912, "daterange", true},
    {3926, "int8range", true},
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
