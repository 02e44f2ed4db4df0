/* bind_time.c - chooses the date that a period or a grain of time is about. */
#include "read/calendar.h"
#include "read/field.h"
#include "read/person.h"
#include "query.h"
#include "sql/compose.h"
#include "base/banned.h"

/* Dates that "in 2025" alone rarely means. */
static bool is_secondary(const struct field *field)
{
    static const char words[] =
        "created updated modified due required birth end ended expires expiry "
        "delivered shipped deleted loaded imported estimated closed approved "
        "ship delivery hire until";
    return name_has(field->name, words);
}

/* Dates of the thing itself, not of an event: the day a store opened does
 * not date its sales. */
static bool is_attribute(const struct field *field)
{
    static const char words[] =
        "opened opening joined registered founded released release launch "
        "launched signup since valid effective born birth hire hired started "
        "start first built acquired birthdate birthday dob died death "
        "deceased hiredate retired discontinued";
    return !field->is_time || name_has(field->name, words);
}

/* "Customers in 2024" is no question about when they were born. */
static bool is_of_life(const struct field *field)
{
    static const char words[] =
        "birth born dob birthdate birthday death died deceased";
    return name_has(field->name, words);
}

/* The day on which the thing ends: without a word of that, it dates nothing. */
static bool is_ending(const struct field *field)
{
    static const char words[] =
        "end ended until expires expiry term terminated termination left leave "
        "leaving exit exited withdrawn withdrawal resigned resignation quit "
        "retired scrapped discontinued";
    static const char starts[] = "start starts started begin begins began";
    return name_has(field->name, words) && !name_has(field->name, starts);
}

/* In other datasets only names of events count: order_date, paid_at,
 * shipped. The debut of a player does not date the player's salary. */
static bool is_event(const struct field *field)
{
    static const char words[] =
        "date time datetime timestamp day at on when dt ts month week period";
    static const char endings[] = "ed date time sold paid sent";
    bool moment = str_find_nocase(field->datatype, STR("time")) >= 0;
    return (moment || list_ends(endings, field->name) ||
            name_has(field->name, words)) &&
           !is_attribute(field);
}

/* Persons: no day of theirs dates what others do, and those who are counted in a
 * period may have come before it. */
static bool is_person(struct bound_query *query, const struct dataset *d)
{
    static const char accounts[] = "account accounts";
    return is_called_persons(query->arena, d) || name_has(d->name, accounts);
}

static bool is_said(const struct choice *said, struct field_ref ref)
{
    for (size_t i = 0; i < said->n; i++)
        if (said->terms[i].kind == TERM_FIELD &&
            said->terms[i].dataset == ref.dataset &&
            said->terms[i].index == ref.field)
            return true;
    return false;
}

/* "Sold price" is of the day in sold_date. */
static bool is_of_measure(struct bound_query *query, struct field_ref date)
{
    struct str own[4], its[8];
    const struct dataset *d = &query->o->datasets[date.dataset];
    if (full_words(query->arena, d->fields[date.field].name, own, 4) < 2)
        return false;
    for (size_t i = 0; i < query->question.n_measures; i++) {
        const struct choice *what = &query->question.measures[i].what;
        for (size_t j = 0; j < what->n; j++) {
            const struct term *t = &what->terms[j];
            if (t->kind != TERM_FIELD || t->dataset != date.dataset)
                continue;
            size_t n =
                full_words(query->arena, d->fields[t->index].name, its, 8);
            for (size_t k = 0; k < n; k++)
                if (str_eq(its[k], own[0]))
                    return true;
        }
    }
    return false;
}

/* "transfer_date" is the date of the transfers. */
static bool is_own_date(struct bound_query *query, struct field_ref date)
{
    const struct dataset *d = &query->o->datasets[date.dataset];
    struct str own[6], parts[4];
    size_t n = name_parts(query->arena, d->name, own, 6);
    return n &&
           full_words(query->arena, d->fields[date.field].name, parts, 4) > 1 &&
           str_eq(word_stem(query->arena, own[n - 1]), parts[0]);
}

