/* reader.c - reads a question from left to right.
 *
 * At each word the readers are tried in turn, and the first that matches
 * takes the phrase that begins there. Words that no reader takes and that
 * have a meaning make gaps. At the end a gap may turn out to be a value
 * ("Houston revenue"); the words that remain are unknown, and the question
 * is not answered. */
#include "reader.h"
#include "field.h"
#include "sql/expression.h"
#include <stdarg.h>
#include "base/banned.h"

/* ---- looking ------------------------------------------------------------ */

const struct question_word *reader_word(const struct question_reader *reader,
                                        size_t at)
{
    static const struct question_word none = {.kind = WORD_MARK};
    return at < reader->words.n ? &reader->words.items[at] : &none;
}

bool reader_is(const struct question_reader *reader, size_t at,
               const char *lower)
{
    return word_is(reader_word(reader, at), lower);
}

bool reader_in(const struct question_reader *reader, size_t at,
               const char *list)
{
    return word_in(reader_word(reader, at), list);
}

size_t reader_phrase(const struct question_reader *reader, size_t at,
                     const char *phrases)
{
    struct str rest = str_of(phrases), phrase, word;
    while (str_split(&rest, '|', &phrase)) {
        size_t n = 0;
        bool fits = true;
        while (fits && str_split(&phrase, ' ', &word)) {
            const struct question_word *here = reader_word(reader, at + n++);
            fits = here->kind != WORD_QUOTED && str_eq(here->lower, word);
        }
        if (fits)
            return n;
    }
    return 0;
}

/* "Employees report to" is no name of the column reports_to: the employees do so. */
static bool is_done_by(const struct question_reader *reader, size_t at,
                       const struct choice *what)
{
    bool refers = what->n == 1 && what->n_words > 2 &&
                  what->terms[0].kind == TERM_FIELD &&
                  field_refers(reader->lexicon->ontology,
                               what->terms[0].dataset, what->terms[0].index);
    return refers && word_is_plural(reader_word(reader, at));
}

struct choice reader_match(const struct question_reader *reader, size_t at)
{
    const struct vocabulary *v = &reader->lexicon->vocabulary;
    struct choice what = vocabulary_match(v, &reader->words, at);
    if (!is_done_by(reader, at, &what))
        return what;
    what = vocabulary_find(v, reader_span(reader, at, at + 1));
    what.words = reader_span(reader, at, at + 1);
    what.n_words = 1;
    return what;
}

struct str reader_span(const struct question_reader *reader, size_t from,
                       size_t to)
{
    return words_span(&reader->words, from, to);
}

/* In a why-question, a word like "underperforming" or "fell behind": 1, it
 * rises; -1, it falls; 2, neither; 0, it is not such a word. */
static int judgement_at(const struct question_reader *reader, size_t at)
{
    static const char falls[] =
        "underperforming underperform underperforms underperformed falling "
        "fall falls fell fallen behind down declining decline declines "
        "declined dropping drop drops dropped worse weak weaker low lower bad "
        "badly poor poorly slow slowing shrinking shrinks shrunk losing lost "
        "decreasing decrease decreased lagging lags lag struggling less";
    static const char rises[] =
        "outperforming up rising rise rises rose growing grow grew grown "
        "increasing increase increased better well high higher more";
    static const char others[] =
        "performing performed perform performance doing going so than other "
        "others compared rest not peers change changed changing happening";
    if (!reader->question->why)
        return 0;
    return reader_in(reader, at, falls)    ? -1
           : reader_in(reader, at, rises)  ? 1
           : reader_in(reader, at, others) ? 2
                                           : 0;
}

/* "Doing best" ranks; "doing" alone means nothing. */
static bool does_best(const struct question_reader *reader, size_t at)
{
    static const char verbs[] = "doing performing performed";
    static const char ranks[] = "best worst";
    return reader_in(reader, at, verbs) && reader_in(reader, at + 1, ranks);
}

/* "For each region show …": the request comes after what it is broken down by. */
static bool requests_late(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "show list give display find get calculate compute";
    const struct question *q = reader->question;
    return at && q->n_dimensions && !q->n_measures && !q->n_filters &&
           !q->n_mentions && !reader->function && !reader->n_loose &&
           !q->subject.n && !q->top.ranked && reader_in(reader, at, words);
}

