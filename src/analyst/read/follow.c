/* follow.c - follow-up questions, which take over what they do not say.
 *
 *   "and by month?"           adds a dimension
 *   "by month instead"        replaces the dimensions
 *   "only for online orders"  adds a filter
 *   "what about Dallas?"      replaces the value of the same field
 *   "same for 2024", "top 3", "as a chart" */
#include "question.h"
#include "base/banned.h"

bool question_leans(const struct question *q)
{
    bool says = q->n_dimensions || q->n_filters || q->top.ranked || q->chart ||
                window_is_set(&q->window) || q->n_mentions || q->share ||
                q->sort_by_name.len || q->subject.n || q->why;
    if (q->listing || (q->n_measures && q->n_dimensions) ||
        (q->why && q->n_filters))
        return false;
    return q->opening != OPENS_ALONE || (!q->n_measures && says);
}

static bool same_thing(const struct choice *a, const struct choice *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            if (term_same(&a->terms[i], &b->terms[j]))
                return true;
    return false;
}

static bool same_samples(const struct asked_filter *a,
                         const struct asked_filter *b)
{
    const struct sample_list *x = a->n_values ? a->values[0].samples : NULL;
    const struct sample_list *y = b->n_values ? b->values[0].samples : NULL;
    for (size_t i = 0; x && y && i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            if (x->items[i].dataset == y->items[j].dataset &&
                x->items[i].field == y->items[j].field)
                return true;
    return false;
}

static bool knows_field(const struct asked_filter *filter)
{
    return filter->n_values && filter->values[0].samples;
}

/* The new filter is about the same thing as the old one, so it replaces it. */
static bool takes_place(const struct asked_filter *old,
                        const struct asked_filter *new)
{
    if (old->kind != new->kind)
        return false;
    if (new->kind != FILTER_SEARCH)
        return same_thing(&old->what, &new->what);
    if (knows_field(old) && knows_field(new))
        return same_samples(old, new);
    return !knows_field(old) && !knows_field(new) && old->near == new->near;
}

static void follow_filters(const struct question *before, struct question *q)
{
    struct asked_filter own[QUESTION_FILTERS];
    size_t n_own = q->n_filters;
    for (size_t i = 0; i < n_own; i++)
        own[i] = q->filters[i];
    q->n_filters = 0;
    for (size_t i = 0; i < before->n_filters; i++) {
        bool gone = false;
        for (size_t j = 0; j < n_own; j++)
            gone = gone || takes_place(&before->filters[i], &own[j]);
        if (!gone)
            q->filters[q->n_filters++] = before->filters[i];
    }
    for (size_t i = 0; i < n_own && q->n_filters < QUESTION_FILTERS; i++)
        q->filters[q->n_filters++] = own[i];
}

static bool has_dimension(const struct question *q,
                          const struct asked_dimension *d)
{
    for (size_t i = 0; i < q->n_dimensions; i++) {
        const struct asked_dimension *own = &q->dimensions[i];
        if (d->grain ? own->grain == d->grain && own->part == d->part
                     : !own->grain && same_thing(&own->what, &d->what))
            return true;
    }
    return false;
}

/* Those of the things are where these are now. */
static void owner_find(struct question *q, struct asked_dimension *beside,
                       const struct asked_dimension *owner)
{
    for (size_t i = 0; i < q->n_dimensions; i++)
        if (same_thing(&q->dimensions[i].what, &owner->what))
            beside->owner = i;
}

static void follow_dimensions(const struct question *before, struct question *q)
{
    bool adds = q->opening == OPENS_ADDING && !q->instead;
    struct question own = *q;
    if (q->n_dimensions && !adds)
        return;
    q->n_dimensions = 0;
    for (size_t i = 0; i < before->n_dimensions; i++)
        q->dimensions[q->n_dimensions++] = before->dimensions[i];
    for (size_t i = 0; i < own.n_dimensions; i++) {
        struct asked_dimension *d = &own.dimensions[i];
        if (has_dimension(q, d) || q->n_dimensions == QUESTION_DIMENSIONS)
            continue;
        if (d->beside)
            owner_find(q, d, &own.dimensions[d->owner]);
        q->dimensions[q->n_dimensions++] = *d;
    }
}

static void follow_measures(const struct question *before, struct question *q)
{
    bool adds = q->opening == OPENS_ADDING && !q->instead;
    struct question own = *q;
    if (q->n_measures && !adds)
        return;
    q->n_measures = 0;
    for (size_t i = 0; i < before->n_measures; i++)
        q->measures[q->n_measures++] = before->measures[i];
    for (size_t i = 0; i < own.n_measures; i++)
        if (q->n_measures < QUESTION_MEASURES)
            q->measures[q->n_measures++] = own.measures[i];
}

void question_follow(const struct question *before, struct question *q)
{
    if (before->lists && (q->n_measures || q->n_dimensions || q->top.ranked ||
                          q->share || q->chart))
        return; /* figures of what was listed: the question is not whole */
    q->lists = before->lists;
    follow_measures(before, q);
    follow_dimensions(before, q);
    follow_filters(before, q);
    if (!window_is_set(&q->window)) {
        q->window = before->window;
        q->window_field = before->window_field;
    }
    if (!q->top.ranked && !q->instead)
        q->top = before->top;
    if (!q->chart)
        q->chart = before->chart;
    if (!q->n_havings)
        for (size_t i = 0; i < before->n_havings; i++)
            q->havings[q->n_havings++] = before->havings[i];
    if (!q->n_roles)
        for (size_t i = 0; i < before->n_roles; i++)
            q->roles[q->n_roles++] = before->roles[i];
    if (!q->n_mentions)
        for (size_t i = 0; i < before->n_mentions; i++)
            q->mentions[q->n_mentions++] = before->mentions[i];
    if (!q->sort_by_name.len)
        q->sort_by_name = before->sort_by_name;
    q->share = q->share || before->share;
}