/* The words end with a noun that the dataset is called by, "date of the visit". */
static bool calls_dataset(struct bound_query *query, const struct dataset *d,
                          struct str words)
{
    struct str parts[8], own[6];
    size_t n = name_parts(query->arena, words, parts, 8);
    for (size_t s = 0; n > 1 && s <= d->hints.synonyms.n; s++) {
        struct str name = s ? d->hints.synonyms.items[s - 1] : d->name;
        size_t m = name_parts(query->arena, name, own, 6);
        struct str noun = m ? word_stem(query->arena, own[m - 1]) : STR("");
        for (size_t i = 0; noun.len && i < n; i++)
            if (str_eq(word_stem(query->arena, parts[i]), noun))
                return true;
    }
    return false;
}

/* The owner calls it the date of these rows. */
static bool is_called_own(struct bound_query *query, struct field_ref date)
{
    const struct dataset *d = &query->o->datasets[date.dataset];
    const struct str_list *names = &d->fields[date.field].hints.synonyms;
    for (size_t i = 0; i < names->n; i++)
        if (calls_dataset(query, d, names->items[i]))
            return true;
    return false;
}

/* A day before the event: it was published, booked or consigned. */
static bool is_beforehand(const struct field *field)
{
    static const char words[] =
        "booked booking published listed announced consigned";
    return name_has(field->name, words);
}

struct field_ref time_nearest(struct bound_query *query, size_t root,
                              const struct choice *said, bool *several)
{
    const struct ontology *o = query->o;
    const struct reach *reach = reach_from(&query->reaches, root);
    struct field_ref best = {SIZE_MAX, SIZE_MAX};
    size_t least = SIZE_MAX;
    *several = false;
    for (size_t i = 0; i < o->n_datasets; i++) {
        for (size_t j = 0; j < o->datasets[i].n_fields; j++) {
            struct field_ref ref = {i, j};
            const struct field *field = &o->datasets[i].fields[j];
            if (reach->distance[i] == SIZE_MAX || !field_is_date(field))
                continue;
            bool apart =
                reach->distance[i] > 0 &&
                (!is_event(field) || is_person(query, &o->datasets[i]));
            bool silent = apart || is_of_life(field) || is_ending(field);
            if (said->n ? !is_said(said, ref) : silent)
                continue;
            size_t cost = reach->distance[i] * 4 + (field->is_time ? 0 : 100) +
                          (is_secondary(field) ? 2 : 0) +
                          (is_beforehand(field) ? 5 : 0) +
                          (is_called_own(query, ref) ? 0 : 1) +
                          (is_of_measure(query, ref) ? 0 : 1) +
                          (is_own_date(query, ref) ? 0 : 1);
            *several = cost == least || (*several && cost >= least);
            if (cost < least) {
                least = cost;
                best = ref;
            }
        }
    }
    return best;
}

bool period_is_certain(struct bound_query *query, size_t dataset,
                       struct field_ref dates[2])
{
    const struct question *q = &query->question;
    const struct choice unsaid = {.n = 0};
    bool several, timed = window_is_set(&q->window);
    for (size_t i = 0; i < q->n_dimensions; i++)
        timed = timed || q->dimensions[i].grain;
    for (size_t i = 0; i < query->n_parts && timed && !q->window_field.n; i++) {
        size_t root = query->parts[i].root;
        if (reach_has(&query->reaches, root, dataset))
            continue;
        size_t bridge = query_bridge(query, root, dataset);
        if (bridge == SIZE_MAX)
            continue;
        dates[0] = time_nearest(query, root, &unsaid, &several);
        dates[1] = time_nearest(query, bridge, &unsaid, &several);
        if (dates[0].dataset != SIZE_MAX && dates[1].dataset != SIZE_MAX &&
            !field_ref_same(dates[0], dates[1]))
            return false;
    }
    return true;
}

