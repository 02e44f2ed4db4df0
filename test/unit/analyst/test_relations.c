/* How things are related: persons by their full names, references by the names of
 * what they refer to, and verbs for the rows between two things. */
#include "models.h"
#include "base/banned.h"

static const char model[] =
    "semantic_model:\n"
    "- name: surgery\n"
    "  datasets:\n"
    "  - name: owners\n"
    "    source: public.owners\n"
    "    primary_key: [owner_id]\n"
    "    fields:\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "    - {name: first_name, expression: first_name, datatype: String,\n"
    "       ai_context: {examples: [Derek, Anna]}}\n"
    "    - {name: last_name, expression: last_name, datatype: String,\n"
    "       ai_context: {examples: [Clegg, Stone]}}\n"
    "    - {name: city, expression: city, datatype: String}\n"
    "  - name: pets\n"
    "    source: public.pets\n"
    "    primary_key: [pet_id]\n"
    "    fields:\n"
    "    - {name: pet_id, expression: pet_id, datatype: Integer}\n"
    "    - {name: pet_name, expression: pet_name, datatype: String}\n"
    "    - {name: owner_id, expression: owner_id, datatype: Integer}\n"
    "  - name: vets\n"
    "    source: public.vets\n"
    "    primary_key: [vet_id]\n"
    "    fields:\n"
    "    - {name: vet_id, expression: vet_id, datatype: Integer}\n"
    "    - {name: fname, expression: fname, datatype: String}\n"
    "    - {name: surname, expression: surname, datatype: String}\n"
    "    - {name: salary, expression: salary, datatype: Decimal}\n"
    "    - {name: reports_to, expression: reports_to, datatype: Integer}\n"
    "  - name: rooms\n"
    "    source: public.rooms\n"
    "    primary_key: [room_id]\n"
    "    fields:\n"
    "    - {name: room_id, expression: room_id, datatype: Integer}\n"
    "    - {name: room_name, expression: room_name, datatype: String}\n"
    "    - {name: cleaned_by, expression: cleaned_by, datatype: Integer}\n"
    "    - {name: painted_by, expression: painted_by, datatype: Integer}\n"
    "  - name: courses\n"
    "    source: public.courses\n"
    "    primary_key: [course_id]\n"
    "    fields:\n"
    "    - {name: course_id, expression: course_id, datatype: Integer}\n"
    "    - {name: title, expression: title, datatype: String}\n"
    "    - {name: starts_on, expression: starts_on, datatype: Date}\n"
    "  - name: attendances\n"
    "    source: public.attendances\n"
    "    primary_key: [vet_id, course_id]\n"
    "    fields:\n"
    "    - {name: vet_id, expression: vet_id, datatype: Integer}\n"
    "    - {name: course_id, expression: course_id, datatype: Integer}\n"
    "  - name: treatments\n"
    "    source: public.treatments\n"
    "    primary_key: [treatment_id]\n"
    "    fields:\n"
    "    - {name: treatment_id, expression: treatment_id,\n"
    "       datatype: Integer}\n"
    "    - {name: vet_id, expression: vet_id, datatype: Integer}\n"
    "    - {name: pet_id, expression: pet_id, datatype: Integer}\n"
    "  - name: products\n"
    "    source: public.products\n"
    "    primary_key: [product_id]\n"
    "    fields:\n"
    "    - {name: product_id, expression: product_id, datatype: Integer}\n"
    "    - {name: product_name, expression: product_name,\n"
    "       datatype: String}\n"
    "    - {name: brand_id, expression: brand_id, datatype: Integer}\n"
    "  - name: brands\n"
    "    source: public.brands\n"
    "    primary_key: [brand_id]\n"
    "    fields:\n"
    "    - {name: brand_id, expression: brand_id, datatype: Integer}\n"
    "    - {name: brand_name, expression: brand_name, datatype: String}\n"
    "  - name: customers\n"
    "    source: public.customers\n"
    "    primary_key: [customer_id]\n"
    "    fields:\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "    - {name: customer_name, expression: customer_name,\n"
    "       datatype: String}\n"
    "    - {name: support_agent_id, expression: support_agent_id,\n"
    "       datatype: Integer}\n"
    "  - name: orders\n"
    "    source: public.orders\n"
    "    primary_key: [order_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: order_date, expression: order_date, datatype: Date}\n"
    "    - {name: customer_id, expression: customer_id, datatype: Integer}\n"
    "  - name: order_items\n"
    "    source: public.order_items\n"
    "    primary_key: [order_id, product_id]\n"
    "    fields:\n"
    "    - {name: order_id, expression: order_id, datatype: Integer}\n"
    "    - {name: product_id, expression: product_id, datatype: Integer}\n"
    "    - {name: quantity, expression: quantity, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: attendances_vets, from: attendances, to: vets,\n"
    "     from_columns: [vet_id], to_columns: [vet_id]}\n"
    "  - {name: attendances_courses, from: attendances, to: courses,\n"
    "     from_columns: [course_id], to_columns: [course_id]}\n"
    "  - {name: treatments_vets, from: treatments, to: vets,\n"
    "     from_columns: [vet_id], to_columns: [vet_id]}\n"
    "  - {name: treatments_pets, from: treatments, to: pets,\n"
    "     from_columns: [pet_id], to_columns: [pet_id]}\n"
    "  - {name: products_brands, from: products, to: brands,\n"
    "     from_columns: [brand_id], to_columns: [brand_id]}\n"
    "  - {name: customers_agent, from: customers, to: vets,\n"
    "     from_columns: [support_agent_id], to_columns: [vet_id]}\n"
    "  - {name: orders_customers, from: orders, to: customers,\n"
    "     from_columns: [customer_id], to_columns: [customer_id]}\n"
    "  - {name: items_orders, from: order_items, to: orders,\n"
    "     from_columns: [order_id], to_columns: [order_id]}\n"
    "  - {name: items_products, from: order_items, to: products,\n"
    "     from_columns: [product_id], to_columns: [product_id]}\n"
    "  - {name: pets_owners, from: pets, to: owners,\n"
    "     from_columns: [owner_id], to_columns: [owner_id]}\n"
    "  - {name: vets_reports_to, from: vets, to: vets,\n"
    "     from_columns: [reports_to], to_columns: [vet_id]}\n"
    "  - {name: rooms_cleaned_by, from: rooms, to: vets,\n"
    "     from_columns: [cleaned_by], to_columns: [vet_id]}\n"
    "  - {name: rooms_painted_by, from: rooms, to: vets,\n"
    "     from_columns: [painted_by], to_columns: [vet_id]}\n";

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

/* ---- full names ----------------------------------------------------------- */

static void test_a_full_name_is_looked_up_over_two_fields(void **state)
{
    (void)state;
    const char *both =
        "CONCAT_WS(' ', owners.first_name, owners.last_name)), '";
    check_holds("pets of Luis Lee", both);
    check_holds("how many pets does Luis Lee own", both);
    check_holds("Luis Lee's pets", "= 'luis lee'");
    check_holds("salary of Nora Quinn",
                "CONCAT_WS(' ', vets.fname, vets.surname)");
    check_holds("pets of Luis Lee and Nora Quinn", "= 'nora quinn'");
}

static void test_known_first_and_last_names_are_one_person(void **state)
{
    (void)state;
    struct asked a;
    check_holds("pets of Derek Clegg", "= 'derek clegg'");
    check_holds("number of pets of Anna Stone", "= 'anna stone'");
    ask_one(&a, model, "pets of Derek and Anna");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "derek and anna");
    ask_done(&a);
}

static void test_one_word_is_no_full_name(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "pets of Quinn");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "CONCAT_WS(' ', owners");
    ask_done(&a);
}

