/* Rules about the text of a query: each with queries that break it and twins that
 * do not (test/data/guardrail/rules.sql), no false alarm on correct queries
 * (right_asked.sql), and the list in docs/rules.md. */
#include "model_help.h"
#include "ontology/guardrail.h"
#include "base/banned.h"

static struct str tree_file(struct arena *arena, const char *name)
{
    struct str text = model_file(arena, getenv("SEXTANT_SOURCE_ROOT"), name);
    if (!text.len)
        fail_msg("there is no %s", name);
    return text;
}

static const struct ontology *model_named(struct arena *arena, struct str name)
{
    static const char *const files[][2] = {
        {"northwind", "test/data/northwind.osi.yaml"},
        {"chinook", "test/data/chinook.osi.yaml"},
        {"retail", "sql/demo/retail.osi.yaml"},
        {"shop", "test/sweep/shop.osi.yaml"},
        {"visits", "test/data/guardrail/visits.osi.yaml"},
        {"hospital", "test/data/guardrail/hospital.osi.yaml"},
        {"subscriptions", "test/data/guardrail/subscriptions.osi.yaml"},
        {"shipping", "test/data/guardrail/shipping.osi.yaml"},
        {"rail", "test/data/guardrail/rail.osi.yaml"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (str_is(name, files[i][0]))
            return model_read(arena, tree_file(arena, files[i][1]));
    fail_msg("no model %.*s", STR_ARG(name));
    return NULL;
}

static struct query_findings judged(struct arena *arena,
                                    const struct ontology *o,
                                    struct str question, struct str sql)
{
    struct query_findings found;
    struct query_outline outline;
    query_analyze(arena, o, sql, &found, &outline);
    if (!found.read)
        fail_msg("not read: %.*s", STR_ARG(sql));
    findings_for_question(arena, &found, question);
    return found;
}

/* One pair of rules.sql. */
struct pair {
    struct str model, rule, question, wrong, right;
};

static bool next_pair(struct str *rest, struct pair *p)
{
    while (rest->len) {
        ptrdiff_t end = str_find(*rest, STR("\n\n"));
        struct str block =
            str_trim(end < 0 ? *rest : str_cut(*rest, 0, (size_t)end));
        *rest = end < 0 ? STR("") : str_from(*rest, (size_t)end + 2);
        ptrdiff_t line = str_find_char(block, '\n');
        ptrdiff_t twin = str_find(block, STR("\n-- right\n"));
        if (line < 0 || twin < 0)
            continue;
        struct str head = str_cut(block, 3, (size_t)line - 3);
        assert_true(str_split(&head, ' ', &p->model));
        assert_true(str_split(&head, ':', &p->rule));
        p->question = str_trim(head);
        p->wrong = str_cut(block, (size_t)line, (size_t)(twin - line));
        p->right = str_from(block, (size_t)twin + 10);
        return true;
    }
    return false;
}

static bool found_rule(const struct query_findings *f, struct str rule)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct query_finding *one = &f->items[i];
        if (one->rule && str_eq(rule, str_of(one->rule->id)))
            return true;
        if (one->kind == FINDING_UNRELATED_JOIN && one->grave &&
            str_is(rule, "joins_follow_model"))
            return true;
    }
    return false;
}

static void test_each_rule_catches_its_mistakes(void **state)
{
    struct str rest = tree_file(*state, "test/data/guardrail/rules.sql");
    struct pair p;
    size_t n = 0, missed = 0;
    for (; next_pair(&rest, &p); n++) {
        struct query_findings f =
            judged(*state, model_named(*state, p.model), p.question, p.wrong);
        if (found_rule(&f, p.rule))
            continue;
        missed++;
        print_error("%.*s not found in %.*s\n", STR_ARG(p.rule),
                    STR_ARG(p.wrong));
    }
    assert_true(n >= 32);
    assert_int_equal(missed, 0);
}

static void test_the_twins_are_left_alone(void **state)
{
    struct str rest = tree_file(*state, "test/data/guardrail/rules.sql");
    struct pair p;
    size_t flagged = 0;
    while (next_pair(&rest, &p)) {
        struct query_findings f =
            judged(*state, model_named(*state, p.model), p.question, p.right);
        for (size_t i = 0; i < f.n; i++, flagged++)
            print_error("%.*s\n  for %.*s\n", STR_ARG(f.items[i].message),
                        STR_ARG(p.right));
    }
    assert_int_equal(flagged, 0);
}

