/* Narratives about results: sentences that state only what the rows show pass,
 * and sentences that state anything else do not. The sentences are in
 * narratives.txt and, by an outside judge, in narratives_fresh.txt. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "grounding/figure.h"
#include "grounding/grounding.h"
#include "grounding/prose.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/banned.h"

enum { COLUMNS = 8, FILE_MOST = 512 * 1024, TODAY = 20780, TEXT_MOST = 4000 };

static struct arena arena;
static struct sql_result result;
static struct step_result step;
static struct step_results results = {&step, 1};
static struct str rows, question, result_name;
static struct buf json;
static char file[FILE_MOST];

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

static void begin_result(void)
{
    result = (struct sql_result){
        .columns = arena_new_array(&arena, struct str, COLUMNS),
        .column_types = arena_new_array(&arena, struct str, COLUMNS)};
    step = (struct step_result){.step_id = 1, .sql_result = &result};
    question = STR("");
    buf_init(&json, &arena);
    buf_char(&json, '[');
    rows = STR("[]");
}

static void read_columns(struct str line)
{
    struct str word, name;
    while (str_split(&line, ' ', &word)) {
        str_split(&word, ':', &name);
        result.columns[result.n_columns] = name;
        result.column_types[result.n_columns++] = word;
    }
    result.n_column_types = result.n_columns;
}

/* Numbers that a double cannot hold come as text, as all numeric ones do. A
 * cell that reads "null" is NULL. */
static void put_row(struct str line)
{
    struct json_writer w;
    struct str cell;
    if (result.row_count++)
        buf_char(&json, ',');
    json_writer_init(&w, &json);
    json_put_object(&w);
    for (size_t i = 0; i < result.n_columns && str_split(&line, '|', &cell);
         i++) {
        json_put_key_str(&w, result.columns[i]);
        if (str_starts(result.column_types[i], STR("int")) ||
            str_is(result.column_types[i], "bool") ||
            str_is(str_trim(cell), "null"))
            json_put_raw(&w, str_trim(cell));
        else
            json_put_str(&w, str_trim(cell));
    }
    json_put_object_end(&w);
    rows = arena_printf(&arena, "%.*s]", STR_ARG(buf_view(&json)));
}

static struct grounding check(struct str text, bool no_finding)
{
    struct grounding found;
    bool none = no_finding || !result.n_columns;
    struct grounding_of of = {.results = none ? NULL : &results,
                              .full_data = &rows,
                              .question = question,
                              .today = TODAY,
                              .no_finding = no_finding};
    struct grounding_walk *w = grounding_begin(&arena, &of, text, &found);
    while (grounding_go_on(w))
        ;
    return found;
}

static struct str unescaped(struct str line)
{
    struct buf out;
    buf_init(&out, &arena);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\\' && i + 1 < line.len && line.ptr[i + 1] == 'n') {
            buf_char(&out, '\n');
            i++;
        } else {
            buf_char(&out, line.ptr[i]);
        }
    return buf_finish(&out);
}

static bool judge(struct str line, bool right)
{
    struct str text = unescaped(str_from(line, 2));
    struct grounding found = check(text, false);
    bool passed = found.whole && found.n_claims == 0;
    if (passed == right)
        return true;
    print_message("%.*s: %s: %.*s\n%.*s\n", STR_ARG(result_name),
                  right ? "a false alarm" : "not noticed", STR_ARG(text),
                  STR_ARG(grounding_list(&arena, text, &found)));
    return false;
}

static bool read_line(struct str line)
{
    if (str_starts(line, STR("result "))) {
        begin_result();
        result_name = str_from(line, 7);
    } else if (str_starts(line, STR("question ")))
        question = str_from(line, 9);
    else if (str_starts(line, STR("sql ")))
        result.sql = str_from(line, 4);
    else if (str_starts(line, STR("columns ")))
        read_columns(str_from(line, 8));
    else if (str_starts(line, STR("| ")))
        put_row(str_from(line, 2));
    else if (str_starts(line, STR("repeat 40")))
        for (int i = 0; i < 40; i++)
            put_row(arena_printf(&arena, "Product %d|%d", i + 1,
                                 5000 - i * i * 3 - 17 * i));
    else if (str_starts(line, STR("+ ")) || str_starts(line, STR("- ")))
        return judge(line, line.ptr[0] == '+');
    return true;
}

