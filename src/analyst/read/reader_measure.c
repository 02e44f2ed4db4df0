/* reader_measure.c - measures: metrics, counts, and functions over fields. */
#include "code.h"
#include "field.h"
#include "reader.h"
#include "unit.h"
#include "base/banned.h"

/* ---- functions ---------------------------------------------------------- */

/* Of phrases that begin alike, the longer comes first. */
static const struct {
    const char *phrases;
    enum function function;
} functions[] = {
    {"total number of|number of|numbers of|# of|#|count of|counts of|count|"
     "how many",
     FUNCTION_COUNT},
    {"sum of|total of|sum|total", FUNCTION_SUM},
    {"average of|average|avg|mean", FUNCTION_AVERAGE},
    {"median", FUNCTION_MEDIAN},
    {"maximum|max", FUNCTION_MAXIMUM},
    {"minimum|min", FUNCTION_MINIMUM},
};

static bool is_distinct(const struct question_reader *reader, size_t at)
{
    static const char words[] = "distinct different unique";
    return reader_in(reader, at, words);
}

size_t function_at(const struct question_reader *reader, size_t at,
                   enum function *function)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !n; i++) {
        n = reader_phrase(reader, at, functions[i].phrases);
        *function = n ? functions[i].function : *function;
    }
    return n;
}

bool function_read(struct question_reader *reader)
{
    struct choice what = reader_match(reader, reader->at);
    enum function function = FUNCTION_NONE;
    size_t averaged = reader_phrase(reader, reader->at, "on average");
    if (averaged) {
        reader->averaged = true;
        reader->at += averaged;
        return true;
    }
    /* "The average number of …": the number, averaged over something. */
    if (reader_in(reader, reader->at, "average mean avg") &&
        function_at(reader, reader->at + 1, &function) &&
        function == FUNCTION_COUNT && what.n_words <= 1) {
        reader->averaged = true;
        reader->at++;
        return true;
    }
    function = FUNCTION_NONE;
    size_t n = function_at(reader, reader->at, &function);
    if (!n && is_distinct(reader, reader->at)) {
        function = FUNCTION_DISTINCT;
        n = 1;
    }
    /* Not in the name of a metric "total revenue" or a field "total". */
    bool named = what.n && (what.n_words > n || choice_has(&what, TERM_METRIC));
    bool last = !reader_match(reader, reader->at + n).n &&
                !is_distinct(reader, reader->at + n);
    if (!n || named || (what.n && last && n == 1))
        return false;
    if (function == FUNCTION_DISTINCT && reader->function == FUNCTION_COUNT)
        reader->function = FUNCTION_DISTINCT;
    else if (reader->function && function != FUNCTION_DISTINCT)
        reader_object(reader, "I cannot take one function of another, as "
                              "in “average number of …”");
    else
        reader->function = function;
    reader->at += n;
    reader->function_to = reader->at;
    return true;
}

static int superlative_of(const struct question_reader *reader, size_t at)
{
    static const char high[] = "highest most largest biggest greatest best";
    static const char low[] = "lowest least fewest smallest worst";
    return reader_in(reader, at, high)  ? 1
           : reader_in(reader, at, low) ? -1
                                        : 0;
}

/* "Most popular": a judgement that does not name its measure, like "best". */
static bool is_judged(const struct question_reader *reader, size_t at)
{
    static const char degrees[] = "most least";
    static const char judgements[] = "popular successful important valuable";
    return reader_in(reader, at, degrees) &&
           reader_in(reader, at + 1, judgements) &&
           !reader_match(reader, at + 1).n;
}

bool superlative_read(struct question_reader *reader)
{
    int direction = superlative_of(reader, reader->at);
    if (!direction || reader_match(reader, reader->at).n)
        return false;
    if (reader->superlative_said) {
        reader_object(reader, "I can rank by one measure only");
        return false;
    }
    reader->superlative = direction;
    reader->superlative_said = true;
    reader->question->top.lowest = direction < 0;
    reader->question->top.ranked = true;
    reader->at += is_judged(reader, reader->at) ? 2 : 1;
    /* "best month" */
    enum time_unit unit = unit_of(reader_word(reader, reader->at));
    if (unit && !reader->subject_grain) {
        reader->subject_grain = unit;
        reader->question->subject_one =
            !str_ends(reader_word(reader, reader->at)->lower, STR("s"));
        reader->superlative = 0;
        reader->at++;
    }
    return true;
}

