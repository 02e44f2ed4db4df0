/* talk.c - questions that need no data: greetings, thanks, help, and
 * questions about the ontology. They are recognized by fixed phrases. */
#include "narrative.h"
#include "base/buf.h"
#include <string.h>
#include "base/banned.h"

enum { TALK_MOST_WORDS = 14, LIST_MOST = 40 };

/* ---- recognising -------------------------------------------------------- */

/* The question in lower case, with single spaces and without marks. */
static struct str plain_text(struct arena *arena,
                             const struct question_words *words)
{
    struct buf out;
    buf_init(&out, arena);
    for (size_t i = 0; i < words->n; i++) {
        const struct question_word *word = &words->items[i];
        if (word->kind == WORD_MARK)
            continue;
        buf_text(&out, out.len ? " " : "");
        buf_str(&out, lower_case(arena, word->text));
    }
    return buf_view(&out);
}

static bool only_words(struct str text, const char *list)
{
    struct str word;
    while (str_split(&text, ' ', &word))
        if (!list_has(list, word))
            return false;
    return true;
}

/* `phrases` are separated by "|". */
static bool is_phrase(struct str text, const char *phrases)
{
    struct str rest = str_of(phrases), phrase;
    while (str_split(&rest, '|', &phrase))
        if (str_eq(text, phrase))
            return true;
    return false;
}

static bool starts_with_phrase(struct str text, const char *phrases)
{
    struct str rest = str_of(phrases), phrase;
    while (str_split(&rest, '|', &phrase))
        if (str_starts(text, phrase))
            return true;
    return false;
}

static bool is_greeting(struct str text)
{
    static const char first[] = "hi|hello|hey|good|greetings";
    static const char words[] =
        "hi hello hey good greetings morning evening afternoon there day "
        "everyone";
    return starts_with_phrase(text, first) && only_words(text, words);
}

static bool is_thanks(struct str text)
{
    static const char *const needed[] = {"thank",   "thx",       "great",
                                         "perfect", "nice",      "cool",
                                         "awesome", "well done", NULL};
    static const char words[] =
        "thank thanks you thx great perfect nice cool ok okay very much a lot "
        "so that was helpful awesome got it well done for the help your";
    bool any = false;
    for (size_t i = 0; needed[i]; i++)
        any = any || str_find(text, str_of(needed[i])) >= 0;
    return any && only_words(text, words);
}

static bool is_help(struct str text)
{
    static const char whole[] =
        "help|examples|example questions|give me examples|"
        "give me some examples|show me examples|who are you|what are you|"
        "what is this|how does this work|how do you work|"
        "what should i ask|what now";
    static const char starts[] =
        "what can you|what can i ask|what could i ask|what do you do|"
        "how can you help|what questions can|which questions can|"
        "what kind of questions|what else can|can you help|help me|"
        "how can i ask|how do i ask|what are you able";
    return is_phrase(text, whole) || starts_with_phrase(text, starts);
}

static bool asks_for(struct str text, const char *nouns)
{
    static const char fillers[] =
        "what which the are is there do you have list show me all available "
        "can i use your in this of describe does hold a we know about tell "
        "model here ontology exist database contain contains has give my our "
        "to access kind overview please";
    struct str word, rest = text;
    bool noun = false;
    while (str_split(&rest, ' ', &word)) {
        bool here = list_has(nouns, word);
        if (!here && !list_has(fillers, word))
            return false;
        noun = noun || here;
    }
    return noun;
}

static struct str between(struct str text, const char *before,
                          const char *after)
{
    struct str a = str_of(before), b = str_of(after);
    if (text.len <= a.len + b.len || !str_starts(text, a) || !str_ends(text, b))
        return STR("");
    return str_trim(str_cut(text, a.len, text.len - a.len - b.len));
}