/* Words that ask for an answer; they mean that only before anything else:
 * "return" may be what customers do. */
static bool is_request(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "show give list display get find tell want need like know see look "
        "compute calculate report provide return let analyze analyse "
        "summarize summarise summary overview breakdown compare comparison "
        "hi hello hey thanks now then so please kindly quickly "
        "information info can could would";
    return (!reader->begun && reader_in(reader, at, words)) ||
           requests_late(reader, at);
}

bool reader_noise(const struct question_reader *reader, size_t at)
{
    static const char noise[] =
        "the a an of is are was were be been do does did has have had there "
        "that what which who i we us our my me your you it its their they "
        "them whats what's please also just any some all overall altogether "
        "respectively okay ok in for from at on with to as and whole entire "
        "figure figures data about s";
    if (judgement_at(reader, at) || does_best(reader, at) ||
        is_request(reader, at))
        return true;
    if (reader_is(reader, at, "how"))
        return reader_in(reader, at + 1, "much do does did is was are were");
    if (reader_is(reader, at, "much"))
        return at && reader_is(reader, at - 1, "how");
    if (reader_is(reader, at,
                  "but")) /* joins what is denied of the same rows */
        return reader_phrase(reader, at + 1,
                             "is not|are not|was not|were not|who is not|"
                             "who are not|that is not|that are not") > 0;
    size_t n; /* "still open" is open */
    if (reader_is(reader, at, "still"))
        return samples_match(&reader->lexicon->samples, &reader->words, at + 1,
                             reader->words.n, &n) != NULL;
    return reader_in(reader, at, noise);
}

bool reader_verb(const struct question_reader *reader, size_t at)
{
    static const char verbs[] =
        "make makes made show list view report need look like get return see "
        "order book review visit";
    static const char before[] =
        "by per each every which what the of and where with a different";
    bool named =
        (at && reader_in(reader, at - 1, before)) ||
        (at > 1 && reader_in(reader, at - 2, "a an")); /* "a first visit" */
    return reader_in(reader, at, verbs) && !named &&
           reader_match(reader, at).n_words <= 1;
}

bool reader_window(const struct question_reader *reader, size_t at)
{
    struct window window;
    struct str problem;
    return window_read(reader->arena, &reader->words, at, NULL, &window,
                       &problem) > 0 ||
           problem.len;
}

/* Words of the grammar, which are never part of a value. */
static bool is_structure(const struct question_reader *reader, size_t at)
{
    static const char words[] =
        "by per without where whose having but not except excluding only "
        "since until before after during over under above below more less "
        "least most top bottom highest lowest best worst than vs versus every "
        "across within chart graph plot average total sum count number median "
        "maximum minimum sorted ordered ranked last past previous instead "
        "many no never none fewer greater exceeding larger smaller largest "
        "smallest fewest biggest distinct unique different excludes ignoring "
        "daily weekly monthly quarterly yearly annual trend why share percent "
        "percentage or if when will outside cheapest each between compare comparison same this "
        "these those now then again here how much ratio both either";
    return reader_in(reader, at, words);
}

bool reader_unknown(const struct question_reader *reader, size_t at)
{
    const struct question_word *word = reader_word(reader, at);
    if (word->kind == WORD_QUOTED)
        return true;
    if (word->kind != WORD_PLAIN || is_structure(reader, at) ||
        adjective_begins(reader, at) ||
        (word_is(word, "ever") && !word->capital))
        return false;
    if (reader_noise(reader, at) || reader_match(reader, at).n)
        return false;
    return !reader_window(reader, at);
}

/* ---- helping ------------------------------------------------------------ */

void question_note(struct question *q, struct str about, struct str assumption)
{
    for (size_t i = 0; i < q->n_notes; i++)
        if (str_eq(q->notes[i].question, about) &&
            str_eq(q->notes[i].assumption, assumption))
            return;
    if (q->n_notes < QUESTION_NOTES)
        q->notes[q->n_notes++] = (struct assumption){about, assumption};
}

