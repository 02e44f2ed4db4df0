/* boards.c - boards: listed, made, arranged, removed; answers pinned to them;
 * their queries run again.
 *
 * A board belongs to one user; others get 404. Before a board is shown, cards
 * whose semantic model has changed are checked again. */
#include "agent/boards.h"
#include "agent/trusted.h"
#include "base/utf8.h"
#include "ontology/question_key.h"
#include "store/trusted_answers.h"
#include "../request.h"
#include "base/banned.h"

enum {
    REFRESHES_MOST = 4, /* in a worker; each holds a few connections */
    MS_PER_DAY = 86400000,
    STEPS_MOST = 1000000,
    COLUMN_MOST = 255,
};

static const char board_missing[] = "Board not found";
static const char card_missing[] = "Card not found";

struct board_work {
    struct board_query board, cards;
    struct board_refresh refresh;
    struct trusted_source source;
    bool titled, questioned; /* the request says it */
    int status;              /* of the answer */
};

static unsigned refreshes;

static struct next boards_paged(struct flow *f), board_made(struct flow *f),
    board_checked(struct flow *f), board_known(struct flow *f),
    board_cards_known(struct flow *f), board_gone(struct flow *f),
    pin_read(struct flow *f), pin_done(struct flow *f),
    card_done(struct flow *f), card_known(struct flow *f),
    board_refreshed(struct flow *f);

static struct board_work *board_work_new(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = keep(f, struct board_work);
    x->board.store = x->cards.store = x->refresh.store = x->source.store =
        request_store(q);
    x->board.user_id = x->cards.user_id = x->refresh.user_id =
        x->source.user_id = q->user.id;
    x->board.request_id = q->x->request_id;
    x->refresh.settings = agent_settings(q->api->options.agent);
    x->refresh.all = request_may(q, MAY_ADMIN);
    x->refresh.only_check = true;
    x->status = 200;
    q->state = x;
    return x;
}

static struct board_work *board_work_of(struct flow *f)
{
    return REQUEST(f)->state;
}

/* Reads the board's id of the path, and the card's if there is one. */
static bool read_board_ids(struct request *q, struct board_work *x, bool card)
{
    if (!request_uuid(q, "id", &x->board.board_id) ||
        (card && !request_uuid(q, "cardId", &x->board.card_id)))
        return false;
    x->cards.board_id = x->refresh.board_id = x->board.board_id;
    return true;
}

/* ---- GET, POST /boards ---------------------------------------------------- */

struct next boards_list(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!request_paging(REQUEST(f), &x->board.page, &x->board.page_size, 20))
        return back(f);
    return call(f, board_list_begin, &x->board, boards_paged);
}

static struct next boards_paged(struct flow *f)
{
    const struct board_query *b = &board_work_of(f)->board;
    reply_page(REQUEST(f), b->query, board_write, b->page, b->page_size,
               b->total);
    return back(f);
}

struct next boards_add(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = board_work_new(f);
    if (!request_body(q))
        return back(f);
    request_text(q, "name", 1, BOARD_NAME_MOST, &x->board.name);
    if (request_refused(q))
        return back(f);
    return call(f, board_add_begin, &x->board, board_made);
}

static struct next board_made(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = q->state;
    if (!x->board.room)
        return reply_refusal(
            f, ERR_CONFLICT,
            arena_printf(&q->memory, "You have %d boards. Remove one first.",
                         BOARDS_MOST)
                .ptr);
    x->board.board_id = x->cards.board_id = x->board.id;
    x->status = 201;
    return go(f, board_checked);
}

/* ---- GET /boards/:id ------------------------------------------------------ */

static struct next show_board(struct flow *f)
{
    struct board_work *x = board_work_of(f);
    x->refresh.only_check = true;
    return call(f, board_refresh_begin, &x->refresh, board_checked);
}

struct next boards_get(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(REQUEST(f), x, false))
        return back(f);
    return show_board(f);
}

static struct next board_checked(struct flow *f)
{
    return call(f, board_read_begin, &board_work_of(f)->board, board_known);
}

static struct next board_known(struct flow *f)
{
    struct board_work *x = board_work_of(f);
    if (!x->board.found)
        return reply_refusal(f, ERR_NOT_FOUND, board_missing);
    return call(f, card_list_begin, &x->cards, board_cards_known);
}