static bool topic_find(const struct lexicon *lexicon, struct str name,
                       enum term_kind kind, struct term *topic)
{
    static const char *const articles[] = {"the ",   "metric ", "dataset ",
                                           "table ", "a ",      NULL};
    static const char *const tails[] = {" metric", " dataset", " table",
                                        " data", NULL};
    for (size_t i = 0; articles[i]; i++)
        if (str_starts(name, str_of(articles[i])))
            name = str_from(name, strlen(articles[i]));
    for (size_t i = 0; tails[i]; i++)
        if (str_ends(name, str_of(tails[i])))
            name = str_cut(name, 0, name.len - strlen(tails[i]));
    struct choice found = vocabulary_find(&lexicon->vocabulary, name);
    for (size_t i = 0; name.len && i < found.n; i++)
        if (found.terms[i].kind == kind) {
            *topic = found.terms[i];
            return true;
        }
    return false;
}

static const struct {
    const char *before, *after;
} meanings[] = {{"what does ", " mean"},
                {"what is meant by ", ""},
                {"how is ", " calculated"},
                {"how is ", " computed"},
                {"how is ", " defined"},
                {"how is ", " measured"},
                {"how are ", " calculated"},
                {"how do you calculate ", ""},
                {"how do you compute ", ""},
                {"how do you define ", ""},
                {"define ", ""},
                {"definition of ", ""},
                {"what is the definition of ", ""},
                {"explain ", ""},
                {"what does ", " stand for"},
                {"describe ", ""}},
  contents[] = {{"describe ", ""},
                {"what is in ", ""},
                {"what's in ", ""},
                {"tell me about ", ""},
                {"explain ", ""},
                {"columns of ", ""},
                {"fields of ", ""},
                {"what fields does ", " have"},
                {"which fields does ", " have"},
                {"what fields do ", " have"},
                {"what columns does ", " have"},
                {"which columns does ", " have"},
                {"what columns are in ", ""},
                {"what fields are in ", ""},
                {"which columns are in ", ""},
                {"which fields are in ", ""},
                {"what does ", " contain"},
                {"show me the fields of ", ""},
                {"show me the columns of ", ""},
                {"list the fields of ", ""},
                {"what is the ", " table"},
                {"what is the ", " dataset"}};

static bool is_last(struct str text)
{
    static const char starts[] =
        "explain your|explain the last|explain the answer|explain that|"
        "explain this|explain the result|how did you|what did you|"
        "show me the sql|show the sql|show your work|"
        "where does this come from|where do these numbers come from";
    return starts_with_phrase(text, starts);
}

enum talk_kind talk_kind_of(const struct lexicon *lexicon,
                            const struct question_words *words,
                            struct term *topic)
{
    static const char datasets[] =
        "data dataset datasets tables table fields columns dimensions";
    static const char metrics[] =
        "metrics metric measures kpis figures measured";
    struct str text = plain_text(lexicon->arena, words);
    if (!text.len)
        return TALK_HELP;
    if (words->n > TALK_MOST_WORDS)
        return TALK_NONE;
    if (is_greeting(text))
        return TALK_GREETING;
    if (is_thanks(text))
        return TALK_THANKS;
    if (is_help(text))
        return TALK_HELP;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (topic_find(lexicon,
                       between(text, meanings[i].before, meanings[i].after),
                       TERM_METRIC, topic))
            return TALK_MEANING;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (topic_find(lexicon,
                       between(text, contents[i].before, contents[i].after),
                       TERM_DATASET, topic))
            return TALK_DATASET;
    if (asks_for(text, datasets))
        return TALK_DATASETS;
    if (asks_for(text, metrics))
        return TALK_METRICS;
    return is_last(text) ? TALK_LAST : TALK_NONE;
}

/* ---- answering ---------------------------------------------------------- */

static void put_abilities(struct arena *arena, const struct ontology *o,
                          struct buf *out)
{
    buf_text(out,
             "I answer questions of the form “*measure* by *dimension*, "
             "filter, period, top n, as a chart”, without a language model: "
             "always in the same way, and checked.");
    put_examples(arena, o, "\n\nFor example:\n", out);
}

static void put_described(struct str name, struct str description,
                          struct buf *out)
{
    buf_printf(out, "\n- **%.*s**", STR_ARG(name));
    if (description.len)
        buf_printf(out, ": %.*s", STR_ARG(description));
}

