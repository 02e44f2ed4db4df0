/* nearest.c - collects candidate names in the order of their edit distance. */
#include "nearest.h"
#include "base/edit_distance.h"
#include <string.h>
#include "base/banned.h"

void nearest_begin(struct nearest *nearest, struct str wanted)
{
    *nearest = (struct nearest){.wanted = wanted};
}

static void insert_name(struct nearest *nearest, struct str name, size_t far)
{
    size_t at = nearest->n;
    while (at > 0 && nearest->found[at - 1].distance > far)
        at--;
    if (at == NEAREST_MOST)
        return;
    if (nearest->n < NEAREST_MOST)
        nearest->n++;
    memmove(&nearest->found[at + 1], &nearest->found[at],
            (nearest->n - at - 1) * sizeof nearest->found[0]);
    nearest->found[at].name = name;
    nearest->found[at].distance = far;
}

void nearest_offer(struct nearest *nearest, struct str name)
{
    struct str wanted = nearest->wanted;
    if (!wanted.len || !name.len)
        return;
    size_t far = edit_distance(wanted, name);
    if (far == SIZE_MAX) /* one of them is too long */
        return;
    size_t longer = wanted.len > name.len ? wanted.len : name.len;
    size_t shorter = wanted.len + name.len - longer;
    bool holds = shorter >= 3 && (str_find_nocase(name, wanted) >= 0 ||
                                  str_find_nocase(wanted, name) >= 0);
    if (far <= longer / 3 || holds)
        insert_name(nearest, name, far);
}

struct str nearest_best(const struct nearest *nearest)
{
    return nearest->n ? nearest->found[0].name : (struct str){NULL, 0};
}

struct str_list nearest_names(struct arena *arena,
                              const struct nearest *nearest, size_t most)
{
    struct str_list list = {NULL, nearest->n < most ? nearest->n : most};
    list.items = arena_new_array(arena, struct str, list.n);
    for (size_t i = 0; i < list.n; i++)
        list.items[i] = nearest->found[i].name;
    return list;
}
