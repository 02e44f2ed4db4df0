/* openai_ask.c - the request and the errors of the OpenAI API; see
 * openai_ask.h.
 *
 * What Sextant has no counterpart for is refused, if ignoring it would change
 * what the client gets: tools, several choices, other formats. What only tunes
 * a model (temperature, seed, max_tokens …) has no effect. */
#include "openai_ask.h"
#include "base/scan.h"
#include "base/utf8.h"
#include <string.h>
#include "base/banned.h"

enum { QUESTION_MOST = 10000, MESSAGES_MOST = 500 };

static bool refuse(struct openai_ask *a, struct str problem, const char *param,
                   const char *code)
{
    a->problem = problem;
    a->param = param;
    a->code = code;
    return false;
}

/* ---- what there is not --------------------------------------------------- */

static bool is_set(const json_t *v)
{
    if (json_is_array(v))
        return json_array_size(v) > 0;
    if (json_is_object(v))
        return json_object_size(v) > 0;
    return v && !json_is_null(v) && !json_is_false(v) &&
           !(json_is_string(v) && !json_text(v).len);
}

/* The value asks for nothing that there is not. */
static bool is_harmless(const char *name, const json_t *v)
{
    if (!strcmp(name, "n"))
        return json_is_integer(v) && json_integer_value(v) == 1;
    if (!strcmp(name, "top_logprobs"))
        return json_is_integer(v) && json_integer_value(v) == 0;
    if (!strcmp(name, "tool_choice") || !strcmp(name, "function_call"))
        return str_is(json_text(v), "none") || str_is(json_text(v), "auto");
    if (!strcmp(name, "response_format"))
        return str_is(json_get_text(v, "type"), "text");
    if (!strcmp(name, "modalities"))
        return json_array_size(v) == 1 &&
               str_is(json_text(json_array_get(v, 0)), "text");
    return false;
}

static bool supported(struct arena *arena, const json_t *body,
                      struct openai_ask *out)
{
    static const char *const names[] = {
        "n",           "logprobs",          "top_logprobs",  "tools",
        "tool_choice", "functions",         "function_call", "response_format",
        "audio",       "modalities",        "logit_bias",    "stop",
        "prediction",  "web_search_options"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *v = json_object_get(body, names[i]);
        if (is_set(v) && !is_harmless(names[i], v))
            return refuse(out,
                          arena_printf(arena,
                                       "Sextant does not support this value of "
                                       "'%s'. Leave it out.",
                                       names[i]),
                          names[i], "unsupported_parameter");
    }
    return true;
}

/* ---- messages ------------------------------------------------------------ */

/* The messages as turns: what one side says in several messages is one text. */
struct turns {
    struct arena *arena;
    struct buf question, answer;
    struct json_writer w;
    struct buf out;
    size_t n;
    bool answered; /* `answer` belongs to `question` */
};

static void end_turn(struct turns *t)
{
    json_put_object(&t->w);
    json_field_str(&t->w, "question", utf8_trim(buf_view(&t->question)));
    json_field_str(&t->w, "answer", buf_view(&t->answer));
    json_put_object_end(&t->w);
    buf_clear(&t->question);
    buf_clear(&t->answer);
    t->answered = false;
    t->n++;
}

static void add_text(struct buf *to, struct str text)
{
    if (to->len && text.len)
        buf_text(to, "\n\n");
    buf_str(to, text);
}

static void add_message(struct turns *t, bool from_user, struct str text)
{
    if (from_user) {
        if (t->answered)
            end_turn(t);
        add_text(&t->question, text);
    } else if (t->question.len) { /* else a greeting before any question */
        add_text(&t->answer, text);
        t->answered = true;
    }
}

/* The text of a message's content: a string, or parts of type text. */
static bool text_of(struct arena *arena, const json_t *content, struct str *out,
                    struct openai_ask *a)
{
    struct buf all;
    size_t i;
    const json_t *part;
    *out = json_text(content);
    if (json_is_string(content) || json_is_null(content))
        return true;
    if (!json_is_array(content))
        return refuse(a,
                      STR("The content of a message must be a string or an "
                          "array of parts."),
                      "messages", "invalid_value");
    buf_init(&all, arena);
    json_array_foreach(content, i, part)
    {
        struct str type = json_get_text(part, "type");
        if (!str_is(type, "text") ||
            !json_is_string(json_object_get(part, "text")))
            return refuse(
                a,
                arena_printf(arena,
                             "Sextant reads text alone: a content part of "
                             "type '%.*s' is not supported.",
                             STR_ARG(utf8_first(type, 40))),
                "messages", "unsupported_value");
        buf_str(&all, json_get_text(part, "text"));
    }
    *out = buf_view(&all);
    return true;
}

