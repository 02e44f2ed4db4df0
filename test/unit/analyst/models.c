#include "models.h"
#include <stdio.h>
#include "base/banned.h"

const char shop_model[] =
    "semantic_model:\n"
    "- name: shop\n"
    "  datasets:\n"
    "  - name: stores\n"
    "    source: public.stores\n"
    "    primary_key: [store_id]\n"
    "    unique_keys: [[store_name]]\n"
    "    fields:\n"
    "    - {name: store_id, expression: store_id, datatype: Integer}\n"
    "    - {name: store_name, expression: store_name, datatype: String}\n"
    "    - name: city\n"
    "      expression: city\n"
    "      datatype: String\n"
    "      description: Where it stands, for example Houston or Dallas.\n"
    "    - {name: state, expression: state, datatype: String}\n"
    "    - {name: square_feet, expression: square_feet, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n"
    "  - name: customers\n"
    "    source: public.customers\n"
    "    primary_key: [customer_id]\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "    - {name: segment, expression: segment, datatype: String}\n"
    "    - {name: home_city, expression: home_city, datatype: String,\n"
    "       ai_context: {synonyms: [customer city]}}\n"
    "    - {name: loyalty_member, expression: loyalty_member, datatype: Boolean}\n"
    "  - name: profiles\n"
    "    source: public.profiles\n"
    "    primary_key: [customer_id]\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: language, expression: language, datatype: String}\n"
    "  - name: products\n"
    "    source: public.products\n"
    "    primary_key: [product_id]\n"
    "    unique_keys: [[product_name]]\n"
    "    fields:\n"
    "    - {name: product_id, expression: product_id, datatype: Integer}\n"
    "    - {name: product_name, expression: product_name, datatype: String}\n"
    "    - {name: category, expression: category, datatype: String}\n"
    "    - {name: unit_price, expression: unit_price, datatype: Decimal}\n"
    "  - name: addresses\n"
    "    source: public.addresses\n"
    "    primary_key: [address_id]\n"
    "    fields:\n"
    "    - {name: address_id, expression: address_id, datatype: Integer}\n"
    "    - {name: country, expression: country, datatype: String}\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: order_date, expression: order_date, datatype: Date}\n"
    "    - name: channel\n"
    "      expression: channel\n"
    "      datatype: String\n"
    "      description: in_store or online.\n"
    "    - name: status\n"
    "      expression: status\n"
    "      datatype: String\n"
    "      description: What became of it, completed, cancelled or returned.\n"
    "    - {name: freight, expression: freight, datatype: Decimal}\n"
    "  - name: order_items\n"
    "    source: public.order_items\n"
    "    primary_key: [order_id, product_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: product_id, expression: product_id, datatype: Integer}\n"
    "    - {name: quantity, expression: quantity, datatype: Integer}\n"
    "    - {name: line_total, expression: line_total, datatype: Decimal}\n"
    "  - name: stockouts\n"
    "    source: public.stockouts\n"
    "    primary_key: [stockout_id]\n"
    "    fields:\n"
    "    - {name: stockout_id, expression: stockout_id, datatype: Integer}\n"
    "    - {name: started_on, expression: started_on, datatype: Date}\n"
    "    - {name: reason, expression: reason, datatype: String}\n"
    "  relationships:\n"
    "  - {name: orders_stores, from: orders, to: stores,\n"
    "     from_columns: [store_id], to_columns: [store_id]}\n"
    "  - {name: orders_customers, from: orders, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: profiles_customers, from: profiles, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: items_orders, from: order_items, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n"
    "  - {name: items_products, from: order_items, to: products,\n"
    "     from_columns: [product_id], to_columns: [product_id]}\n"
    "  - {name: stockouts_stores, from: stockouts, to: stores,\n"
    "     from_columns: [store_id], to_columns: [store_id]}\n"
    "  - {name: stockouts_products, from: stockouts, to: products,\n"
    "     from_columns: [product_id], to_columns: [product_id]}\n"
    "  - {name: orders_billing, from: orders, to: addresses,\n"
    "     from_columns: [billing_address_id], to_columns: [address_id]}\n"
    "  - {name: orders_shipping, from: orders, to: addresses,\n"
    "     from_columns: [shipping_address_id], to_columns: [address_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(order_items.line_total),\n"
    "     ai_context: {synonyms: [sales, total sales]}}\n"
    "  - {name: order_count, expression: 'COUNT(DISTINCT orders.order_id)',\n"
    "     ai_context: {synonyms: [number of orders]}}\n"
    "  - {name: average_order_value,\n"
    "     expression: 'SUM(order_items.line_total) / NULLIF(COUNT(DISTINCT\n"
    "       orders.order_id), 0)', ai_context: {synonyms: [AOV]}}\n"
    "  - {name: sales_density,\n"
    "     expression: SUM(order_items.line_total) / SUM(stores.square_feet)}\n"
    "  - {name: margin_of_margins, expression: revenue / order_count}\n"
    "  - {name: faulty, expression: order_items.line_total}\n";

