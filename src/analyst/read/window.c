#include "window.h"
#include "calendar.h"
#include "base/banned.h"

const char *const unit_words[] = {"",      "day",     "week",
                                  "month", "quarter", "year"};

bool window_is_set(const struct window *window)
{
    return window->n || window->relative != RELATIVE_NONE;
}

enum time_unit unit_of(const struct question_word *word)
{
    for (enum time_unit unit = UNIT_DAY; unit <= UNIT_YEAR; unit++)
        if (word->kind == WORD_PLAIN && str_is(word->stem, unit_words[unit]))
            return unit;
    return UNIT_NONE;
}

enum time_unit unit_of_adverb(const struct question_word *word)
{
    static const char *const adverbs[] = {"",        "daily",     "weekly",
                                          "monthly", "quarterly", "yearly"};
    for (enum time_unit unit = UNIT_DAY; unit <= UNIT_YEAR; unit++)
        if (word_is(word, adverbs[unit]))
            return unit;
    bool year = word_is(word, "annual") || word_is(word, "annually");
    return year ? UNIT_YEAR : UNIT_NONE;
}

struct window_reader {
    struct arena *arena;
    const struct question_words *words;
    const struct window *before;
    struct str *problem, *yearless;
};

static const struct question_word *word_at(const struct window_reader *look,
                                           size_t at)
{
    static const struct question_word none = {.kind = WORD_MARK};
    return at < look->words->n ? &look->words->items[at] : &none;
}

static bool is_at(const struct window_reader *look, size_t at,
                  const char *lower)
{
    return word_is(word_at(look, at), lower);
}

static bool in_at(const struct window_reader *look, size_t at, const char *list)
{
    return word_in(word_at(look, at), list);
}

/* ---- named periods ------------------------------------------------------ */

static bool year_at(const struct window_reader *look, size_t at, int64_t *year)
{
    const struct question_word *word = word_at(look, at);
    return word->kind == WORD_NUMBER && word->text.len == 4 &&
           str_to_int64(word->text, year) && *year >= 1900 && *year < 2200;
}

static struct range months(int64_t year, int month, int n, enum time_unit unit)
{
    return (struct range){
        true, true, days_of_date((struct date){year, month, 1}),
        days_of_date((struct date){year, month + n, 1}), unit};
}

/* The year behind a month or quarter, after "of", "in" or a comma; or that of
 * the window before. 0 words with a problem when it is not known. */
static bool year_behind(const struct window_reader *look, size_t at, size_t *n,
                        int64_t *year)
{
    static const char joints[] = "of in ,";
    size_t skip = in_at(look, at + *n, joints) ? 1 : 0;
    if (year_at(look, at + *n + skip, year)) {
        *n += skip + 1;
        return true;
    }
    const struct window *before = look->before;
    if (before && before->n == 1 && before->ranges[0].has_from) {
        *year = date_of_days(before->ranges[0].from).year;
        return true;
    }
    *look->yearless = words_span(look->words, at, at + *n);
    *look->problem =
        arena_printf(look->arena, "“%.*s” does not say of which year",
                     STR_ARG(*look->yearless));
    return false;
}

static int ordinal_at(const struct window_reader *look, size_t at)
{
    static const char *const words[][2] = {{"first", "1st"},
                                           {"second", "2nd"},
                                           {"third", "3rd"},
                                           {"fourth", "4th"}};
    for (int i = 0; i < 4; i++)
        if (is_at(look, at, words[i][0]) || is_at(look, at, words[i][1]))
            return i + 1;
    return 0;
}

/* "q3", "h1": the letter and which one. */
static int lettered_at(const struct window_reader *look, size_t at, char letter)
{
    const struct question_word *word = word_at(look, at);
    bool fits = word->kind == WORD_PLAIN && word->lower.len == 2 &&
                word->lower.ptr[0] == letter;
    int which = fits ? word->lower.ptr[1] - '0' : 0;
    return which >= 1 && which <= (letter == 'q' ? 4 : 2) ? which : 0;
}

