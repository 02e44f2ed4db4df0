/* prices.h - what the tokens of a run cost. Sextant knows no prices itself. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct eval_prices {
    bool known;
    double prompt, completion; /* of a million tokens */
};

/* Parses "2.50,10": the prices of a million prompt tokens and of a million
 * completion tokens. Returns false if the text is anything else; *prices is
 * unchanged then. */
bool eval_prices_read(struct str text, struct eval_prices *prices);
/* The price of these tokens, in the currency of the prices; 0 when they are not
 * known. */
double eval_cost(const struct eval_prices *prices, int64_t prompt_tokens,
                 int64_t completion_tokens);