const char odd_model[] =
    "semantic_model:\n"
    "- name: odd\n"
    "  datasets:\n"
    "  - name: Order Details\n"
    "    source: '\"Sales\".\"Order Details\"'\n"
    "    primary_key: [OrderID, LineNo]\n"
    "    fields:\n"
    "    - {name: OrderID, expression: '\"OrderID\"'}\n"
    "    - {name: LineNo, expression: '\"LineNo\"'}\n"
    "    - {name: Unit Price, expression: '\"Unit Price\"', datatype: numeric}\n"
    "    - {name: Qty, expression: '\"Qty\"', datatype: int}\n"
    "  - name: user\n"
    "    source: crm.user\n"
    "    primary_key: [tenant, id]\n"
    "    fields:\n"
    "    - {name: tenant, expression: tenant}\n"
    "    - {name: id, expression: id}\n"
    "    - {name: first_name, expression: first_name}\n"
    "    - {name: last_name, expression: last_name}\n"
    "    - {name: initials, expression: 'left(first_name, 1) || left(last_name, 1)'}\n"
    "    - {name: select, expression: '\"select\"'}\n"
    "  - name: visits\n"
    "    source: crm.visits\n"
    "    fields:\n"
    "    - {name: visit_date, expression: visit_date, is_time: true}\n"
    "    - {name: minutes, expression: minutes, datatype: integer}\n"
    "  relationships:\n"
    "  - {name: visits_user, from: visits, to: user,\n"
    "     from_columns: [tenant, user_id], to_columns: [tenant, id]}\n"
    "  - {name: visits_order, from: visits, to: Order Details,\n"
    "     from_columns: [order_id], to_columns: [OrderID]}\n"
    "  metrics:\n"
    "  - {name: Gross Sales,\n"
    "     expression: 'SUM(\"Order Details\".\"Unit Price\" * \"Order Details\".\"Qty\")'}\n"
    "  - {name: visit_count, expression: COUNT(*), description: Number of visits}\n";

const char league_model[] =
    "semantic_model:\n"
    "- name: league\n"
    "  datasets:\n"
    "  - name: players\n"
    "    source: public.players\n"
    "    primary_key: [player_id]\n"
    "    fields:\n"
    "    - {name: player_id, expression: player_id, datatype: String}\n"
    "    - {name: country, expression: country, datatype: String}\n"
    "    - {name: debut, expression: debut, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: salaries\n"
    "    source: public.salaries\n"
    "    fields:\n"
    "    - {name: player_id, expression: player_id, datatype: String}\n"
    "    - {name: yearid, expression: yearid, datatype: Integer}\n"
    "    - {name: salary, expression: salary, datatype: Decimal}\n"
    "  - name: games\n"
    "    source: public.games\n"
    "    fields:\n"
    "    - {name: game, expression: game, datatype: Integer}\n"
    "    - {name: park, expression: park, datatype: String}\n"
    "    - {name: seat, expression: seat, datatype: String}\n"
    "    - {name: seats, expression: seats, datatype: Integer}\n"
    "  relationships:\n"
    "  - name: salary_player\n"
    "    from: salaries\n"
    "    to: players\n"
    "    from_columns: [player_id]\n"
    "    to_columns: [player_id]\n";

