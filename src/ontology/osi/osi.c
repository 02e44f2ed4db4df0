/* osi.c - reads a semantic model: finds out which form of OSI the text has,
 * then reads its parts in order. If parts are hidden, it reads the rest a second
 * time (hidden.c). */
#include "ontology/osi.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "hidden.h"
#include "reader.h"
#include "base/banned.h"

static const char *const root_keys[] = {"version", "semantic_model", "dialects",
                                        "vendors", NULL};
static const char *const model_keys[] = {
    "name",    "description",       "ai_context", "datasets", "relationships",
    "metrics", "custom_extensions", "version",    "synonyms", NULL};

static const char *const versions[] = {"0.1",        "0.1.0", "0.1.1", "0.2.0",
                                       "0.2.0.dev0", "1.0",   NULL};

static void read_version(struct osi_reader *reader, const struct tree *root)
{
    const struct tree *node = reader_value(root, "version");
    struct str version = reader_text(reader, node);
    const char *const *known = versions;
    while (*known && !str_is(version, *known))
        known++;
    if (version.len && !*known)
        reader_warn(reader, node,
                    "version %.*s is not known; it is read as 0.2.0.dev0",
                    STR_ARG(utf8_cut(version, 40)));
    reader->model->version = version;
}

static void read_model(struct osi_reader *reader, const struct tree *map)
{
    struct ontology *model = reader->model;
    if (!reader_is_map(reader, map))
        return;
    reader_warn_unknown_keys(reader, map, model_keys);
    const struct tree *name = reader_value(map, "name");
    if (name || !reader->flat)
        model->name = reader_name(reader, map, name, "name");
    model->description = reader_text(reader, reader_value(map, "description"));
    model->hints = reader_hints(reader, map);
    const struct tree *datasets = tree_get(map, "datasets");
    if (!datasets)
        reader_error(reader, map, "datasets is missing");
    else if (tree_is_null(datasets) ||
             (datasets->kind == TREE_LIST && !datasets->first))
        reader_error(reader, datasets, "there is no dataset");
    osi_read_datasets(reader, reader_list(reader, datasets));
    osi_read_relationships(reader,
                           reader_list(reader, tree_get(map, "relationships")));
    osi_read_metrics(reader, reader_list(reader, tree_get(map, "metrics")));
}

static void read_semantic_model(struct osi_reader *reader,
                                const struct tree *root)
{
    const struct tree *models = tree_get(root, "semantic_model");
    reader_warn_unknown_keys(reader, root, root_keys);
    if (models->kind == TREE_MAP) {
        read_model(reader, models);
    } else if (models->kind != TREE_LIST) {
        reader_error(reader, models, "semantic_model must be a list");
    } else if (!models->first) {
        reader_error(reader, models, "there is no semantic model");
    } else {
        read_model(reader, models->first);
        if (models->first->next)
            reader_warn(reader, models->first->next,
                        "only the first semantic model is read");
    }
}

static bool is_dataset(const struct tree *node)
{
    return tree_get(node, "fields") || tree_get(node, "table") ||
           tree_get(node, "source");
}

/* A list at the root: datasets, or else models. */
static void read_root_list(struct osi_reader *reader, const struct tree *root)
{
    if (!root->first)
        reader_error(reader, root, "there is no dataset");
    else if (tree_get(root->first, "datasets"))
        read_model(reader, root->first);
    else
        osi_read_datasets(reader, root);
}

static void read_root(struct osi_reader *reader, const struct tree *root)
{
    reader->flat = true;
    if (root->kind == TREE_TEXT) {
        reader_error(reader, root, "this is plain text, not a semantic model");
        return;
    }
    reader_check_keys(reader, root);
    if (root->kind == TREE_LIST) {
        read_root_list(reader, root);
        return;
    }
    read_version(reader, root);
    if (tree_get(root, "semantic_model")) {
        reader->flat = false;
        read_semantic_model(reader, root);
    } else if (tree_get(root, "datasets")) {
        read_model(reader, root);
    } else if (is_dataset(root)) {
        osi_read_datasets(reader, root);
    } else {
        reader_error(reader, root, "semantic_model is missing");
    }
}

static struct osi_reader reader_of(struct arena *arena)
{
    return (struct osi_reader){.arena = arena,
                               .model = arena_new(arena, struct ontology)};
}

/* The model without what it hides; its text was read without an error. */
static struct ontology *read_shown(struct arena *arena, struct tree *root,
                                   const struct ontology *all)
{
    struct osi_reader reader = reader_of(arena);
    if (!hidden_parts(all))
        return NULL;
    hidden_remove(root, all);
    read_root(&reader, root);
    hidden_mark(arena, all, reader.model);
    return reader.model;
}

static void read_all(struct osi_reader *reader, struct str text,
                     struct tree **root)
{
    struct tree_problem problem;
    *root = tree_read(reader->arena, text, &problem);
    if (*root)
        read_root(reader, *root);
    else
        reader_problem(reader, &problem);
    if (*root && hidden_all(reader->model))
        reader_error(reader, *root,
                     "every dataset is hidden; at least one must be visible");
}

bool osi_read_all(struct arena *arena, struct str text, struct ontology **all,
                  struct ontology **out, struct osi_report *report)
{
    struct osi_reader reader = reader_of(arena);
    struct tree *root;
    read_all(&reader, text, &root);
    reader_report(&reader, report);
    *all = *out = report->n_errors ? NULL : reader.model;
    if (*all) {
        struct ontology *shown = read_shown(arena, root, *all);
        *out = shown ? shown : *all;
    }
    return *all != NULL;
}

bool osi_read(struct arena *arena, struct str text, struct ontology **out,
              struct osi_report *report)
{
    struct ontology *all;
    return osi_read_all(arena, text, &all, out, report);
}

bool osi_to_yaml(struct arena *arena, struct str text, struct buf *out)
{
    struct tree_problem problem;
    const struct tree *root = tree_read(arena, text, &problem);
    if (root)
        tree_emit(root, out);
    return root != NULL;
}

void osi_report_print(const struct osi_report *report, struct buf *out)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct osi_finding *f = &report->findings[i];
        buf_text(out, f->severity == OSI_ERROR ? "error: " : "warning: ");
        if (f->line)
            buf_printf(out, "%d:%d ", f->line, f->column);
        if (f->path.len)
            buf_printf(out, "%.*s: ", STR_ARG(f->path));
        buf_printf(out, "%.*s\n", STR_ARG(f->message));
    }
    size_t more = report->n_errors + report->n_warnings - report->n_findings;
    if (more)
        buf_printf(out, "… and %zu more\n", more);
}