static struct next board_cards_known(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct board_work *x = q->state;
    struct api_reply r;
    reply_open_object(q, &r);
    board_write(&r.w, x->board.query, 0);
    json_field_array(&r.w, "cards");
    for (int i = 0; i < x->cards.query->n_rows; i++) {
        json_put_object(&r.w);
        card_write(&r.w, x->cards.query, i);
        json_put_object_end(&r.w);
    }
    json_put_array_end(&r.w);
    reply_send_object(q, &r, x->status);
    return back(f);
}

/* ---- PATCH, DELETE /boards/:id -------------------------------------------- */

static bool read_width(struct request *q, const json_t *of, const char *field,
                       int *out)
{
    const json_t *v = json_object_get(of, field);
    json_int_t n = json_integer_value(v);
    if (!v)
        return true;
    *out = n >= 3 && n <= CARD_WIDTH_MOST ? (int)n : 0;
    if (!*out)
        request_invalid(q, field, "must be a number from 3 to 12");
    return *out > 0;
}

static void read_arrangement(struct request *q, struct str *out)
{
    const json_t *cards = json_object_get(q->body, "cards"), *card;
    struct json_writer w;
    struct buf text;
    size_t i;
    if (!cards)
        return;
    if (!json_is_array(cards) || json_array_size(cards) > CARDS_MOST) {
        request_invalid(q, "cards", "must be a list of the board's cards");
        return;
    }
    buf_init(&text, &q->memory);
    json_writer_init(&w, &text);
    json_put_array(&w);
    json_array_foreach(cards, i, card)
    {
        struct str id = json_get_text(card, "id");
        int width = 0;
        if (!uuid_valid(id))
            request_invalid(q, "cards", "must have the id of each card");
        if (!uuid_valid(id) || !read_width(q, card, "width", &width))
            return;
        json_put_object(&w);
        json_field_str(&w, "id", id);
        if (width)
            json_field_int(&w, "width", width);
        json_put_object_end(&w);
    }
    json_put_array_end(&w);
    *out = buf_finish(&text);
}

struct next boards_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(q, x, false) || !request_body(q))
        return back(f);
    request_text_given(q, "name", 1, BOARD_NAME_MOST, &x->board.name);
    read_arrangement(q, &x->board.cards);
    if (request_refused(q))
        return back(f);
    return call(f, board_change_begin, &x->board, board_checked);
}

struct next boards_remove(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(REQUEST(f), x, false))
        return back(f);
    return call(f, board_remove_begin, &x->board, board_gone);
}

static struct next board_gone(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct board_work *x = q->state;
    if (!x->board.found)
        return reply_refusal(f, ERR_NOT_FOUND,
                             x->board.card_id.len ? card_missing
                                                  : board_missing);
    reply_empty(q, 204);
    return back(f);
}

/* ---- POST /boards/:id/cards ----------------------------------------------- */

/* Copies a text of the chart. An empty one is fine unless it `must` be. */
static void copy_column(struct request *q, struct json_writer *w,
                        const json_t *chart, const char *field, bool must)
{
    struct str name = json_get_text(chart, field);
    if (name.len > COLUMN_MOST || (must && !name.len))
        request_invalid(q, "chart", "must name columns as x, y and series");
    if (name.len)
        json_field_str(w, field, name);
    else
        json_field_null(w, field);
}

/* `chart` of the body: *out is "null" for none, and without ptr if absent. */
static void read_chart(struct request *q, struct str *out)
{
    static const char *const marks[] = {"bar", "line", "area", "point"};
    const json_t *chart = json_object_get(q->body, "chart");
    struct str mark = json_get_text(chart, "mark");
    struct json_writer w;
    struct buf text;
    bool known = false;
    if (!chart)
        return;
    *out = STR("null");
    if (json_is_null(chart))
        return;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        known = known || str_is(mark, marks[i]);
    if (!known)
        request_invalid(q, "chart", "must be a bar, line, area or point chart");
    buf_init(&text, &q->memory);
    json_writer_init(&w, &text);
    json_put_object(&w);
    json_field_str(&w, "mark", mark);
    copy_column(q, &w, chart, "x", true);
    copy_column(q, &w, chart, "y", true);
    copy_column(q, &w, chart, "series", false);
    json_put_object_end(&w);
    *out = buf_finish(&text);
}

static void read_card_step(struct request *q, int *out)
{
    const json_t *v = json_object_get(q->body, "stepId");
    json_int_t n = json_integer_value(v);
    if (!v || json_is_null(v))
        return;
    *out = n >= 1 && n <= STEPS_MOST ? (int)n : 0;
    if (!*out)
        request_invalid(q, "stepId", "must be the number of a step");
}