/* A name with accents is looked for as it is written, one without them also among
 * those that have them. */
static void test_accents_may_be_left_out(void **state)
{
    (void)state;
    struct asked a;
    check_holds("pets of Luis Goncalves", "TRANSLATE(LOWER(");
    ask_one(&a, model, "pets of Luís Gonçalves");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "TRANSLATE");
    assert_holds(asked_sql(&a), "LOWER('Luís Gonçalves')");
    ask_done(&a);
}

static void test_quotes_in_a_name_are_no_sql(void **state)
{
    (void)state;
    check_holds("pets of \"Sinead O'Connor\"", "= 'sinead o''connor'");
    check_holds("number of rooms where cleaned by is \"x') or ('1' = '1\"",
                "= 'x'') or (''1'' = ''1'");
}

/* ---- references ------------------------------------------------------------ */

static void test_a_reference_is_compared_with_the_name_of_its_row(void **state)
{
    (void)state;
    const char *cleaned = "rooms.cleaned_by IN (SELECT vets.vet_id FROM";
    check_holds("rooms cleaned by Nora Quinn", cleaned);
    check_holds("number of rooms cleaned by Nora Quinn", cleaned);
    check_holds("how many rooms are cleaned by Nora Quinn", "= 'nora quinn')");
    check_holds("rooms painted by Nora Quinn", "rooms.painted_by IN (SELECT");
    check_holds("rooms cleaned by Quinn", "LOWER(vets.surname) = 'quinn')");
    check_holds("rooms not cleaned by Nora Quinn",
                "= 'nora quinn')) IS NOT TR");
    check_holds("number of rooms where cleaned by is 5",
                "rooms.cleaned_by IN (5)");
    check_refused("rooms closed by Nora Quinn", "closed");
}

