/* window.c - periods of time in a question.
 *
 * A window is an optional preposition ("since") and a named period ("March
 * 2025", with its end, "to May 2025", or with others, "and 2024"), or a
 * relative one ("last 6 months", "year to date"). */
#include "window.h"
#include "calendar.h"
#include "base/banned.h"

const char *const weekday_names[7] = {"Monday",   "Tuesday", "Wednesday",
                                      "Thursday", "Friday",  "Saturday",
                                      "Sunday"};

bool window_is_set(const struct window *window)
{
    return window->n || window->relative != RELATIVE_NONE || window->weekdays;
}

bool window_is_years(const struct window *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct date from = date_of_days(w->ranges[i].from);
        struct date to = date_of_days(w->ranges[i].to);
        if ((w->ranges[i].has_from && (from.month != 1 || from.day != 1)) ||
            (w->ranges[i].has_to && (to.month != 1 || to.day != 1)))
            return false;
    }
    return w->n > 0 && !w->weekdays;
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

static const struct question_word *word_at(const struct window_reader *reader,
                                           size_t at)
{
    static const struct question_word none = {.kind = WORD_MARK};
    return at < reader->words->n ? &reader->words->items[at] : &none;
}

static bool is_at(const struct window_reader *reader, size_t at,
                  const char *lower)
{
    return word_is(word_at(reader, at), lower);
}

static bool in_at(const struct window_reader *reader, size_t at,
                  const char *list)
{
    return word_in(word_at(reader, at), list);
}

/* ---- named periods ------------------------------------------------------ */

static bool year_at(const struct window_reader *reader, size_t at,
                    int64_t *year)
{
    const struct question_word *word = word_at(reader, at);
    return word->kind == WORD_NUMBER && word->text.len == 4 &&
           str_to_int64(word->text, year) && *year >= 1900 && *year < 2200;
}

static struct range months_range(int64_t year, int month, int n,
                                 enum time_unit unit)
{
    return (struct range){
        true, true, days_of_date((struct date){year, month, 1}),
        days_of_date((struct date){year, month + n, 1}), unit};
}

/* The year of the month or quarter with *n words at `at`: after "of", "in"
 * or a comma, else that of the window before. False, with a problem, when
 * it is not known. */
static bool year_after(const struct window_reader *reader, size_t at, size_t *n,
                       int64_t *year)
{
    static const char joints[] = "of in ,";
    size_t skip = in_at(reader, at + *n, joints) ? 1 : 0;
    if (year_at(reader, at + *n + skip, year)) {
        *n += skip + 1;
        return true;
    }
    const struct window *before = reader->before;
    if (before && before->n == 1 && before->ranges[0].has_from) {
        *year = date_of_days(before->ranges[0].from).year;
        return true;
    }
    *reader->yearless = words_span(reader->words, at, at + *n);
    *reader->problem =
        arena_printf(reader->arena, "“%.*s” does not say of which year",
                     STR_ARG(*reader->yearless));
    return false;
}

static int ordinal_at(const struct window_reader *reader, size_t at)
{
    static const char *const words[][2] = {{"first", "1st"},
                                           {"second", "2nd"},
                                           {"third", "3rd"},
                                           {"fourth", "4th"}};
    for (int i = 0; i < 4; i++)
        if (is_at(reader, at, words[i][0]) || is_at(reader, at, words[i][1]))
            return i + 1;
    return 0;
}

/* The number of "q3" or "h1"; 0: it is neither. */
static int lettered_at(const struct window_reader *reader, size_t at,
                       char letter)
{
    const struct question_word *word = word_at(reader, at);
    bool fits = word->kind == WORD_PLAIN && word->lower.len == 2 &&
                word->lower.ptr[0] == letter;
    int which = fits ? word->lower.ptr[1] - '0' : 0;
    return which >= 1 && which <= (letter == 'q' ? 4 : 2) ? which : 0;
}