static size_t part_of_year(const struct window_reader *look, size_t at,
                           struct range *range)
{
    int quarter = lettered_at(look, at, 'q'), half = lettered_at(look, at, 'h');
    size_t n = quarter || half ? 1 : 0;
    int64_t year;
    if (!n && ordinal_at(look, at)) {
        if (unit_of(word_at(look, at + 1)) == UNIT_QUARTER)
            quarter = ordinal_at(look, at);
        else if (is_at(look, at + 1, "half") && ordinal_at(look, at) <= 2)
            half = ordinal_at(look, at);
        n = quarter || half ? 2 : 0;
    }
    if (!n && is_at(look, at, "quarter")) {
        quarter = (int)word_count(word_at(look, at + 1));
        n = quarter >= 1 && quarter <= 4 ? 2 : 0;
    }
    if (!n || !year_behind(look, at, &n, &year))
        return 0;
    *range = quarter ? months(year, quarter * 3 - 2, 3, UNIT_QUARTER)
                     : months(year, half * 6 - 5, 6, UNIT_NONE);
    return n;
}

static int day_at(const struct window_reader *look, size_t at)
{
    const struct question_word *word = word_at(look, at);
    int64_t day = 0;
    str_to_int64(word->number, &day);
    return day >= 1 && day <= 31 && word->number.len <= 2 ? (int)day : 0;
}

/* "March 2025", "March 5, 2025", "5 March 2025". */
static size_t month_period(const struct window_reader *look, size_t at,
                           struct range *range)
{
    size_t n = 0;
    int64_t year;
    int day = 0;
    if (day_at(look, at) && month_of(word_at(look, at + 1)->lower)) {
        day = day_at(look, at);
        n = 1;
    }
    int month = month_of(word_at(look, at + n)->lower);
    if (!month || word_at(look, at + n)->kind != WORD_PLAIN)
        return 0;
    bool verb = is_at(look, at + n, "may") || is_at(look, at + n, "mar") ||
                is_at(look, at + n, "march");
    if (verb && !n && !word_at(look, at)->capital &&
        !year_at(look, at + 1, &year))
        return 0;
    n++;
    if (!day && day_at(look, at + n)) {
        day = day_at(look, at + n);
        n++;
    }
    if (!year_behind(look, at, &n, &year))
        return 0;
    struct date date = {year, month, day};
    *range = months(year, month, 1, UNIT_MONTH);
    if (day && date_exists(date))
        *range = (struct range){true, true, days_of_date(date),
                                days_of_date(date) + 1, UNIT_DAY};
    return day && !date_exists(date) ? 0 : n;
}

static size_t written_date(const struct window_reader *look, size_t at,
                           struct range *range)
{
    const struct question_word *word = word_at(look, at);
    struct str parts[3];
    int64_t numbers[3] = {0, 1, 1};
    size_t n = 0;
    if (word->kind != WORD_DATE)
        return 0;
    n = name_parts(look->arena, word->text, parts, 3);
    for (size_t i = 0; i < n; i++)
        str_to_int64(parts[i], &numbers[i]);
    struct date date = {numbers[0], (int)numbers[1], (int)numbers[2]};
    if (!date_exists(date)) {
        *look->problem =
            arena_printf(look->arena, "“%.*s” is no date", STR_ARG(word->text));
        return 0;
    }
    *range = n == 2 ? months(date.year, date.month, 1, UNIT_MONTH)
                    : (struct range){true, true, days_of_date(date),
                                     days_of_date(date) + 1, UNIT_DAY};
    return 1;
}

static size_t named_period(const struct window_reader *look, size_t at,
                           struct range *range)
{
    static const char before[] = "the calendar year month of";
    int64_t year;
    size_t skip = 0, n;
    while (skip < 3 && in_at(look, at + skip, before))
        skip++;
    for (; !look->problem->len; skip--) {
        at += skip;
        if ((n = written_date(look, at, range)) ||
            (n = part_of_year(look, at, range)) ||
            (n = month_period(look, at, range)))
            return n + skip;
        if (year_at(look, at, &year)) {
            *range = months(year, 1, 12, UNIT_YEAR);
            int q = lettered_at(look, at + 1, 'q');
            int h = lettered_at(look, at + 1, 'h');
            if (q)
                *range = months(year, q * 3 - 2, 3, UNIT_QUARTER);
            else if (h)
                *range = months(year, h * 6 - 5, 6, UNIT_NONE);
            return skip + 1 + (q || h);
        }
        at -= skip;
        if (!skip)
            break;
    }
    return 0;
}

/* ---- periods counted from an anchor ------------------------------------- */