static void judge_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    struct str rest = {file, fread(file, 1, sizeof file, f)}, line;
    fclose(f);
    size_t right = 0, wrong = 0, bad = 0;
    while (str_split(&rest, '\n', &line)) {
        right += str_starts(line, STR("+ "));
        wrong += str_starts(line, STR("- "));
        bad += !read_line(line);
    }
    print_message("%zu right and %zu wrong sentences, %zu misjudged\n", right,
                  wrong, bad);
    assert_true(right >= 75 && wrong >= 75);
    assert_int_equal(bad, 0);
}

static void sentences_are_judged_rightly(void **state)
{
    (void)state;
    judge_file(getenv("NARRATIVES"));
}

static void fresh_sentences_are_judged_rightly(void **state)
{
    (void)state;
    judge_file(getenv("NARRATIVES_FRESH"));
}

/* ---- figures ------------------------------------------------------------ */

static struct figure only(const char *text)
{
    struct figure f = {0}, more;
    size_t at = 0;
    if (!figure_next(str_of(text), &at, &f))
        fail_msg("no figure in %s", text);
    if (figure_next(str_of(text), &at, &more))
        fail_msg("two figures in %s", text);
    return f;
}

static void numbers_are_read_in_all_forms(void **state)
{
    static const struct {
        const char *text;
        enum figure_kind kind;
        double value;
    } forms[] = {
        {"1,234.50", FIGURE_NUMBER, 1234.5},
        {"1.234,56", FIGURE_NUMBER, 1234.56},
        {"1.234.567,89", FIGURE_NUMBER, 1234567.89},
        {"1 234,56", FIGURE_NUMBER, 1234.56},
        {"1\xc2\xa0"
         "234\xc2\xa0"
         "567",
         FIGURE_NUMBER, 1234567},
        {"1'234'567.5", FIGURE_NUMBER, 1234567.5},
        {"12,34,567", FIGURE_NUMBER, 1234567},
        {"0,5", FIGURE_NUMBER, 0.5},
        {"12%", FIGURE_PERCENT, 12},
        {"12.5 percent", FIGURE_PERCENT, 12.5},
        {"3 percentage points", FIGURE_POINTS, 3},
        {"1.2 million", FIGURE_NUMBER, 1.2e6},
        {"$1.2M", FIGURE_NUMBER, 1.2e6},
        {"5k", FIGURE_NUMBER, 5000},
        {"3bn", FIGURE_NUMBER, 3e9},
        {"-5", FIGURE_NUMBER, -5},
        {"\xe2\x88\x92"
         "5.5",
         FIGURE_NUMBER, -5.5},
        {"-$5", FIGURE_NUMBER, -5},
        {"1.4x", FIGURE_TIMES, 1.4},
        {"three times", FIGURE_TIMES, 3},
        {"doubled", FIGURE_TIMES, 2},
        {"halved", FIGURE_TIMES, 0.5},
        {"two thirds of", FIGURE_PERCENT, 66.66666666666667},
        {"half of", FIGURE_PERCENT, 50},
        {"a quarter of", FIGURE_PERCENT, 25},
        {"forty-two", FIGURE_NUMBER, 42},
        {"two hundred and fifty thousand", FIGURE_NUMBER, 250000},
        {"a million", FIGURE_NUMBER, 1e6},
        {"half a million", FIGURE_NUMBER, 5e5},
        {"2nd", FIGURE_PLACE, 2},
        {"\xd9\xa1\xd9\xa2", FIGURE_NUMBER, 12},
        {"9,**999**,999", FIGURE_NUMBER, 9999999},
        {"9\xe2\x80\x8b"
         "99",
         FIGURE_NUMBER, 999},
    };
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct figure f = only(forms[i].text);
        if (f.kind != forms[i].kind || fabs(f.value - forms[i].value) > 1e-9)
            fail_msg("%s is read as %g, kind %d", forms[i].text, f.value,
                     (int)f.kind);
    }
}

