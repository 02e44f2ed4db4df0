/* Names of keys and columns, columns of several tables, amounts and rates: each
 * rule with what it finds and what it leaves alone. */
#include "model_help.h"
#include "infer/infer.h"
#include "infer/measure.h"
#include "ontology/draft.h"
#include "osi/datatype.h"
#include "../arena_test.h"

/* "name:kind" words: w whole number, n number, t text, d date. */
static struct catalog_table *table(struct catalog *c, const char *name,
                                   const char *columns)
{
    static const enum column_kind kinds[] = {['w'] = COLUMN_INTEGER,
                                             ['n'] = COLUMN_NUMBER,
                                             ['t'] = COLUMN_TEXT,
                                             ['d'] = COLUMN_DATE};
    if (!c->tables)
        c->tables = arena_new_array(&arena, struct catalog_table, 1200);
    struct catalog_table *t = &c->tables[c->n_tables++];
    struct str rest = str_of(columns), word;
    *t = (struct catalog_table){
        .schema = STR("public"), .name = str_of(name), .rows = 200};
    t->columns = arena_new_array(&arena, struct catalog_column, 40);
    while (str_split(&rest, ' ', &word))
        t->columns[t->n_columns++] = (struct catalog_column){
            .name = str_cut(word, 0, word.len - 2),
            .kind = kinds[(unsigned char)word.ptr[word.len - 1]]};
    return t;
}

/* Every first guess of a key holds in that number of rows; every value of a link is
 * found. */
static void infer(struct catalog *c, int64_t rows)
{
    struct key_guess *keys;
    struct link_guess *links;
    size_t n = infer_keys(&arena, c, &keys);
    for (size_t i = 0; i < n; i++) {
        keys[i].asked = keys[i].whole = true;
        keys[i].rows = keys[i].distinct = rows;
    }
    infer_apply_keys(&arena, c, keys, n);
    infer_mark_many(&arena, c);
    n = infer_guesses(&arena, c, &links);
    for (size_t i = 0; i < n; i++) {
        links[i].asked = true;
        links[i].values = links[i].found = 10;
        links[i].targets = 20;
    }
    infer_links(&arena, c, links, n);
}

/* The table that the column refers to, "" for none. */
static const char *target(const struct catalog *c, const char *table_name,
                          const char *column)
{
    for (size_t i = 0; i < c->n_links; i++) {
        const struct catalog_link *l = &c->links[i];
        const struct catalog_table *t = &c->tables[l->from];
        if (l->origin != LINK_SUGGESTED && str_is(t->name, table_name) &&
            l->n == 1 && str_is(t->columns[l->from_columns[0]].name, column))
            return arena_cstr(&arena, c->tables[l->to].name);
    }
    return "";
}

/* flight_number and VisitNo count rows; a ticket has an assignee, who is none. */
static void test_a_counter_or_a_person_is_no_row_of_its_own_table(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("desk")};
    table(&c, "flights", "flight_id:w flight_number:w seats:w");
    table(&c, "visits", "visit_id:w visit_no:w parent_visit_id:w");
    table(&c, "tickets", "id:w assignee_id:w merged_into_ticket_id:w");
    infer(&c, 200);
    assert_string_equal(target(&c, "flights", "flight_number"), "");
    assert_string_equal(target(&c, "visits", "visit_no"), "");
    assert_string_equal(target(&c, "visits", "parent_visit_id"), "visits");
    assert_string_equal(target(&c, "tickets", "assignee_id"), "");
    assert_string_equal(target(&c, "tickets", "merged_into_ticket_id"),
                        "tickets");
}

/* Samples of a column: texts, with that many distinct ones in all. */
static void sample(struct catalog_table *t, size_t column, const char *values,
                   int64_t distinct)
{
    struct catalog_column *c = &t->columns[column];
    struct str rest = str_of(values), word;
    c->profiled = true;
    c->n_distinct = distinct;
    c->n_values = 200;
    c->samples.items = arena_new_array(&arena, struct str, 12);
    while (str_split(&rest, ' ', &word))
        c->samples.items[c->samples.n++] = word;
}

