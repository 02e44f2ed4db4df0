/* prices.h - what the tokens of model calls cost. Sextant knows no prices; the
 * operator lists them, in one currency, which is never named.
 *
 *   price   of a model: for a million tokens of input, of input that the
 *           vendor read from its cache, and of output
 *   amount  money, in billionths (nano) of the currency */
#pragma once
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct token_price {
    bool known;
    double input, cached, output;
};

enum { PRICES_MOST = 64, MONEY_NANO = 1000000000 };

struct prices {
    struct model_price {
        struct str model; /* a name, or how names begin */
        struct token_price price;
    } items[PRICES_MOST];
    size_t n;
};

/* Parses "2.50,10" (input, output; cached input costs as much as other input)
 * or "2.50,0.25,10", with that separator. False: it is anything else; *price is
 * unchanged then. */
MUST_CHECK bool price_read(struct str text, char separator,
                           struct token_price *price);
/* Parses "gpt-5.4=1.25/0.125/10,claude-sonnet-5=3/15"; names are slices of the
 * list. False: malformed, or more than PRICES_MOST. */
MUST_CHECK bool prices_read(struct str list, struct prices *out);
/* The price of the longest name that the model's name begins with; an unknown
 * price when there is none. `p` may be NULL. */
struct token_price prices_of(const struct prices *p, struct str model);
/* What these tokens cost; `cached` is a part of `input`, and reasoning one of
 * `output`. 0 when the price is not known. */
int64_t price_amount(const struct token_price *price, int64_t input,
                     int64_t cached, int64_t output);
/* Parses "12.50" as an amount. False: it is anything else. */
MUST_CHECK bool amount_read(struct str text, int64_t *amount);
/* An amount as a number of the currency. */
double amount_real(int64_t amount);