/* The year of an event; what a model_year or a birth_year dates, a name
 * does not say. */
static bool is_event_year(struct bound_query *query, struct field_ref ref)
{
    static const char words[] =
        "year yr yearid id fiscal financial calendar academic school season "
        "tax date sale sales order report reporting";
    struct str parts[8];
    size_t n =
        full_words(query->arena, field_of_ref(query, ref)->name, parts, 8);
    for (size_t i = 0; i < n; i++)
        if (!name_has(parts[i], words))
            return false;
    return true;
}

struct field_ref year_nearest(struct bound_query *query, size_t root)
{
    enum { NO_EVENT = 100 };
    const struct ontology *o = query->o;
    const struct reach *reach = reach_from(&query->reaches, root);
    struct field_ref best = {SIZE_MAX, SIZE_MAX};
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < o->n_datasets; i++)
        for (size_t j = 0; j < o->datasets[i].n_fields; j++) {
            struct field_ref ref = {i, j};
            if (reach->distance[i] >= least ||
                !field_is_year(field_of_ref(query, ref)))
                continue;
            bool event = is_event_year(query, ref);
            if (!event && reach->distance[i] > 0)
                continue; /* the year in which a club was founded */
            size_t cost = reach->distance[i] + (event ? 0 : NO_EVENT);
            if (cost < least) {
                least = cost;
                best = ref;
            }
        }
    return best;
}

bool year_is_nearer(struct bound_query *query, size_t root,
                    struct field_ref time)
{
    struct field_ref year = year_nearest(query, root);
    return time.dataset != root && year.dataset == root &&
           is_event_year(query, year);
}

static bool is_one_time(const struct bound_query *query)
{
    struct field_ref first = query->parts[0].time;
    for (size_t i = 1; i < query->n_parts; i++)
        if (!field_ref_same(query->parts[i].time, first))
            return false;
    return true;
}

/* Notes which date counts, for each measure where they differ. All figures
 * of one measure have the same date (check_split). */
static void note_times(struct bound_query *query)
{
    bool one = is_one_time(query);
    for (size_t i = 0; i < (one ? 1 : query->n_measures); i++) {
        const struct bound_measure *m = &query->measures[i];
        struct str about =
            one ? STR("Which date counts?")
                : arena_printf(query->arena, "Which date counts for %.*s?",
                               STR_ARG(m->formula.words));
        struct field_ref ref = query->parts[m->part[0]].time;
        query_note(query, about,
                   arena_printf(query->arena, "%.*s.",
                                STR_ARG(field_ref_path(query, ref))));
    }
}

/* Notes what a relative period is counted from. */
static void note_anchor(struct bound_query *query)
{
    const struct window *w = &query->question.window;
    struct field_ref ref = query->parts[0].time;
    struct arena *a = query->arena;
    const char *unit = unit_words[w->unit];
    if (w->relative == RELATIVE_NONE)
        return;
    struct str about =
        arena_printf(a, "Which days are “%.*s”?", STR_ARG(w->words));
    if (w->relative == RELATIVE_LATEST)
        query_note(query, about,
                   arena_printf(a,
                                "Up to the %s of the latest %.*s in the data "
                                "that is not after today.",
                                unit, STR_ARG(field_ref_path(query, ref))));
    else
        query_note(query, about,
                   arena_printf(
                       a,
                       "%.*s, counted from today, %.*s; the data's last "
                       "complete period of that length if they end before "
                       "%.*s.",
                       STR_ARG(period_days_text(a, window_calendar(query, w))),
                       STR_ARG(period_day_text(a, query->today)),
                       STR_ARG(period_day_text(a, window_limit(query, w)))));
}