/* ---- measures ----------------------------------------------------------- */

static bool metric_called(struct question_reader *reader, const char *before,
                          struct str what, struct asked_measure *measure)
{
    struct str phrase =
        arena_printf(reader->arena, "%s %.*s", before, STR_ARG(what));
    struct choice found = vocabulary_find(&reader->lexicon->vocabulary, phrase);
    struct choice metrics = choice_of(reader->arena, found, TERM_METRIC);
    if (!metrics.n)
        return false;
    metrics.words = phrase;
    *measure =
        (struct asked_measure){.function = FUNCTION_NONE, .what = metrics};
    return true;
}

bool measure_make(struct question_reader *reader, enum function function,
                  struct choice what, struct asked_measure *measure)
{
    static const char *const names[] = {NULL,      "number of", "number of",
                                        "total",   "average",   "minimum",
                                        "maximum", "median"};
    *measure = (struct asked_measure){.function = function, .what = what};
    bool noun =
        choice_has(&what, TERM_DATASET) || choice_has(&what, TERM_FIELD);
    if (function != FUNCTION_NONE && noun &&
        metric_called(reader, names[function], what.words, measure))
        return true;
    if (function == FUNCTION_NONE && choice_has(&what, TERM_METRIC))
        measure->what = choice_of(reader->arena, what, TERM_METRIC);
    return noun || choice_has(&what, TERM_METRIC);
}

static bool same_measure(const struct asked_measure *a,
                         const struct asked_measure *b)
{
    return a->function == b->function && !a->over && !b->over && a->what.n &&
           b->what.n && term_same(&a->what.terms[0], &b->what.terms[0]);
}

void measure_add(struct question_reader *reader, struct asked_measure measure)
{
    struct question *q = reader->question;
    for (size_t i = 0; i < q->n_measures; i++)
        if (same_measure(&q->measures[i], &measure))
            return;
    if (q->n_measures == QUESTION_MEASURES) {
        reader_object(reader, "too many measures at once");
        return;
    }
    q->measures[q->n_measures++] = measure;
}

/* The flags among what the phrase may mean; with things, only theirs. */
static struct choice flags_of(const struct question_reader *reader,
                              struct choice what, const struct choice *things)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice flags = choice_of(reader->arena, what, TERM_FIELD);
    size_t n = flags.n;
    flags.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct term t = flags.terms[i];
        bool theirs = !things->n;
        for (size_t j = 0; j < things->n; j++)
            theirs = theirs || things->terms[j].dataset == t.dataset;
        if (theirs && field_is_flag(&o->datasets[t.dataset].fields[t.index]))
            flags.terms[flags.n++] = t;
    }
    return flags;
}

/* "number of loyalty members", "number of active players": the rows in which the
 * flag is set. */
static bool flag_counted(struct question_reader *reader, struct choice what)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct question *q = reader->question;
    const struct field *field = first_field(reader, &what);
    bool counts = reader->function == FUNCTION_COUNT;
    if (!counts || !field || !field_is_flag(field) ||
        q->n_filters == QUESTION_FILTERS)
        return false;
    struct choice things =
        choice_of(reader->arena, noun_after(reader, reader->at + what.n_words),
                  TERM_DATASET);
    struct choice flags = flags_of(reader, what, &things);
    if (!flags.n) {
        struct choice others = choice_of(reader->arena, what, TERM_FIELD);
        reader_object(reader, "“%.*s” is known of %.*s, and not of “%.*s”",
                      STR_ARG(what.words),
                      STR_ARG(o->datasets[others.terms[0].dataset].name),
                      STR_ARG(things.words));
        return true;
    }
    struct term rows = {TERM_DATASET, WEIGHT_NAME, flags.terms[0].dataset,
                        flags.terms[0].dataset};
    struct choice dataset =
        choice_one(reader->arena, rows, what.words, what.n_words);
    q->filters[q->n_filters++] = (struct asked_filter){.kind = FILTER_FIELD,
                                                       .comparison = IS_TRUE,
                                                       .what = flags,
                                                       .near = SIZE_MAX,
                                                       .words = what.words};
    measure_add(reader, (struct asked_measure){.function = FUNCTION_COUNT,
                                               .what = dataset});
    return true;
}

