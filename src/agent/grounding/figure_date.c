/* figure_date.c - dates and periods: "2025-03-14", "14.03.2025",
 * "March 14, 2025", "Q3 2025", "the first half of 2025", "in 2025". */
#include "figure_parts.h"
#include "wording.h"
#include "base/banned.h"

enum { YEAR_LEAST = 1900, YEAR_MOST = 2100, WORD_MOST = 12 };

int64_t figure_day(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719468;
}

void figure_date(int64_t day, int64_t *year, int *month, int *of_month)
{
    day += 719468;
    int64_t era = (day >= 0 ? day : day - 146096) / 146097;
    int64_t e = day - era * 146097;
    int64_t y = (e - e / 1460 + e / 36524 - e / 146096) / 365;
    int64_t d = e - (365 * y + y / 4 - y / 100);
    int m = (int)((5 * d + 2) / 153);
    *of_month = (int)(d - (153 * m + 2) / 5 + 1);
    *month = m < 10 ? m + 3 : m - 9;
    *year = y + era * 400 + (*month <= 2);
}

/* ---- parts -------------------------------------------------------------- */

/* The next digits, up to `most`; they move *at. 0 digits: *at stays. */
static size_t read_digits(struct str text, size_t *at, size_t most, int *value)
{
    size_t n = 0, bytes, from = *at;
    int digit;
    *value = 0;
    while (n <= most &&
           (digit = figure_digit(str_from(text, *at), &bytes)) >= 0) {
        *value = *value * 10 + digit;
        *at += bytes;
        if (++n > most) {
            *at = from;
            return 0;
        }
    }
    return n;
}

static bool read_char(struct str text, size_t *at, char c)
{
    bool there = *at < text.len && text.ptr[*at] == c;
    *at += there;
    return there;
}

/* ASCII letters in lower case; 0 bytes: none. They move *at. */
static struct str read_letters(struct str text, size_t *at,
                               char word[WORD_MOST])
{
    size_t n = 0;
    while (*at < text.len && n < WORD_MOST) {
        char c = text.ptr[*at];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
            break;
        word[n++] = (char)(c | 0x20);
        (*at)++;
    }
    return (struct str){word, n};
}

static bool ends_word(struct str text, size_t at)
{
    return at >= text.len || !wording_letter(str_from(text, at));
}

static int month_of(struct str word)
{
    static const char *const names[] = {
        "january", "february", "march",     "april",   "may",      "june",
        "july",    "august",   "september", "october", "november", "december"};
    for (int i = 0; i < 12; i++)
        if (str_is(word, names[i]) ||
            (word.len == 3 && !memcmp(names[i], word.ptr, 3)))
            return i + 1;
    return str_is(word, "sept") ? 9 : 0;
}

static int month_days(int year, int month)
{
    int64_t next = month == 12 ? figure_day(year + 1, 1, 1)
                               : figure_day(year, month + 1, 1);
    return (int)(next - figure_day(year, month, 1));
}

static bool year_fits(int year)
{
    return year >= YEAR_LEAST && year <= YEAR_MOST;
}

static bool set_day(struct figure *f, int year, int month, int day)
{
    if (!year_fits(year) || month < 1 || month > 12 || day < 1 ||
        day > month_days(year, month))
        return false;
    f->kind = FIGURE_PERIOD;
    f->first = f->last = figure_day(year, month, day);
    f->month = month;
    return true;
}

static bool set_months(struct figure *f, int year, int month, int n)
{
    if (!year_fits(year) || month < 1 || month + n > 13)
        return false;
    f->kind = FIGURE_PERIOD;
    f->first = figure_day(year, month, 1);
    f->last = figure_day(year, month + n - 1, 1) +
              month_days(year, month + n - 1) - 1;
    f->month = month;
    return true;
}

/* Months of a year that is not named. */
static bool set_month(struct figure *f, int month, int n)
{
    f->kind = FIGURE_MONTH;
    f->month = month;
    f->first = n;
    return month >= 1 && month <= 12;
}

/* ---- dates that begin with digits --------------------------------------- */

/* "-05" or "-03:30" after a time: where it ends, or `at`. */
static size_t skip_zone(struct str text, size_t at)
{
    int hours, minutes;
    size_t to = at;
    if (!read_char(text, &to, '-') || read_digits(text, &to, 2, &hours) != 2)
        return at;
    size_t end = to;
    if (read_char(text, &to, ':') && read_digits(text, &to, 2, &minutes) == 2)
        end = to;
    return end;
}

