/* Queries that are correct, wrong, or cannot be judged, over six models. The
 * cases are in test/data/guardrail. */
#include "model_help.h"
#include "guard/guard.h"
#include "ontology/guardrail.h"
#include "base/banned.h"

static struct str data_file(struct arena *arena, const char *name)
{
    struct str text = model_file(arena, getenv("SEXTANT_SOURCE_ROOT"), name);
    if (!text.len)
        fail_msg("there is no %s", name);
    return text;
}

/* Read once for each test. */
struct models {
    struct {
        const char *name, *file;
        struct ontology *model;
    } all[6];
};

static struct models models_read(struct arena *arena)
{
    struct models m = {
        {{"northwind", "test/data/northwind.osi.yaml", NULL},
         {"chinook", "test/data/chinook.osi.yaml", NULL},
         {"retail", "sql/demo/retail.osi.yaml", NULL},
         {"hospital", "test/data/guardrail/hospital.osi.yaml", NULL},
         {"subscriptions", "test/data/guardrail/subscriptions.osi.yaml", NULL},
         {"shipping", "test/data/guardrail/shipping.osi.yaml", NULL}}};
    for (size_t i = 0; i < sizeof m.all / sizeof *m.all; i++)
        m.all[i].model = model_read(arena, data_file(arena, m.all[i].file));
    return m;
}

static const struct ontology *model_named(const struct models *m,
                                          struct str name)
{
    for (size_t i = 0; i < sizeof m->all / sizeof *m->all; i++)
        if (str_is(name, m->all[i].name))
            return m->all[i].model;
    fail_msg("no model %.*s", STR_ARG(name));
    return NULL;
}

/* The next block: its first line without "-- ", and its SQL. Blocks that are
 * only comments are skipped. */
static bool next_block(struct str *rest, struct str *head, struct str *sql)
{
    while (rest->len) {
        ptrdiff_t end = str_find(*rest, STR("\n\n"));
        struct str block =
            str_trim(end < 0 ? *rest : str_cut(*rest, 0, (size_t)end));
        *rest = end < 0 ? STR("") : str_from(*rest, (size_t)end + 2);
        ptrdiff_t line = str_find_char(block, '\n');
        *head = str_from(str_cut(block, 0, line < 0 ? 0 : (size_t)line), 3);
        *sql = line < 0 ? STR("") : str_from(block, (size_t)line + 1);
        if (sql->len && !str_starts(*sql, STR("--")))
            return true;
    }
    return false;
}

static struct query_findings judged(struct arena *arena,
                                    const struct ontology *o, struct str sql)
{
    struct query_findings found;
    struct query_outline outline;
    query_analyze(arena, o, sql, &found, &outline);
    if (!found.read)
        fail_msg("not read: %.*s", STR_ARG(sql));
    findings_for_question(arena, &found, STR(""));
    return found;
}

static void test_right_queries_raise_nothing(void **state)
{
    struct models models = models_read(*state);
    struct str rest = data_file(*state, "test/data/guardrail/right.sql");
    struct str head, sql;
    size_t n = 0, wrong = 0;
    for (; next_block(&rest, &head, &sql); n++) {
        struct query_findings f =
            judged(*state, model_named(&models, head), sql);
        for (size_t i = 0; i < f.n; i++, wrong++)
            print_error("%.*s\n  for %.*s\n", STR_ARG(f.items[i].message),
                        STR_ARG(sql));
    }
    assert_int_equal(wrong, 0);
    assert_true(n >= 60);
}

static bool found_as(const struct query_findings *f, struct str what,
                     struct str piece)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct query_finding *one = &f->items[i];
        bool kind = (str_is(what, "fan_out") && one->kind == FINDING_FAN_OUT &&
                     one->grave) ||
                    (str_is(what, "mild_fan_out") &&
                     one->kind == FINDING_FAN_OUT && !one->grave) ||
                    (str_is(what, "unrelated") &&
                     one->kind == FINDING_UNRELATED_JOIN && !one->grave) ||
                    (str_is(what, "other_columns") &&
                     one->kind == FINDING_UNRELATED_JOIN && one->grave) ||
                    (str_is(what, "unknown") &&
                     one->kind <= FINDING_UNKNOWN_COLUMN && one->grave);
        if (kind && str_find(one->message, piece) >= 0)
            return true;
    }
    return false;
}

