/* grounding_tone.c - what the words of a sentence say about all of its figures; see
 * grounding_walk.h. */
#include "grounding_walk.h"
#include "compare_clause.h"
#include "prose.h"
#include "base/banned.h"

/* Words of the texts of rows set no tone: "Growth" may be a team. */
static bool tone_skips(const struct grounding_walk *w, size_t i)
{
    const struct wording_word *word = &walk_words(w)[i];
    for (size_t k = 0; k < w->now.n_mentions; k++) {
        const struct row_mention *m = &w->mentions[k];
        if (m->place && !m->place->weak && m->from <= word->from &&
            m->to >= word->to)
            return true;
    }
    return false;
}

bool walk_tone_says(const struct grounding_walk *w, uint32_t roles)
{
    uint32_t says = 0;
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        says |= tone_skips(w, i) ? 0 : walk_words(w)[i].says;
    return says & roles;
}

static bool tone_has(const struct grounding_walk *w, const char *list)
{
    for (size_t i = 0; i < w->now.sentence->n_words; i++)
        if (wording_among(walk_words(w)[i].lower, list) && !tone_skips(w, i))
            return true;
    return false;
}

/* "More than 5": the word bounds the figure and compares nothing else. */
static bool bounds_figure(const struct grounding_walk *w, size_t i)
{
    const struct wording_word *words = walk_words(w);
    size_t n = w->now.sentence->n_words;
    /* "Solar was the second-largest source with 5" */
    if (str_is(words[i].lower, "second") && i > 1 && w->now.n_mentions == 1)
        return wording_among(
            words[i - 1 - str_is(words[i - 1].lower, "the")].lower,
            " is was ranks ranked comes came in ");
    bool more =
        wording_among(words[i].lower, " more less fewer greater higher lower ");
    if (more && i + 1 < n && str_is(words[i + 1].lower, "than"))
        i++;
    else if (!wording_among(words[i].lower, " than over above below under "))
        return false;
    if (i + 1 == n)
        return false;
    for (size_t k = 0; k < w->now.n_figures; k++)
        if (w->now.figures[k].from <= words[i + 1].from &&
            w->now.figures[k].to >= words[i + 1].to)
            return w->now.figures[k].kind != FIGURE_PERIOD &&
                   w->now.figures[k].kind != FIGURE_MONTH;
    return false;
}

/* "5 cities", before a list or a table of them. */
static size_t listed(const struct grounding_walk *w)
{
    size_t at = (size_t)(w->now.sentence - w->wording.sentences), n = 0;
    const struct wording_sentence *all = w->wording.sentences;
    size_t texts = 0;
    for (size_t i = 0; i < w->now.n_mentions; i++)
        texts += w->mentions[i].place != NULL;
    for (size_t i = at + 1; i < w->wording.n_sentences; i++) {
        if (all[i].kind == SENTENCE_ITEM || all[i].kind == SENTENCE_ROW)
            n++;
        else if (all[i].kind != SENTENCE_TABLE_TOP && (n || i > at + 1))
            break;
    }
    return texts > 1 ? texts : n;
}

/* The rows of "the multiplayer games", of `is_multiplayer`, and the others. */
static void tone_flags(struct grounding_walk *w)
{
    struct sentence_tone *tone = &w->tone;
    size_t n = w->facts.n_tables, word = w->now.sentence->word;
    struct compare_clause all = {&w->now, word,
                                 word + w->now.sentence->n_words};
    if (!w->facts.flags || !w->english)
        return;
    tone->flagged = arena_new_array(w->arena, struct scope_rows, n + 1);
    tone->unflagged = arena_new_array(w->arena, struct scope_rows, n + 1);
    for (size_t t = 0; t < n; t++) {
        tone->flagged[t] = clause_flag_rows(&all, t, true);
        tone->unflagged[t] = clause_flag_rows(&all, t, false);
    }
}

/* "The two months after": how many periods the sentence puts together; 0: it
 * does not. */
static size_t window_of(const struct grounding_walk *w)
{
    for (size_t i = 0; i < w->now.n_figures; i++) {
        const struct figure *f = &w->now.figures[i];
        if (f->kind == FIGURE_NUMBER && f->whole && f->value > 1 &&
            f->value <= 12 &&
            wording_among(walk_word_beside(w, f->to, 1),
                          " days weeks months quarters years "))
            return (size_t)f->value;
    }
    return 0;
}