const char hotel_model[] =
    "semantic_model:\n"
    "- name: hotels\n"
    "  datasets:\n"
    "  - name: hotel\n"
    "    source: public.hotel\n"
    "    primary_key: [hotel_id]\n"
    "    fields:\n"
    "    - {name: hotel_id, expression: hotel_id, datatype: Integer}\n"
    "    - {name: hotel_name, expression: hotel_name, datatype: String}\n"
    "    - {name: city, expression: city, datatype: String,\n"
    "       ai_context: {examples: [Lisbon, Porto, Vienna]}}\n"
    "    - {name: country, expression: country, datatype: String,\n"
    "       ai_context: {examples: [Portugal, Austria]}}\n"
    "    - {name: stars, expression: stars, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n"
    "  - name: guest\n"
    "    source: public.guest\n"
    "    primary_key: [guest_id]\n"
    "    fields:\n"
    "    - {name: guest_id, expression: guest_id, datatype: Integer}\n"
    "    - {name: guest_name, expression: guest_name, datatype: String}\n"
    "    - {name: gender, expression: gender, datatype: String,\n"
    "       ai_context: {examples: [female, male]}}\n"
    "    - {name: nationality, expression: nationality, datatype: String}\n"
    "    - {name: birth_date, expression: birth_date, datatype: Date}\n"
    "    - {name: loyalty_member, expression: loyalty_member, datatype: Boolean}\n"
    "  - name: room_type\n"
    "    source: public.room_type\n"
    "    primary_key: [type_id]\n"
    "    fields:\n"
    "    - {name: type_id, expression: type_id, datatype: Integer}\n"
    "    - {name: type_name, expression: type_name, datatype: String,\n"
    "       ai_context: {examples: [Single, Suite]}}\n"
    "    - {name: rate, expression: rate, datatype: Decimal}\n"
    "  - name: room\n"
    "    source: public.room\n"
    "    primary_key: [room_id]\n"
    "    fields:\n"
    "    - {name: room_id, expression: room_id, datatype: Integer}\n"
    "    - {name: room_number, expression: room_number, datatype: String}\n"
    "    - {name: floor, expression: floor, datatype: Integer}\n"
    "    - {name: hotel_id, expression: hotel_id, datatype: Integer}\n"
    "    - {name: type_id, expression: type_id, datatype: Integer}\n"
    "  - name: reservation\n"
    "    source: public.reservation\n"
    "    primary_key: [reservation_id]\n"
    "    fields:\n"
    "    - {name: reservation_id, expression: reservation_id, datatype: Integer}\n"
    "    - {name: guest_id, expression: guest_id, datatype: Integer}\n"
    "    - {name: room_id, expression: room_id, datatype: Integer}\n"
    "    - {name: booked_on, expression: booked_on, datatype: Date}\n"
    "    - {name: check_in, expression: check_in, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: check_out, expression: check_out, datatype: Date}\n"
    "    - {name: status, expression: status, datatype: String,\n"
    "       ai_context: {examples: [completed, cancelled, no_show]}}\n"
    "    - {name: channel, expression: channel, datatype: String,\n"
    "       ai_context: {examples: [online, phone]}}\n"
    "    - {name: total_amount, expression: total_amount, datatype: Decimal}\n"
    "  - name: review\n"
    "    source: public.review\n"
    "    primary_key: [review_id]\n"
    "    fields:\n"
    "    - {name: review_id, expression: review_id, datatype: Integer}\n"
    "    - {name: reservation_id, expression: reservation_id, datatype: Integer}\n"
    "    - {name: rating, expression: rating, datatype: Integer}\n"
    "    - {name: written_on, expression: written_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: staff\n"
    "    source: public.staff\n"
    "    primary_key: [staff_id]\n"
    "    fields:\n"
    "    - {name: staff_id, expression: staff_id, datatype: Integer}\n"
    "    - {name: staff_name, expression: staff_name, datatype: String}\n"
    "    - {name: role, expression: role, datatype: String,\n"
    "       ai_context: {examples: [Cook, Manager]}}\n"
    "    - {name: salary, expression: salary, datatype: Decimal}\n"
    "    - {name: hired_on, expression: hired_on, datatype: Date}\n"
    "    - {name: hotel_id, expression: hotel_id, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: room_hotel, from: room, to: hotel,\n"
    "     from_columns: [hotel_id], to_columns: [hotel_id]}\n"
    "  - {name: room_room_type, from: room, to: room_type,\n"
    "     from_columns: [type_id], to_columns: [type_id]}\n"
    "  - {name: reservation_guest, from: reservation, to: guest,\n"
    "     from_columns: [guest_id], to_columns: [guest_id]}\n"
    "  - {name: reservation_room, from: reservation, to: room,\n"
    "     from_columns: [room_id], to_columns: [room_id]}\n"
    "  - {name: review_reservation, from: review, to: reservation,\n"
    "     from_columns: [reservation_id], to_columns: [reservation_id]}\n"
    "  - {name: staff_hotel, from: staff, to: hotel,\n"
    "     from_columns: [hotel_id], to_columns: [hotel_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(reservation.total_amount)}\n"
    "  - {name: average_rating, expression: AVG(review.rating)}\n";