static void test_every_planted_mistake_is_found(void **state)
{
    struct models models = models_read(*state);
    struct str rest = data_file(*state, "test/data/guardrail/wrong.sql");
    struct str head, sql;
    size_t n = 0, missed = 0;
    for (; next_block(&rest, &head, &sql); n++) {
        struct str piece = head, model, what;
        assert_true(str_split(&piece, ' ', &model));
        assert_true(str_split(&piece, ':', &what));
        struct query_findings f =
            judged(*state, model_named(&models, model), sql);
        if (found_as(&f, what, str_trim(piece)))
            continue;
        missed++;
        print_error("not found: %.*s\n  in %.*s\n", STR_ARG(head),
                    STR_ARG(sql));
        for (size_t i = 0; i < f.n; i++)
            print_error("  but: %.*s\n", STR_ARG(f.items[i].message));
    }
    assert_int_equal(missed, 0);
    assert_true(n >= 40);
}

static void test_what_the_text_does_not_tell_is_not_judged(void **state)
{
    struct models models = models_read(*state);
    struct str rest = data_file(*state, "test/data/guardrail/unsure.sql");
    struct str head, sql;
    while (next_block(&rest, &head, &sql)) {
        struct query_findings f =
            judged(*state, model_named(&models, head), sql);
        for (size_t i = 0; i < f.n; i++)
            if (f.items[i].kind != FINDING_NOT_JUDGED)
                fail_msg("%.*s\n  for %.*s", STR_ARG(f.items[i].message),
                         STR_ARG(sql));
        if (f.n == 0)
            fail_msg("nothing was said of %.*s", STR_ARG(sql));
    }
}

/* Any query that the guard allows, on tables of no model. */
static void
test_what_a_source_reads_is_known_with_and_without_its_schema(void **state)
{
    static const char model[] =
        "datasets:\n"
        "- name: recent\n"
        "  source: select id, amount from orders join public.stock using (id)\n"
        "  fields: [{name: amount, expression: amount}]\n";
    static const char *const queries[] = {
        "select sum(r.amount) from (select id, amount from orders) as r",
        "select amount from public.orders", "select amount from stock"};
    const struct ontology *o = model_read(*state, str_of(model));
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        assert_int_equal(judged(*state, o, str_of(queries[i])).n, 0);
    assert_int_equal(judged(*state, o, STR("select 1 from stocks")).n, 1);
}

/* A model that relates two tables in one role only. */
static void
test_another_role_is_doubtful_and_other_columns_are_wrong(void **state)
{
    static const char model[] =
        "datasets:\n"
        "- name: departments\n"
        "  table: departments\n"
        "  primary_key: [id_depto]\n"
        "  fields: [{name: id_depto}, {name: nombre}, {name: id_director}]\n"
        "- name: profesores\n"
        "  table: profesores\n"
        "  primary_key: [id_profesor]\n"
        "  fields: [{name: id_profesor}, {name: id_depto}, {name: nombre}]\n"
        "relationships:\n"
        "- {name: of, from: profesores, to: departments,\n"
        "   from_columns: [id_depto], to_columns: [id_depto]}\n";
    static const struct {
        const char *sql, *what;
    } queries[] = {
        {"select d.nombre, p.nombre from departments d join profesores p on"
         " p.id_profesor = d.id_director",
         "unrelated"},
        {"select d.nombre, p.nombre from departments d join profesores p on"
         " p.nombre = d.nombre",
         "other_columns"}};
    const struct ontology *o = model_read(*state, str_of(model));
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct query_findings f = judged(*state, o, str_of(queries[i].sql));
        if (!found_as(&f, str_of(queries[i].what), STR("follows no")))
            fail_msg("%s is not %s", queries[i].sql, queries[i].what);
    }
}

static void test_any_query_can_be_judged(void **state)
{
    struct models models = models_read(*state);
    struct str rest = data_file(*state, "test/data/guard/valid.sql"), sql;
    struct guard_policy policy = {.any_relation = true};
    size_t n = 0;
    while (rest.len) {
        ptrdiff_t end = str_find(rest, STR("\n\n"));
        struct guard_verdict verdict;
        sql = end < 0 ? rest : str_cut(rest, 0, (size_t)end);
        rest = end < 0 ? STR("") : str_from(rest, (size_t)end + 2);
        guard_check(*state, sql, &policy, &verdict);
        if (!verdict.ok)
            continue;
        judged(*state, model_named(&models, STR("retail")), sql);
        n++;
    }
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_right_queries_raise_nothing),
        model_test(test_every_planted_mistake_is_found),
        model_test(
            test_what_a_source_reads_is_known_with_and_without_its_schema),
        model_test(test_any_query_can_be_judged),
        model_test(test_another_role_is_doubtful_and_other_columns_are_wrong),
        model_test(test_what_the_text_does_not_tell_is_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