/* One query of right_asked.sql. */
static bool next_right(struct str *rest, struct pair *p)
{
    while (rest->len) {
        ptrdiff_t end = str_find(*rest, STR("\n\n"));
        struct str block =
            str_trim(end < 0 ? *rest : str_cut(*rest, 0, (size_t)end));
        *rest = end < 0 ? STR("") : str_from(*rest, (size_t)end + 2);
        ptrdiff_t line = str_find_char(block, '\n');
        ptrdiff_t query = str_find(block, STR("\n-- "));
        if (line < 0 || query >= 0)
            continue; /* the heading of the file */
        struct str head = str_cut(block, 3, (size_t)line - 3);
        assert_true(str_split(&head, ':', &p->model));
        p->question = str_trim(head);
        p->right = str_from(block, (size_t)line);
        return true;
    }
    return false;
}

static void test_correct_answers_are_left_alone(void **state)
{
    struct str rest = tree_file(*state, "test/data/guardrail/right_asked.sql");
    struct pair p;
    size_t n = 0, flagged = 0;
    for (; next_right(&rest, &p); n++) {
        struct query_findings f =
            judged(*state, model_named(*state, p.model), p.question, p.right);
        for (size_t i = 0; i < f.n; i++, flagged++)
            print_error("%.*s\n  for %.*s\n", STR_ARG(f.items[i].message),
                        STR_ARG(p.right));
    }
    assert_int_equal(flagged, 0);
    assert_true(n >= 100);
}

static void test_every_rule_has_a_pair_and_a_line_in_the_docs(void **state)
{
    struct str docs = tree_file(*state, "docs/rules.md");
    size_t n;
    const struct query_rule *rules = query_rules(&n);
    for (size_t i = 0; i < n; i++) {
        struct str rest = tree_file(*state, "test/data/guardrail/rules.sql");
        struct pair p;
        bool any = false;
        while (next_pair(&rest, &p))
            any = any || str_eq(p.rule, str_of(rules[i].id));
        if (!any)
            fail_msg("no pair for %s", rules[i].id);
        struct str line =
            arena_printf(*state, "| `%s` | %s | %s | %s |", rules[i].id,
                         rules[i].grave ? "fail" : "warn", rules[i].sentence,
                         rules[i].remedy);
        if (str_find(docs, line) < 0)
            fail_msg("docs/rules.md lacks %.*s", STR_ARG(line));
    }
}

