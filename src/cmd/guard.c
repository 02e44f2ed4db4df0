/* guard.c - the command line of the guard; see cmd/guard.h. */
#include "cmd/guard.h"
#include "base/json.h"
#include "guard/guard.h"
#include "help.h"
#include <getopt.h>
#include <stdio.h>
#include "base/banned.h"

enum { EXIT_REFUSED = 1 };

static void write_verdict(struct buf *out, const struct guard_verdict *verdict)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_put_object(&w);
    json_field_bool(&w, "ok", verdict->ok);
    if (verdict->ok) {
        json_field_strs(&w, "relations", verdict->relations,
                        verdict->n_relations);
    } else {
        json_field_str(&w, "code", verdict->code);
        json_field_str(&w, "reason", verdict->reason);
        json_field_int(&w, "position", verdict->position);
    }
    json_put_object_end(&w);
    buf_char(out, '\n');
}

static void refuse_input(struct guard_verdict *verdict, struct str reason)
{
    *verdict = (struct guard_verdict){.code = STR("input"), .reason = reason};
}

static void judge_line(struct str line, bool whole,
                       const struct guard_policy *policy)
{
    struct arena arena;
    struct guard_verdict verdict;
    struct json_problem problem = {0};
    struct buf out;
    arena_init(&arena, 0);
    buf_init(&out, &arena);
    json_t *text = whole ? json_read(line, &problem) : NULL;
    if (!whole)
        refuse_input(&verdict, STR("The line is too long."));
    else if (!text)
        refuse_input(&verdict,
                     arena_printf(&arena, "The line is not a JSON string: %s.",
                                  problem.text));
    else if (!json_is_string(text))
        refuse_input(&verdict, STR("The line is not a JSON string."));
    else
        guard_check(&arena, json_text(text), policy, &verdict);
    write_verdict(&out, &verdict);
    fwrite(out.ptr, 1, out.len, stdout);
    fflush(stdout);
    json_decref(text);
    arena_done(&arena);
}

/* Reads the next line, without its end, into *line, at most GUARD_MAX_LINE
 * bytes of it; *whole is false if it was longer. Returns false at the end of
 * the input. */
static bool read_input_line(FILE *in, struct buf *line, bool *whole)
{
    int c;
    buf_clear(line);
    *whole = true;
    while ((c = getc_unlocked(in)) != EOF && c != '\n') {
        if (line->len < GUARD_MAX_LINE)
            buf_char(line, (char)c);
        else
            *whole = false;
    }
    return c != EOF || line->len > 0;
}

static void judge_lines(const struct guard_policy *policy)
{
    struct buf line;
    bool whole;
    buf_init(&line, NULL);
    while (read_input_line(stdin, &line, &whole))
        judge_line(buf_view(&line), whole, policy);
    buf_done(&line);
}

static int judge_argument(struct arena *arena, struct str sql,
                          const struct guard_policy *policy)
{
    struct guard_verdict verdict;
    guard_check(arena, sql, policy, &verdict);
    if (!verdict.ok) {
        printf("refused (%.*s, at %d): %.*s\n", STR_ARG(verdict.code),
               verdict.position, STR_ARG(verdict.reason));
        return EXIT_REFUSED;
    }
    printf("allowed; reads");
    for (size_t i = 0; i < verdict.n_relations; i++)
        printf("%s %.*s", i ? "," : "", STR_ARG(verdict.relations[i]));
    printf("%s\n", verdict.n_relations ? "" : " no relation");
    return 0;
}

static void set_relations(struct arena *arena, struct guard_policy *policy,
                          struct str list)
{
    struct str name, rest = list;
    struct str *names = arena_new_array(arena, struct str, list.len + 1);
    while (str_split(&rest, ',', &name))
        if (str_trim(name).len)
            names[policy->n_relations++] = str_trim(name);
    policy->relations = names;
    policy->any_relation = false;
}

static int run_guard(struct arena *arena, int argc, char **argv)
{
    static const struct option options[] = {
        {"jsonl", no_argument, NULL, 'j'},
        {"relations", required_argument, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    struct guard_policy policy = {.any_relation = true};
    bool lines = false;
    int option;
    optind = 0;
    argv[0] = "sextant guard"; /* prefix of getopt's messages */
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'j')
            lines = true;
        else if (option == 'r')
            set_relations(arena, &policy, str_of(optarg));
        else
            return usage_error("guard", NULL);
    }
    if (argc - optind != (lines ? 0 : 1))
        return usage_error("guard", NULL);
    if (!lines)
        return judge_argument(arena, str_of(argv[optind]), &policy);
    judge_lines(&policy);
    return 0;
}

int cmd_guard(int argc, char **argv)
{
    struct arena arena;
    arena_init(&arena, 0);
    int status = run_guard(&arena, argc, argv);
    arena_done(&arena);
    return status;
}
