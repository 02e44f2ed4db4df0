/* kinds.c - the agents of agents.def, and the three things that their tables of
 * artifacts drive: records, takeovers, and metadata. See agent/kind.h. */
#include "agent/kind.h"
#include "agent/results.h"
#include "artifact/tables.h"
#include <string.h>
#include "base/banned.h"

static const struct agent_kind *const kinds[AGENT_KINDS] = {
#define AGENT(name, word, first) [AGENT_##name] = &word##_kind,
#include "artifact/agents.def"
};

const struct agent_kind *agent_kind_of(enum agent_kind_id id)
{
    return kinds[id];
}

void run_set_kind(struct run *r, const struct agent_kind *kind)
{
    if (kind->state_size && !r->state) /* of an earlier try to load it */
        r->state = arena_alloc(&r->arena, kind->state_size);
    r->kind = kind;
}

/* ---- artifacts ---------------------------------------------------------- */

static char *pointer_of(struct run *r, const struct kind_artifact *a)
{
    return (a->of_run ? (char *)r : (char *)r->state) + a->at;
}

static const void *artifact_of(struct run *r, const struct kind_artifact *a)
{
    const void *artifact;
    memcpy(&artifact, pointer_of(r, a), sizeof artifact);
    return artifact;
}

void kind_record(struct run *r, enum phase phase, bool emit)
{
    const struct kind_artifact *a = r->kind->artifacts;
    while (a->name && (a->phase != phase || !artifact_of(r, a)))
        a++;
    if (a->name)
        run_record_artifact(r, a->name, a->type, artifact_of(r, a), emit);
}

static bool decode_record(struct flow *f, struct run *r,
                          const struct kind_artifact *a, struct str body)
{
    struct artifact_problem problem;
    json_t *v = json_read(body, NULL);
    if (!v)
        return false;
    defer(f, json_drop, v);
    void *artifact = arena_alloc(&r->arena, a->type->size);
    memcpy(pointer_of(r, a), &artifact, sizeof artifact);
    return artifact_read_back(&r->arena, a->type, v, artifact, &problem);
}

bool kind_restore(struct flow *f, struct run *r,
                  const struct run_artifacts *stored,
                  const struct run_artifact *record)
{
    for (const struct kind_artifact *a = r->kind->artifacts; a->name; a++)
        if (str_is(record->kind, a->name))
            return decode_record(f, r, a, record->body);
    return !r->kind->restore || r->kind->restore(f, r, stored, record);
}

void kind_put_metadata(struct json_writer *w, struct run *r, bool charts)
{
    for (const struct kind_artifact *a = r->kind->artifacts; a->name; a++) {
        const void *artifact = artifact_of(r, a);
        if (!artifact || !a->key)
            continue;
        json_put_key(w, a->key);
        artifact_encode_bare(w, a->type, artifact, charts);
    }
    if (r->kind->put_metadata)
        r->kind->put_metadata(w, r);
}