static void test_rows_may_refer_to_rows_of_their_own(void **state)
{
    (void)state;
    const char *named = "vets.reports_to IN (SELECT vets.vet_id FROM";
    check_holds("vets who report to Nora Quinn", named);
    check_holds("how many vets report to Nora Quinn", named);
    check_holds("number of vets where reports to is Nora Quinn", named);
}

/* ---- verbs ------------------------------------------------------------------ */

static void test_a_verb_is_the_column_that_is_called_so(void **state)
{
    (void)state;
    const char *cleaned = "LEFT JOIN public.vets AS vets ON rooms.cleaned_by =";
    const char *named = "rooms.cleaned_by IN (SELECT vets.vet_id";
    check_holds("which vet cleaned the most rooms", cleaned);
    check_holds("who cleaned the most rooms", cleaned);
    check_holds("which 3 vets painted the most rooms",
                "ON rooms.painted_by = vets.vet_id");
    check_holds("how many rooms does Nora Quinn clean", named);
    check_holds("rooms that Nora Quinn cleaned", named);
    check_holds("customers supported by Nora Quinn",
                "customers.support_agent_id IN (SELECT vets.vet_id");
    check_holds("number of vets reporting to Nora Quinn",
                "vets.reports_to IN (SELECT");
    check_refused("which vet closed the most rooms", "closed");
    check_refused("how many rooms did Nora Quinn not clean", "not clean");
    check_refused("which customer cleaned the most rooms", "");
}

static void test_a_verb_is_the_dataset_that_is_called_so(void **state)
{
    (void)state;
    const char *linked =
        "EXISTS (SELECT 1 FROM public.attendances AS attendances";
    check_holds("which vet attended the most courses",
                "COUNT(DISTINCT courses.course_id)");
    check_holds("who attended the most courses",
                "COUNT(DISTINCT courses.course_id)");
    check_holds("vets who attended Ethics", linked);
    check_holds("which vets attended Ethics",
                "LOWER(courses.title) = 'ethics'");
    check_holds("how many vets attended Ethics", linked);
    check_holds("how many courses did Ines Roth attend", "= 'ines roth'");
    check_holds("courses attended by Ines Roth", linked);
    check_refused("vets who did not attend Ethics", "");
    check_refused("how many courses did Ines Roth attend in 2024",
                  "may be when it was done");
    check_refused("which pet attended the most courses", "");
    check_refused("which vet attended the most courses in 2024", "");
    check_refused("which vet cleaned the most rooms in 2024", "");
}

/* Owners are no vets, although a name may be of both. */
static void test_a_name_is_looked_up_where_the_verb_leads(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "pets treated by Nora Quinn");
    assert_true(a.planned);
    assert_lacks(asked_sql(&a), "owners");
    assert_holds(asked_sql(&a), "treatments.pet_id = pets.pet_id");
    ask_done(&a);
}

static void test_what_is_done_often_is_not_counted(void **state)
{
    (void)state;
    const char *why = "once or each time";
    check_refused("which vet treated the most pets", why);
    check_refused("how many pets did Nora Quinn treat", why);
    check_refused("number of pets treated by Nora Quinn", why);
    check_holds("which vet has the most treatments", "COUNT(*)");
}