void reader_mention(struct question_reader *reader, struct choice what)
{
    struct question *q = reader->question;
    struct choice datasets = choice_of(reader->arena, what, TERM_DATASET);
    if (!datasets.n)
        return;
    reader->near = datasets.terms[0].dataset;
    if (q->n_mentions < QUESTION_MENTIONS)
        q->mentions[q->n_mentions++] = datasets;
}

void reader_object(struct question_reader *reader, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!reader->question->problem.len)
        reader->question->problem =
            arena_vprintf(reader->arena, format, values);
    va_end(values);
}

/* ---- reading ------------------------------------------------------------ */

static bool opening_read(struct question_reader *reader)
{
    static const char adding[] = "and also plus additionally";
    static const char changing[] =
        "same now only just but then instead ok okay";
    size_t at = reader->at;
    if (at)
        return false;
    if (reader_is(reader, at, "why")) {
        reader->question->why = true;
        reader->at = 1;
        return true;
    }
    if (reader_in(reader, at, adding)) {
        reader->question->opening = OPENS_ADDING;
        reader->at = 1;
        return true;
    }
    bool about =
        reader_is(reader, at + 1, "about") &&
        (reader_is(reader, at, "what") || reader_is(reader, at, "how"));
    if (about || reader_in(reader, at, changing)) {
        reader->question->opening = OPENS_CHANGING;
        bool keep =
            reader_is(reader, at, "only") || reader_is(reader, at, "just");
        reader->at = about ? 2 : keep ? 0 : 1;
        return !keep;
    }
    return false;
}

/* The name of a text field ends right before the word, and is no breakdown: what
 * follows may be its value. */
static bool follows_field(const struct question_reader *reader, size_t at)
{
    static const char groups[] = "by per each";
    enum { NAME_WORDS = 4 };
    for (size_t n = 1; n <= NAME_WORDS && n <= at; n++) {
        struct choice what = reader_match(reader, at - n);
        const struct field *field = first_field(reader, &what);
        if (what.n_words == n && field && field_is_text(field))
            return at == n || !reader_in(reader, at - n - 1, groups);
    }
    return false;
}

/* A dash between two phrases. At a word, at the end, or after the name of a field it
 * is a sign, which says something. */
static bool is_dash(const struct question_reader *reader, size_t at)
{
    static const char dashes[] = "- \xe2\x80\x93 \xe2\x80\x94";
    const struct question_word *word = reader_word(reader, at);
    bool glued = (at && reader_word(reader, at - 1)->to == word->from) ||
                 reader_word(reader, at + 1)->from == word->to;
    bool last =
        at + 1 >= reader->words.n || reader_in(reader, at + 1, "? . ! ; )");
    return word_in(word, dashes) && !glued && !last &&
           !follows_field(reader, at);
}

static bool mark_read(struct question_reader *reader)
{
    const struct question_word *word = reader_word(reader, reader->at);
    static const char harmless[] = "? . ! : ; ( ) $ ' \"";
    static const char joints[] = "and & , plus vs versus";
    if (word_in(word, joints)) {
        if (word_is(word, "vs") || word_is(word, "versus"))
            reader->compare = true;
        reader->joined = true;
        reader->at++;
        return true;
    }
    bool sign = word_is(word, "$") && follows_field(reader, reader->at);
    if (word->kind == WORD_MARK && !sign &&
        (word_in(word, harmless) || is_dash(reader, reader->at))) {
        reader->at++;
        return true;
    }
    return false;
}

/* "How are we doing on revenue": words before the question itself, or after it. */
static bool politeness_read(struct question_reader *reader)
{
    static const char leads[] =
        "how are we doing on|how are we doing with|how are we doing for|"
        "how are we doing in terms of|how did we do in terms of|"
        "break down|break out|i'd like to see|i'd like to know|i'd like|i would like to see|"
        "i would like to know|i would like|we'd like to see|"
        "we'd like to know|we would like to see|we would like to know";
    size_t at = reader->at;
    size_t n = reader->begun ? 0 : reader_phrase(reader, at, leads);
    size_t tail = reader_phrase(reader, at, "look like");
    bool last =
        at + tail >= reader->words.n || reader_in(reader, at + tail, "? . !");
    if (tail && last && reader_is(reader, 0, "what"))
        n = tail;
    reader->overview = reader->overview || (n && reader_is(reader, at, "how"));
    reader->at += n;
    return n > 0;
}