static void test_what_the_question_asks(void **state)
{
    static const struct {
        const char *question;
        enum asked_for asked;
        const char *of;
        bool asks;
    } cases[] = {
        {"Which product sold the most?", ASKS_MOST, "", true},
        {"Products with at most 5 sales", ASKS_MOST, "", false},
        {"The most recent order", ASKS_MOST, "", false},
        {"The most recent order", ASKS_LATEST, "", true},
        {"Highest and lowest prices", ASKS_MOST, "", false},
        {"The most efficient vehicles", ASKS_MOST, "", false},
        {"Who delivers most punctually?", ASKS_MOST, "", false},
        {"The least reliable machines", ASKS_LEAST, "", false},
        {"The most difficult exams", ASKS_MOST, "", false},
        {"The most expensive and valuable parts", ASKS_MOST, "", true},
        {"Who ordered most frequently?", ASKS_MOST, "", true},
        {"Which ward had the most patient visits?", ASKS_MOST, "", true},
        {"Who has the most monthly revenue?", ASKS_MOST, "", true},
        {"The least active users", ASKS_LEAST, "", true},
        {"TOP 5 fastest runners", ASKS_MOST, "", false},
        {"at least three orders", ASKS_LEAST, "", false},
        {"the fewest orders", ASKS_LEAST, "", true},
        {"How many different customers ordered?", ASKS_COUNT_OF,
         "customer|client", true},
        {"How many orders did the customers place?", ASKS_COUNT_OF, "customer",
         false},
        {"number of order details", ASKS_COUNT_OF, "order detail", true},
        {"How many customer orders", ASKS_COUNT_OF, "customer", false},
        {"What do customers buy?", ASKS_COUNT_OF, "customer", false},
        {"share within each region", ASKS_WITHIN, "", true},
        {"share of the total", ASKS_OVERALL, "", true},
        {"share of the European revenue by plan", ASKS_SHARE_OF, "Europe",
         true},
        {"share of revenue in North America by plan", ASKS_SHARE_OF,
         "north america", true},
        {"share of Europe in the revenue", ASKS_SHARE_OF, "Europe", false},
        {"share of revenue that is from Europe", ASKS_SHARE_OF, "Europe",
         false},
        {"European share of the total revenue", ASKS_SHARE_OF, "Europe", false},
        {"European revenue by plan", ASKS_SHARE_OF, "Europe", false},
        {"revenue of each order detail", ASKS_THINGS, "order detail", true},
        {"revenue of the customer", ASKS_THINGS, "customer", true},
        {"revenue of customers by name", ASKS_THINGS, "customer", false},
        {"revenue of each city", ASKS_THINGS, "customer", false},
        {"orders shipped in May", ASKS_WITHOUT, "shipped_date|shipped", false},
        {"orders of May", ASKS_WITHOUT, "shipped_date|shipped", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (question_asks(*state, str_of(cases[i].question), cases[i].asked,
                          str_of(cases[i].of)) != cases[i].asks)
            fail_msg("%s", cases[i].question);
}

static size_t named_like_metrics(struct arena *arena, const struct ontology *o,
                                 const char *sql)
{
    struct query_findings f = judged(arena, o, STR(""), str_of(sql));
    size_t n = 0;
    for (size_t i = 0; i < f.n; i++)
        n += f.items[i].rule && !strcmp(f.items[i].rule->id, "metric_name");
    return n;
}

/* Formulas are compared by what they compute, also in their conditions. */
static void test_formulas_of_metrics(void **state)
{
    static const char model[] =
        "datasets:\n"
        "- name: calls\n"
        "  table: calls\n"
        "  primary_key: [call_id]\n"
        "  fields:\n"
        "  - {name: call_id, datatype: Integer}\n"
        "  - {name: wait, datatype: Integer, description: NULL if hung up}\n"
        "  - {name: rating, datatype: Decimal}\n"
        "  - {name: queue, datatype: String}\n"
        "  - {name: day, datatype: Date}\n"
        "  - {name: paid, datatype: Boolean}\n"
        "  - {name: ended_at, datatype: DateTimeTz}\n"
        "  - {name: price_cents, datatype: Integer}\n"
        "metrics:\n"
        "- {name: in_time, expression: 'count(case when calls.wait <= 30 then 1"
        " end)::numeric / nullif(count(calls.wait), 0)'}\n"
        "- {name: praise, expression: 'sum(case when calls.rating >= 4.5 then 1"
        " else 0 end)', description: Calls with a high rating}\n"
        "- {name: billed, expression: sum(calls.price_cents) / 100.0}\n"
        "- {name: complaints, expression: \"count(case when calls.queue in"
        " ('bills', 'faults') then calls.call_id end)\"}\n"
        "- {name: price, expression: 'sum(calls.price_cents) /"
        " nullif(count(calls.call_id), 0)'}\n"
        "- {name: modern, expression: \"sum(case when calls.day >="
        " '2024-01-01' then calls.price_cents end)\"}\n"
        "- {name: open_bills, expression: sum(case when calls.paid then 0 else"
        " calls.price_cents end)}\n";
    static const char *const right[] = {
        "select avg(case when wait > 30 then 0 else 1 end) as in_time from "
        "calls where wait is not null",
        "select queue, count(*) filter (where 30 >= wait) * 100.0 /"
        " count(wait) as in_time from calls group by queue",
        "select count(*) filter (where wait < 31)::numeric / count(*) as "
        "in_time from calls where wait is not null and day > '2024-05-01'",
        "select avg((wait <= 30)::int) as in_time from calls",
        "select sum(case when not wait > 30 then 1.0 else 0 end) / "
        "count(wait) as in_time from calls",
        "select count(case when rating >= 4.50 then 1 end) as praise from "
        "calls",
        "select count(*) as praise from calls where rating >= 4.5",
        "select count(*) filter (where rating >= 4.5 and queue = 'bills') as "
        "praise from calls",
        "select sum(case when rating < 4.5 then 0 else 1 end) as praise from "
        "calls",
        "select sum(price_cents * 0.01) as billed from calls",
        "select sum(case when queue = 'bills' or queue = 'faults' then 1 else"
        " 0 end) as complaints from calls",
        "select count(*) as complaints from calls where queue in ('faults', "
        "'bills')",
        "select count(*) as complaints from calls where queue = "
        "any(array['faults', 'bills'])",
        "select sum(case queue when 'bills' then 1 when 'faults' then 1 end) "
        "as complaints from calls",
        "select avg(price_cents) as price from calls",
        "select sum(price_cents) / count(*) as price from calls",
        "select sum(price_cents) filter (where day > date '2023-12-31') as "
        "modern from calls",
        "select sum(case when not paid or paid is null then price_cents else"
        " 0 end) as open_bills from calls",
        "select sum(case when paid = true then 0 else price_cents end) as "
        "open_bills from calls",
        "select sum(price_cents) as open_bills from calls where paid = false",
        "with c as (select price_cents from calls where not paid) select "
        "sum(price_cents) as open_bills from c",
    };
    static const char *const wrong[] = {
        "select avg(case when wait <= 60 then 1.0 else 0 end) as in_time from "
        "calls where wait is not null",
        "select avg(case when wait < 30 then 1.0 else 0 end) as in_time from "
        "calls where wait is not null",
        "select avg(case when wait > 30 then 0 else 1 end) as in_time from "
        "calls",
        "select count(*) filter (where wait <= 30)::numeric / count(*) as "
        "in_time from calls where day > '2024-05-01'",
        "select sum(case when rating > 4.5 then 1 else 0 end) as praise from "
        "calls",
        "select count(*) as praise from calls where rating >= 4",
        "select sum(price_cents) as billed from calls",
        "select sum(price_cents) / 10000.0 as billed from calls",
        "select sum(price_cents) * 100 as praise from calls",
        "select count(*) filter (where queue not in ('bills', 'faults')) as "
        "complaints from calls",
        "select sum(price_cents) / count(ended_at) as price from calls",
        "select sum(price_cents) filter (where day > date '2024-01-01') as "
        "modern from calls",
        "select sum(case when paid then price_cents else 0 end) as open_bills"
        " from calls",
        "select sum(price_cents) as open_bills from calls where paid",
    };
    const struct ontology *o = model_read(*state, str_of(model));
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (named_like_metrics(*state, o, right[i]))
            fail_msg("flagged: %s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (named_like_metrics(*state, o, wrong[i]) != 1)
            fail_msg("missed: %s", wrong[i]);
}

/* Derived tables that double at each level must not take exponential time. */
static void test_nested_sums_end_in_time(void **state)
{
    struct buf sql;
    buf_init(&sql, *state);
    buf_text(&sql, "select count(*) from (");
    for (int i = 0; i < 60; i++)
        buf_text(&sql, "select x + x as x, x / (x + x) as y from (");
    buf_text(&sql, "select quantity as x from order_items");
    for (int i = 0; i < 60; i++)
        buf_printf(&sql, ") q%d", i);
    buf_text(&sql, ") q where x / y > 1");
    struct query_findings f = {0};
    struct query_outline outline;
    query_analyze(*state, model_named(*state, STR("retail")), buf_view(&sql),
                  &f, &outline);
    assert_true(f.n <= 20);
}

/* Each of these queries has the keys of both sides of its join. */
static void test_keys_do_not_double(void **state)
{
    struct arena *arena = *state;
    struct buf sql;
    buf_init(&sql, arena);
    buf_text(&sql, "with q0 as (select order_id as x "
                   "from orders)");
    for (int i = 1; i < 14; i++)
        buf_printf(&sql,
                   ", q%d as (select l.x from q%d l join q%d r "
                   "on l.x = r.x)",
                   i, i - 1, i - 1);
    buf_text(&sql, " select count(*) from q13");
    const struct ontology *o = model_named(arena, STR("retail"));
    size_t before = arena->total;
    struct query_findings f = judged(arena, o, STR(""), buf_view(&sql));
    assert_true(f.n <= 20);
    assert_true(arena->total - before < 16 * 1024 * 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_each_rule_catches_its_mistakes),
        model_test(test_the_twins_are_left_alone),
        model_test(test_correct_answers_are_left_alone),
        model_test(test_every_rule_has_a_pair_and_a_line_in_the_docs),
        model_test(test_what_the_question_asks),
        model_test(test_formulas_of_metrics),
        model_test(test_nested_sums_end_in_time),
        model_test(test_keys_do_not_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
