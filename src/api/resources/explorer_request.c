/* explorer_request.c - reads what a request says of an exploration: the question
 * and the schema, or the messages that useChat sends. Of a long conversation
 * only its latest texts are read. */
#include "explorer_request.h"
#include "base/utf8.h"
#include "question.h"
#include "base/banned.h"

enum {
    CHAT_ID_MOST = 255,
    COLUMNS_MOST = 500,
    NAME_MOST = 255,
    TYPE_MOST = 100,
    DESCRIPTION_MOST = 4000,
    SAMPLE_ROWS = 20,
    SAMPLE_BYTES = 8 * 1024,
    MESSAGES_READ = 10,
    MESSAGE_CHARACTERS = 2000,
    QUESTION_MOST = 10000,
};

/* ---- messages ----------------------------------------------------------- */

static bool is_text_part(const json_t *part)
{
    return str_is(json_get_text(part, "type"), "text");
}

/* The texts of a message's parts; or its `content`, as older clients send
 * it. */
static struct str message_text(struct request *q, const json_t *message)
{
    const json_t *parts = json_object_get(message, "parts");
    struct buf out;
    if (!json_is_array(parts))
        return json_get_text(message, "content");
    buf_init(&out, &q->memory);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        if (!is_text_part(part))
            continue;
        if (out.len)
            buf_char(&out, '\n');
        buf_str(&out, json_get_text(part, "text"));
    }
    return buf_finish(&out);
}

static bool is_role(const json_t *message, const char *role)
{
    return str_is(json_get_text(message, "role"), role);
}

/* How many messages are before the last one of the user. */
static size_t messages_before(const json_t *messages)
{
    size_t n = json_array_size(messages);
    while (n && !is_role(json_array_get(messages, n - 1), "user"))
        n--;
    return n ? n - 1 : 0;
}

static void read_question(struct request *q, struct bridge_order *o)
{
    const json_t *v = json_object_get(q->body, "question");
    const json_t *messages = json_object_get(q->body, "messages");
    if (messages && !json_is_array(messages))
        request_invalid(q, "messages", "must be a list of messages");
    if (v && !json_is_null(v)) {
        question_of(q, "question", &o->question);
        return;
    }
    const json_t *last = json_array_get(messages, messages_before(messages));
    if (is_role(last, "user"))
        o->question = utf8_trim(message_text(q, last));
    size_t n = utf8_count(o->question);
    if (n < 1 || n > QUESTION_MOST)
        request_invalid(q, "question", "must be 1 to 10000 characters");
}

static void read_conversation(struct request *q, struct bridge_order *o)
{
    const json_t *messages = json_object_get(q->body, "messages");
    size_t end = messages_before(messages);
    size_t at = end > MESSAGES_READ ? end - MESSAGES_READ : 0;
    struct buf out;
    buf_init(&out, &q->memory);
    for (; at < end; at++) {
        const json_t *m = json_array_get(messages, at);
        bool user = is_role(m, "user");
        if (!user && !is_role(m, "assistant"))
            continue;
        struct str text = str_trim(message_text(q, m));
        if (text.len)
            buf_printf(&out, "%s: %.*s\n", user ? "User" : "Assistant",
                       STR_ARG(utf8_first(text, MESSAGE_CHARACTERS)));
    }
    o->conversation = buf_finish(&out);
}

/* ---- the table ---------------------------------------------------------- */

static bool has_length(struct str text, size_t least, size_t most)
{
    size_t n = utf8_count(text);
    return n >= least && n <= most && !memchr(text.ptr, 0, text.len);
}

static void read_schema(struct request *q, struct bridge_order *o)
{
    const json_t *list = json_object_get(q->body, "schema");
    size_t n = json_array_size(list);
    if (n < 1 || n > COLUMNS_MOST) {
        request_invalid(q, "schema", "must be a list of 1 to 500 columns");
        return;
    }
    o->names = arena_new_array(&q->memory, struct str, n);
    o->types = arena_new_array(&q->memory, struct str, n);
    o->n_columns = n;
    for (size_t i = 0; i < n; i++) {
        const json_t *column = json_array_get(list, i);
        o->names[i] = json_get_text(column, "name");
        o->types[i] = json_get_text(column, "type");
        if (has_length(o->names[i], 1, NAME_MOST) &&
            has_length(o->types[i], 1, TYPE_MOST))
            continue;
        request_invalid(q, "schema",
                        "each column must have a name of 1 to 255 characters "
                        "and a type of 1 to 100");
        return;
    }
}

static void read_count(struct request *q, const char *field, int64_t least,
                       int64_t most, const char *problem, int64_t *out)
{
    const json_t *v = json_object_get(q->body, field);
    if (!v || json_is_null(v))
        return;
    int64_t n = json_is_integer(v) ? json_integer_value(v) : least - 1;
    if (n < least || n > most)
        request_invalid(q, field, problem);
    else
        *out = n;
}

static void read_share(struct request *q, struct bridge_order *o)
{
    static const char *const words[] = {"none", "aggregates", "rows"};
    const json_t *v = json_object_get(q->body, "share");
    o->share = 1;
    if (!v || json_is_null(v))
        return;
    for (int i = 0; i < 3; i++)
        if (str_is(json_text(v), words[i])) {
            o->share = i;
            return;
        }
    request_invalid(q, "share", "must be none, aggregates or rows");
}

/* Rows reach the model only when the person shares rows. */
static void read_sample(struct request *q, struct bridge_order *o)
{
    const json_t *rows = json_object_get(q->body, "sampleData");
    if (!rows || json_is_null(rows))
        return;
    if (!json_is_array(rows) || json_array_size(rows) > SAMPLE_ROWS) {
        request_invalid(q, "sampleData", "must be a list of at most 20 rows");
        return;
    }
    if (o->share == 2 && json_array_size(rows))
        o->sample = utf8_cut(json_print(&q->memory, rows), SAMPLE_BYTES);
}

/* ---- all of it ---------------------------------------------------------- */

int explorer_steps_read(struct request *q)
{
    int64_t steps = BRIDGE_STEPS;
    read_count(q, "maxSteps", 1, BRIDGE_STEPS, "must be 1 to 15", &steps);
    return (int)steps;
}

static void read_chat(struct request *q, struct bridge_order *o)
{
    const json_t *v = json_object_get(q->body, "id");
    o->chat_id = str_of(o->run_id);
    if (!v || json_is_null(v))
        return;
    struct str id = json_text(v);
    if (id.len && utf8_count(id) <= CHAT_ID_MOST && !str_has_control(id))
        o->chat_id = id;
    else
        request_invalid(q, "id", "must be 1 to 255 characters");
}

void explorer_order_read(struct request *q, struct bridge_order *o)
{
    struct str provider;
    *o = (struct bridge_order){.user_id = q->user.id, .n_rows = -1};
    uuid_new(o->run_id);
    read_chat(q, o);
    read_question(q, o);
    read_conversation(q, o);
    read_schema(q, o);
    read_share(q, o);
    read_sample(q, o);
    request_text(q, "dataDescription", 0, DESCRIPTION_MOST, &o->description);
    read_count(q, "rowCount", 0, INT64_MAX, "must be an integer from 0",
               &o->n_rows);
    o->max_steps = explorer_steps_read(q);
    request_provider(q, &provider);
    o->provider = agent_provider(q->api->options.agent, provider);
}
