/* The blind sets (test/data/guardrail/blind, blind2 and blind3), which were written
 * without a look at the rules' code, and new forms (forms, forms2, ferries) of what
 * they taught: prints each miss and each false alarm, and demands what has been
 * reached. */
#include "model_help.h"
#include "ontology/guardrail.h"
#include "base/banned.h"

struct set {
    const char *folder;
    size_t pairs, right;
    size_t warned; /* of the right ones: the model does not say enough */
    size_t missed; /* of the pairs */
};
static const struct set sets[] = {
    {"blind", 64, 160, 0, 0},  {"blind2", 64, 160, 2, 0},
    {"blind3", 75, 287, 8, 0}, {"forms", 53, 30, 0, 0},
    {"forms2", 65, 84, 0, 0},  {"ferries", 46, 17, 2, 1},
};
static const struct set *set;

static struct str tree_file(struct arena *arena, const char *name)
{
    struct str path =
        arena_printf(arena, "test/data/guardrail/%s/%s", set->folder, name);
    struct str text =
        model_file(arena, getenv("SEXTANT_SOURCE_ROOT"), path.ptr);
    if (!text.len)
        fail_msg("there is no %s", path.ptr);
    return text;
}

static const struct ontology *model_named(struct arena *arena, struct str name)
{
    struct str file = arena_printf(arena, "%.*s.osi.yaml", STR_ARG(name));
    return model_read(arena, tree_file(arena, file.ptr));
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
            (f->items[i].kind == FINDING_UNRELATED_JOIN &&
             str_is(p->rule, "joins_follow_model")))
            return true;
    return false;
}

static bool check_pairs(struct arena *arena)
{
    struct str rest = tree_file(arena, "rules.sql");
    struct pair p;
    size_t n = 0, caught = 0, flagged = 0;
    for (; next_pair(&rest, &p); n++) {
        const struct ontology *o = model_named(arena, p.model);
        struct query_findings f = judged(arena, o, p.question, p.wrong);
        caught += is_caught(&p, &f);
        if (!is_caught(&p, &f)) {
            print_message("# MISSED\t%.*s\t%.*s\t\t\t%.*s\t\n",
                          STR_ARG(p.model), STR_ARG(p.rule),
                          STR_ARG(p.question));
            report("WRONG", &p, &f);
        }
        f = judged(arena, o, p.question, p.right);
        flagged += f.n > 0;
        report("TWIN", &p, &f);
    }
    print_message("# %s: %zu caught of %zu, %zu twins flagged\n", set->folder,
                  caught, n, flagged);
    return n == set->pairs && caught + set->missed == n && !flagged;
}

static bool check_right(struct arena *arena)
{
    struct str rest = tree_file(arena, "right_asked.sql");
    struct pair p = {0};
    size_t n = 0, flagged = 0;
    for (; next_right(&rest, &p); n++) {
        struct query_findings f =
            judged(arena, model_named(arena, p.model), p.question, p.right);
        flagged += f.n > 0;
        report("RIGHT", &p, &f);
    }
    print_message("# %s: %zu right ones flagged of %zu\n", set->folder, flagged,
                  n);
    return n >= set->right && flagged <= set->warned;
}

static void test_sets(void **state, bool (*check)(struct arena *arena))
{
    bool right = true;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        set = &sets[i];
        right = check(*state) && right;
    }
    assert_true(right);
}

static void test_pairs(void **state)
{
    test_sets(state, check_pairs);
}

static void test_right(void **state)
{
    test_sets(state, check_right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_pairs),
        model_test(test_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