static void put_datasets(const struct ontology *o, struct buf *out)
{
    buf_printf(out, "The model %.*s has %zu dataset%s:\n", STR_ARG(o->name),
               o->n_datasets, o->n_datasets == 1 ? "" : "s");
    for (size_t i = 0; i < o->n_datasets && i < LIST_MOST; i++)
        put_described(o->datasets[i].name, o->datasets[i].description, out);
    if (o->n_datasets > LIST_MOST)
        buf_printf(out, "\n- and %zu more", o->n_datasets - LIST_MOST);
}

static void put_metrics(const struct ontology *o, struct buf *out)
{
    if (!o->n_metrics)
        buf_text(out, "The model names no metrics. Rows can be counted, and "
                      "numbers added up or averaged.");
    else
        buf_printf(out, "The model has %zu metric%s:\n", o->n_metrics,
                   o->n_metrics == 1 ? "" : "s");
    for (size_t i = 0; i < o->n_metrics && i < LIST_MOST; i++)
        put_described(o->metrics[i].name, o->metrics[i].description, out);
    if (o->n_metrics > LIST_MOST)
        buf_printf(out, "\n- and %zu more", o->n_metrics - LIST_MOST);
}

static void put_dataset(const struct dataset *d, struct buf *out)
{
    buf_printf(out, "**%.*s**", STR_ARG(d->name));
    if (d->description.len)
        buf_printf(out, ": %.*s", STR_ARG(d->description));
    buf_text(out, "\n");
    for (size_t i = 0; i < d->n_fields && i < 2 * LIST_MOST; i++)
        put_described(d->fields[i].name, d->fields[i].description, out);
    if (d->n_fields > 2 * LIST_MOST)
        buf_printf(out, "\n- and %zu more", d->n_fields - 2 * LIST_MOST);
}

static void put_metric(const struct metric *metric, struct buf *out)
{
    buf_printf(out, "**%.*s**", STR_ARG(metric->name));
    if (metric->description.len)
        buf_printf(out, ": %.*s", STR_ARG(metric->description));
    buf_printf(out, "\n\nIt is computed as `%.*s`.",
               STR_ARG(metric->expression));
}

static void put_last(const struct analysis *analysis, struct buf *out)
{
    const struct bound_query *query = analysis->earlier;
    if (!query) {
        buf_text(out, "There is no answer yet that I could explain.");
        return;
    }
    buf_printf(out, "I took the last question as: **%.*s**.",
               STR_ARG(query_words(query)));
    for (size_t i = 0; i < query->question.n_notes; i++)
        buf_printf(out, "%s\n- %.*s %.*s", i ? "" : "\n\nAssumptions:\n",
                   STR_ARG(query->question.notes[i].question),
                   STR_ARG(query->question.notes[i].assumption));
    buf_text(out,
             "\n\nIts queries and the checks of their results are shown with "
             "that answer.");
}

struct str talk_answer(const struct analysis *analysis)
{
    struct arena *arena = analysis->arena;
    const struct ontology *o = analysis->context->ontology;
    struct buf out;
    buf_init(&out, arena);
    switch (analysis->talk) {
    case TALK_GREETING:
        buf_text(&out, "Hello! ");
        put_abilities(arena, o, &out);
        break;
    case TALK_THANKS:
        buf_text(&out, "You are welcome.");
        break;
    case TALK_DATASETS:
        put_datasets(o, &out);
        break;
    case TALK_METRICS:
        put_metrics(o, &out);
        break;
    case TALK_DATASET:
        put_dataset(&o->datasets[analysis->topic.dataset], &out);
        break;
    case TALK_MEANING:
        put_metric(&o->metrics[analysis->topic.index], &out);
        break;
    case TALK_LAST:
        put_last(analysis, &out);
        break;
    default:
        put_abilities(arena, o, &out);
        buf_text(&out, "\n\nAsk “what data do you have?” or “which metrics are "
                       "there?” to see what the model knows.");
    }
    return buf_view(&out);
}