static bool no_time(struct bound_query *query, size_t root)
{
    const struct choice *said = &query->question.window_field;
    struct str name = query->o->datasets[root].name;
    if (said->n)
        return query_fails(query, "“%.*s” is no date of %.*s",
                           STR_ARG(said->words), STR_ARG(name));
    return query_fails(query,
                       "the model has no date for %.*s, so a period "
                       "means nothing for them",
                       STR_ARG(name));
}

/* The things last: they have a day on which they end. */
static bool lasts(const struct dataset *d)
{
    static const char ends[] =
        "returned return finished finish completed closed died deceased";
    for (size_t i = 0; i < d->n_fields; i++)
        if (field_is_date(&d->fields[i]) &&
            (is_ending(&d->fields[i]) || name_has(d->fields[i].name, ends)))
            return true;
    return false;
}

/* The day on which a person came to be among the others. */
static bool is_entry(const struct field *field)
{
    static const char words[] =
        "created enroll enrolled enrolment enrollment admitted admission "
        "registration activated appointed recruited";
    return is_attribute(field) || name_has(field->name, words);
}

/* "Members in 2024" may be those who joined then, or all that there were. */
static bool check_counted(struct bound_query *query, const struct part *part)
{
    const struct question *q = &query->question;
    const struct dataset *d = &query->o->datasets[part->root];
    const struct field *date = field_of_ref(query, part->time);
    bool counts = q->n_measures == 1 && query->measures[0].counts;
    bool person = is_person(query, d);
    bool entered = (person && is_entry(date)) || (q->held && lasts(d));
    /* "By year" is of those who joined, unless others may have left since. */
    bool timed = window_is_set(&q->window) || lasts(d);
    if (!counts || !entered || q->window_field.n || !timed ||
        part->time.dataset != part->root)
        return true;
    return query_fails(query,
                       "“%.*s” in a period may be those with that %.*s, or all "
                       "that there were",
                       STR_ARG(d->name),
                       STR_ARG(spoken(query->arena, date->name)));
}

/* Another date of the dataset whose name begins with the value, as picked_up_on does
 * with "picked up"; SIZE_MAX: there is none. */
static size_t date_called(struct bound_query *query, struct field_ref time,
                          struct str value)
{
    enum { SHORTEST = 4 };
    const struct dataset *d = &query->o->datasets[time.dataset];
    struct str key = words_key(query->arena, value);
    for (size_t i = 0; i < d->n_fields && key.len >= SHORTEST; i++)
        if (i != time.field && field_is_date(&d->fields[i]) &&
            str_starts(words_key(query->arena, d->fields[i].name), key))
            return i;
    return SIZE_MAX;
}

/* "Do we have": those that have not left. */
static bool check_present(struct bound_query *query)
{
    const struct question *q = &query->question;
    const struct dataset *d = &query->o->datasets[query->parts[0].root];
    bool counts = q->lists || (q->n_measures && query->measures[0].counts);
    if (!q->held || !counts || !lasts(d) || query->n_dimensions > 1)
        return true;
    for (size_t i = 0; i < query->n_conditions; i++)
        if (query->conditions[i].asked->comparison == IS_MISSING)
            return true;
    return query_fails(query,
                       "“%.*s” that we have may be those that are still there, "
                       "or all that there were",
                       STR_ARG(d->name));
}

/* "Lots sold in 2025", where the only date is that of their consignment. */
static bool check_done(struct bound_query *query, const struct part *part)
{
    const struct question *q = &query->question;
    struct str parts[4];
    const struct field *date = field_of_ref(query, part->time);
    size_t n = full_words(query->arena, date->name, parts, 4);
    for (size_t i = 0; n && i < q->n_filters && !q->window_field.n; i++) {
        struct str said = q->filters[i].words;
        const char *end = said.ptr + said.len, *when = q->window.words.ptr;
        bool next =
            q->filters[i].kind != FILTER_EXISTS && said.len && when &&
            (when == end + sizeof " " - 1 || when == end + sizeof " in " - 1);
        struct str rest = lower_case(query->arena, said), deed = STR("");
        while (str_split(&rest, ' ', &deed))
            continue;
        bool done = is_participle(deed) && is_participle(parts[0]);
        if (next && done && !str_eq(parts[0], deed) &&
            part->time.dataset == part->root)
            return query_fails(query,
                               "the period would be one of %.*s, and I do not "
                               "see when they were %.*s",
                               STR_ARG(field_ref_path(query, part->time)),
                               STR_ARG(deed));
    }
    return true;
}