static void dates_are_read_in_all_forms(void **state)
{
    static const struct {
        const char *text;
        int month, day, days;
    } forms[] = {{"2025-03-14", 3, 14, 1},
                 {"14.03.2025", 3, 14, 1},
                 {"3/14/2025", 3, 14, 1},
                 {"March 14, 2025", 3, 14, 1},
                 {"14th of March 2025", 3, 14, 1},
                 {"2025-03", 3, 1, 31},
                 {"March 2025", 3, 1, 31},
                 {"Q3 2025", 7, 1, 92},
                 {"2025 Q3", 7, 1, 92},
                 {"H1 2025", 1, 1, 181},
                 {"in 2025", 1, 1, 365},
                 {"first half of 2025", 1, 1, 181},
                 {"2025-03-14T12:30:00Z", 3, 14, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct figure f = only(forms[i].text);
        int64_t first = figure_day(2025, forms[i].month, forms[i].day);
        if (f.kind != FIGURE_PERIOD || f.first != first ||
            f.last - f.first + 1 != forms[i].days)
            fail_msg("%s is read as kind %d", forms[i].text, (int)f.kind);
    }
}

static void identifiers_are_no_numbers(void **state)
{
    static const char *const texts[] = {
        "word30", "B2B", "1.2.3", "abc-x9", "one of them", "12:30", NULL};
    (void)state;
    for (const char *const *t = texts; *t; t++) {
        struct figure f;
        size_t at = 0;
        if (figure_next(str_of(*t), &at, &f) &&
            !(f.kind == FIGURE_MONTH && !f.month))
            fail_msg("%s is read as a figure", *t);
    }
}

/* The table is searched by halves: words of its whole length are found. */
static void words_have_their_roles(void **state)
{
    static const struct {
        const char *word;
        uint32_t says;
    } words[] = {{"a", PROSE_COUNT},          {"above", PROSE_MORE},
                 {"between", PROSE_RELEASE},  {"each", PROSE_SOME},
                 {"grew", PROSE_UP},          {"half", PROSE_DIFFERENCE},
                 {"lowest", PROSE_LOW},       {"most", PROSE_HIGH},
                 {"not", PROSE_NEGATION},     {"plunged", PROSE_DOWN},
                 {"ranges", PROSE_RANGE},     {"second", PROSE_ORDER},
                 {"who", PROSE_FUNCTION},     {"zero", PROSE_COUNT},
                 {"according", PROSE_COMMON}, {"yearly", PROSE_COMMON}};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!prose_says(str_of(words[i].word), words[i].says))
            fail_msg("%s has not its role", words[i].word);
    assert_int_equal(prose_of(STR("mos")), 0);
    assert_int_equal(prose_of(STR("mosty")), 0);
    assert_int_equal(prose_of(STR("")), 0);
    assert_int_equal(prose_of(STR("zzz")), 0);
}

/* ---- no finding --------------------------------------------------------- */

static void without_results_nothing_is_found(void **state)
{
    static const char *const right[] = {
        "I cannot answer that for 2024: no dataset holds unicorns.",
        "There is no dataset with unicorns. You could ask for revenue.", NULL};
    static const char *const wrong[] = {
        "Revenue was 5 million.",         "Unicorn sales grew.",
        "Unicorns sold 2024 units.",      "In total there are 42 unicorns.",
        "The unicorn Berlin sells well.", NULL};
    (void)state;
    begin_result();
    question = STR("how many unicorns were sold in 2024, 5 million?");
    for (const char *const *t = right; *t; t++)
        if (check(str_of(*t), true).n_claims)
            fail_msg("a false alarm: %s", *t);
    for (const char *const *t = wrong; *t; t++)
        if (!check(str_of(*t), true).n_claims)
            fail_msg("not noticed: %s", *t);
}

/* ---- what is left ------------------------------------------------------- */

static void a_small_result(void)
{
    begin_result();
    read_columns(STR("city:text revenue:int4"));
    put_row(STR("Dallas|20"));
    put_row(STR("Austin|10"));
}

