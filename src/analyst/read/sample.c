/* sample.c - collects the values that an ontology names, and finds them in
 * questions. */
#include "sample.h"
#include "base/buf.h"
#include "base/plural.h"
#include "code.h"
#include "field.h"
#include <string.h>
#include "base/banned.h"

enum { VALUE_MOST_WORDS = 5, ITEMS_MOST = 24 };

/* A value's words in lower case without spaces: "in_store" and "In-Store"
 * are the same. Empty when it is too long to be a value. */
static struct str sample_key(struct arena *arena, struct str value)
{
    struct str parts[VALUE_MOST_WORDS + 1];
    struct buf key;
    buf_init(&key, arena);
    size_t n = name_parts(arena, value, parts, VALUE_MOST_WORDS + 1);
    for (size_t i = 0; i < n && n <= VALUE_MOST_WORDS; i++)
        buf_str(&key, parts[i]);
    return buf_view(&key);
}

static void sample_list_add(struct samples *samples, struct sample_list *list,
                            struct sample sample)
{
    if (list->n == list->room) {
        size_t room = list->room ? list->room * 2 : 2;
        struct sample *more =
            arena_new_array(samples->arena, struct sample, room);
        if (list->n)
            memcpy(more, list->items, list->n * sizeof *more);
        list->items = more;
        list->room = room;
    }
    list->items[list->n++] = sample;
}

/* Whether the text is a value that people ask for, with its key. */
static bool sample_named(struct samples *samples, struct str value,
                         struct str *key)
{
    static const char never[] =
        "null none unknown etc others other unique true false yes no in or "
        "and not eight two many given by per of on at to for from with the a an "
        "is are was were all each every after before";
    *key = sample_key(samples->arena, value);
    return key->len >= 2 && !list_has(never, *key) &&
           !str_starts(value, STR("not "));
}

/* Adds a value under the words that people say for it. */
static void sample_put(struct samples *samples, struct str words,
                       struct sample sample)
{
    struct str key;
    if (!sample_named(samples, words, &key))
        return;
    samples->seasons = samples->seasons || is_season(words, true);
    struct sample_list *list = map_get(&samples->values, key);
    if (!list) {
        list = arena_new(samples->arena, struct sample_list);
        map_put(&samples->values, key, list);
    }
    if (!sample_of(list, sample.dataset, sample.field))
        sample_list_add(samples, list, sample);
}

static void sample_add(struct samples *samples, size_t dataset, size_t field,
                       struct str value)
{
    value = str_trim(value);
    sample_put(samples, value, (struct sample){dataset, field, value, false});
}

/* Adds the codes under what they mean; false: the description explains none. */
static bool codes_add(struct samples *samples, size_t dataset, size_t field,
                      const struct field *of)
{
    struct code codes[CODES_MOST];
    size_t n = field_codes(of, codes);
    for (size_t i = 0; i < n; i++) {
        sample_add(samples, dataset, field, codes[i].code);
        sample_put(samples, codes[i].meaning,
                   (struct sample){dataset, field, codes[i].code, true});
    }
    return n > 0;
}

/* Adds the values in quotes. */
static void quoted_add(struct samples *samples, size_t dataset, size_t field,
                       struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char quote = text.ptr[i], before = i ? text.ptr[i - 1] : ' ';
        bool opens = (quote == '"' || quote == '\'' || quote == '`') &&
                     (before == ' ' || before == '(');
        if (!opens)
            continue;
        struct str inside = str_from(text, i + 1);
        ptrdiff_t len = str_find_char(inside, quote);
        if (len <= 0)
            return;
        sample_add(samples, dataset, field, str_cut(inside, 0, (size_t)len));
        i += (size_t)len + 1;
    }
}

/* Removes "for example " and the like; *marked: a value follows. */
static struct str after_marker(struct str item, bool *marked)
{
    static const char *const markers[] = {"for example ", "e.g. ",   "such as ",
                                          "including ",   "either ", NULL};
    static const char *const joints[] = {"and ", "or ", "like ", NULL};
    item = str_trim(item);
    for (size_t i = 0; markers[i]; i++) {
        struct str marker = str_of(markers[i]);
        ptrdiff_t at = str_find_nocase(item, marker);
        if (at < 0 || (at && item.ptr[at - 1] != ' '))
            continue;
        *marked = true;
        item = str_trim(str_from(item, (size_t)at + marker.len));
    }
    for (size_t i = 0; joints[i]; i++)
        if (str_starts(item, str_of(joints[i])))
            item = str_trim(str_from(item, strlen(joints[i])));
    return item;
}

static size_t gap_at(struct str segment, size_t at)
{
    static const char *const gaps[] = {", ", " or ", " | ", "/", NULL};
    if (at == segment.len)
        return 1;
    for (size_t i = 0; gaps[i]; i++)
        if (str_starts(str_from(segment, at), str_of(gaps[i])))
            return strlen(gaps[i]);
    return 0;
}

static size_t segment_items(struct str segment, struct str *items)
{
    size_t n = 0, from = 0;
    for (size_t at = 0; at <= segment.len && n < ITEMS_MOST;) {
        size_t gap = gap_at(segment, at);
        if (gap && at > from)
            items[n++] = str_cut(segment, from, at - from);
        at += gap ? gap : 1;
        if (gap)
            from = at;
    }
    return n;
}