const char dealer_model[] =
    "semantic_model:\n"
    "- name: dealer\n"
    "  datasets:\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: region, expression: region, datatype: String}\n"
    "    - {name: order_date, expression: order_date, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "  - name: sales\n"
    "    source: public.sales\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: model_year, expression: model_year, datatype: Integer}\n"
    "    - {name: amount, expression: amount, datatype: Decimal,\n"
    "       ai_context: {synonyms: [sales]}}\n"
    "  - name: rentals\n"
    "    source: public.rentals\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: year, expression: year, datatype: Integer}\n"
    "    - {name: fee, expression: fee, datatype: Decimal}\n"
    "  relationships:\n"
    "  - {name: sale_order, from: sales, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n"
    "  - {name: rental_order, from: rentals, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(sales.amount)}\n"
    "  - {name: fees, expression: SUM(rentals.fee)}\n";

const char flight_model[] =
    "semantic_model:\n"
    "- name: air\n"
    "  datasets:\n"
    "  - name: airports\n"
    "    source: public.airports\n"
    "    primary_key: [airport_id]\n"
    "    fields:\n"
    "    - {name: airport_id, expression: airport_id, datatype: Integer}\n"
    "    - {name: airport_name, expression: airport_name, datatype: String}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "  - name: flights\n"
    "    source: public.flights\n"
    "    primary_key: [flight_id]\n"
    "    fields:\n"
    "    - {name: flight_id, expression: flight_id, datatype: Integer}\n"
    "    - {name: year, expression: flight_year, datatype: Integer}\n"
    "    - {name: passengers, expression: passengers, datatype: Integer}\n"
    "    - {name: delay_minutes, expression: delay_minutes, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: flight_origin, from: flights, to: airports,\n"
    "     from_columns: [origin_airport_id], to_columns: [airport_id]}\n"
    "  - {name: flight_destination, from: flights, to: airports,\n"
    "     from_columns: [destination_airport_id], to_columns: [airport_id]}\n"
    "  metrics:\n"
    "  - {name: passenger_count, expression: SUM(flights.passengers)}\n";