/* "T12:30:00.5+02" after a day. */
static void skip_time(struct str text, size_t *at)
{
    size_t to = *at;
    if (to + 3 >= text.len || !strchr("T ", text.ptr[to]) || !text.ptr[to])
        return;
    to++;
    size_t from = to;
    while (to < text.len && strchr("0123456789:.+Z", text.ptr[to]) &&
           text.ptr[to])
        to++;
    if (to > from + 4 && text.ptr[from + 2] == ':')
        *at = to > from + 7 ? skip_zone(text, to) : to; /* it has seconds */
}

static bool iso_date(struct str text, size_t *at, struct figure *f)
{
    int year, month, day;
    size_t to = *at;
    if (read_digits(text, &to, 4, &year) != 4 || to >= text.len ||
        !strchr("-/", text.ptr[to]))
        return false;
    char mark = text.ptr[to++];
    if (read_digits(text, &to, 2, &month) != 2)
        return false;
    bool whole =
        read_char(text, &to, mark) && read_digits(text, &to, 2, &day) > 0;
    if (whole ? !set_day(f, year, month, day)
              : mark == '/' || !set_months(f, year, month, 1))
        return false;
    if (whole)
        skip_time(text, &to);
    *at = to;
    return true;
}

/* "14.03.2025", "3/14/2025"; "3/4/2025" may be either day. */
static bool short_date(struct str text, size_t *at, struct figure *f)
{
    int a, b, year;
    size_t to = *at;
    if (!read_digits(text, &to, 2, &a) || to >= text.len ||
        !strchr("./-", text.ptr[to]) || !text.ptr[to])
        return false;
    char mark = text.ptr[to++];
    if (!read_digits(text, &to, 2, &b) || !read_char(text, &to, mark) ||
        read_digits(text, &to, 4, &year) != 4)
        return false;
    struct figure us = *f;
    bool american = mark == '/' && set_day(&us, year, a, b);
    if (!set_day(f, year, b, a)) {
        if (!american)
            return false;
        *f = us;
    } else if (american) {
        f->other = (double)us.first;
        f->other_unit = 1;
    }
    *at = to;
    return true;
}

/* A time of the day states nothing that could be checked. */
static bool clock_time(struct str text, size_t *at)
{
    int hour, minute;
    size_t to = *at;
    if (!read_digits(text, &to, 2, &hour) || !read_char(text, &to, ':') ||
        read_digits(text, &to, 2, &minute) != 2 || hour > 24 || minute > 59)
        return false;
    if (read_char(text, &to, ':'))
        read_digits(text, &to, 2, &minute);
    *at = to;
    return true;
}

/* ---- years -------------------------------------------------------------- */

static struct str word_before(struct str text, size_t at, char word[WORD_MOST])
{
    while (at && strchr(" *_(\"'", text.ptr[at - 1]))
        at--;
    size_t from = at;
    while (from && at - from < WORD_MOST && str_is_alnum(text.ptr[from - 1]))
        from--;
    size_t start = from;
    return read_letters(text, &start, word);
}

/* "2024 orders" counts; "in 2024", "2024:" and "2024 was" name a year. */
static bool reads_as_year(struct str text, size_t from, size_t to)
{
    static const char leads[] =
        " in of since from to until till during for by year fy and through "
        "between before after vs than over q jan feb mar apr may jun jul aug "
        "sep sept oct nov dec calendar fiscal im seit bis en ";
    static const char follows[] =
        " and to was is were are vs versus with compared the a by through "
        "until till saw had has showed or as on in it than only at while but "
        "which from that revenue sales total totals totaled figures results "
        "data brought ended began alone stands stood came made compared ";
    char word[WORD_MOST];
    if (wording_among(word_before(text, from, word), leads))
        return true;
    size_t at = to;
    while (at < text.len && strchr("*_", text.ptr[at]) && text.ptr[at])
        at++;
    if (at >= text.len || text.ptr[at] != ' ')
        return true;
    at++;
    struct str next = read_letters(text, &at, word);
    return !next.len || wording_among(next, follows) ||
           (text.ptr[at - next.len] >= 'A' && text.ptr[at - next.len] <= 'Z');
}