static bool read_message(struct turns *t, const json_t *m, struct openai_ask *a)
{
    struct str role = json_get_text(m, "role"), text;
    bool from_user = str_is(role, "user");
    const json_t *content = json_object_get(m, "content");
    /* How it answers is up to the server, not to its clients. */
    if (str_is(role, "system") || str_is(role, "developer"))
        return true;
    if (!from_user && !str_is(role, "assistant"))
        return refuse(a,
                      arena_printf(t->arena,
                                   "Messages of the role '%.*s' are not "
                                   "supported.",
                                   STR_ARG(utf8_first(role, 40))),
                      "messages", "unsupported_value");
    if (is_set(json_object_get(m, "tool_calls")) ||
        is_set(json_object_get(m, "function_call")) ||
        is_set(json_object_get(m, "audio")))
        return refuse(a,
                      STR("Messages with tool calls or audio are not "
                          "supported."),
                      "messages", "unsupported_value");
    if (!text_of(t->arena, content, &text, a))
        return false;
    if (str_find_char(text, '\0') >= 0)
        return refuse(a, STR("Text must not contain NUL characters."),
                      "messages", "invalid_value");
    add_message(t, from_user, text);
    return true;
}

static bool read_messages(struct arena *arena, const json_t *list,
                          struct openai_ask *a)
{
    struct turns t = {.arena = arena};
    size_t i;
    const json_t *m;
    buf_init(&t.question, arena);
    buf_init(&t.answer, arena);
    buf_init(&t.out, arena);
    json_writer_init(&t.w, &t.out);
    json_put_array(&t.w);
    json_array_foreach(list, i, m) if (!read_message(&t, m, a)) return false;
    if (t.answered || !utf8_trim(buf_view(&t.question)).len)
        return refuse(a,
                      STR("The last message must be a question of the user."),
                      "messages", "invalid_value");
    json_put_array_end(&t.w);
    a->question = utf8_trim(buf_view(&t.question));
    a->turns = buf_view(&t.out);
    a->n_turns = t.n;
    if (utf8_count(a->question) > QUESTION_MOST)
        return refuse(a, STR("A question has at most 10000 characters."),
                      "messages", "string_above_max_length");
    return true;
}

/* ---- the body ------------------------------------------------------------ */

static bool read_flag(const json_t *object, const char *name, bool *out,
                      struct openai_ask *a)
{
    const json_t *v = json_object_get(object, name);
    *out = json_is_true(v);
    if (!v || json_is_null(v) || json_is_boolean(v))
        return true;
    return refuse(a, STR("A flag must be true or false."), name,
                  "invalid_type");
}

static bool read_stream(const json_t *body, struct openai_ask *a)
{
    const json_t *options = json_object_get(body, "stream_options");
    if (!read_flag(body, "stream", &a->streams, a))
        return false;
    if (!options || json_is_null(options))
        return true;
    if (!a->streams || !json_is_object(options))
        return refuse(a,
                      STR("'stream_options' is an object, and only allowed "
                          "when 'stream' is true."),
                      "stream_options", "invalid_value");
    return read_flag(options, "include_usage", &a->with_usage, a);
}

bool openai_ask_read(struct arena *arena, const json_t *body,
                     struct openai_ask *out)
{
    const json_t *list = json_object_get(body, "messages");
    *out = (struct openai_ask){.model = json_get_text(body, "model")};
    if (!out->model.len || str_find_char(out->model, '\0') >= 0)
        return refuse(out,
                      STR("You must provide a 'model': the name of an "
                          "ontology."),
                      "model", "missing_required_parameter");
    if (!json_array_size(list))
        return refuse(out, STR("'messages' must be a list with a question."),
                      "messages", "missing_required_parameter");
    if (json_array_size(list) > MESSAGES_MOST)
        return refuse(out, STR("A conversation has at most 500 messages."),
                      "messages", "context_length_exceeded");
    return read_stream(body, out) && supported(arena, body, out) &&
           read_messages(arena, list, out);
}

/* ---- errors -------------------------------------------------------------- */

static const char *type_of(int status)
{
    return status == 429   ? "rate_limit_error"
           : status == 403 ? "permission_error"
           : status >= 500 ? "server_error"
                           : "invalid_request_error";
}

static const char *code_of(int status)
{
    return status == 401   ? "invalid_api_key"
           : status == 403 ? "insufficient_permissions"
           : status == 404 ? "not_found"
           : status == 429 ? "rate_limit_exceeded"
           : status == 503 ? "service_unavailable"
                           : NULL;
}

void openai_error_put(struct buf *out, int status, struct str message,
                      const char *param, const char *code)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_put_object(&w);
    json_field_object(&w, "error");
    json_field_str(&w, "message", message);
    json_field_text(&w, "type", type_of(status));
    json_field_text(&w, "param", param);
    json_field_text(&w, "code", code ? code : code_of(status));
    json_put_object_end(&w);
    json_put_object_end(&w);
}

void openai_put_error(struct buf *out, enum err e, struct str message,
                      struct str details, struct str request_id)
{
    (void)details;
    (void)request_id; /* in X-Request-Id, as OpenAI's */
    openai_error_put(out, err_status(e), message, NULL, NULL);
}