static void only_the_false_sentence_goes(void **state)
{
    (void)state;
    a_small_result();
    struct str text = STR("Dallas made 20. Austin made 10.\n\n- Together 30.\n"
                          "- Next year 77,777.\n\nThat is all.");
    struct grounding found = check(text, false);
    assert_int_equal(found.n_claims, 1);
    struct str left = grounding_cut(&arena, text, &found);
    assert_true(str_is(left, "Dallas made 20. Austin made 10.\n\n"
                             "- Together 30.\n\nThat is all."));
}

/* The text is read without its marks of emphasis, and cut with them. */
static void a_false_sentence_goes_with_its_marks(void **state)
{
    (void)state;
    a_small_result();
    struct str text = STR("**Dallas** made **20**. **Next year: *77,777*.** "
                          "Austin made `10 * 1`, *which* is __10__.");
    struct grounding found = check(text, false);
    assert_int_equal(found.n_claims, 1);
    struct grounding_claim claim = found.claims[0];
    assert_true(str_is(str_cut(text, claim.sentence_from,
                               claim.sentence_to - claim.sentence_from),
                       "**Next year: *77,777*.**"));
    struct str left = grounding_cut(&arena, text, &found);
    assert_true(str_is(left, "**Dallas** made **20**.  "
                             "Austin made `10 * 1`, *which* is __10__."));
}

static void cells_are_periods_as_a_whole(void **state)
{
    static const struct {
        const char *cell;
        enum figure_kind kind;
        int month;
    } cells[] = {{"2025-Q4", FIGURE_PERIOD, 10},
                 {"Q4 2025", FIGURE_PERIOD, 10},
                 {"Q2", FIGURE_MONTH, 4},
                 {"May", FIGURE_MONTH, 5},
                 {"March 2025", FIGURE_PERIOD, 3}};
    static const char *const others[] = {
        "2025", "5 May 2025", "Q4 plan", "Q9", "H1 2025", "", NULL};
    struct figure f;
    (void)state;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (!figure_period_of_cell(str_of(cells[i].cell), &f) ||
            f.kind != cells[i].kind || f.month != cells[i].month)
            fail_msg("%s is no period", cells[i].cell);
    for (const char *const *o = others; *o; o++)
        if (figure_period_of_cell(str_of(*o), &f))
            fail_msg("%s is a period", *o);
}

static void a_false_answer_leaves_nothing(void **state)
{
    (void)state;
    a_small_result();
    struct str text = STR("Dallas made 77,777. Austin made 10. Fine.");
    struct grounding found = check(text, false);
    assert_true(found.first_bad);
    assert_int_equal(grounding_cut(&arena, text, &found).len, 0);
}

/* ---- bounds ------------------------------------------------------------- */

static void hostile_sizes_are_bounded(void **state)
{
    (void)state;
    struct buf text;
    begin_result();
    read_columns(STR("name:text a:numeric b:numeric c:numeric"));
    buf_init(&text, &arena);
    for (int i = 0; i < 1000; i++)
        put_row(STR("Same Name|12345.67|89.5|0.25"));
    for (int i = 0; i < 590; i++)
        buf_printf(&text, "Same Name has the highest a of %d.5 and fell. ",
                   i + 70000);
    uint64_t before = clock_cpu_us();
    struct grounding found = check(buf_view(&text), false);
    print_message("%llu ms\n",
                  (unsigned long long)(clock_cpu_us() - before) / 1000);
    assert_true(found.n_claims > 0 && !found.whole);
    assert_int_equal(grounding_cut(&arena, buf_view(&text), &found).len, 0);
}

/* 1000 rows, and 140 sentences with figures and comparisons that they show. */
static struct str a_long_answer(void)
{
    struct buf text;
    begin_result();
    read_columns(STR("name:text a:numeric b:numeric c:numeric"));
    for (int i = 0; i < 1000; i++)
        put_row(arena_printf(&arena, "Thing %d|%d.5|89.5|0.25", i, i + 7000));
    buf_init(&text, &arena);
    for (int i = 1; i < 141; i++)
        buf_printf(&text,
                   "Thing %d has %d.5, and Thing 999 the highest total. ", i,
                   i + 7000);
    return buf_finish(&text);
}