static void test_codes_refer_to_the_only_key_that_has_them_all(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("air")};
    table(&c, "airports", "iata:t city:t");
    struct catalog_table *flights =
        table(&c, "flights", "flight_id:w origin:t gate:t state:t remark:t");
    table(&c, "bookings", "booking_id:w iata:t");
    sample(flights, 1, "VIE LIS HAM", 8);
    sample(flights, 2, "A1 B22 C3", 40);  /* of several lengths */
    sample(flights, 3, "CA GA IN", 20);   /* of two letters */
    sample(flights, 4, "yes not did", 3); /* few */
    infer(&c, 200);
    assert_string_equal(target(&c, "flights", "origin"), "airports");
    assert_string_equal(target(&c, "flights", "gate"), "");
    assert_string_equal(target(&c, "flights", "state"), "");
    assert_string_equal(target(&c, "flights", "remark"), "");
    struct catalog two = {.database = STR("air")};
    table(&two, "airports", "iata:t city:t");
    flights = table(&two, "flights", "flight_id:w origin:t");
    table(&two, "stations", "abbr:t town:t");
    table(&two, "stops", "stop_id:w iata:t abbr:t");
    sample(flights, 1, "VIE LIS HAM", 8);
    infer(&two, 200);
    assert_string_equal(target(&two, "flights", "origin"), "");
}

/* A key of the table for these columns, "," between them. */
static const char *key_of(const struct catalog *c, size_t table)
{
    const struct catalog_key *key = catalog_primary(&c->tables[table]);
    struct buf out;
    buf_init(&out, &arena);
    for (size_t i = 0; key && i < key->n; i++)
        buf_printf(&out, "%s%.*s", i ? "," : "",
                   STR_ARG(c->tables[table].columns[key->columns[i]].name));
    return arena_cstr(&arena, buf_finish(&out));
}

/* Answers the guesses of keys: only two columns together are unique. */
static void infer_pairs(struct catalog *c)
{
    struct key_guess *keys;
    size_t n = infer_keys(&arena, c, &keys);
    for (size_t i = 0; i < n; i++) {
        keys[i].asked = keys[i].whole = true;
        keys[i].rows = 200;
        keys[i].distinct = keys[i].n > 1 ? 200 : 90;
    }
    infer_apply_keys(&arena, c, keys, n);
}

static void test_a_counter_completes_the_key_of_the_rows_above(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("lager")};
    table(&c, "Bestellposition", "BestellNr:w PosNr:w ArtikelNr:w Menge:w");
    table(&c, "wo_opr", "wo_no:w opr_seq:w wc_cd:t hours:n");
    table(&c, "Bestellung", "BestellNr:w KundenNr:w");
    table(&c, "Artikel", "ArtikelNr:w Name:t");
    infer_pairs(&c);
    assert_string_equal(key_of(&c, 0), "BestellNr,PosNr");
    assert_string_equal(key_of(&c, 1), "wo_no,opr_seq");
}

/* The relationship of two columns between the tables, if the model has it. */
static bool are_related(const struct catalog *c, const char *from,
                        const char *to)
{
    for (size_t i = 0; i < c->n_links; i++)
        if (c->links[i].origin != LINK_SUGGESTED && c->links[i].n > 1 &&
            str_is(c->tables[c->links[i].from].name, from) &&
            str_is(c->tables[c->links[i].to].name, to))
            return true;
    return false;
}

static void test_facts_of_one_day_are_not_related_by_it(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("plant")};
    struct link_guess *links;
    struct catalog_table *energy =
        table(&c, "energy", "site_sk:w date_key:w kwh:n");
    table(&c, "readings", "site_sk:w date_key:w at_ms:w celsius:n");
    struct catalog_table *rooms =
        table(&c, "rooms", "hotel_id:w room_no:w floor:w");
    table(&c, "stays", "stay_id:w hotel_id:w room_no:w nights:w");
    energy->keys = rooms->keys =
        &(struct catalog_key){(size_t[]){0, 1}, 2, true, false, false, 0};
    energy->n_keys = rooms->n_keys = 1;
    size_t n = infer_guesses(&arena, &c, &links);
    for (size_t i = 0; i < n; i++) {
        links[i].asked = true;
        links[i].values = links[i].found = 100;
        links[i].targets = 200;
    }
    infer_links(&arena, &c, links, n);
    assert_false(are_related(&c, "readings", "energy"));
    assert_true(are_related(&c, "stays", "rooms"));
}