static void check_queries(struct asked *a)
{
    struct str_list relations = ontology_relations(&a->arena, a->model);
    struct guard_policy policy = {.relations = relations.items,
                                  .n_relations = relations.n};
    for (size_t i = 0; i < a->specs.n_queries; i++) {
        const struct str sqls[] = {a->specs.queries[i].full_sql,
                                   a->specs.queries[i].pilot_sql};
        for (size_t j = 0; j < 2; j++) {
            struct guard_verdict verdict;
            guard_check(&a->arena, sqls[j], &policy, &verdict);
            if (!verdict.ok)
                fail_msg("%.*s: %.*s\n%.*s", STR_ARG(a->context.question),
                         STR_ARG(verdict.reason), STR_ARG(sqls[j]));
        }
    }
}

void ask(struct asked *a, const char *model, const char *const *questions)
{
    struct ontology *o;
    struct osi_report report;
    struct artifact_problem problem;
    size_t n = 0;
    *a = (struct asked){.planned = false};
    arena_init(&a->arena, 0);
    if (!osi_read(&a->arena, str_of(model), &o, &report)) {
        struct buf text;
        buf_init(&text, &a->arena);
        osi_report_print(&report, &text);
        fail_msg("%s", buf_cstr(&text));
    }
    a->model = o;
    while (questions[n])
        n++;
    struct str *earlier = arena_new_array(&a->arena, struct str, n);
    for (size_t i = 0; i + 1 < n; i++)
        earlier[i] = str_of(questions[i]);
    a->context = (struct analyst_context){.ontology = o,
                                          .question = str_of(questions[n - 1]),
                                          .earlier = earlier,
                                          .n_earlier = n - 1,
                                          .today = TODAY};
    a->planned = analyst_plan(&a->arena, &a->context, &a->plan);
    if (!plan_check(&a->plan, &problem))
        fail_msg("%s: %s", questions[n - 1], problem.text);
    bool queried = analyst_queries(&a->arena, &a->context, &a->plan, &a->specs);
    assert_int_equal(queried, a->planned);
    check_queries(a);
}

void ask_one(struct asked *asked, const char *model, const char *question)
{
    ask(asked, model, (const char *const[]){question, NULL});
}

void ask_done(struct asked *asked)
{
    arena_done(&asked->arena);
}

struct str asked_sql(struct asked *a)
{
    struct buf out;
    buf_init(&out, &a->arena);
    if (!a->planned)
        return arena_printf(&a->arena, "refused: %.*s",
                            STR_ARG(a->plan.intent));
    struct str sql = a->specs.queries[0].full_sql;
    for (size_t i = 0; i < sql.len; i++) {
        bool space = sql.ptr[i] == ' ' || sql.ptr[i] == '\n';
        if (!space)
            buf_char(&out, sql.ptr[i]);
        else if (out.len && out.ptr[out.len - 1] != ' ')
            buf_char(&out, ' ');
    }
    return buf_view(&out);
}

struct str asked_narrative(struct asked *a)
{
    struct analyst_findings findings = {.plan = &a->plan};
    return analyst_narrative(&a->arena, &a->context, &findings);
}

void assert_answers(const char *model, const char *question, const char *part)
{
    struct asked a;
    ask_one(&a, model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    assert_holds(asked_sql(&a), part);
    ask_done(&a);
}

void assert_refused(const char *model, const char *question, const char *why)
{
    struct asked a;
    ask_one(&a, model, question);
    if (a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(asked_sql(&a)));
    assert_holds(a.plan.intent, why);
    ask_done(&a);
}

void assert_str(struct str got, const char *wanted)
{
    if (!str_is(got, wanted))
        fail_msg("\n   got: %.*s\nwanted: %s", STR_ARG(got), wanted);
}

void assert_holds(struct str text, const char *part)
{
    if (str_find(text, str_of(part)) < 0)
        fail_msg("“%s” is not in: %.*s", part, STR_ARG(text));
}

void assert_lacks(struct str text, const char *part)
{
    if (str_find(text, str_of(part)) >= 0)
        fail_msg("“%s” is in: %.*s", part, STR_ARG(text));
}