struct next board_cards_pin(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = board_work_new(f);
    struct board_query *b = &x->board;
    if (!read_board_ids(q, x, false) || !request_body(q))
        return back(f);
    request_uuid_given(q, "messageId", &x->source.message_id);
    read_card_step(q, &x->source.step_id);
    x->titled = request_text_given(q, "title", 1, CARD_TITLE_MOST, &b->title);
    x->questioned = request_text_given(q, "question", 1, TRUSTED_QUESTION_MOST,
                                       &b->question);
    read_chart(q, &b->chart);
    b->width = CARD_WIDTH;
    read_width(q, q->body, "width", &b->width);
    if (request_refused(q))
        return back(f);
    return call(f, trusted_source_begin, &x->source, pin_read);
}

/* The title is short, and the question is understood without its chat. */
static struct next pin_read(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = q->state;
    struct board_query *b = &x->board;
    const struct trusted_source *s = &x->source;
    struct question_key key;
    if (!s->found)
        return reply_refusal(f, ERR_NOT_FOUND,
                             "No such answer of yours has a query");
    if (!x->questioned)
        b->question = s->question;
    if (!x->titled)
        b->title = utf8_first(b->question, CARD_TITLE_MOST);
    question_key_make(&q->memory, b->question, &key);
    b->period =
        question_period(&q->memory, &key, s->sql, s->answered_ms / MS_PER_DAY);
    b->message_id = s->message_id;
    b->step_id = s->found_step;
    return call(f, card_pin_begin, b, pin_done);
}

static struct next pin_done(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = q->state;
    if (!x->board.found)
        return reply_refusal(f, ERR_NOT_FOUND, board_missing);
    if (!x->board.room)
        return reply_refusal(
            f, ERR_CONFLICT,
            arena_printf(&q->memory,
                         "The board has %d cards. Remove one first.",
                         CARDS_MOST)
                .ptr);
    if (!x->board.is_answer)
        return reply_refusal(f, ERR_NOT_FOUND,
                             "No such answer of yours has rows");
    x->cards.card_id = x->board.id;
    x->status = 201;
    return call(f, card_list_begin, &x->cards, card_known);
}

static struct next card_known(struct flow *f)
{
    const struct board_work *x = board_work_of(f);
    if (!x->cards.found)
        return reply_refusal(f, ERR_NOT_FOUND, card_missing);
    return reply_row(f, x->cards.query, card_write, x->status);
}

/* ---- PATCH, DELETE /boards/:id/cards/:cardId ------------------------------ */

struct next board_cards_change(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(q, x, true) || !request_body(q))
        return back(f);
    request_text_given(q, "title", 1, CARD_TITLE_MOST, &x->board.title);
    read_width(q, q->body, "width", &x->board.width);
    read_chart(q, &x->board.chart);
    if (request_refused(q))
        return back(f);
    return call(f, card_change_begin, &x->board, card_done);
}

static struct next card_done(struct flow *f)
{
    struct board_work *x = board_work_of(f);
    if (!x->board.found)
        return reply_refusal(f, ERR_NOT_FOUND, card_missing);
    x->cards.card_id = x->board.card_id;
    return call(f, card_list_begin, &x->cards, card_known);
}

struct next board_cards_remove(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(REQUEST(f), x, true))
        return back(f);
    return call(f, card_remove_begin, &x->board, board_gone);
}

/* ---- POST /boards/:id/refresh --------------------------------------------- */

static void leave_refresh(void *who)
{
    (void)who;
    refreshes--;
}

static struct next refresh_cards(struct flow *f)
{
    struct board_work *x = board_work_of(f);
    if (refreshes == REFRESHES_MOST)
        return reply_refusal(f, ERR_RATE_LIMITED,
                             "Other boards are being refreshed. Try again "
                             "later.");
    refreshes++;
    defer_kept(f, leave_refresh, x);
    x->refresh.only_check = false;
    return call(f, board_refresh_begin, &x->refresh, board_refreshed);
}

struct next boards_refresh(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(REQUEST(f), x, false))
        return back(f);
    return refresh_cards(f);
}

struct next board_cards_refresh(struct flow *f)
{
    struct board_work *x = board_work_new(f);
    if (!read_board_ids(REQUEST(f), x, true))
        return back(f);
    x->refresh.card_id = x->cards.card_id = x->board.card_id;
    return refresh_cards(f);
}

static struct next board_refreshed(struct flow *f)
{
    struct board_work *x = board_work_of(f);
    if (x->board.card_id.len)
        return call(f, card_list_begin, &x->cards, card_known);
    return go(f, board_checked);
}