static void test_letters_that_a_table_puts_before_names_do_not_count(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("shop")};
    table(&c, "mkclient", "mkclid:t mkclname:t mkclcity:t");
    table(&c, "mkproduct", "mkprodid:t mkprodname:t mkprodprice:n");
    table(&c, "mkorder", "mkorid:t mkorclid:t mkorprodid:t mkorslid:t");
    infer(&c, 200);
    assert_string_equal(target(&c, "mkorder", "mkorclid"), "mkclient");
    assert_string_equal(target(&c, "mkorder", "mkorprodid"), "mkproduct");
    assert_string_equal(target(&c, "mkorder", "mkorslid"), "");
}

static void test_initials_are_a_key_only_of_their_table(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("music")};
    table(&c, "artist", "aid:w name:t");
    table(&c, "piece", "title:t pid:w year:w");
    table(&c, "plays", "aid:w pid:w");
    table(&c, "offers", "name:t bid:w amount:w");
    infer(&c, 200);
    assert_string_equal(target(&c, "plays", "aid"), "artist");
    assert_string_equal(target(&c, "plays", "pid"), "piece");
    assert_string_equal(target(&c, "offers", "bid"), "");
}

static void test_two_tables_of_the_same_initials_are_not_guessed(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("music")};
    table(&c, "piece", "pid:w title:t");
    table(&c, "place", "pid:w town:t");
    table(&c, "concert", "cid:w pid:w seats:w");
    infer(&c, 200);
    assert_string_equal(target(&c, "concert", "pid"), "");
}

static void test_id_may_come_first(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("boutique")};
    table(&c, "clients", "id_client:w nom:t");
    table(&c, "commandes", "id_commande:w id_client:w idclient:w");
    infer(&c, 200);
    assert_string_equal(target(&c, "commandes", "id_client"), "clients");
    assert_string_equal(target(&c, "commandes", "idclient"), "clients");
}

static void test_abbreviations_keep_the_order_of_letters(void **s)
{
    (void)s;
    assert_true(name_abbreviates(STR("acct"), STR("account")));
    assert_true(name_abbreviates(STR("dept"), STR("department")));
    assert_true(name_abbreviates(STR("emp"), STR("employee")));
    assert_false(name_abbreviates(STR("tcca"), STR("account")));
    assert_false(name_abbreviates(STR("ac"), STR("account")));
    assert_false(name_abbreviates(STR("ext"), STR("employee")));
    assert_false(name_abbreviates(STR("accounts"), STR("account")));
}

static void test_a_key_of_one_name_is_at_home_where_it_is_alone(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("erp")};
    table(&c, "mara", "matnr:t mtart:t");
    table(&c, "mard", "matnr:t werks:t stock:n");
    table(&c, "plant", "werks:t label:t");
    table(&c, "vbap", "vbeln:t posnr:w amount:n matnr:t");
    infer(&c, 200);
    assert_string_equal(target(&c, "vbap", "matnr"), "mara");
    assert_string_equal(target(&c, "mard", "matnr"), "mara");
    assert_string_equal(target(&c, "mara", "matnr"), "");
}

/* ---- several tables ------------------------------------------------------ */

static struct str_list words(const char *text)
{
    struct str_list list = {arena_new_array(&arena, struct str, 8), 0};
    struct str rest = str_of(text), word;
    while (str_split(&rest, ' ', &word))
        list.items[list.n++] = word;
    return list;
}

static void test_a_type_beside_an_id_tells_of_several_tables(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("bank")};
    struct catalog_table *remarks, *payments, *trips;
    table(&c, "members", "id:w name:t");
    table(&c, "shops", "id:w name:t");
    table(&c, "vehicles", "id:w name:t");
    remarks = table(&c, "remarks", "id:w subject_id:w subject_type:t");
    payments = table(&c, "payments", "id:w sender_id:w sender_type:w");
    trips = table(&c, "trips", "id:w vehicle_id:w vehicle_type:t plan_id:w");
    remarks->columns[2].samples = words("Shop Member");
    trips->columns[2].samples = words("bus van");
    infer(&c, 200);
    assert_int_equal(remarks->columns[1].many, MANY_NAMED);
    assert_int_equal(remarks->columns[1].teller, 2);
    assert_int_equal(payments->columns[1].many, MANY_FOUND);
    assert_string_equal(target(&c, "payments", "sender_id"), "");
    assert_string_equal(target(&c, "remarks", "subject_id"), "");
    assert_int_equal(trips->columns[1].many, MANY_NOT);
    assert_string_equal(target(&c, "trips", "vehicle_id"), "vehicles");
    assert_int_equal(trips->columns[3].many, MANY_NOT);
}