static size_t part_of_year(const struct window_reader *reader, size_t at,
                           struct range *range)
{
    int quarter = lettered_at(reader, at, 'q'),
        half = lettered_at(reader, at, 'h');
    size_t n = quarter || half ? 1 : 0;
    int64_t year;
    if (!n && ordinal_at(reader, at)) {
        if (unit_of(word_at(reader, at + 1)) == UNIT_QUARTER)
            quarter = ordinal_at(reader, at);
        else if (is_at(reader, at + 1, "half") && ordinal_at(reader, at) <= 2)
            half = ordinal_at(reader, at);
        n = quarter || half ? 2 : 0;
    }
    if (!n && is_at(reader, at, "quarter")) {
        quarter = (int)word_count(word_at(reader, at + 1));
        n = quarter >= 1 && quarter <= 4 ? 2 : 0;
    }
    if (!n || !year_after(reader, at, &n, &year))
        return 0;
    *range = quarter ? months_range(year, quarter * 3 - 2, 3, UNIT_QUARTER)
                     : months_range(year, half * 6 - 5, 6, UNIT_NONE);
    return n;
}

static int day_at(const struct window_reader *reader, size_t at)
{
    const struct question_word *word = word_at(reader, at);
    int64_t day = 0;
    str_to_int64(word->number, &day);
    return day >= 1 && day <= 31 && word->number.len <= 2 ? (int)day : 0;
}

/* "March 2025", "March 5, 2025", "5 March 2025". */
static size_t month_period(const struct window_reader *reader, size_t at,
                           struct range *range)
{
    size_t n = 0;
    int64_t year;
    int day = 0;
    if (day_at(reader, at) && month_of(word_at(reader, at + 1)->lower)) {
        day = day_at(reader, at);
        n = 1;
    }
    int month = month_of(word_at(reader, at + n)->lower);
    if (!month || word_at(reader, at + n)->kind != WORD_PLAIN)
        return 0;
    bool verb = is_at(reader, at + n, "may") || is_at(reader, at + n, "mar") ||
                is_at(reader, at + n, "march");
    if (verb && !n && !word_at(reader, at)->capital &&
        !year_at(reader, at + 1, &year))
        return 0;
    n++;
    if (!day && day_at(reader, at + n)) {
        day = day_at(reader, at + n);
        n++;
    }
    if (!year_after(reader, at, &n, &year))
        return 0;
    struct date date = {year, month, day};
    *range = months_range(year, month, 1, UNIT_MONTH);
    if (day && date_exists(date))
        *range = (struct range){true, true, days_of_date(date),
                                days_of_date(date) + 1, UNIT_DAY};
    return day && !date_exists(date) ? 0 : n;
}

static size_t written_date(const struct window_reader *reader, size_t at,
                           struct range *range)
{
    const struct question_word *word = word_at(reader, at);
    struct str parts[3];
    int64_t numbers[3] = {0, 1, 1};
    size_t n = 0;
    if (word->kind != WORD_DATE)
        return 0;
    n = name_parts(reader->arena, word->text, parts, 3);
    for (size_t i = 0; i < n; i++)
        str_to_int64(parts[i], &numbers[i]);
    struct date date = {numbers[0], (int)numbers[1], (int)numbers[2]};
    if (!date_exists(date)) {
        *reader->problem = arena_printf(reader->arena, "“%.*s” is no date",
                                        STR_ARG(word->text));
        return 0;
    }
    *range = n == 2 ? months_range(date.year, date.month, 1, UNIT_MONTH)
                    : (struct range){true, true, days_of_date(date),
                                     days_of_date(date) + 1, UNIT_DAY};
    return 1;
}