/* "Number of priority orders": neither the orders nor the different priorities. */
static void check_kinds(struct question_reader *reader, struct choice what)
{
    const struct field *field = first_field(reader, &what);
    struct choice next = noun_after(reader, reader->at + what.n_words);
    if (reader->function == FUNCTION_COUNT && field && field_is_text(field) &&
        choice_of(reader->arena, what, TERM_FIELD).n == what.n &&
        choice_has(&next, TERM_DATASET))
        reader_object(reader, "“%.*s %.*s” does not say which “%.*s” is meant",
                      STR_ARG(what.words), STR_ARG(next.words),
                      STR_ARG(what.words));
}

/* "Total fines" may be their number or their sum. */
static void check_total(struct question_reader *reader, struct choice what)
{
    static const char money[] =
        "fine bill payment invoice charge fee expense donation salary wage "
        "refund cost deposit tax tip grant payout payroll";
    struct str last = reader_word(reader, reader->at + what.n_words - 1)->stem;
    struct choice rows = choice_of(reader->arena, what, TERM_DATASET);
    if (reader->function != FUNCTION_SUM || !rows.n || rows.n != what.n ||
        !list_has(money, last))
        return;
    reader_object(reader,
                  "“total %.*s” may be their number or a sum; say “number of "
                  "%.*s”, or name what is summed",
                  STR_ARG(what.words), STR_ARG(what.words));
}

/* "Number of booking houses": one of them is counted, and it is not said which. */
static void check_pair(struct question_reader *reader, struct choice what)
{
    size_t after = reader->at + what.n_words;
    struct choice next = reader_match(reader, after);
    struct choice rows = choice_of(reader->arena, next, TERM_DATASET);
    if (choice_has(&what, TERM_DATASET) && rows.n && rows.n == next.n &&
        !reader_in(reader, after, rows_words))
        reader_object(reader,
                      "I know “%.*s” and “%.*s”, but nothing that is "
                      "called both",
                      STR_ARG(what.words), STR_ARG(rows.words));
}

static bool function_applied(struct question_reader *reader, struct choice what)
{
    struct asked_measure measure;
    if (reader->function == FUNCTION_NONE)
        return false;
    check_total(reader, what);
    if (reader->function == FUNCTION_COUNT) {
        reader->counted = choice_of(reader->arena, what, TERM_DATASET);
        check_pair(reader, what);
    }
    if (!flag_counted(reader, what)) {
        check_kinds(reader, what);
        if (!measure_make(reader, reader->function, what, &measure))
            return false;
        measure_add(reader, measure);
    }
    reader_mention(reader, what);
    reader->function = FUNCTION_NONE;
    reader->superlative = 0;
    return true;
}

/* "Customers with the most orders": the dataset named before is ranked. */
static bool mention_ranked(struct question_reader *reader, struct choice what)
{
    static const char holds[] = "with having have has had";
    struct question *q = reader->question;
    size_t at = reader->at;
    if (at < 3 || !q->n_mentions)
        return false;
    at -= reader_is(reader, at - 2, "the") ? 3 : 2;
    if (!reader_in(reader, at, holds) ||
        q->mentions[0].terms[0].dataset == what.terms[0].dataset)
        return false;
    q->subject = q->mentions[0];
    q->subject_one = !str_ends(q->subject.words, STR("s"));
    return true;
}

/* "The house with the highest number of seats": which house it is, too. */
static void holder_ranked(struct question_reader *reader)
{
    static const char holds[] = "with having";
    static const char between[] =
        "the number of highest lowest most least "
        "fewest largest smallest biggest greatest best "
        "worst total";
    struct question *q = reader->question;
    size_t at = reader->at;
    while (at && reader_in(reader, at - 1, between))
        at--;
    if (at < 2 || !reader_in(reader, at - 1, holds) || q->n_mentions != 1 ||
        q->n_measures || q->n_dimensions || q->subject.n ||
        reader->subject_grain)
        return;
    const struct question_word *noun = reader_word(reader, at - 2);
    struct str words = q->mentions[0].words;
    if (noun->text.ptr + noun->text.len != words.ptr + words.len)
        return;
    q->subject = q->mentions[0];
    q->subject_one = !word_is_plural(noun);
}

