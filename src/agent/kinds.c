/* kinds.c - the agents that there are; see agent/kind.h. */
#include "agent/kind.h"
#include "base/banned.h"

static const struct agent_kind *const kinds[AGENT_KINDS] = {
    [AGENT_PIPELINE] = &pipeline_kind,
    [AGENT_REACT] = &react_kind,
};

const struct agent_kind *agent_kind_of(enum agent_kind_id id)
{
    return kinds[id];
}
