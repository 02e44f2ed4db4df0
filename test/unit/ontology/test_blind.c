/* The blind set (test/data/guardrail/blind), which was written without a look at the
 * rules' code: prints each miss and each false alarm, and demands what has been
 * reached. */
#include "model_help.h"
#include "ontology/guardrail.h"
#include "base/banned.h"

#define FOLDER "test/data/guardrail/blind/"

static struct str tree_file(struct arena *arena, const char *name)
{
    struct str text = model_file(arena, getenv("SEXTANT_SOURCE_ROOT"), name);
    if (!text.len)
        fail_msg("there is no %s", name);
    return text;
}

static const struct ontology *model_named(struct arena *arena, struct str name)
{
    return model_read(
        arena,
        tree_file(
            arena,
            arena_printf(arena, FOLDER "%.*s.osi.yaml", STR_ARG(name)).ptr));
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

static const char *kind_of(const struct query_finding *f)
{
    static const char *const kinds[] = {"unknown_table",  "unknown_column",
                                        "unrelated_join", "fan_out",
                                        "not_judged",     "rule"};
    return f->rule ? f->rule->id : kinds[f->kind];
}

static void report(const char *what, const struct pair *p,
                   const struct query_findings *f)
{
    for (size_t i = 0; i < f->n; i++)
        print_message("# %s\t%.*s\t%.*s\t%s\t%s\t%.*s\t%.*s\n", what,
                      STR_ARG(p->model), STR_ARG(p->rule),
                      kind_of(&f->items[i]),
                      f->items[i].grave ? "FAIL" : "warn", STR_ARG(p->question),
                      STR_ARG(f->items[i].message));
}

/* The finding that the pair is about; other ones do not count. */
static bool is_caught(const struct pair *p, const struct query_findings *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (str_eq(p->rule, str_of(kind_of(&f->items[i]))) ||
            (f->items[i].kind == FINDING_UNRELATED_JOIN && f->items[i].grave &&
             str_is(p->rule, "joins_follow_model")))
            return true;
    return false;
}

static void test_pairs(void **state)
{
    struct str rest = tree_file(*state, FOLDER "rules.sql");
    struct pair p;
    size_t n = 0, caught = 0, flagged = 0;
    for (; next_pair(&rest, &p); n++) {
        const struct ontology *o = model_named(*state, p.model);
        struct query_findings f = judged(*state, o, p.question, p.wrong);
        caught += is_caught(&p, &f);
        if (!is_caught(&p, &f)) {
            print_message("# MISSED\t%.*s\t%.*s\t\t\t%.*s\t\n",
                          STR_ARG(p.model), STR_ARG(p.rule),
                          STR_ARG(p.question));
            report("WRONG", &p, &f);
        }
        f = judged(*state, o, p.question, p.right);
        flagged += f.n > 0;
        report("TWIN", &p, &f);
    }
    print_message("# pairs: %zu caught of %zu, %zu twins flagged\n", caught, n,
                  flagged);
    assert_int_equal(n, 64);
    assert_int_equal(caught, 64);
    assert_int_equal(flagged, 0);
}

static void test_right(void **state)
{
    struct str rest = tree_file(*state, FOLDER "right_asked.sql");
    struct pair p = {0};
    size_t n = 0, flagged = 0;
    for (; next_right(&rest, &p); n++) {
        struct query_findings f =
            judged(*state, model_named(*state, p.model), p.question, p.right);
        flagged += f.n > 0;
        report("RIGHT", &p, &f);
    }
    print_message("# right: %zu flagged of %zu\n", flagged, n);
    assert_true(n >= 160);
    assert_int_equal(flagged, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_pairs),
        model_test(test_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