static void a_long_answer_is_checked_whole(void **state)
{
    (void)state;
    struct grounding found = check(a_long_answer(), false);
    assert_true(found.whole && found.n_figures >= 140);
    assert_int_equal(found.n_claims, 0);
}

static void a_long_check_goes_on_in_turns(void **state)
{
    (void)state;
    struct str text =
        arena_printf(&arena, "%.*sThing 5 has 4.", STR_ARG(a_long_answer()));
    struct grounding once = check(text, false), found;
    struct grounding_of of = {
        .results = &results, .full_data = &rows, .today = TODAY};
    struct grounding_walk *walk = grounding_begin(&arena, &of, text, &found);
    int turns = 1;
    while (grounding_go_on(walk))
        turns++;
    assert_true(turns > 1 && found.whole && once.whole);
    assert_int_equal(found.n_claims, 1);
    assert_int_equal(once.n_claims, 1);
    assert_int_equal(found.claims->from, once.claims->from);
    assert_int_equal(found.n_figures, once.n_figures);
}

/* Every word may begin a statement about all rows, and no figure is shown. */
static void hostile_comparisons_are_bounded(void **state)
{
    static const char *const parts[] = {
        "all names more than each a other than b, ",
        "followed by two names ",
        "ranges between 7 and half of twice a order ",
        "three straight days name-x lost 5 a month, ",
        "all names except Name 7 have b but 3 hours in 2020, ",
        NULL};
    (void)state;
    for (const char *const *p = parts; *p; p++) {
        struct buf text;
        begin_result();
        read_columns(STR("name:text a_2024:numeric a_2025:numeric b:numeric"));
        for (int i = 0; i < 1000; i++)
            put_row(arena_printf(&arena, "Name %d|%d|89.5|0.25", i, i));
        buf_init(&text, &arena);
        for (int i = 0; i < 12; i++) {
            for (int k = 0; k < 90; k++)
                buf_text(&text, *p);
            buf_printf(&text, "%d.5. ", i + 70000);
        }
        uint64_t before = clock_cpu_us();
        struct grounding found = check(buf_view(&text), false);
        print_message("%llu ms\n",
                      (unsigned long long)(clock_cpu_us() - before) / 1000);
        assert_true(!found.whole || found.n_claims > 0);
        assert_true(clock_cpu_us() - before < 4 * 1000 * 1000);
    }
}

static void an_endless_sentence_is_not_checked(void **state)
{
    (void)state;
    struct buf text;
    a_small_result();
    buf_init(&text, &arena);
    for (int i = 0; i < 2000; i++)
        buf_text(&text, "Dallas made 20, ");
    assert_false(check(buf_view(&text), false).whole);
    assert_false(check(str_cut(buf_view(&text), 0, 9000), false).n_claims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define GROUNDING_TEST(name) \
    cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        GROUNDING_TEST(numbers_are_read_in_all_forms),
        GROUNDING_TEST(dates_are_read_in_all_forms),
        GROUNDING_TEST(identifiers_are_no_numbers),
        GROUNDING_TEST(words_have_their_roles),
        GROUNDING_TEST(sentences_are_judged_rightly),
        GROUNDING_TEST(fresh_sentences_are_judged_rightly),
        GROUNDING_TEST(without_results_nothing_is_found),
        GROUNDING_TEST(only_the_false_sentence_goes),
        GROUNDING_TEST(a_false_sentence_goes_with_its_marks),
        GROUNDING_TEST(cells_are_periods_as_a_whole),
        GROUNDING_TEST(a_false_answer_leaves_nothing),
        GROUNDING_TEST(hostile_sizes_are_bounded),
        GROUNDING_TEST(hostile_comparisons_are_bounded),
        GROUNDING_TEST(a_long_answer_is_checked_whole),
        GROUNDING_TEST(a_long_check_goes_on_in_turns),
        GROUNDING_TEST(an_endless_sentence_is_not_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
