#include "nearest.h"
#include <string.h>
#include "base/banned.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment, three rows. Both are at most NEAREST_LONGEST. */
static unsigned distance(struct str a, struct str b)
{
    unsigned rows[3][NEAREST_LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (unsigned j = 0; j <= b.len; j++)
        last[j] = j;
    memset(rows[0], 0, sizeof rows[0]);
    for (unsigned i = 1; i <= a.len; i++) {
        char x = lower(a.ptr[i - 1]);
        row[0] = i;
        for (unsigned j = 1; j <= b.len; j++) {
            char y = lower(b.ptr[j - 1]);
            row[j] =
                least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b.ptr[j - 2]) &&
                y == lower(a.ptr[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b.len];
}

void nearest_begin(struct nearest *nearest, struct str wanted)
{
    *nearest = (struct nearest){.wanted = wanted};
}

static void insert(struct nearest *nearest, struct str name, unsigned far)
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
    if (!wanted.len || !name.len || wanted.len > NEAREST_LONGEST ||
        name.len > NEAREST_LONGEST)
        return;
    size_t longer = wanted.len > name.len ? wanted.len : name.len;
    size_t shorter = wanted.len + name.len - longer;
    unsigned far = distance(wanted, name);
    bool holds = shorter >= 3 && (str_find_nocase(name, wanted) >= 0 ||
                                  str_find_nocase(wanted, name) >= 0);
    if (far <= longer / 3 || holds)
        insert(nearest, name, far);
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