/* ---- keys from few rows -------------------------------------------------- */

static void test_a_key_from_few_rows_is_a_guess(void **s)
{
    (void)s;
    for (int64_t rows = 0; rows <= 200; rows += 100) {
        struct catalog c = {.database = STR("shop")};
        table(&c, "orders", "order_id:w note:t");
        infer(&c, rows);
        const struct catalog_key *key = catalog_primary(&c.tables[0]);
        assert_non_null(key);
        assert_int_equal(catalog_key_is_guess(key), rows < 100);
        struct ontology *o = draft_ontology(&arena, &c, STR("shop"));
        assert_int_equal(o->datasets[0].hints.instructions.len > 0, rows < 100);
    }
    struct catalog_key declared = {.primary = true};
    assert_false(catalog_key_is_guess(&declared));
}

/* ---- measures ------------------------------------------------------------ */

static const struct {
    const char *table, *column;
    enum measure_kind kind;
} kinds[] = {
    {"sales", "amount:n", AMOUNT},
    {"sales", "total_price:n", AMOUNT},
    {"sales", "unit_price:n", RATE},
    {"sales", "unitprice:n", RATE},
    {"sales", "unit_cost:n", RATE},
    {"sales", "shipping_cost:n", AMOUNT},
    {"sales", "fee_amount:n", AMOUNT},
    {"sales", "order_amount:n", AMOUNT},
    {"sales", "order_position:w", NEITHER},
    {"sales", "amount_paid:n", AMOUNT},
    {"sales", "productcode:w", NEITHER},
    {"sales", "id_client:w", NEITHER},
    {"sales", "num_items:w", AMOUNT},
    {"sales", "line_no:w", NEITHER},
    {"sales", "created_epoch:w", NEITHER},
    {"sales", "discount_pct:n", RATE},
    {"accounts", "credit_limit:n", RATE},
    {"accounts", "max_daily_withdrawal:n", RATE},
    {"students", "total_gpa:n", RATE},
    {"reviews", "review_stars:w", RATE},
    {"cars", "horsepower:w", RATE},
    {"inspections", "hardness:n", RATE},
    {"pipes", "diameter_mm:w", RATE},
    {"cars", "cylinders:w", RATE},
    {"repositories", "stars_count:w", AMOUNT},
    {"students", "credits:w", AMOUNT},
    {"states", "density:n", RATE},
    {"states", "population:w", AMOUNT},
    {"employees", "weight:n", RATE},
    {"shipments", "weight:n", AMOUNT},
    {"artikel", "einzelpreis:n", RATE},
    {"artikel", "mindestbestand:w", RATE},
    {"entries", "minutes_spent:w", AMOUNT},
    {"entries", "start_minute:w", NEITHER},
    {"items", "std_cst:n", RATE},
    {"centres", "hrly_rt:n", RATE},
    {"bom", "qty_per:n", RATE},
    {"results", "ResultValue:n", RATE},
    {"readings", "value:n", RATE},
    {"orders", "order_value:n", AMOUNT},
    {"energy", "co2_intensity:n", RATE},
    {"profesores", "sueldo_por_hora:n", RATE},
    {"matriculas", "nota:n", RATE},
    {"matriculas", "anio:w", NEITHER},
    {"horarios", "dia_semana:w", NEITHER},
    {"pagos", "importe:n", AMOUNT},
    {"товары", "цена:n", RATE},
    {"заказы", "год:w", NEITHER},
    {"заказы", "сумма:n", AMOUNT},
};

static enum measure_kind kind_in(const char *name, const char *columns,
                                 size_t column)
{
    struct catalog c = {.database = STR("shop")};
    struct measures m;
    table(&c, name, columns);
    measures_make(&arena, &c, &m);
    return measure_of(&m, 0, column);
}

static void test_only_amounts_are_added_up(void **s)
{
    (void)s;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        enum measure_kind kind = kind_in(kinds[i].table, kinds[i].column, 0);
        if (kind != kinds[i].kind)
            fail_msg("%s of %s is %d", kinds[i].column, kinds[i].table, kind);
    }
}