/* A year alone, "2025 Q3", "2025's"; not "2,025" nor "2025.5". */
static bool only_year(struct str text, size_t *at, struct figure *f)
{
    int year, quarter;
    size_t to = *at, bytes;
    if (read_digits(text, &to, 4, &year) != 4 || !year_fits(year))
        return false;
    size_t q = to;
    if (read_char(text, &q, ' ') || read_char(text, &q, '-')) {
        if ((read_char(text, &q, 'Q') || read_char(text, &q, 'q')) &&
            read_digits(text, &q, 1, &quarter) && quarter >= 1 &&
            quarter <= 4) {
            *at = q;
            return set_months(f, year, 3 * quarter - 2, 3);
        }
    }
    struct str rest = str_from(text, to);
    bool goes_on = rest.len > 1 && strchr(".,", rest.ptr[0]) &&
                   figure_digit(str_from(rest, 1), &bytes) >= 0;
    bool attached = rest.len && wording_letter(rest);
    size_t before = *at;
    bool money = before && !strchr(" \n\t(|*_-\"'/`:[", text.ptr[before - 1]) &&
                 (unsigned char)text.ptr[before - 1] != 0x93;
    struct figure suffix = {.to = to};
    if (goes_on || attached || money || figure_read_suffix(text, &suffix) ||
        !reads_as_year(text, *at, to))
        return false;
    f->value = year;
    f->unit = 1;
    *at = to;
    return set_months(f, year, 1, 12);
}

/* ---- months in words ---------------------------------------------------- */

/* ", 2025", " of 2025" or " 2025" after a month or a quarter. */
static bool year_behind(struct str text, size_t *at, int *year)
{
    size_t to = *at;
    read_char(text, &to, '.');
    read_char(text, &to, ',');
    if (!read_char(text, &to, ' ') && !read_char(text, &to, '-'))
        return false;
    if (str_starts(str_from(text, to), STR("of ")))
        to += 3;
    if (read_digits(text, &to, 4, year) != 4 || !year_fits(*year) ||
        !ends_word(text, to))
        return false;
    *at = to;
    return true;
}

static void skip_th(struct str text, size_t *at)
{
    char word[WORD_MOST];
    size_t to = *at;
    struct str end = read_letters(text, &to, word);
    if (wording_among(end, " st nd rd th "))
        *at = to;
}

static bool set_named(struct str text, size_t *at, int month, int day,
                      struct figure *f)
{
    int year;
    if (year_behind(text, at, &year))
        return day ? set_day(f, year, month, day)
                   : set_months(f, year, month, 1);
    f->day = day;
    return set_month(f, month, 1);
}

/* "–15": the last day of a span within a month; 0: there is none. */
static int day_to(struct str text, size_t *at)
{
    size_t to = *at;
    int day;
    if (str_starts(str_from(text, to), STR("\xe2\x80\x93")))
        to += 3;
    else if (!read_char(text, &to, '-'))
        return 0;
    if (!read_digits(text, &to, 2, &day))
        return 0;
    *at = to;
    return day;
}

/* Makes a day the first of a span. */
static bool span_to(struct figure *f, bool found, int from, int day)
{
    if (found && f->kind == FIGURE_PERIOD && day > from)
        f->last += day - from;
    else if (found && day)
        f->day = 0;
    return found;
}

/* "14 March 2025", "14th of March". */
static bool day_then_month(struct str text, size_t *at, struct figure *f)
{
    char word[WORD_MOST];
    int day;
    size_t to = *at;
    if (!read_digits(text, &to, 2, &day) || day < 1 || day > 31)
        return false;
    skip_th(text, &to);
    int last = day_to(text, &to);
    read_char(text, &to, '.');
    if (!read_char(text, &to, ' ') && !read_char(text, &to, '-'))
        return false;
    if (str_starts(str_from(text, to), STR("of ")))
        to += 3;
    bool capital = to < text.len && text.ptr[to] >= 'A' && text.ptr[to] <= 'Z';
    int month = month_of(read_letters(text, &to, word));
    if (!month || !capital || !ends_word(text, to))
        return false;
    *at = to;
    return span_to(f, set_named(text, at, month, day, f), day, last);
}

/* "May" and "March" are also other words. */
static bool is_month_here(struct str text, size_t from, size_t to, int month)
{
    static const char leads[] =
        " in of since from to until till during for by and through between "
        "before after vs than early late mid last this next month versus ";
    static const char verbs[] = " had was has is saw brought came recorded "
                                "ended showed shows posted reached fell rose "
                                "grew accounted made closed dropped used took "
                                "cost sold peaked dipped led remained stayed "
                                "generated handled ";
    char word[WORD_MOST];
    size_t at = to, bytes;
    if ((month != 5 && month != 3) || (from == 0 && to == text.len))
        return true;
    size_t after = to;
    if (read_char(text, &after, ' ') &&
        wording_among(read_letters(text, &after, word), verbs))
        return true;
    while (at < text.len && strchr(" .,", text.ptr[at]) && text.ptr[at])
        at++;
    return (at > to && figure_digit(str_from(text, at), &bytes) >= 0) ||
           wording_among(word_before(text, from, word), leads) ||
           (to < text.len && strchr("|:*)", text.ptr[to]) && text.ptr[to]);
}

