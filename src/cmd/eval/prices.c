/* prices.c - reads prices of tokens and applies them. */
#include "prices.h"
#include <stdlib.h>
#include "base/banned.h"

enum { MOST_PRICE_LENGTH = 15 };

/* Parses digits with at most one point among them: "10", "2.50", ".3". */
static bool parse_price(struct str s, double *price)
{
    char text[MOST_PRICE_LENGTH + 1];
    size_t digits = 0, points = 0;
    s = str_trim(s);
    for (size_t i = 0; i < s.len; i++) {
        digits += s.ptr[i] >= '0' && s.ptr[i] <= '9';
        points += s.ptr[i] == '.';
    }
    if (!digits || points > 1 || digits + points != s.len ||
        s.len > MOST_PRICE_LENGTH)
        return false;
    str_copy(text, sizeof text, s);
    *price = strtod(text, NULL);
    return true;
}

bool eval_prices_read(struct str text, struct eval_prices *prices)
{
    struct eval_prices read = {.known = true};
    ptrdiff_t comma = str_find_char(text, ',');
    if (comma < 0 ||
        !parse_price(str_cut(text, 0, (size_t)comma), &read.prompt) ||
        !parse_price(str_from(text, (size_t)comma + 1), &read.completion))
        return false;
    *prices = read;
    return true;
}

double eval_cost(const struct eval_prices *prices, int64_t prompt_tokens,
                 int64_t completion_tokens)
{
    if (!prices->known)
        return 0;
    return ((double)prompt_tokens * prices->prompt +
            (double)completion_tokens * prices->completion) /
           1e6;
}