static size_t to_date(const struct window_reader *look, size_t at,
                      struct window *window)
{
    static const struct {
        const char *word;
        enum time_unit unit;
    } shorts[] = {{"ytd", UNIT_YEAR},
                  {"qtd", UNIT_QUARTER},
                  {"mtd", UNIT_MONTH},
                  {"today", UNIT_DAY}};
    window->relative = RELATIVE_THIS;
    for (size_t i = 0; i < 4; i++)
        if (is_at(look, at, shorts[i].word)) {
            window->unit = shorts[i].unit;
            return 1;
        }
    window->unit = unit_of(word_at(look, at));
    if (window->unit && is_at(look, at + 1, "to") &&
        is_at(look, at + 2, "date"))
        return 3;
    if (is_at(look, at, "yesterday")) {
        window->relative = RELATIVE_BEFORE;
        window->unit = UNIT_DAY;
        return 1;
    }
    return 0;
}

/* "last 6 months", "past year": `n` words stand before the unit. */
static void count_back(struct window *window, size_t count, bool past)
{
    window->relative = RELATIVE_LAST;
    window->count = count ? count : 1;
    if (!count && !past)
        window->relative = RELATIVE_BEFORE;
    else if (!count && window->unit == UNIT_YEAR)
        window->count = 12;
    else if (!count && window->unit == UNIT_QUARTER)
        window->count = 3;
    if (!count && past && window->unit > UNIT_MONTH)
        window->unit = UNIT_MONTH;
    if (window->relative == RELATIVE_LAST && window->unit == UNIT_WEEK) {
        window->unit = UNIT_DAY;
        window->count *= 7;
    }
}

static size_t relative_period(const struct window_reader *look, size_t at,
                              struct window *window)
{
    static const char back[] =
        "last previous prior past trailing preceding recent";
    static const char own[] = "this current latest";
    static const char past[] = "past trailing";
    size_t n = is_at(look, at, "the") ? 1 : 0;
    size_t short_form = to_date(look, at + n, window);
    if (short_form)
        return n + short_form;
    if (is_at(look, at + n, "most") && is_at(look, at + n + 1, "recent"))
        n++;
    if (in_at(look, at + n, own)) {
        window->relative = RELATIVE_THIS;
        window->unit = unit_of(word_at(look, at + n + 1));
        return window->unit ? n + 2 : 0;
    }
    if (!in_at(look, at + n, back))
        return 0;
    bool is_past = in_at(look, at + n, past);
    bool recent = is_at(look, at + n, "recent");
    size_t count = word_count(word_at(look, at + n + 1));
    size_t unit = at + n + 1 + (count > 0);
    window->unit = unit_of(word_at(look, unit));
    if (!window->unit)
        return 0;
    count_back(window, count, is_past);
    if (recent && !count)
        window->relative = RELATIVE_THIS;
    return unit + 1 - at;
}

/* ---- windows ------------------------------------------------------------ */

static bool joined_by_hyphen(const struct window_reader *look, size_t at)
{
    if (!at || at >= look->words->n)
        return false;
    size_t from = word_at(look, at - 1)->to, to = word_at(look, at)->from;
    struct str gap = str_trim(str_cut(look->words->text, from, to - from));
    return str_is(gap, "-") || str_is(gap, "\xe2\x80\x93");
}

/* The end of "from A to B", behind A. */
static size_t range_end(const struct window_reader *look, size_t at,
                        bool between, struct range *range)
{
    static const char joints[] = "to until till through thru";
    bool hyphen = joined_by_hyphen(look, at);
    bool joint = in_at(look, at, joints) || (between && is_at(look, at, "and"));
    struct range end;
    if (!hyphen && !joint)
        return 0;
    size_t n = named_period(look, at + (hyphen ? 0 : 1), &end);
    if (!n || end.to <= range->from)
        return 0;
    range->to = end.to;
    range->unit = UNIT_NONE;
    return n + (hyphen ? 0 : 1);
}

/* "and 2025", "vs 2025" behind a period. */
static size_t more_ranges(const struct window_reader *look, size_t at,
                          struct window *window)
{
    static const char joints[] = "and or , & vs versus";
    size_t start = at;
    while (in_at(look, at, joints) && window->n < WINDOW_RANGES) {
        bool versus = is_at(look, at, "vs") || is_at(look, at, "versus");
        size_t skip = versus && is_at(look, at + 1, ".") ? 2 : 1;
        struct range *range = &window->ranges[window->n];
        size_t n = named_period(look, at + skip, range);
        if (!n)
            break;
        window->versus = window->versus || versus;
        window->n++;
        at += skip + n;
    }
    return at - start;
}