static bool month_then_day(struct str text, size_t *at, struct figure *f)
{
    char word[WORD_MOST];
    size_t to = *at, after;
    int day;
    bool capital = text.ptr[to] >= 'A' && text.ptr[to] <= 'Z';
    int month = month_of(read_letters(text, &to, word));
    if (!month || !capital || !ends_word(text, to) ||
        !is_month_here(text, *at, to, month))
        return false;
    after = to;
    read_char(text, &after, '.');
    if (read_char(text, &after, ' ') && read_digits(text, &after, 2, &day) &&
        day >= 1 && day <= 31) {
        size_t end = after;
        skip_th(text, &end);
        int last = day_to(text, &end);
        if (ends_word(text, end) &&
            !(end + 1 < text.len && text.ptr[end] == ',' &&
              str_is_alnum(text.ptr[end + 1]))) {
            *at = end;
            return span_to(f, set_named(text, at, month, day, f), day, last);
        }
    }
    *at = to;
    return set_named(text, at, month, 0, f);
}

/* "Q3 2025", "H1", "FY24". */
static bool quarter(struct str text, size_t *at, struct figure *f)
{
    int n, year;
    char c = *at < text.len ? text.ptr[*at] : '\0'; /* after "Nov 31" */
    size_t to = *at + 1;
    if (c != 'Q' && c != 'H' && c != 'q')
        return false;
    if (read_digits(text, &to, 1, &n) != 1 || n < 1 || n > (c == 'H' ? 2 : 4) ||
        !ends_word(text, to))
        return false;
    int months = c == 'H' ? 6 : 3;
    *at = to;
    if (year_behind(text, at, &year))
        return set_months(f, year, months * (n - 1) + 1, months);
    return set_month(f, months * (n - 1) + 1, months);
}

/* "first quarter of 2025", "second half". */
static bool spelled_quarter(struct str text, size_t *at, struct figure *f)
{
    static const char *const places[] = {"first", "second", "third", "fourth"};
    char word[WORD_MOST];
    size_t to = *at;
    int n = 0, year;
    struct str place = read_letters(text, &to, word);
    for (int i = 0; i < 4; i++)
        if (str_is(place, places[i]))
            n = i + 1;
    if (!n || (!read_char(text, &to, ' ') && !read_char(text, &to, '-')))
        return false;
    struct str what = read_letters(text, &to, word);
    int months = str_is(what, "quarter") ? 3 : str_is(what, "half") ? 6 : 0;
    if (!months || n * months > 12)
        return false;
    *at = to;
    if (year_behind(text, at, &year))
        return set_months(f, year, months * (n - 1) + 1, months);
    return set_month(f, months * (n - 1) + 1, months);
}

bool figure_read_date(struct str text, size_t *at, struct figure *out)
{
    size_t bytes, from = *at;
    bool digits = figure_digit(str_from(text, from), &bytes) >= 0;
    *out = (struct figure){.from = from};
    bool found =
        digits ? iso_date(text, at, out) || short_date(text, at, out) ||
                     day_then_month(text, at, out) || only_year(text, at, out)
               : month_then_day(text, at, out) || quarter(text, at, out) ||
                     spelled_quarter(text, at, out);
    if (!found && digits && clock_time(text, at)) {
        /* it stands for itself: a month of no name is never checked */
        *out = (struct figure){.from = from, .kind = FIGURE_MONTH};
        found = true;
    }
    out->to = *at;
    if (!found)
        *at = from;
    return found;
}

bool figure_day_of_cell(struct str cell, int64_t *day)
{
    struct figure f = {0};
    size_t at = 0;
    cell = str_trim(cell);
    if (cell.len < 7 || cell.len > 40 || !iso_date(cell, &at, &f) ||
        (at < cell.len && cell.ptr[at] != ' ' && cell.ptr[at] != '-'))
        return false;
    *day = f.first;
    return true;
}

bool figure_period_of_cell(struct str cell, struct figure *period)
{
    size_t at = 0;
    cell = str_trim(cell);
    return cell.len && figure_read_date(cell, &at, period) && at == cell.len &&
           period->month && !period->day && period->value == 0 &&
           (period->kind == FIGURE_MONTH
                ? period->first <= 3
                : period->last > period->first &&
                      period->last - period->first < 92);
}