static bool instead_read(struct question_reader *reader)
{
    static const char empty[] =
        "in total|in general|so far|side by side|in detail|as a table|"
        "in a table|in terms of";
    struct question *q = reader->question;
    size_t named = 0, adds = reader_phrase(reader, reader->at, "as well|too");
    size_t changes = reader_phrase(reader, reader->at, "instead");
    samples_match(&reader->lexicon->samples, &reader->words, reader->at,
                  reader->words.n, &named);
    if (named > adds) /* "too low", where that is a value */
        return false;
    if (adds)
        q->opening = OPENS_ADDING;
    if (changes) {
        q->instead = true;
        q->opening = OPENS_CHANGING;
    }
    size_t n = adds + changes + reader_phrase(reader, reader->at, empty);
    /* "The most goals ever", and not "who has ever ordered". */
    n += reader->superlative_said && reader_is(reader, reader->at, "ever");
    size_t dated = reader_phrase(reader, reader->at, "to date");
    if (dated && (reader->at + dated >= reader->words.n ||
                  reader_in(reader, reader->at + dated, "? . !")))
        n += dated;
    reader->at += n;
    return n > 0;
}

/* "How many contracts did we have": had, not only begun. "Do we own" is what the data
 * are of. */
static bool held_read(struct question_reader *reader)
{
    size_t own = reader_phrase(
        reader, reader->at, "do we own|do we manage|do we run|do we operate");
    reader->at += own;
    if (own)
        return true;
    size_t n = reader_phrase(reader, reader->at,
                             "did we have|did they have|did you have|we had|"
                             "do we have|do we currently have|have we got");
    reader->question->held = reader->question->held || n;
    reader->at += n;
    return n > 0;
}

/* "In seconds": units are not converted, so the question is refused. */
static bool converted_read(struct question_reader *reader)
{
    static const char units[] =
        "milliseconds seconds minutes hours bytes kilobytes megabytes "
        "gigabytes kb mb gb meters metres kilometers kilometres km miles feet "
        "grams kilograms kg tons tonnes pounds ounces litres liters cents "
        "euros euro eur gbp yen dollars usd thousands millions billions";
    size_t at = reader->at + 1;
    if (!reader_is(reader, reader->at, "in") || !reader_in(reader, at, units) ||
        reader_match(reader, at).n)
        return false;
    reader_object(reader,
                  "I show figures as the data has them and cannot "
                  "convert them to %.*s",
                  STR_ARG(reader_span(reader, at, at + 1)));
    reader->at += 2;
    return true;
}

/* "Which donors gave most? List their names." A ranking or a list has them. */
static bool names_read(struct question_reader *reader)
{
    size_t at = reader->at;
    bool begins = at && reader_in(reader, at - 1, "? . !");
    size_t n = begins ? reader_phrase(reader, at,
                                      "give their names|list their names|"
                                      "show their names|return their names|"
                                      "show me their names|give me their names")
                      : 0;
    if (!n || !reader->question->subject.n ||
        (at + n < reader->words.n && !reader_in(reader, at + n, ". !")))
        return false;
    reader->at += n;
    return true;
}

static bool noise_read(struct question_reader *reader)
{
    if (!reader_noise(reader, reader->at) ||
        (reader->list && !list_noise(reader)))
        return false;
    int judged = judgement_at(reader, reader->at);
    if (judged == 1 || judged == -1)
        reader->question->judged = judged;
    if (reader_is(reader, reader->at, "not"))
        reader->question->judged = 0;
    if (reader_in(reader, reader->at, "compare comparison"))
        reader->compare = true;
    bool asked = is_request(reader, reader->at) &&
                 reader_in(reader, reader->at, "return provide");
    if (asked ||
        reader_in(reader, reader->at, "show display find get give tell"))
        reader->shows = true;
    if (reader_is(reader, reader->at, "list"))
        reader->question->listing = true;
    reader->at++;
    return true;
}