bool ranks_who(const struct question_reader *reader)
{
    const struct question *q = reader->question;
    return reader->who && reader->superlative_said && !reader->ranked &&
           !q->subject.n && !reader->subject_grain && !q->n_dimensions &&
           !reader->n_loose && !q->n_mentions && !q->n_havings &&
           q->n_measures <= 1 && !q->top.n && !reader->counted.n;
}

/* "Most flights" counts rows, also where flights have a number called
 * flight. "Highest sales" is an amount where a field of sales is called so. */
static bool means_rows(const struct question_reader *reader,
                       const struct choice *what, const struct field *field)
{
    static const char many[] = "most least fewest";
    struct str words = what->words;
    if (!choice_has(what, TERM_DATASET) || !str_ends(words, STR("s")) ||
        str_eq_nocase(words, field->name))
        return false;
    return str_eq_nocase(str_cut(words, 0, words.len - 1), field->name) ||
           (reader->at && reader_in(reader, reader->at - 1, many));
}

/* "Most customers" are the most in number; "best" or "most valuable customers"
 * may be anything. */
static bool is_counted(const struct question_reader *reader)
{
    static const char numbers[] = "most least fewest highest lowest";
    return reader->at && reader_in(reader, reader->at - 1, numbers);
}

/* "Most tickets" are not the highest amount of a ticket_eur. */
static bool amount_counted(struct question_reader *reader, struct choice what,
                           const struct field *field)
{
    static const char many[] = "most least fewest";
    const struct question_word *last =
        reader_word(reader, reader->at + what.n_words - 1);
    if (!reader->at || !reader_in(reader, reader->at - 1, many) ||
        !word_is_plural(last) || !has_unit(reader->arena, field))
        return false;
    reader_object(reader, "“%.*s” is an amount, which counts nothing",
                  STR_ARG(what.words));
    return true;
}

/* "The player with the most goals", of all matches, and not of the one with the
 * highest figure. What each of the things has once is not added up. */
static bool is_added_up(const struct question_reader *reader,
                        const struct choice *what, const struct field *field)
{
    static const char many[] = "most least fewest";
    const struct question *q = reader->question;
    const struct choice *things = q->subject.n    ? &q->subject
                                  : q->n_mentions ? &q->mentions[0]
                                                  : NULL;
    bool ranks =
        things || reader->subject_grain || q->n_dimensions || ranks_who(reader);
    for (size_t i = 0; things && i < things->n; i++)
        for (size_t j = 0; j < what->n; j++)
            if (things->terms[i].kind == TERM_DATASET &&
                things->terms[i].dataset == what->terms[j].dataset)
                return false;
    return ranks && !choice_has(what, TERM_METRIC) && !field_is_level(field) &&
           reader->at && reader_in(reader, reader->at - 1, many);
}

/* "most orders", "highest revenue", "largest city". */
bool superlative_applied(struct question_reader *reader, struct choice what)
{
    struct question *q = reader->question;
    struct asked_measure measure;
    const struct field *field = first_field(reader, &what);
    if (!reader->superlative)
        return false;
    reader->superlative = 0;
    bool flag = field && field_is_flag(field);
    bool number = field && field_is_number(field) && !flag &&
                  !means_rows(reader, &what, field);
    if (choice_has(&what, TERM_METRIC) || number) {
        if (number && amount_counted(reader, what, field))
            return true;
        holder_ranked(reader);
        enum function function = number && is_added_up(reader, &what, field)
                                     ? FUNCTION_SUM
                                     : FUNCTION_NONE;
        if (measure_make(reader, function, what, &measure))
            measure_add(reader, measure);
        return true;
    }
    bool things = q->subject.n || reader->subject_grain ||
                  (ranks_who(reader) && is_counted(reader));
    /* "The city with the most smokers" */
    if (flag && !choice_has(&what, TERM_DATASET) && is_counted(reader) &&
        (things || q->n_dimensions) &&
        word_is_plural(reader_word(reader, reader->at + what.n_words - 1))) {
        reader->function = FUNCTION_COUNT;
        bool counted = flag_counted(reader, what);
        reader->function = FUNCTION_NONE;
        return counted;
    }
    if (choice_has(&what, TERM_DATASET) &&
        (things || q->n_dimensions || mention_ranked(reader, what))) {
        if (!is_counted(reader))
            reader_object(reader,
                          "“%.*s” does not say by what the %.*s are ranked; "
                          "say for example “most %.*s”, or name a measure",
                          STR_ARG(reader_word(reader, reader->at - 1)->lower),
                          STR_ARG(what.words), STR_ARG(what.words));
        else if (measure_make(reader, FUNCTION_COUNT, what, &measure))
            measure_add(reader, measure);
        return true;
    }
    q->subject = what;
    q->subject_one =
        !word_is_plural(reader_word(reader, reader->at + what.n_words - 1));
    return true;
}