static void test_balances_add_up_over_accounts_and_not_over_days(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("bank")};
    struct measures m;
    struct catalog_table *accounts =
        table(&c, "accounts", "account_id:w balance:n opened:d");
    table(&c, "balances_daily", "account_id:w day:d balance:n available:n");
    table(&c, "transfers_daily", "account_id:w day:d amount:n");
    struct catalog_key key = {(size_t[]){0}, 1, .primary = true};
    accounts->keys = &key;
    accounts->n_keys = 1;
    measures_make(&arena, &c, &m);
    assert_int_equal(measure_of(&m, 0, 1), AMOUNT);
    assert_int_equal(measure_of(&m, 1, 2), RATE);
    assert_int_equal(measure_of(&m, 1, 3), RATE);
    assert_int_equal(measure_of(&m, 2, 2), AMOUNT);
}

static enum measure_kind kind_of_range(const char *column, const char *least,
                                       const char *greatest)
{
    struct catalog c = {.database = STR("shop")};
    struct measures m;
    struct catalog_column *x = table(&c, "things", column)->columns;
    x->profiled = true;
    x->n_values = x->n_distinct = 100;
    x->least = str_of(least);
    x->greatest = str_of(greatest);
    measures_make(&arena, &c, &m);
    return measure_of(&m, 0, 0);
}

static void test_ranges_show_moments_and_shares(void **s)
{
    (void)s;
    assert_int_equal(kind_of_range("stamp:w", "1672531200", "1690000000"),
                     NEITHER);
    assert_int_equal(kind_of_range("stamp:w", "20230101", "20231231"), NEITHER);
    assert_int_equal(kind_of_range("stamp:w", "3", "1690000000"), AMOUNT);
    assert_int_equal(kind_of_range("amount:w", "1672531200", "1690000000"),
                     AMOUNT);
    assert_int_equal(kind_of_range("load:n", "0.02", "0.97"), RATE);
    assert_int_equal(kind_of_range("load:n", "0.02", "97"), AMOUNT);
}

static void test_few_small_numbers_in_the_singular_are_codes(void **s)
{
    (void)s;
    static const struct {
        const char *column;
        const char *greatest;
        int64_t distinct;
        enum measure_kind kind;
    } list[] = {
        {"floor:w", "9", 9, NEITHER},       {"phase:w", "3", 3, NEITHER},
        {"clerk:w", "20", 18, NEITHER},     {"nights:w", "6", 6, AMOUNT},
        {"rooms_sold:w", "24", 20, AMOUNT}, {"quantity:w", "9", 9, AMOUNT},
        {"credit_hours:w", "9", 9, AMOUNT}, {"load:w", "900", 20, AMOUNT},
        {"load:w", "30", 150, AMOUNT},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct catalog c = {.database = STR("hotel")};
        struct measures m;
        struct catalog_column *x = table(&c, "things", list[i].column)->columns;
        x->profiled = true;
        x->n_values = 200;
        x->n_distinct = list[i].distinct;
        x->least = STR("1");
        x->greatest = str_of(list[i].greatest);
        measures_make(&arena, &c, &m);
        if (measure_of(&m, 0, 0) != list[i].kind)
            fail_msg("%s to %s", list[i].column, list[i].greatest);
    }
}

/* ---- hostile sizes ------------------------------------------------------- */

static void test_names_of_any_length_are_bounded(void **s)
{
    (void)s;
    char *name = arena_alloc(&arena, 20000);
    memset(name, 'a', 19990);
    memcpy(name + 19990, "id:w b:t", 9);
    struct catalog c = {.database = STR("x")};
    table(&c, "", "id:w");
    table(&c, "_", "_:w __:w");
    table(&c, "a", name);
    table(&c, "ab", name);
    infer(&c, 3);
    assert_non_null(draft_ontology(&arena, &c, STR("x")));
}

/* A thousand tables of twenty columns, half of which refer to something: the
 * guesses, each of which is a query, stay few. */
