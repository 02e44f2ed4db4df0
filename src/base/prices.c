/* prices.c - reads prices of tokens, and applies them. */
#include "base/prices.h"
#include <stdlib.h>
#include "base/banned.h"

enum { NUMBER_MOST = 15 };

/* Digits with at most one point among them: "10", "2.50", ".3". */
static bool read_decimal(struct str s, double *out)
{
    char text[NUMBER_MOST + 1];
    size_t digits = 0, points = 0;
    s = str_trim(s);
    for (size_t i = 0; i < s.len; i++) {
        digits += s.ptr[i] >= '0' && s.ptr[i] <= '9';
        points += s.ptr[i] == '.';
    }
    if (!digits || points > 1 || digits + points != s.len ||
        s.len > NUMBER_MOST)
        return false;
    str_copy(text, sizeof text, s);
    *out = strtod(text, NULL);
    return true;
}

bool price_read(struct str text, char separator, struct token_price *price)
{
    double numbers[3];
    struct str part;
    size_t n = 0;
    while (str_split(&text, separator, &part))
        if (n == 3 || !read_decimal(part, &numbers[n++]))
            return false;
    if (n < 2)
        return false;
    *price = (struct token_price){.known = true,
                                  .input = numbers[0],
                                  .cached = numbers[n == 3 ? 1 : 0],
                                  .output = numbers[n - 1]};
    return true;
}

bool prices_read(struct str list, struct prices *out)
{
    struct str item;
    *out = (struct prices){0};
    while (str_split(&list, ',', &item)) {
        ptrdiff_t equals = str_find_char(item, '=');
        if (equals < 1 || out->n == PRICES_MOST)
            return false;
        struct model_price *p = &out->items[out->n++];
        p->model = str_trim(str_cut(item, 0, (size_t)equals));
        if (!p->model.len ||
            !price_read(str_from(item, (size_t)equals + 1), '/', &p->price))
            return false;
    }
    return true;
}

struct token_price prices_of(const struct prices *p, struct str model)
{
    const struct model_price *best = NULL;
    for (size_t i = 0; p && i < p->n; i++)
        if (str_starts(model, p->items[i].model) &&
            (!best || p->items[i].model.len > best->model.len))
            best = &p->items[i];
    return best ? best->price : (struct token_price){0};
}

/* llround() would be all that the supervisor needs of the mathematical library. */
static int64_t nearest_whole(double x)
{
    return (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
}

int64_t price_amount(const struct token_price *price, int64_t input,
                     int64_t cached, int64_t output)
{
    if (!price->known)
        return 0;
    if (cached > input)
        cached = input;
    return nearest_whole(((double)(input - cached) * price->input +
                          (double)cached * price->cached +
                          (double)output * price->output) *
                         ((double)MONEY_NANO / 1e6));
}

bool amount_read(struct str text, int64_t *amount)
{
    double number;
    if (!read_decimal(text, &number) || number > 1e9)
        return false;
    *amount = nearest_whole(number * MONEY_NANO);
    return true;
}

double amount_real(int64_t amount)
{
    return (double)amount / MONEY_NANO;
}