static bool number_taken(struct question_reader *reader, struct choice what)
{
    struct question *q = reader->question;
    const struct field *field = first_field(reader, &what);
    bool number = field && field_is_number(field) && !field_is_flag(field);
    struct asked_measure measure;
    if (!number || choice_has(&what, TERM_DATASET) ||
        (q->n_measures && !reader->joined))
        return false;
    if (!measure_make(reader, FUNCTION_NONE, what, &measure))
        return false;
    measure_add(reader, measure);
    return true;
}

/* The dataset whose rows a metric counts; SIZE_MAX: it counts none. */
static size_t counted_by(const struct ontology *o, const struct metric *metric)
{
    struct str text = metric->expression, name;
    if (!str_eq_nocase(str_cut(text, 0, 6), STR("count(")))
        return SIZE_MAX;
    text = str_trim(str_from(text, 6));
    if (str_eq_nocase(str_cut(text, 0, 9), STR("distinct ")))
        text = str_trim(str_from(text, 9));
    if (str_find_char(text, '.') < 0 || !str_split(&text, '.', &name))
        return SIZE_MAX;
    for (size_t i = 0; i < o->n_datasets; i++)
        if (str_eq(o->datasets[i].name, name))
            return i;
    return SIZE_MAX;
}

/* "Number of parts", by a metric, names the parts. */
static void metric_mention(struct question_reader *reader, struct choice what)
{
    const struct ontology *o = reader->lexicon->ontology;
    struct choice metrics = choice_of(reader->arena, what, TERM_METRIC);
    size_t counted = metrics.n == 1
                         ? counted_by(o, &o->metrics[metrics.terms[0].index])
                         : SIZE_MAX;
    if (counted != SIZE_MAX)
        reader->near = counted;
}

static bool metric_taken(struct question_reader *reader, struct choice what)
{
    struct asked_measure measure;
    bool more = !reader->question->n_measures || reader->joined;
    if (!choice_has(&what, TERM_METRIC) ||
        (!more && choice_has(&what, TERM_DATASET)))
        return false;
    if (!measure_make(reader, FUNCTION_NONE, what, &measure))
        return false;
    measure_add(reader, measure);
    metric_mention(reader, what);
    return true;
}

/* "How many customers are loyalty members": a filter on the flag. */
static void flag_taken(struct question_reader *reader, struct choice fields)
{
    struct asked_filter *filter = filter_new(reader, FILTER_FIELD, false);
    filter->comparison = IS_TRUE;
    filter->what = fields;
    filter->words = fields.words;
}

/* A noun right after "did", "do" or "does". */
static bool ends_doer(const struct question_reader *reader, size_t to)
{
    static const char asks[] = "did do does";
    static const char articles[] = "the our your their each every all any";
    for (size_t from = to; from + 3 > to && from > 1; from--) {
        struct choice doer = reader_match(reader, from - 1);
        size_t before = from - 2;
        if (!doer.n || from - 1 + doer.n_words != to)
            continue;
        if (before && reader_in(reader, before, articles))
            before--;
        return reader_in(reader, before, asks);
    }
    return false;
}

/* "Which cities did we ship to", "how much did customers refund": a verb,
 * although a name of the model is spelt like it. */
