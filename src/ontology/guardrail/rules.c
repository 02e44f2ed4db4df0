/* rules.c - the table of rules, and what breaks one. */
#include "rule.h"
#include "../words.h"
#include "base/banned.h"

#define GRAVE true
#define MILD false
static const struct query_rule rules[] = {
#define RULE(name, id, severity, sentence, remedy) \
    {id, severity, sentence, remedy},
#include "rules.def"
#undef RULE
};

const struct query_rule *query_rules(size_t *n)
{
    _Static_assert((int)RULE_COUNT == (int)QUERY_RULES, "count them");
    *n = RULE_COUNT;
    return rules;
}

const struct query_rule *query_rule_named(struct str id)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (str_is(id, rules[i].id))
            return &rules[i];
    return NULL;
}

void rule_broken(struct guardrail_check *j, enum rule_name rule,
                 enum asked_for asked, struct str of, const char *format, ...)
{
    struct query_findings *f = j->findings;
    size_t before = f->n;
    va_list args;
    va_start(args, format);
    struct str what = arena_vprintf(j->arena, format, args);
    va_end(args);
    finding_add(j, FINDING_RULE, rules[rule].grave, "%.*s %s", STR_ARG(what),
                rules[rule].remedy);
    if (f->n == before)
        return;
    f->items[before].rule = &rules[rule];
    f->items[before].asked = asked;
    f->items[before].asked_of = of;
}

static bool names_word(struct arena *arena, struct str name, struct str word)
{
    struct name_words w = name_words(arena, name);
    for (size_t i = 0; i < w.n; i++)
        if (str_eq(w.one[i], word))
            return true;
    return false;
}

/* A dataset or a field of the model is called so. */
static bool is_of_model(const struct guardrail_check *j, struct str word)
{
    for (size_t i = 0; i < j->o->n_datasets; i++) {
        const struct dataset *d = &j->o->datasets[i];
        if (names_word(j->arena, d->name, word))
            return true;
        for (size_t k = 0; k < d->n_fields; k++)
            if (names_word(j->arena, d->fields[k].name, word))
                return true;
    }
    return false;
}

struct str rule_any_rows(const struct guardrail_check *j)
{
    static const char any[] = "random|preview|any|some|a few|snippet|exists";
    static const char *const words[] = {"sample", "example"};
    struct str out = STR(any);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!is_of_model(j, str_of(words[i])))
            out = arena_printf(j->arena, "%.*s|%s|%ss", STR_ARG(out), words[i],
                               words[i]);
    return out;
}
