/* The tree of a YAML text: lines and columns of nodes, and writing them. */
#include "model_help.h"
#include "tree.h"
#include "base/banned.h"

static struct tree *tree_of(struct arena *arena, struct str text)
{
    struct tree_problem problem;
    struct tree *root = tree_read(arena, text, &problem);
    if (!root)
        fail_msg("%d:%d %s\n%.*s", problem.line, problem.column,
                 problem.message, STR_ARG(text));
    return root;
}

static struct str emitted(struct arena *arena, const struct tree *node)
{
    struct buf out;
    buf_init(&out, arena);
    tree_emit(node, &out);
    return buf_view(&out);
}

static void test_nodes_know_their_place_and_their_path(void **state)
{
    const struct tree *root =
        tree_of(*state, STR("a:\n  - \xc3\xa4: [x, {y: z}]\n  - 2\n"));
    const struct tree *a = tree_get(root, "a");
    const struct tree *list = tree_get(a->first, "\xc3\xa4");
    const struct tree *z = tree_get(list->first->next, "y");
    assert_int_equal(z->line, 2);
    assert_int_equal(z->column, 16);
    assert_str(tree_path(*state, z), "/a/0/\xc3\xa4/1/y");
    assert_str(tree_path(*state, a->first->next), "/a/1");
    assert_str(tree_path(*state, root), "");
    assert_int_equal(list->n, 2);
    assert_null(tree_get(root, "b"));
    assert_null(tree_get(list, "b"));
}

static void test_null_is_what_has_no_quotes(void **state)
{
    const struct tree *root =
        tree_of(*state, STR("[~, null, \"null\", '', x, ]"));
    bool wanted[] = {true, true, false, false, false};
    size_t i = 0;
    for (const struct tree *v = root->first; v; v = v->next)
        assert_int_equal(tree_is_null(v), wanted[i++]);
    assert_int_equal(i, 5);
}

/* Texts that some readers misread, as the inside of double quotes. */
static const char *const texts[] = {
    "plain",     "two words",   " blank ",    "a: b",
    "a #b",      "#a",          "a:",         "- a",
    "-a",        "? a",         "!a",         "&a",
    "*a",        "%a",          "@a",         "`a",
    "'a",        "\\\"a",       "|",          ">",
    "{a",        "[a",          "a]",         "a,b",
    "---",       "--- a",       "...",        "... a",
    "<<",        "~",           "null",       "true",
    "12",        "1e3",         "0x1f",       "=",
    "",          "a\\nb",       "a\\nb\\n",   "\\na",
    "a\\n\\n",   "a\\n\\n\\nb", " a\\nb",     "a \\nb",
    "a\\n b",    "a\\tb",       "\\ta",       "a\\r",
    "a\\r\\nb",  "\\a",         "\\x7f",      "\\x85",
    "a\\u2028b", "\\ufeffa",    "\\u263a",    "\\U0001f600",
    "it's",      "a''b",        "\\\\",       ": a",
    ":a",        "a::b",        "-",          "?",
    "- ",        "a\\n---\\nb", "a\\n# b\\n", "a\\n\\tb\\n",
    "key: |",    "a\\\\nb",     "\\n",
};

/* In every style, as a value, as a key and as an item. */
static void survives(struct arena *arena, const char *text,
                     enum tree_style style)
{
    struct tree *root =
        tree_of(arena, arena_printf(arena, "k: \"%s\"\n\"%s\": [\"%s\"]\n",
                                    text, text, text));
    struct tree *value = root->first, *list = value->next;
    struct str wanted = value->text;
    value->style = list->first->style = list->key->style = style;
    if (tree_is_null(value)) /* that is another value */
        return;
    struct str out = emitted(arena, root);
    const struct tree *again = tree_of(arena, out)->first;
    if (!str_eq(again->text, wanted) ||
        !str_eq(again->next->key->text, wanted) ||
        !str_eq(again->next->first->text, wanted))
        fail_msg("\"%s\" in style %d became\n%.*s", text, (int)style,
                 STR_ARG(out));
}

static void test_every_text_survives_being_written(void **state)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int style = TREE_PLAIN; style <= TREE_BLOCK; style++)
            survives(*state, texts[i], (enum tree_style)style);
}

static void test_nested_lists_and_maps_are_written_in_block_style(void **state)
{
    const struct tree *root = tree_of(
        *state, STR("[[1, [2]], {a: [], b: {}, c: {d: [e, {f: g, h: i}]}}]"));
    assert_str(emitted(*state, root), "- - 1\n"
                                      "  - - 2\n"
                                      "- a: []\n"
                                      "  b: {}\n"
                                      "  c:\n"
                                      "    d:\n"
                                      "      - e\n"
                                      "      - f: g\n"
                                      "        h: i\n");
}

static void test_a_literal_stays_one(void **state)
{
    static const char text[] = "a:\n"
                               "  - |\n"
                               "    one\n"
                               "      two\n"
                               "\n"
                               "    three\n"
                               "  - b: |-\n"
                               "      x\n"
                               "      y\n";
    assert_str(emitted(*state, tree_of(*state, str_of(text))), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        model_test(test_nodes_know_their_place_and_their_path),
        model_test(test_null_is_what_has_no_quotes),
        model_test(test_every_text_survives_being_written),
        model_test(test_nested_lists_and_maps_are_written_in_block_style),
        model_test(test_a_literal_stays_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