static bool is_deed(const struct question_reader *reader)
{
    static const char doers[] = "i we they you";
    size_t at = reader->at;
    return at && (reader_in(reader, at - 1, doers) || ends_doer(reader, at));
}

static bool deed_refused(struct question_reader *reader, struct choice what)
{
    if (!is_deed(reader))
        return false;
    reader_object(reader,
                  "I know “%.*s” as something that is there, not "
                  "as something that is done",
                  STR_ARG(what.words));
    return true;
}

/* "Revenue, city" is a breakdown without "by"; in "orders shipped to France" a
 * word only looks like the name of a field. */
static bool stands_alone(const struct question_reader *reader,
                         const struct choice *what)
{
    size_t at = reader->at, after = at + what->n_words;
    static const char marks[] = ", and & ? . ; : for with having";
    bool before = !at || reader_in(reader, at - 1, marks) ||
                  reader_match(reader, at - 1).n || reader->superlative;
    /* "Order dates" after "number of order": the words belong together. */
    if (at && reader_match(reader, at - 1).n_words > 1)
        return false;
    bool behind = after >= reader->words.n || reader_in(reader, after, marks) ||
                  reader_match(reader, after).n || reader_window(reader, after);
    for (size_t i = 0; i < what->n; i++)
        if (what->terms[i].kind == TERM_FIELD &&
            what->terms[i].weight == WEIGHT_TRUNCATED)
            return false;
    return before && behind;
}

static bool loose_taken(struct question_reader *reader, struct choice what)
{
    const struct field *field = first_field(reader, &what);
    struct choice fields = choice_of(reader->arena, what, TERM_FIELD);
    bool flag = field && field_is_flag(field);
    if (!field || (field_is_number(field) && !flag) ||
        reader->n_loose == QUESTION_DIMENSIONS)
        return false;
    if (deed_refused(reader, what))
        return true;
    if (flag) {
        flag_taken(reader, fields);
        return true;
    }
    if (!stands_alone(reader, &what))
        return false;
    /* "By carrier name, top 5": a top n does not rank a second dimension. */
    reader->loose[reader->n_loose++] = (struct asked_dimension){
        .what = fields, .ranked = !reader->question->n_dimensions};
    return true;
}

/* "Staff turnover" is neither the staff nor the turnover; and the turnover of
 * persons or of a stock is not what is sold. */
static bool is_compound(const struct question_reader *reader,
                        const struct choice *what)
{
    static const char movers[] =
        "staff employee employees worker workers personnel workforce headcount "
        "labor labour team customer customers patient patients student "
        "students member members tenant tenants inventory stock asset assets";
    size_t at = reader->at;
    bool turnover = reader_is(reader, at, "turnover") && what->n_words == 1;
    return choice_has(what, TERM_METRIC) && at &&
           (reader->measured_to == at ||
            (turnover && reader_in(reader, at - 1, movers)));
}

bool phrase_read(struct question_reader *reader)
{
    size_t n = 0;
    struct choice what = reader_match(reader, reader->at);
    if (!what.n || reader_verb(reader, reader->at) ||
        flag_is_value(reader, reader->at, &what))
        return false;
    n = what.n_words;
    if (is_compound(reader, &what))
        reader_object(
            reader,
            "“%.*s” may be a figure of its own, which the model does "
            "not have",
            STR_ARG(reader_span(reader, reader->at - 1, reader->at + n)));
    size_t measures = reader->question->n_measures;
    if (choice_has(&what, TERM_ROLE) &&
        reader->question->n_roles < QUESTION_MENTIONS)
        reader->question->roles[reader->question->n_roles++] =
            choice_of(reader->arena, what, TERM_ROLE);
    if (function_applied(reader, what) || superlative_applied(reader, what) ||
        metric_taken(reader, what) || number_taken(reader, what)) {
        reader->at += n;
        if (reader->question->n_measures > measures)
            reader->measured_to = reader->at;
        return true;
    }
    if (choice_has(&what, TERM_DATASET)) {
        if (!deed_refused(reader, what))
            reader_mention(reader, what);
    } else if (!choice_has(&what, TERM_ROLE) && !loose_taken(reader, what))
        return false;
    reader->at += n;
    return true;
}
