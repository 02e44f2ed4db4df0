/* grounding_statistic.c - a figure that is another statistic than the words say:
 * "the median", of the average; see grounding_statistic.h. */
#include "grounding_statistic.h"
#include "column_name.h"
#include "grounding_column.h"
#include "base/banned.h"

/* "Spent 87.35 in total", where it is an average. */
static bool is_only_average(const struct grounding_walk *w,
                            const struct grounding_scope *s,
                            const struct figure *f)
{
    size_t next = f->to + 1;
    bool average = false;
    struct str rest =
        str_from(w->wording.text,
                 next < w->wording.text.len ? next : w->wording.text.len);
    if (!str_starts(rest, STR("in total")) &&
        !str_starts(rest, STR("altogether")))
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        for (size_t i = 0; row < table->n_rows && i < table->n_columns; i++) {
            if (!table->columns[i].n_sorted ||
                !scope_cell_shows(s, t, i, row, f))
                continue;
            if (!table->columns[i].averages)
                return false;
            average = true;
        }
    }
    return average;
}

/* Whether the words since the figure before have one of the list. */
static bool says_before(const struct grounding_walk *w, const struct figure *f,
                        const char *list)
{
    const struct wording_word *words = walk_words(w);
    size_t from = 0;
    for (size_t i = 0; i < w->now.n_figures; i++)
        if (w->now.figures[i].to <= f->from)
            from = w->now.figures[i].to;
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        if (words[i].from >= from && words[i].to <= f->from &&
            wording_among(words[i].lower, list))
            return true;
    return false;
}

enum statistic { STAT_NONE, STAT_MEAN, STAT_MEDIAN, STAT_LEAST, STAT_MOST };

static const char of_mean[] = " average avg mean ";
static const char of_least[] = " min minimum smallest lowest ",
                  of_most[] = " max maximum largest highest biggest ";

/* The statistic of which the column is, as its name says. */
static enum statistic statistic_of(struct str name)
{
    struct split_name own;
    enum statistic found = STAT_NONE;
    column_name_read(name, &own);
    for (size_t i = 0; i < own.n; i++) {
        struct str word = own.words[i];
        enum statistic of = wording_among(word, of_mean)    ? STAT_MEAN
                            : str_is(word, "median")        ? STAT_MEDIAN
                            : wording_among(word, of_least) ? STAT_LEAST
                            : wording_among(word, of_most)  ? STAT_MOST
                                                            : STAT_NONE;
        found = of == STAT_NONE ? found : of;
    }
    return found;
}

/* The only statistic that the words since the figure before say. */
static enum statistic statistic_said(const struct grounding_walk *w,
                                     const struct figure *f)
{
    static const char *const words[] = {
        " average mean averages averaged averaging ", " median ", " minimum ",
        " maximum "};
    enum statistic found = STAT_NONE;
    size_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (says_before(w, f, words[i])) {
            found = (enum statistic)(i + 1);
            n++;
        }
    return n == 1 ? found : STAT_NONE;
}

/* "The smallest order was 5", where a single row has 5 as `largest_order`. */
static bool is_other_end(const struct grounding_walk *w,
                         const struct grounding_scope *s,
                         const struct figure *f)
{
    bool least = says_before(w, f, of_least), most = says_before(w, f, of_most);
    bool against = false;
    for (size_t t = 0; least != most && t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        if (table->n_rows != 1)
            return false;
        for (size_t i = 0; i < table->n_columns; i++) {
            enum statistic of = statistic_of(table->columns[i].name);
            if (!table->columns[i].n_sorted || !facts_work(s->facts, 8) ||
                !scope_cell_shows(s, t, i, 0, f))
                continue;
            if (of != (least ? STAT_MOST : STAT_LEAST))
                return false;
            against = true;
        }
    }
    return against;
}

/* "The median is 5", which is the average. */
static bool is_other_statistic(const struct grounding_walk *w,
                               const struct grounding_scope *s,
                               const struct figure *f)
{
    enum statistic said = statistic_said(w, f);
    bool both = walk_has(w, " median ") && walk_has(w, " average mean ");
    if (w->now.sentence->kind == SENTENCE_ROW || said == STAT_NONE || both)
        return false;
    for (size_t t = 0; t < s->facts->n_tables; t++) {
        const struct fact_table *table = &s->facts->tables[t];
        size_t row = column_row(w, s, t);
        bool has = false, other = false, shown = false;
        for (size_t i = 0; row < table->n_rows && i < table->n_columns; i++) {
            const struct fact_column *c = &table->columns[i];
            enum statistic of = statistic_of(c->name);
            if (!c->n_sorted || !facts_work(s->facts, 8))
                continue;
            has = has || of == said;
            if (!scope_cell_shows(s, t, i, row, f))
                continue;
            other = other || (of != STAT_NONE && of != said);
            shown = shown || of == STAT_NONE || of == said;
        }
        if (has && other && !shown)
            return true;
    }
    return false;
}

bool statistic_contradicts(const struct grounding_walk *w,
                           const struct grounding_scope *s,
                           const struct figure *f)
{
    return is_only_average(w, s, f) || is_other_statistic(w, s, f) ||
           is_other_end(w, s, f);
}
