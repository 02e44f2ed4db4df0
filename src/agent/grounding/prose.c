/* prose.c - words and what they say; see prose.h. */
#include "prose.h"
#include "base/banned.h"

enum {
    FUNCTION = PROSE_FUNCTION,
    FOREIGN = PROSE_FOREIGN,
    COMMON = PROSE_COMMON,
    NAME_VERB = PROSE_NAME_VERB,
    RELEASE = PROSE_RELEASE,
    CHANGE = PROSE_CHANGE,
    DIFFERENCE = PROSE_DIFFERENCE,
    WHOLE = PROSE_WHOLE,
    REST = PROSE_REST,
    LOSS = PROSE_LOSS,
    RATIO = PROSE_RATIO,
    CUT = PROSE_CUT,
    RANK = PROSE_RANK,
    SUM = PROSE_SUM,
    LIMIT = PROSE_LIMIT,
    TIME_UNIT = PROSE_TIME_UNIT,
    THING = PROSE_THING,
    EXCUSE = PROSE_EXCUSE,
    FINDING = PROSE_FINDING,
    HIGH = PROSE_HIGH,
    LOW = PROSE_LOW,
    EXTREME = PROSE_EXTREME,
    UP = PROSE_UP,
    DOWN = PROSE_DOWN,
    MORE = PROSE_MORE,
    LESS = PROSE_LESS,
    NEGATION = PROSE_NEGATION,
    SOME = PROSE_SOME,
    RANGE = PROSE_RANGE,
    ORDER = PROSE_ORDER,
    COUNT = PROSE_COUNT,
};

/* In the order of their bytes. */
static const struct {
    const char *word;
    uint32_t says;
} words[] = {
#define WORD(word, says) {word, says},
#include "prose_words.def"
#undef WORD
};

uint32_t prose_of(struct str word)
{
    size_t low = 0, high = word.len ? sizeof words / sizeof *words : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = words[middle].word;
        int order = (unsigned char)*word.ptr - (unsigned char)*other;
        if (!order)
            order = strncmp(word.ptr, other, word.len);
        if (!order && !other[word.len])
            return words[middle].says;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

bool prose_says(struct str word, uint32_t what)
{
    return prose_of(word) & what;
}