static void test_a_large_schema_gets_few_guesses_a_column(void **s)
{
    (void)s;
    struct catalog c = {.database = STR("large")};
    struct key_guess *keys;
    struct link_guess *links;
    struct measures m;
    for (int i = 0; i < 1000; i++) {
        struct buf columns;
        buf_init(&columns, &arena);
        buf_printf(&columns, "t%did:w t%dname:t sid:w acct_id:w", i, i);
        for (int k = 0; k < 16; k++)
            buf_printf(&columns, " ref%d_t%d%s:w", k, (i * 7 + k) % 1000,
                       k % 2 ? "id" : "_amount");
        table(&c, arena_cstr(&arena, arena_printf(&arena, "t%d", i)),
              buf_cstr(&columns));
    }
    size_t n_keys = infer_keys(&arena, &c, &keys);
    assert_true(n_keys <= 4 * c.n_tables);
    for (size_t i = 0; i < n_keys; i++) {
        keys[i].asked = keys[i].whole = true;
        keys[i].rows = keys[i].distinct = 200;
    }
    infer_apply_keys(&arena, &c, keys, n_keys);
    infer_mark_many(&arena, &c);
    size_t n = infer_guesses(&arena, &c, &links);
    assert_in_range(n, 1, 20 * c.n_tables);
    measures_make(&arena, &c, &m);
    assert_int_equal(measure_of(&m, 999, 4), AMOUNT);
}

static void test_types_are_known_by_osi_or_by_sql(void **s)
{
    (void)s;
    static const char *const known[] = {
        "Decimal",          "string",
        "varchar(20)",      "numeric (10, 2)",
        "text[]",           "int8",
        "DOUBLE PRECISION", "timestamp(3) with time zone",
        "ARRAY<STRING>",    NULL};
    static const char *const unknown[] = {
        "Strnig", "varchar(20", "number 7", "(5)", "varchar() x", "[]", NULL};
    for (size_t i = 0; known[i]; i++)
        if (!datatype_is_known(str_of(known[i])))
            fail_msg("%s", known[i]);
    for (size_t i = 0; unknown[i]; i++)
        if (datatype_is_known(str_of(unknown[i])))
            fail_msg("%s", unknown[i]);
}

static void test_an_unknown_type_is_reported_with_its_place(void **s)
{
    (void)s;
    static const char text[] =
        "semantic_model:\n- name: m\n  datasets:\n"
        "  - name: a\n    source: a\n    fields:\n"
        "    - {name: x, expression: x, datatype: Strnig}\n"
        "    - {name: y, expression: y, datatype: Date}\n";
    struct ontology *model;
    struct osi_report report;
    assert_true(osi_read(&arena, str_of(text), &model, &report));
    assert_int_equal(report.n_findings, 1);
    assert_int_equal(report.findings[0].line, 7);
    assert_int_equal(report.findings[0].column, 42);
    assert_true(str_find(report.findings[0].message, STR("Strnig")) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(test_letters_that_a_table_puts_before_names_do_not_count),
        ARENA_TEST(test_initials_are_a_key_only_of_their_table),
        ARENA_TEST(test_two_tables_of_the_same_initials_are_not_guessed),
        ARENA_TEST(test_id_may_come_first),
        ARENA_TEST(test_a_counter_or_a_person_is_no_row_of_its_own_table),
        ARENA_TEST(test_codes_refer_to_the_only_key_that_has_them_all),
        ARENA_TEST(test_a_counter_completes_the_key_of_the_rows_above),
        ARENA_TEST(test_facts_of_one_day_are_not_related_by_it),
        ARENA_TEST(test_few_small_numbers_in_the_singular_are_codes),
        ARENA_TEST(test_abbreviations_keep_the_order_of_letters),
        ARENA_TEST(test_a_key_of_one_name_is_at_home_where_it_is_alone),
        ARENA_TEST(test_a_type_beside_an_id_tells_of_several_tables),
        ARENA_TEST(test_a_key_from_few_rows_is_a_guess),
        ARENA_TEST(test_only_amounts_are_added_up),
        ARENA_TEST(test_balances_add_up_over_accounts_and_not_over_days),
        ARENA_TEST(test_ranges_show_moments_and_shares),
        ARENA_TEST(test_names_of_any_length_are_bounded),
        ARENA_TEST(test_a_large_schema_gets_few_guesses_a_column),
        ARENA_TEST(test_types_are_known_by_osi_or_by_sql),
        ARENA_TEST(test_an_unknown_type_is_reported_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