/* "The loss makers", "the profitable ones", "without those in the red" */
static void tone_signs(struct grounding_walk *w)
{
    static const char *const signs[][7] = {
        {"loss mak", "loss-mak", "lossmak", "in the red", "unprofitable",
         "lost money", NULL},
        {"profit mak", "profit-mak", "in the black", " profitable", NULL}};
    const struct wording_sentence *s = w->now.sentence;
    struct str text = str_cut(w->wording.text, s->from, s->to - s->from);
    bool says[2] = {false, false}, others = w->tone.rest || w->tone.denied;
    for (size_t i = 0; i < 2; i++)
        for (const char *const *sign = signs[i]; *sign; sign++)
            says[i] = says[i] || str_find_nocase(text, str_of(*sign)) >= 0;
    if (says[0] == says[1])
        return;
    w->tone.losers = says[0] != others;
    w->tone.winners = says[0] == others;
}

static bool **columns_of(struct grounding_walk *w)
{
    size_t n = w->facts.n_tables, word = w->now.sentence->word;
    struct compare_clause all = {&w->now, word,
                                 word + w->now.sentence->n_words};
    bool **out = arena_new_array(w->arena, bool *, n + 1);
    for (size_t t = 0; t < n; t++) {
        const struct fact_table *table = &w->facts.tables[t];
        out[t] = arena_new_array(w->arena, bool, table->n_columns + 1);
        for (size_t i = 0; i < table->n_columns; i++)
            out[t][i] =
                table->columns[i].change &&
                facts_work(&w->facts, 2 * (all.end - all.word)) &&
                (clause_names(&all, table->columns[i].name) ||
                 (table->columns[i].changes < table->n_columns &&
                  clause_names(
                      &all, table->columns[table->columns[i].changes].name)));
    }
    return out;
}

void walk_tone(struct grounding_walk *w)
{
    enum sentence_kind kind = w->now.sentence->kind;
    bool apart = kind == SENTENCE_ROW || kind == SENTENCE_ITEM;
    struct sentence_tone *tone = &w->tone;
    bool averages = false; /* a column has them: "average" is its name */
    for (size_t t = 0; t < w->facts.n_tables; t++)
        for (size_t i = 0; i < w->facts.tables[t].n_columns; i++)
            averages = averages || w->facts.tables[t].columns[i].averages;
    *tone = (struct sentence_tone){
        .weekdays = tone_has(w, " monday tuesday wednesday thursday friday "
                                "saturday sunday weekend weekends weekdays "),
        .average = tone_has(w, " average mean median "),
        .signs = walk_tone_says(w, PROSE_LOSS) ||
                 tone_has(w, " profit profits positive gain gains grew "
                             "growth zero "),
        .negative =
            walk_tone_says(w, PROSE_LOSS) || tone_has(w, clause_outflows),
        .rises =
            walk_tone_says(w, PROSE_UP) || tone_has(w, " improved improves "),
        .falls = walk_tone_says(w, PROSE_DOWN) || tone_has(w, " worsened "),
        .concerned = columns_of(w),
        .ratio = walk_tone_says(w, PROSE_RATIO),
        .shown = walk_tone_says(w, PROSE_CUT),
        .ranked = walk_tone_says(w, PROSE_RANK),
        .changes = walk_tone_says(w, PROSE_CHANGE),
        .differs = walk_compares(w) || walk_tone_says(w, PROSE_DIFFERENCE) ||
                   walk_tone_says(w, PROSE_NEGATION) || tone_has(w, " those "),
        .of_those = tone_has(w, " those "),
        .of_whole = walk_tone_says(w, PROSE_WHOLE),
        .rest = walk_tone_says(w, PROSE_REST),
        .target =
            tone_has(w, " target targets goal goals threshold limit quota "
                        "budget benchmark "),
        .denied =
            walk_tone_says(w, PROSE_NEGATION) || tone_has(w, " but except "),
        .combined = apart || walk_tone_says(w, PROSE_SUM),
        .adds_up = walk_tone_says(w, PROSE_SUM),
        .present = tone_has(w, " data recorded reported available figures "),
        .released = SIZE_MAX,
        .window = window_of(w),
        .listed = listed(w)};
    for (size_t i = w->now.sentence->n_words; i-- > 0;)
        if ((walk_words(w)[i].says & PROSE_RELEASE) && !bounds_figure(w, i) &&
            !(averages && str_is(walk_words(w)[i].lower, "average")))
            tone->released = walk_words(w)[i].from;
    walk_tone_rows(w);
    tone_flags(w);
    tone_signs(w);
}
