/* function.c - looks functions up in functions.def. */
#include "function.h"
#include "node.h"
#include "base/banned.h"

static const struct {
    const char *name;
    enum growth growth;
} functions[] = {
#define GROUP(name, shown)
#define FUNCTION(name, growth) {#name, growth},
#include "functions.def"
#undef FUNCTION
#undef GROUP
};

bool function_find(struct str name, enum growth *growth)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_is(name, functions[i].name)) {
            *growth = functions[i].growth;
            return true;
        }
    }
    return false;
}

bool function_find_trino(struct str name, enum growth *growth)
{
    static const struct {
        const char *name;
        enum growth growth;
    } trino[] = {
#define FUNCTION(name, growth) {#name, growth},
#include "trino_functions.def"
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof trino / sizeof *trino; i++)
        if (str_is(name, trino[i].name)) {
            *growth = trino[i].growth;
            return true;
        }
    return false;
}

bool function_is_aggregate(enum growth growth)
{
    return growth == AGGREGATE || growth == MEAN || growth == COLLECT ||
           growth == COUNT || growth == TOTAL;
}

static bool growth_is_of_rows(enum growth growth)
{
    return growth == ROWS || growth == REGEXP_ROWS || growth == READ_ROWS ||
           growth == SERIES;
}

bool function_makes_rows(struct str name)
{
    enum growth growth;
    return function_find(name, &growth) && growth_is_of_rows(growth);
}

enum function_answer function_answer_of(struct str name)
{
    static const char *const volatiles[] = {
        "random", "gen_random_uuid", "clock_timestamp", "timeofday", NULL};
    enum growth growth;
    if (!function_find(name, &growth) || str_is_one_of(name, volatiles))
        return FUNCTION_VARIES;
    if (function_is_aggregate(growth))
        return FUNCTION_OF_GROUP;
    return growth_is_of_rows(growth) || growth == RANK ? FUNCTION_VARIES
                                                       : FUNCTION_FIXED;
}
