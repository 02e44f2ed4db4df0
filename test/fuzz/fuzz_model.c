/* fuzz_model.c - any text as a semantic model.
 *
 * It is read or refused; what was read comes back from its JSON unchanged, its
 * datasets' texts are read again as the same, all that is made of it can be
 * made, and an edit of its text changes what it says. */
#include "ontology/columns.h"
#include "ontology/graph.h"
#include "ontology/model_changes.h"
#include "ontology/model_json.h"
#include "ontology/osi.h"
#include "ontology/osi_edit.h"
#include "ontology/similarity.h"
#include "ontology/brief.h"
#include "ontology/text.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/banned.h"

/* An assert that is on in every build. */
static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void round_trip(struct arena *arena, const struct ontology *o)
{
    struct buf once, twice;
    buf_init(&once, arena);
    buf_init(&twice, arena);
    ontology_to_json(o, &once);
    json_t *json = json_read(buf_view(&once), NULL);
    must(json, "the JSON is none");
    const struct ontology *again = ontology_from_json(arena, json, NULL);
    json_decref(json);
    must(again, "the JSON is refused");
    ontology_to_json(again, &twice);
    must(str_eq(buf_view(&once), buf_view(&twice)), "the JSON has changed");
}

/* The dataset's text, read as the one element of a list of datasets: alone it
 * would be a model where an unknown key of it is called `datasets`. */
static struct str alone(struct arena *arena, struct str yaml)
{
    struct buf text;
    buf_init(&text, arena);
    buf_text(&text, "datasets:\n  - ");
    for (size_t i = 0; i < yaml.len; i++) {
        buf_char(&text, yaml.ptr[i]);
        if (yaml.ptr[i] == '\n')
            buf_text(&text, "    ");
    }
    return buf_finish(&text);
}

static void yaml_again(struct arena *arena, const struct dataset *d)
{
    struct ontology *again;
    struct osi_report report;
    struct str text = alone(arena, d->yaml);
    if (text.len > OSI_MAX_BYTES)
        return;
    if (!osi_read(arena, text, &again, &report)) {
        struct buf why;
        buf_init(&why, arena);
        osi_report_print(&report, &why);
        fprintf(stderr, "%.*s--\n%.*s\n", STR_ARG(buf_view(&why)),
                STR_ARG(text));
        must(false, "the YAML is refused");
    }
    must(again->n_datasets == 1, "the YAML is not one dataset");
    must(str_eq(again->datasets[0].name, d->name), "the name has changed");
    must(str_eq(again->datasets[0].yaml, d->yaml), "the YAML has changed");
}

static void use(struct arena *arena, const struct ontology *o)
{
    struct buf out;
    struct join_tree tree;
    float query[LEXICAL_DIMENSIONS];
    size_t some[] = {0, o->n_datasets / 2, o->n_datasets - 1};
    buf_init(&out, arena);
    dataset_list_markdown(o, &out);
    brief_put_notes(o, &out);
    brief_put_relationships(o, NULL, 0, &out);
    brief_put_metrics(o, NULL, 0, &out);
    brief_put_datasets(o, some, 3, 700, &out, NULL);
    datasets_yaml(o, some, 3, 700, &out);
    for (size_t budget = 1; budget < 600; budget += 97) {
        buf_clear(&out);
        dataset_digest(&o->datasets[0], budget, &out);
        must(out.len <= budget, "the digest is over its budget");
    }
    ontology_join_tree(arena, o, some, 3, &tree);
    ontology_relations(arena, o);
    ontology_nearest_columns(arena, o, 0, o->datasets[0].name, 3);
    lexical_embed(o->datasets[0].yaml, query);
    struct similarity search = {.ontology = o,
                                .vectors = ontology_lexical_vectors(arena, o),
                                .dimensions = LEXICAL_DIMENSIONS,
                                .query = query,
                                .top_k = 3};
    similarity_begin(arena, &search);
    while (similarity_continue(&search, 1000))
        continue;
}

/* Each edit of the first dataset gives a text that says it, whatever the style
 * of the first one. */
static void edited(struct arena *arena, struct str text, struct str name)
{
    static const char label[] = "a: #b";
    struct osi_edited out;
    struct ontology *all, *shown;
    struct osi_report report;
    json_t *edits = json_pack(
        "[{s:s, s:s, s:s%, s:{s:s, s:n, s:[ss], s:s}}]", "op", "set", "kind",
        "dataset", "name", name.ptr, name.len, "values", "label", label,
        "description", "synonyms", "no", "- x", "instructions", "1\n 2\n");
    must(edits, "the edits are none");
    bool done = osi_edit(arena, text, edits, &out);
    json_decref(edits);
    if (!done) {
        must(out.problem.len > 0, "no reason given");
        return;
    }
    if (!osi_read_all(arena, out.text, &all, &shown, &report)) {
        must(out.text.len > OSI_MAX_BYTES / 2, "the edited text is refused");
        return;
    }
    const struct dataset *d = &all->datasets[0];
    must(str_is(d->label, label), "the label is another one");
    must(d->description.len == 0, "the description is still there");
    must(d->hints.synonyms.n == 2, "the synonyms are others");
    must(str_is(d->hints.instructions, "1\n 2"), "the text is another one");
    model_changes(arena, all, all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct ontology *o;
    struct osi_report report;
    arena_init(&arena, 0);
    struct str text = {(const char *)data, size};
    if (osi_read(&arena, text, &o, &report)) {
        must(o->n_datasets > 0, "a model without datasets");
        round_trip(&arena, o);
        for (size_t i = 0; i < o->n_datasets && i < 3; i++)
            yaml_again(&arena, &o->datasets[i]);
        use(&arena, o);
        edited(&arena, text, o->datasets[0].name);
    } else {
        must(report.n_errors > 0 && report.n_findings > 0, "no reason given");
    }
    arena_done(&arena);
    return 0;
}