static void test_goods_are_sold_by_the_quantity_of_their_lines(void **state)
{
    (void)state;
    const char *sum = "SUM(order_items.quantity)";
    check_holds("which five brands sold the most products", sum);
    check_holds("which customer bought the most products", sum);
    check_holds("how many products did Acme sell", sum);
    check_holds("how many products were sold in 2024", "orders.order_date >=");
    check_holds("how many products did we sell", sum);
    check_holds("how many products have been sold", sum);
    check_holds("which brand sold the most products in 2024", "order_date >=");
    check_refused("how many products did we buy", "buy");
    check_holds("how many products did Luis Lee buy",
                "LOWER(customers.customer_name) = 'luis lee'");
    check_refused("which customer sold the most products", "sold");
    check_refused("which brand bought the most products", "bought");
    check_refused("which brand sold the fewest products", "");
    check_refused("how many products were not sold", "not sold");
    check_refused("how many different products were sold", "sold");
    check_refused("how many customers did Acme sell", "");
    check_refused("which customers bought the most products", "how many");
}

/* No product sells itself, and who buys is no brand. */
static void test_who_sells_is_looked_up_in_what_goods_belong_to(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "how many products did Acme sell");
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "brands.brand_name");
    assert_lacks(asked_sql(&a), "product_name) =");
    assert_lacks(asked_sql(&a), "customers");
    ask_done(&a);
}

/* ---- what is offered --------------------------------------------------------- */

static void test_a_verb_that_is_not_known_is_named_alone(void **state)
{
    (void)state;
    struct asked a;
    check_refused("how many pets did Nora Quinn groom", "word: “groom”");
    ask_one(&a, model, "how many pets did Nora Quinn groom");
    assert_false(a.planned);
    ask_done(&a);
}

/* A figure that was not asked for is not near to what somebody did. */
static void test_no_other_figure_is_offered_for_a_verb(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, shop_model, "which cities barked the most");
    assert_lacks(asked_narrative(&a), "nearest question");
    ask_done(&a);
    ask_one(&a, shop_model, "which city is the strongest?");
    assert_holds(asked_narrative(&a), "revenue by city");
    ask_done(&a);
}

/* Without its period or its condition it would be another question. */
static void test_what_is_offered_keeps_what_was_understood(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "number of pets groomed in 2024");
    assert_lacks(asked_narrative(&a), "- number of pets\n");
    ask_done(&a);
    ask_one(&a, shop_model, "number of orders praised in Houston in 2025");
    assert_holds(asked_narrative(&a), "number of orders in Houston in 2025");
    ask_done(&a);
}

/* Of lines that may have been returned, not all were sold. */
static void test_what_may_be_returned_is_not_added_up(void **state)
{
    (void)state;
    assert_refused(shop_model, "how many products did we sell", "");
    assert_refused(shop_model, "which customer bought the most products", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_name_is_looked_up_over_two_fields),
        cmocka_unit_test(test_known_first_and_last_names_are_one_person),
        cmocka_unit_test(test_one_word_is_no_full_name),
        cmocka_unit_test(test_accents_may_be_left_out),
        cmocka_unit_test(test_quotes_in_a_name_are_no_sql),
        cmocka_unit_test(test_a_reference_is_compared_with_the_name_of_its_row),
        cmocka_unit_test(test_rows_may_refer_to_rows_of_their_own),
        cmocka_unit_test(test_a_verb_is_the_column_that_is_called_so),
        cmocka_unit_test(test_a_verb_is_the_dataset_that_is_called_so),
        cmocka_unit_test(test_a_name_is_looked_up_where_the_verb_leads),
        cmocka_unit_test(test_what_is_done_often_is_not_counted),
        cmocka_unit_test(test_goods_are_sold_by_the_quantity_of_their_lines),
        cmocka_unit_test(test_who_sells_is_looked_up_in_what_goods_belong_to),
        cmocka_unit_test(test_what_may_be_returned_is_not_added_up),
        cmocka_unit_test(test_a_verb_that_is_not_known_is_named_alone),
        cmocka_unit_test(test_no_other_figure_is_offered_for_a_verb),
        cmocka_unit_test(test_what_is_offered_keeps_what_was_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