static size_t named_period(const struct window_reader *reader, size_t at,
                           struct range *range)
{
    static const char before[] = "the calendar year month of";
    int64_t year;
    size_t skip = 0, n;
    while (skip < 3 && in_at(reader, at + skip, before))
        skip++;
    for (; !reader->problem->len; skip--) {
        at += skip;
        if ((n = written_date(reader, at, range)) ||
            (n = part_of_year(reader, at, range)) ||
            (n = month_period(reader, at, range)))
            return n + skip;
        if (year_at(reader, at, &year)) {
            *range = months_range(year, 1, 12, UNIT_YEAR);
            int q = lettered_at(reader, at + 1, 'q');
            int h = lettered_at(reader, at + 1, 'h');
            if (q)
                *range = months_range(year, q * 3 - 2, 3, UNIT_QUARTER);
            else if (h)
                *range = months_range(year, h * 6 - 5, 6, UNIT_NONE);
            return skip + 1 + (q || h);
        }
        at -= skip;
        if (!skip)
            break;
    }
    return 0;
}

/* ---- periods counted from an anchor ------------------------------------- */

static size_t to_date(const struct window_reader *reader, size_t at,
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
        if (is_at(reader, at, shorts[i].word)) {
            window->unit = shorts[i].unit;
            window->to_date = true;
            return 1;
        }
    window->unit = unit_of(word_at(reader, at));
    window->to_date = window->unit && is_at(reader, at + 1, "to") &&
                      is_at(reader, at + 2, "date");
    if (window->to_date)
        return 3;
    if (is_at(reader, at, "yesterday")) {
        window->relative = RELATIVE_BEFORE;
        window->unit = UNIT_DAY;
        return 1;
    }
    return 0;
}

/* "last 6 months", "past year". */
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

static size_t relative_period(const struct window_reader *reader, size_t at,
                              struct window *window)
{
    static const char back[] =
        "last previous prior past trailing preceding recent";
    static const char own[] = "this current latest";
    static const char past[] = "past trailing";
    size_t n = is_at(reader, at, "the") ? 1 : 0;
    size_t short_form = to_date(reader, at + n, window);
    if (short_form)
        return n + short_form;
    if (is_at(reader, at + n, "most") && is_at(reader, at + n + 1, "recent"))
        n++;
    if (in_at(reader, at + n, own)) {
        window->relative =
            is_at(reader, at + n, "latest") ? RELATIVE_LATEST : RELATIVE_THIS;
        window->unit = unit_of(word_at(reader, at + n + 1));
        return window->unit ? n + 2 : 0;
    }
    if (!in_at(reader, at + n, back))
        return 0;
    bool is_past = in_at(reader, at + n, past);
    bool recent = is_at(reader, at + n, "recent");
    size_t count = word_count(word_at(reader, at + n + 1));
    size_t unit = at + n + 1 + (count > 0);
    window->unit = unit_of(word_at(reader, unit));
    if (!window->unit)
        return 0;
    count_back(window, count, is_past);
    if (recent && !count)
        window->relative = RELATIVE_LATEST;
    return unit + 1 - at;
}

/* ---- days of the week ----------------------------------------------------- */

enum { WORKING_DAYS = 0x1f, WEEKEND = 0x60 };

/* "Mondays" is 1, "Tuesdays" 2, "weekends" both of its days; 0: neither. */
static unsigned days_named(const struct window_reader *reader, size_t at,
                           bool plural)
{
    struct str word = word_at(reader, at)->lower;
    if (word_at(reader, at)->kind != WORD_PLAIN)
        return 0;
    if (str_is(word, plural ? "weekends" : "weekend"))
        return WEEKEND;
    if (str_is(word, plural ? "weekdays" : "weekday"))
        return WORKING_DAYS;
    for (unsigned i = 0; i < 7; i++) {
        struct str name = str_of(weekday_names[i]);
        bool ends = !plural || str_ends(word, STR("s"));
        if (ends && str_eq_nocase(str_cut(word, 0, word.len - plural), name))
            return 1u << i;
    }
    return 0;
}

/* "Weekends", "Saturdays and Sundays", "a Monday". One that has no article may be
 * the last one. */
