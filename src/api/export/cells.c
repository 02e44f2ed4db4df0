/* cells.c - recognizes plain numbers. */
#include "cells.h"
#include "base/banned.h"

static size_t skip_digits(struct str s, size_t i)
{
    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    return i;
}

bool cell_is_number(struct str s)
{
    size_t i = s.len && (s.ptr[0] == '-' || s.ptr[0] == '+');
    size_t end = skip_digits(s, i);
    if (end == i)
        return false;
    if (end < s.len && s.ptr[end] == '.')
        end = skip_digits(s, end + 1);
    if (end < s.len && (s.ptr[end] | 0x20) == 'e') {
        i = end + 1;
        i += i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+');
        end = skip_digits(s, i);
        if (end == i)
            return false;
    }
    return end == s.len;
}

int cell_digits(struct str number)
{
    int so_far = 0, n = 0;
    for (size_t i = 0; i < number.len; i++) {
        char c = number.ptr[i];
        if (c < '0' || c > '9') {
            if ((c | 0x20) == 'e')
                break;
            continue;
        }
        if (so_far || c != '0')
            so_far++;
        if (c != '0')
            n = so_far;
    }
    return n;
}