/* "Jobs picked up in May" may be those received in May that have been picked up since,
 * or those picked up then. */
static bool check_deeds(struct bound_query *query, const struct part *part)
{
    const struct question *q = &query->question;
    for (size_t i = 0; i < q->n_filters && !q->window_field.n; i++)
        for (size_t j = 0; j < q->filters[i].n_values; j++) {
            struct str value = q->filters[i].values[j].text;
            size_t other = date_called(query, part->time, value);
            if (other == SIZE_MAX || q->filters[i].kind == FILTER_EXISTS)
                continue;
            return query_fails(
                query,
                "the period may be one of %.*s or of %.*s, and I cannot "
                "tell which",
                STR_ARG(field_ref_path(query, part->time)),
                STR_ARG(field_ref_path(
                    query, (struct field_ref){part->time.dataset, other})));
        }
    return true;
}

/* The rows have a year besides the date, which may say more, or another thing. */
static bool check_year(struct bound_query *query, const struct part *part)
{
    const struct window *window = &query->question.window;
    const struct dataset *d = &query->o->datasets[part->root];
    bool years = window_is_years(window);
    for (size_t i = 0; i < query->n_dimensions; i++)
        years = years || query->dimensions[i].grain == UNIT_YEAR;
    if (!years || window->relative || query->question.window_field.n ||
        part->time.dataset != part->root ||
        !field_is_date(field_of_ref(query, part->time)))
        return true;
    for (size_t i = 0; i < d->n_fields; i++) {
        struct field_ref ref = {part->root, i};
        if (!field_is_year(&d->fields[i]) || !is_event_year(query, ref))
            continue;
        return query_fails(query,
                           "the year may be %.*s or that of %.*s, and I cannot "
                           "tell which; say “where %.*s is …”, or “by %.*s”",
                           STR_ARG(field_ref_path(query, ref)),
                           STR_ARG(field_ref_path(query, part->time)),
                           STR_ARG(spoken(query->arena, d->fields[i].name)),
                           STR_ARG(spoken(query->arena, d->fields[i].name)));
    }
    return true;
}

bool bind_time(struct bound_query *query)
{
    bool grain = false;
    for (size_t i = 0; i < query->n_dimensions; i++)
        grain = grain || query->dimensions[i].grain;
    for (size_t i = 0; i < query->question.n_measures; i++)
        grain = grain || (query->question.measures[i].over &&
                          query->question.measures[i].over->grain);
    if (!grain && !window_is_set(&query->question.window))
        return check_present(query);
    for (size_t i = 0; i < query->n_parts; i++) {
        bool several;
        struct part *part = &query->parts[i];
        part->time = time_nearest(query, part->root,
                                  &query->question.window_field, &several);
        bool nowhere = part->time.dataset == SIZE_MAX ||
                       year_is_nearer(query, part->root, part->time);
        if (nowhere && !grain && !query->question.window_field.n &&
            window_is_years(&query->question.window))
            part->time = year_nearest(query, part->root);
        if (part->time.dataset == SIZE_MAX)
            return no_time(query, part->root);
        if (!check_counted(query, part) || !check_deeds(query, part) ||
            !check_done(query, part) || !check_year(query, part))
            return false;
    }
    note_times(query);
    note_anchor(query);
    return true;
}