static size_t weekdays_read(const struct window_reader *reader, size_t at,
                            struct window *window)
{
    static const char one[] = "a any each every";
    size_t from = at;
    if (in_at(reader, at, one) || is_at(reader, at, "the")) {
        bool the = is_at(reader, at, "the");
        window->weekdays = days_named(reader, at + 1, false);
        if (the && window->weekdays != WEEKEND)
            window->weekdays = 0;
        if (window->weekdays)
            return 2;
        at += the;
    }
    for (unsigned day; (day = days_named(reader, at, true));) {
        window->weekdays |= day;
        at++;
        if (window->weekdays == (WORKING_DAYS | WEEKEND))
            *reader->problem =
                STR("these are all days of the week; say “by day of the week” "
                    "to have them told apart");
        if (!in_at(reader, at, "and or , &") ||
            !days_named(reader, at + 1, true))
            return at - from;
        at++;
    }
    return 0;
}

/* ---- windows ------------------------------------------------------------ */

static bool joined_by_hyphen(const struct window_reader *reader, size_t at)
{
    if (!at || at >= reader->words->n)
        return false;
    size_t from = word_at(reader, at - 1)->to, to = word_at(reader, at)->from;
    struct str gap = str_trim(str_cut(reader->words->text, from, to - from));
    return str_is(gap, "-") || str_is(gap, "\xe2\x80\x93");
}

/* The end of "from A to B", after A. */
static size_t range_end(const struct window_reader *reader, size_t at,
                        bool between, struct range *range)
{
    static const char joints[] = "to until till through thru";
    bool hyphen = joined_by_hyphen(reader, at);
    bool joint =
        in_at(reader, at, joints) || (between && is_at(reader, at, "and"));
    struct range end;
    if (!hyphen && !joint)
        return 0;
    size_t n = named_period(reader, at + (hyphen ? 0 : 1), &end);
    if (!n || end.to <= range->from)
        return 0;
    range->to = end.to;
    range->unit = UNIT_NONE;
    return n + (hyphen ? 0 : 1);
}

/* "and 2025", "vs 2025", "compared with 2025", after a period. */
static size_t ranges_read(const struct window_reader *reader, size_t at,
                          struct window *window)
{
    static const char joints[] = "and or , & vs versus compared";
    size_t start = at;
    while (in_at(reader, at, joints) && window->n < WINDOW_RANGES) {
        bool versus = is_at(reader, at, "vs") || is_at(reader, at, "versus");
        bool compared = is_at(reader, at, "compared");
        size_t skip = versus && is_at(reader, at + 1, ".") ? 2 : 1;
        if (compared && !is_at(reader, at + 1, "with") &&
            !is_at(reader, at + 1, "to"))
            break;
        versus = versus || compared;
        skip += compared;
        struct range *range = &window->ranges[window->n];
        size_t n = named_period(reader, at + skip, range);
        if (!n)
            break;
        window->versus = window->versus || versus;
        window->n++;
        at += skip + n;
    }
    return at - start;
}

enum preposition {
    PREPOSITION_IN,
    PREPOSITION_SINCE,
    PREPOSITION_AFTER,
    PREPOSITION_BEFORE,
    PREPOSITION_UNTIL,
    PREPOSITION_BETWEEN
};

static size_t preposition_read(const struct window_reader *reader, size_t at,
                               enum preposition *preposition)
{
    static const struct {
        const char *word;
        enum preposition meaning;
    } prepositions[] = {
        {"in", PREPOSITION_IN},           {"during", PREPOSITION_IN},
        {"for", PREPOSITION_IN},          {"of", PREPOSITION_IN},
        {"over", PREPOSITION_IN},         {"within", PREPOSITION_IN},
        {"on", PREPOSITION_IN},           {"at", PREPOSITION_IN},
        {"from", PREPOSITION_BETWEEN},    {"since", PREPOSITION_SINCE},
        {"starting", PREPOSITION_SINCE},  {"after", PREPOSITION_AFTER},
        {"before", PREPOSITION_BEFORE},   {"until", PREPOSITION_UNTIL},
        {"till", PREPOSITION_UNTIL},      {"through", PREPOSITION_UNTIL},
        {"between", PREPOSITION_BETWEEN}, {"throughout", PREPOSITION_IN}};
    *preposition = PREPOSITION_IN;
    for (size_t i = 0; i < sizeof prepositions / sizeof *prepositions; i++)
        if (is_at(reader, at, prepositions[i].word)) {
            *preposition = prepositions[i].meaning;
            bool pair =
                is_at(reader, at, "starting") &&
                (is_at(reader, at + 1, "in") || is_at(reader, at + 1, "from") ||
                 is_at(reader, at + 1, "on"));
            return pair ? 2 : 1;
        }
    return 0;
}