/* "NULL if unknown or still running": says when there is no value. */
static bool is_about_absence(struct str segment)
{
    static const char *const leads[] = {"null",    "empty",   "blank",
                                        "missing", "not set", NULL};
    segment = str_trim(segment);
    for (size_t i = 0; leads[i]; i++)
        if (str_eq_nocase(str_cut(segment, 0, strlen(leads[i])),
                          str_of(leads[i])))
            return true;
    return str_find(segment, STR(" if ")) >= 0 ||
           str_find(segment, STR(" unless ")) >= 0;
}

/* A segment is a list of values if it has "or" or three items, or after a
 * colon or a word such as "including". */
static void segment_add(struct samples *samples, size_t dataset, size_t field,
                        struct str segment, bool colon)
{
    struct str items[ITEMS_MOST];
    size_t n = segment_items(segment, items), first = 0;
    bool marked = colon;
    if (is_about_absence(segment))
        return;
    bool listed = n > 2 || str_find(segment, STR(" or ")) >= 0 ||
                  str_find(segment, STR(" | ")) >= 0;
    for (size_t i = 0; i < n; i++) {
        bool here = false;
        items[i] = after_marker(items[i], &here);
        if (here && !marked)
            first = i;
        marked = marked || here;
    }
    /* "+ positive" is no value, and which word is its code is not certain. */
    for (size_t i = first; i < n && (listed || marked); i++)
        if (!code_begins(items[i]))
            sample_add(samples, dataset, field, items[i]);
}

static void description_add(struct samples *samples, size_t dataset,
                            size_t field, struct str text)
{
    size_t from = 0;
    bool colon = false;
    quoted_add(samples, dataset, field, text);
    for (size_t at = 0; at <= text.len; at++) {
        char c = at < text.len ? text.ptr[at] : '.';
        char next = at + 1 < text.len ? text.ptr[at + 1] : ' ';
        bool shortened =
            at >= 3 && str_starts(str_from(text, at - 3), STR("e.g."));
        bool ends = (c && strchr(";:()[]", c)) || (c == '.' && next == ' ');
        if (!ends || (c == '.' && shortened))
            continue;
        segment_add(samples, dataset, field, str_cut(text, from, at - from),
                    colon);
        colon = c == ':';
        from = at + 1;
    }
}

void samples_init(struct arena *arena, const struct ontology *ontology,
                  struct samples *samples)
{
    *samples = (struct samples){.arena = arena};
    map_init(&samples->values, arena);
    for (size_t i = 0; i < ontology->n_datasets; i++) {
        const struct dataset *d = &ontology->datasets[i];
        for (size_t j = 0; j < d->n_fields; j++) {
            const struct field *field = &d->fields[j];
            if (!field_is_text(field))
                continue;
            for (size_t k = 0; k < field->hints.examples.n; k++)
                sample_add(samples, i, j, field->hints.examples.items[k]);
            if (!codes_add(samples, i, j, field))
                description_add(samples, i, j, field->description);
        }
    }
}

/* ---- asking ------------------------------------------------------------- */

/* "goalkeepers", "dogs": the value is written in the singular. Shorter words, "US",
 * are names. */
static const struct sample_list *plural_find(const struct samples *samples,
                                             struct str key)
{
    enum { SHORTEST = 3 };
    struct str one = plural_to_singular(samples->arena, key);
    if (key.len <= SHORTEST || !str_ends(key, STR("s")) || str_eq(one, key))
        return NULL;
    const struct sample_list *found =
        map_get(&samples->values, str_cut(key, 0, key.len - 1));
    return found ? found : map_get(&samples->values, one);
}

bool sample_is_spelled(const struct samples *samples,
                       const struct sample *sample, struct str words)
{
    return str_eq(sample_key(samples->arena, sample->literal),
                  sample_key(samples->arena, words));
}

const struct sample *sample_of(const struct sample_list *list, size_t dataset,
                               size_t field)
{
    for (size_t i = 0; list && i < list->n; i++)
        if (list->items[i].dataset == dataset && list->items[i].field == field)
            return &list->items[i];
    return NULL;
}

const struct sample_list *samples_find(const struct samples *samples,
                                       struct str value)
{
    struct str key = sample_key(samples->arena, value);
    const struct sample_list *found =
        key.len ? map_get(&samples->values, key) : NULL;
    return found ? found : plural_find(samples, key);
}

const struct sample_list *samples_match(const struct samples *samples,
                                        const struct question_words *words,
                                        size_t at, size_t end, size_t *n_words)
{
    const struct sample_list *best = NULL;
    struct buf key;
    buf_init(&key, samples->arena);
    if (end > at + VALUE_MOST_WORDS)
        end = at + VALUE_MOST_WORDS;
    for (size_t i = at; i < end && i < words->n; i++) {
        const struct question_word *word = &words->items[i];
        if (word->kind == WORD_MARK || word->kind == WORD_DATE)
            break;
        bool quoted = word->kind == WORD_QUOTED;
        /* The "n't" of a name is written so. */
        bool denial = !quoted && str_find_char(word->text, '\'') == 1;
        buf_str(&key, quoted   ? sample_key(samples->arena, word->text)
                      : denial ? lower_case(samples->arena, word->text)
                               : word->lower);
        const struct sample_list *found =
            map_get(&samples->values, buf_view(&key));
        if (!found && word->kind == WORD_PLAIN)
            found = plural_find(samples, buf_view(&key));
        if (found) {
            best = found;
            *n_words = i + 1 - at;
        }
    }
    return best;
}