enum lead {
    LEAD_IN,
    LEAD_SINCE,
    LEAD_AFTER,
    LEAD_BEFORE,
    LEAD_UNTIL,
    LEAD_BETWEEN
};

static size_t lead_read(const struct window_reader *look, size_t at,
                        enum lead *lead)
{
    static const struct {
        const char *word;
        enum lead lead;
    } leads[] = {{"in", LEAD_IN},         {"during", LEAD_IN},
                 {"for", LEAD_IN},        {"of", LEAD_IN},
                 {"over", LEAD_IN},       {"within", LEAD_IN},
                 {"on", LEAD_IN},         {"from", LEAD_BETWEEN},
                 {"since", LEAD_SINCE},   {"starting", LEAD_SINCE},
                 {"after", LEAD_AFTER},   {"before", LEAD_BEFORE},
                 {"until", LEAD_UNTIL},   {"till", LEAD_UNTIL},
                 {"through", LEAD_UNTIL}, {"between", LEAD_BETWEEN},
                 {"throughout", LEAD_IN}};
    *lead = LEAD_IN;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (is_at(look, at, leads[i].word)) {
            *lead = leads[i].lead;
            bool pair =
                is_at(look, at, "starting") &&
                (is_at(look, at + 1, "in") || is_at(look, at + 1, "from") ||
                 is_at(look, at + 1, "on"));
            return pair ? 2 : 1;
        }
    return 0;
}

static void open_end(struct range *range, enum lead lead)
{
    if (lead == LEAD_SINCE || lead == LEAD_AFTER) {
        if (lead == LEAD_AFTER)
            range->from = range->to;
        range->has_to = false;
    } else if (lead == LEAD_BEFORE || lead == LEAD_UNTIL) {
        if (lead == LEAD_BEFORE)
            range->to = range->from;
        range->has_from = false;
    }
    if (lead != LEAD_IN && lead != LEAD_BETWEEN)
        range->unit = UNIT_NONE;
}

static size_t absolute(const struct window_reader *look, size_t at,
                       enum lead lead, size_t led, struct window *window)
{
    struct range *range = &window->ranges[0];
    size_t n = 0, end = 0;
    if (!led || !is_at(look, at, "over")) /* "over 2000" is an amount */
        n = named_period(look, at + led, range);
    if (!n)
        return 0;
    bool between = led && is_at(look, at, "between");
    bool from = led && is_at(look, at, "from");
    if (lead == LEAD_IN || lead == LEAD_BETWEEN || lead == LEAD_SINCE)
        end = range_end(look, at + led + n, between, range);
    if (between && !end)
        return 0;
    window->n = 1;
    if (!end)
        open_end(range, lead);
    /* "from July 2025" begins there; "from 2025" alone is that year's. */
    if (from && !end && range->unit != UNIT_YEAR)
        range->has_to = false;
    size_t onwards = 0;
    if (!end && (is_at(look, at + led + n, "onwards") ||
                 is_at(look, at + led + n, "onward"))) {
        range->has_to = false;
        onwards = 1;
    }
    if (!end && !onwards && lead == LEAD_IN)
        end = more_ranges(look, at + led + n, window);
    return led + n + end + onwards;
}

size_t window_read(struct arena *arena, const struct question_words *words,
                   size_t at, const struct window *before,
                   struct window *window, struct str *problem)
{
    struct str yearless = {NULL, 0};
    struct window_reader look = {arena, words, before, problem, &yearless};
    enum lead lead;
    *window = (struct window){.n = 0};
    *problem = STR("");
    size_t led = lead_read(&look, at, &lead);
    size_t n = absolute(&look, at, lead, led, window);
    if (!n && !problem->len) {
        n = relative_period(&look, at + led, window);
        bool sensible = lead == LEAD_IN || lead == LEAD_BETWEEN;
        n = n && sensible ? n + led : 0;
    }
    if (!n)
        *window = (struct window){.n = 0};
    window->words = words_span(words, at, at + n);
    window->yearless = yearless;
    return n;
}