static void range_open(struct range *range, enum preposition preposition)
{
    if (preposition == PREPOSITION_SINCE || preposition == PREPOSITION_AFTER) {
        if (preposition == PREPOSITION_AFTER)
            range->from = range->to;
        range->has_to = false;
    } else if (preposition == PREPOSITION_BEFORE ||
               preposition == PREPOSITION_UNTIL) {
        if (preposition == PREPOSITION_BEFORE)
            range->to = range->from;
        range->has_from = false;
    }
    if (preposition != PREPOSITION_IN && preposition != PREPOSITION_BETWEEN)
        range->unit = UNIT_NONE;
}

static size_t absolute_period(const struct window_reader *reader, size_t at,
                              enum preposition preposition, size_t skipped,
                              struct window *window)
{
    struct range *range = &window->ranges[0];
    size_t n = 0, end = 0;
    if (!skipped || !is_at(reader, at, "over")) /* "over 2000" is an amount */
        n = named_period(reader, at + skipped, range);
    if (!n)
        return 0;
    bool between = skipped && is_at(reader, at, "between");
    bool from = skipped && is_at(reader, at, "from");
    if (preposition == PREPOSITION_IN || preposition == PREPOSITION_BETWEEN ||
        preposition == PREPOSITION_SINCE)
        end = range_end(reader, at + skipped + n, between, range);
    if (between && !end)
        return 0;
    window->n = 1;
    if (!end)
        range_open(range, preposition);
    /* "from July 2025" has no end; "from 2025" alone is that year. */
    if (from && !end && range->unit != UNIT_YEAR)
        range->has_to = false;
    size_t onwards = 0;
    if (!end && (is_at(reader, at + skipped + n, "onwards") ||
                 is_at(reader, at + skipped + n, "onward"))) {
        range->has_to = false;
        onwards = 1;
    }
    if (!end && !onwards && preposition == PREPOSITION_IN)
        end = ranges_read(reader, at + skipped + n, window);
    return skipped + n + end + onwards;
}

size_t window_read(struct arena *arena, const struct question_words *words,
                   size_t at, const struct window *before,
                   struct window *window, struct str *problem)
{
    struct str yearless = {NULL, 0};
    struct window_reader reader = {arena, words, before, problem, &yearless};
    enum preposition preposition;
    *window = (struct window){.n = 0};
    *problem = STR("");
    size_t skipped = preposition_read(&reader, at, &preposition);
    size_t n = absolute_period(&reader, at, preposition, skipped, window);
    bool at_word = skipped && is_at(&reader, at, "at");
    if (at_word) { /* "at weekends", and no other period */
        n = 0;
        *problem = STR("");
        *window = (struct window){.n = 0};
    }
    if (!n && !problem->len && preposition == PREPOSITION_IN) {
        n = weekdays_read(&reader, at + skipped, window);
        n += n ? skipped : 0;
    }
    if (!n && !problem->len && !at_word) {
        n = relative_period(&reader, at + skipped, window);
        bool sensible =
            preposition == PREPOSITION_IN || preposition == PREPOSITION_BETWEEN;
        n = n && sensible ? n + skipped : 0;
    }
    if (!n)
        *window = (struct window){.n = 0};
    window->words = words_span(words, at, at + n);
    window->yearless = yearless;
    return n;
}
