/* probe_edit.c - see probe_edit.h. */
#include "probe_edit.h"
#include "ontology/model_changes.h"
#include "ontology/model_json.h"
#include "ontology/model_parts.h"
#include "ontology/osi_edit.h"
#include "base/banned.h"

struct edit_probe {
    struct arena *arena;
    struct str before; /* the stored text */
    struct osi_edited edited;
    struct ontology *all, *shown;
    struct osi_report report;
};

static void put_problem(struct json_writer *w, const struct edit_probe *p,
                        struct str problem)
{
    static const struct osi_report none;
    probe_put_findings(w, &none);
    json_field_str(w, "field", p->edited.field);
    json_field_str(w, "problem", problem);
}

/* The stored text may be one that today's reader refuses: then nothing can be
 * compared. */
static void put_changes(struct json_writer *w, const struct edit_probe *p)
{
    struct ontology *all, *shown;
    struct osi_report report;
    struct str_list changes = {NULL, 0};
    if (osi_read_all(p->arena, p->before, &all, &shown, &report))
        changes = model_changes(p->arena, all, p->all);
    json_field_strs(w, "changes", changes.items, changes.n);
}

static void put_raw(struct json_writer *w, const char *key, struct buf *json)
{
    json_field_raw(w, key, buf_view(json));
    buf_done(json);
}

static void put_model(struct json_writer *w, const struct edit_probe *p)
{
    struct buf model, parts;
    buf_init(&model, NULL);
    buf_init(&parts, NULL);
    ontology_to_json(p->shown, &model);
    model_parts_json(p->all, &parts);
    put_raw(w, "model", &model);
    put_raw(w, "parts", &parts);
    json_field_str(w, "yaml", p->edited.text);
    json_field_bool(w, "rewritten", p->edited.rewritten);
    put_changes(w, p);
}

static void put_answer(struct json_writer *w, struct edit_probe *p,
                       const json_t *edits)
{
    if (edits && !osi_edit(p->arena, p->before, edits, &p->edited)) {
        put_problem(w, p, p->edited.problem);
        return;
    }
    bool good =
        osi_read_all(p->arena, p->edited.text, &p->all, &p->shown, &p->report);
    struct str doubt = osi_edit_doubt(&p->edited, &p->report);
    if (good && doubt.len) {
        p->edited.field = STR("expression");
        put_problem(w, p, doubt);
        return;
    }
    probe_put_findings(w, &p->report);
    if (good)
        put_model(w, p);
}

bool probe_edit(struct arena *arena, struct str request, struct buf *out)
{
    struct json_problem problem;
    json_t *json = json_read(request, &problem);
    const json_t *yaml = json_object_get(json, "yaml");
    struct edit_probe p = {.arena = arena,
                           .before = json_get_text(json, "text")};
    struct json_writer w;
    if (!json)
        return false;
    p.edited.text = yaml ? json_text(yaml) : p.before;
    json_writer_init(&w, out);
    json_put_object(&w);
    put_answer(&w, &p, json_object_get(json, "edits"));
    json_put_object_end(&w);
    buf_char(out, '\n');
    json_decref(json);
    return true;
}