static void gap_read(struct question_reader *reader)
{
    struct gap *last =
        reader->n_gaps ? &reader->gaps[reader->n_gaps - 1] : NULL;
    if (last && last->to == reader->at)
        last->to++;
    else if (reader->n_gaps < READER_GAPS)
        reader->gaps[reader->n_gaps++] =
            (struct gap){reader->at, reader->at + 1};
    else
        reader_object(reader, "I do not know too many of its words");
    reader->at++;
}

static void word_read(struct question_reader *reader)
{
    static bool (*const readers[])(struct question_reader *) = {
        list_read,        attributes_read, its_read,        common_read,
        chart_read,       instead_read,    held_read,       done_read,
        undone_read,      rows_read,       whole_read,      converted_read,
        acted_read,       undealt_read,    both_read,       average_read,
        dated_read,       year_read,       participle_read, adjective_read,
        comparative_read, top_read,        sort_read,       share_read,
        period_read,      grain_read,      group_read,      subject_read,
        sold_read,        deed_read,       verb_read,       ratio_read,
        functions_read,   holding_read,    filter_read,     function_read,
        superlative_read, phrase_read,     sample_read};
    size_t n = sizeof readers / sizeof *readers;
    bool was_joined = reader->joined, was_filtered = reader->filtered;
    if (opening_read(reader) || mark_read(reader) || names_read(reader) ||
        politeness_read(reader))
        return;
    reader->filtered = false;
    for (size_t i = 0; i < n; i++)
        if (readers[i](reader)) {
            reader->joined = false;
            reader->begun = true;
            return;
        }
    reader->joined = was_joined;
    reader->filtered = was_filtered;
    if (!noise_read(reader))
        gap_read(reader);
}

/* Where a field holds seasons, 2023/24 is one of them, and no date. */
static void seasons_settle(struct question_reader *reader)
{
    for (size_t i = 0; i < reader->words.n; i++) {
        struct question_word *word = &reader->words.items[i];
        if (word->kind == WORD_DATE && reader->lexicon->samples.seasons &&
            is_season(word->text, false))
            word->kind = WORD_QUOTED;
    }
}

/* "Grade A", "an A", "status I": a lone capital letter is a code, and neither the
 * article nor the speaker, unless it belongs to a name or all is in capitals. */
static void letters_settle(struct question_reader *reader)
{
    for (size_t i = 1; i < reader->words.n; i++) {
        struct question_word *word = &reader->words.items[i];
        if (word->kind != WORD_PLAIN || word->text.len != 1 || !word->capital ||
            word[-1].capital || !word_in(word, "a i s"))
            continue;
        struct choice before = reader_match(reader, i - 1);
        bool of_field = before.n && choice_has(&before, TERM_FIELD);
        if (of_field || !word_is(word, "i"))
            word->kind = WORD_QUOTED;
    }
}

void reader_init(struct question_reader *reader, const struct lexicon *lexicon,
                 struct str text, const struct question *before,
                 struct question *question)
{
    *question = (struct question){.n_measures = 0};
    *reader =
        (struct question_reader){.lexicon = lexicon,
                                 .arena = lexicon->arena,
                                 .before = before,
                                 .question = question,
                                 .words = words_read(lexicon->arena, text),
                                 .near = SIZE_MAX};
    if (reader->words.too_many)
        reader_object(reader, "the question is too long");
    seasons_settle(reader);
    letters_settle(reader);
}

void reader_words(struct question_reader *reader)
{
    while (reader->at < reader->words.n)
        word_read(reader);
    gaps_settle(reader);
    doubts_settle(reader);
}

void question_read(const struct lexicon *lexicon, struct str text,
                   const struct question *before, struct question *question)
{
    struct question_reader reader;
    reader_init(&reader, lexicon, text, before, question);
    reader.who = reader_is(&reader, 0, "who");
    reader_words(&reader);
    question_settle(&reader);
    question->compare = reader.compare;
}

void lexicon_init(struct arena *arena, const struct ontology *ontology,
                  struct lexicon *lexicon)
{
    lexicon->arena = arena;
    lexicon->ontology = ontology;
    vocabulary_init(arena, ontology, &lexicon->vocabulary);
    samples_init(arena, ontology, &lexicon->samples);
}
