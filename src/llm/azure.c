/* azure.c - OpenAI's API at Azure: the v1 form, where the model is the name of
 * the deployment, and the classic one, with the deployment in the path and an
 * api-version. */
#include "openai.h"
#include "base/banned.h"

static void azure_url(const struct llm_model *m, enum llm_endpoint what,
                      struct buf *out)
{
    const char *call = what == LLM_CHAT ? "chat/completions" : "embeddings";
    struct str base = llm_base(m);
    buf_str(out, base);
    if (m->deployment.len) {
        struct str version =
            m->api_version.len ? m->api_version : STR("2024-10-21");
        if (!str_ends(base, STR("/openai")))
            buf_text(out, "/openai");
        buf_printf(out, "/deployments/%.*s/%s?api-version=%.*s",
                   STR_ARG(m->deployment), call, STR_ARG(version));
        return;
    }
    if (!llm_base_has_path(base))
        buf_text(out, "/openai/v1");
    else if (str_ends(base, STR("/openai")))
        buf_text(out, "/v1");
    buf_printf(out, "/%s", call);
    if (m->api_version.len)
        buf_printf(out, "?api-version=%.*s", STR_ARG(m->api_version));
}

/* A JWT is an Entra token, anything else an API key. */
static void azure_headers(const struct llm_model *m, struct buf *out)
{
    if (str_starts(m->key, STR("eyJ")))
        buf_printf(out, "Authorization: Bearer %.*s\n", STR_ARG(m->key));
    else if (m->key.len)
        buf_printf(out, "api-key: %.*s\n", STR_ARG(m->key));
}

const struct llm_provider llm_azure = {
    .id = "azure",
    .models = "openai",
    .base_url = "",
    .url = azure_url,
    .headers = azure_headers,
    .request = openai_request,
    .on_event = openai_on_event,
    .embeds = true,
};
