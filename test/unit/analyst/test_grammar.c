/* The grammar of docs/analyst.md by generation: each production is filled with
 * every measure, dimension, filter and period of a model, and the query must be
 * the one that a composer of this file writes from the same parts. A word that
 * the grammar does not have, put anywhere, must end the answer. */
#include "models.h"
#include "base/banned.h"

/* ---- the parts and their SQL ------------------------------------------------ */

enum { STORES, CUSTOMERS, PRODUCTS, ORDERS, DATASETS };
enum { OF_ITEMS, OF_ORDERS };
enum { STRIDE = 3 }; /* each production meets each filter, with some measure */

static const struct measure {
    const char *words, *sql, *name;
    int root;
} measures[] = {
    {"revenue", "SUM(order_items.line_total)", "revenue", OF_ITEMS},
    {"total sales", "SUM(order_items.line_total)", "revenue", OF_ITEMS},
    {"number of orders", "COUNT(DISTINCT orders.order_id)", "order_count",
     OF_ORDERS},
    {"average freight", "AVG(orders.freight)", "average_freight", OF_ORDERS},
    {"total freight", "SUM(orders.freight)", "total_freight", OF_ORDERS},
    {"maximum freight", "MAX(orders.freight)", "maximum_freight", OF_ORDERS},
};

static const struct group {
    const char *words, *many, *sql, *name;
    int dataset;
} groups[] = {
    {"city", "cities", "stores.city", "city", STORES},
    {"state", "states", "stores.state", "state", STORES},
    {"segment", "segments", "customers.segment", "segment", CUSTOMERS},
    {"channel", "channels", "orders.channel", "channel", ORDERS},
    {"status", "statuses", "orders.status", "status", ORDERS},
};

static const struct filter {
    const char *words, *sql;
    int dataset;
} filters[] = {
    {"", "", DATASETS},
    {"for Houston", "LOWER(stores.city) = 'houston'", STORES},
    {"in Houston or Dallas",
     "(LOWER(stores.city) = 'houston' OR LOWER(stores.city) = 'dallas')",
     STORES},
    {"where status is completed", "LOWER(orders.status) = 'completed'", ORDERS},
    {"excluding cancelled orders",
     "(LOWER(orders.status) = 'cancelled') IS NOT TRUE", ORDERS},
    {"with freight over 100", "orders.freight > 100", ORDERS},
    {"with freight between 5 and 10", "orders.freight BETWEEN 5 AND 10",
     ORDERS},
    {"with a status", "orders.status IS NOT NULL", ORDERS},
    {"without a status", "orders.status IS NULL", ORDERS},
    {"for customers with a segment", "customers.segment IS NOT NULL",
     CUSTOMERS},
};

static const struct period {
    const char *words, *sql;
} periods[] = {
    {"", ""},
    {"in 2025",
     "(orders.order_date >= DATE '2025-01-01' AND orders.order_date < DATE "
     "'2026-01-01')"},
    {"in March 2025",
     "(orders.order_date >= DATE '2025-03-01' AND orders.order_date < DATE "
     "'2025-04-01')"},
    {"since 2025-07-01", "(orders.order_date >= DATE '2025-07-01')"},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *join_word(bool matched)
{
    return matched ? "JOIN" : "LEFT JOIN";
}

/* `matched`: a condition wants a row of it. */
static void put_joins(struct buf *out, int root, const bool *needed,
                      const bool *matched)
{
    bool of_orders = matched[ORDERS] || matched[STORES] || matched[CUSTOMERS];
    if (root == OF_ITEMS)
        buf_text(out, " FROM public.order_items AS order_items");
    else
        buf_text(out, " FROM public.orders AS orders");
    if (root == OF_ITEMS &&
        (needed[ORDERS] || needed[STORES] || needed[CUSTOMERS]))
        buf_printf(out,
                   " %s public.orders AS orders ON "
                   "order_items.order_id = orders.order_id",
                   join_word(of_orders));
    if (needed[STORES])
        buf_printf(out,
                   " %s public.stores AS stores ON "
                   "orders.store_id = stores.store_id",
                   join_word(matched[STORES]));
    if (needed[CUSTOMERS])
        buf_printf(out,
                   " %s public.customers AS customers ON "
                   "orders.customer_id = customers.customer_id",
                   join_word(matched[CUSTOMERS]));
}

static void put_condition(struct buf *out, bool *any, const char *sql)
{
    if (!*sql)
        return;
    buf_printf(out, "%s%s", *any ? " AND " : " WHERE ", sql);
    *any = true;
}

struct wanted {
    const struct measure *m;
    const struct group *g; /* NULL: one figure */
    const struct filter *f;
    const struct period *p;
    bool ranked, lowest;
    int limit;        /* 0: all */
    const char *over; /* a condition on the groups, or NULL */
};

static struct str compose(struct arena *arena, const struct wanted *w)
{
    bool needed[DATASETS + 1] = {false}, matched[DATASETS + 1] = {false};
    bool any = false;
    struct buf out;
    buf_init(&out, arena);
    needed[w->f->dataset] = true;
    needed[ORDERS] |= *w->p->sql != '\0';
    matched[w->f->dataset] =
        !strstr(w->f->sql, "NOT") && !strstr(w->f->sql, "IS NULL");
    matched[ORDERS] |= *w->p->sql != '\0';
    if (w->g)
        needed[w->g->dataset] = true;
    buf_text(&out, w->over ? "SELECT q.* FROM ( SELECT " : "SELECT ");
    if (w->g)
        buf_printf(&out, "%s AS %s, ", w->g->sql, w->g->name);
    buf_printf(&out, "%s AS %s", w->m->sql, w->m->name);
    put_joins(&out, w->m->root, needed, matched);
    put_condition(&out, &any, w->p->sql);
    put_condition(&out, &any, w->f->sql);
    if (w->ranked)
        buf_printf(&out, "%s%s IS NOT NULL", any ? " AND " : " WHERE ",
                   w->g->sql);
    if (w->g)
        buf_text(&out, " GROUP BY 1");
    if (w->over)
        buf_printf(&out, " ) AS q WHERE q.%s > %s", w->m->name, w->over);
    if (w->g)
        buf_printf(&out, " ORDER BY %s %s NULLS LAST, %s", w->m->name,
                   w->lowest ? "ASC" : "DESC", w->g->name);
    if (w->limit)
        buf_printf(&out, " LIMIT %d", w->limit);
    return buf_view(&out);
}

/* ---- the productions -------------------------------------------------------- */

/* %m the measure, %g a group, %G groups, %f the filter, %p the period. */
static const struct production {
    const char *form;
    bool grouped, ranked, lowest;
    int limit;
    const char *over;
} productions[] = {
    {"%m %f %p", false, false, false, 0, NULL},
    {"what is the %m %p %f?", false, false, false, 0, NULL},
    {"show me the %m %f %p", false, false, false, 0, NULL},
    {"%m by %g %f %p", true, false, false, 0, NULL},
    {"%m per %g %f %p", true, false, false, 0, NULL},
    {"what was the %m for each %g %p %f?", true, false, false, 0, NULL},
    {"%p, %m %f by %g", true, false, false, 0, NULL},
    {"top 3 %G by %m %f %p", true, true, false, 3, NULL},
    {"bottom 2 %G by %m %p %f", true, true, true, 2, NULL},
    {"which %g has the highest %m %f %p?", true, true, false, 1, NULL},
    {"which %g had the lowest %m %p %f?", true, true, true, 1, NULL},
    {"%G with %m over 50 %p %f", true, true, false, 0, "50"},
};

static struct str question_of(struct arena *arena, const struct production *p,
                              const struct wanted *w)
{
    struct buf out;
    buf_init(&out, arena);
    for (const char *at = p->form; *at; at++) {
        const char *part = NULL;
        if (*at == '%')
            switch (*++at) {
            case 'm':
                part = w->m->words;
                break;
            case 'g':
                part = w->g->words;
                break;
            case 'G':
                part = w->g->many;
                break;
            case 'f':
                part = w->f->words;
                break;
            default:
                part = w->p->words;
            }
        if (part)
            buf_text(&out, part);
        else
            buf_char(&out, *at);
    }
    buf_cstr(&out);
    return buf_view(&out);
}

/* A superlative of a function is another question. */
static bool is_apt(const struct production *p, const struct measure *m)
{
    static const char maximum[] = "maximum";
    return !p->ranked || !str_starts(str_of(m->words), str_of(maximum));
}

static void check_one(const struct production *p, const struct wanted *w)
{
    struct asked a;
    struct arena arena;
    arena_init(&arena, 0);
    struct str question = question_of(&arena, p, w);
    struct str wanted = compose(&arena, w);
    ask_one(&a, shop_model, question.ptr);
    struct str got = asked_sql(&a);
    if (!str_eq(got, wanted))
        fail_msg("%.*s\n   got: %.*s\nwanted: %.*s", STR_ARG(question),
                 STR_ARG(got), STR_ARG(wanted));
    ask_done(&a);
    arena_done(&arena);
}

/* Every production with every measure, and in turn the groups, filters and
 * periods. */
static void test_every_production_becomes_its_query(void **state)
{
    (void)state;
    size_t turn = 0;
    for (size_t i = 0; i < LENGTH(productions); i++)
        for (size_t j = 0; j < LENGTH(measures); j++)
            for (size_t k = (i + j) % STRIDE; k < LENGTH(filters);
                 k += STRIDE, turn++) {
                const struct production *p = &productions[i];
                struct wanted w = {
                    .m = &measures[j],
                    .g = p->grouped ? &groups[turn % LENGTH(groups)] : NULL,
                    .f = &filters[k],
                    .p = &periods[turn % LENGTH(periods)],
                    .ranked = p->ranked,
                    .lowest = p->lowest,
                    .limit = p->limit,
                    .over = p->over};
                if (is_apt(p, w.m))
                    check_one(p, &w);
            }
}

/* ---- words that the grammar does not have ------------------------------------ */

static const char *const strangers[] = {
    "sell",   "earned", "placed",   "make",      "new",     "compared",
    "never",  "again",  "both",     "growth",    "without", "late",
    "worth",  "target", "forecast", "returning", "if",      "except",
    "median", "wasted", "planned",  "budget",    "unpaid"};

/* The text with a word put before its n-th word. */
static struct str with_word(struct arena *arena, struct str text, size_t n,
                            const char *word)
{
    struct buf out;
    struct str rest = text, part;
    buf_init(&out, arena);
    for (size_t i = 0; str_split(&rest, ' ', &part); i++) {
        if (i == n)
            buf_printf(&out, "%s ", word);
        buf_printf(&out, "%.*s ", STR_ARG(part));
    }
    buf_cstr(&out);
    return buf_view(&out);
}

/* Answered, and no query looks for the word as a value: it was passed over. */
static bool is_passed_over(const struct asked *a, const char *word)
{
    for (size_t i = 0; a->planned && i < a->specs.n_queries; i++)
        if (str_find_nocase(a->specs.queries[i].full_sql, str_of(word)) >= 0)
            return false;
    return a->planned;
}

static void check_strangers(const char *model, const char *question)
{
    struct asked plain;
    struct arena arena;
    size_t words = 1;
    arena_init(&arena, 0);
    ask_one(&plain, model, question);
    if (!plain.planned)
        fail_msg("%s: %.*s", question, STR_ARG(plain.plan.intent));
    for (const char *at = question; *at; at++)
        words += *at == ' ';
    for (size_t i = 0; i < LENGTH(strangers); i++)
        for (size_t n = 0; n < words; n++) {
            struct asked a;
            struct str text =
                with_word(&arena, str_of(question), n, strangers[i]);
            ask_one(&a, model, text.ptr);
            /* "Median" of a number and "without" a field are the grammar's. */
            bool same = a.planned && str_eq(asked_sql(&a), asked_sql(&plain));
            if (same && is_passed_over(&a, strangers[i]))
                fail_msg("“%s” was passed over: %.*s", strangers[i],
                         STR_ARG(text));
            ask_done(&a);
        }
    ask_done(&plain);
    arena_done(&arena);
}

static void test_no_word_is_passed_over(void **state)
{
    (void)state;
    check_strangers(shop_model, "revenue by city in 2025");
    check_strangers(shop_model, "how many stockouts for each reason?");
    check_strangers(shop_model, "top 5 cities by freight");
    check_strangers(shop_model, "how many rows per reason");
    check_strangers(shop_model, "number of customers without orders");
    check_strangers(flight_model, "number of flights by year");
    check_strangers(shop_model, "list the customers in Houston");
    check_strangers(shop_model, "which stores have no stockouts?");
    check_strangers(shop_model, "show products with unit price over 100");
    check_strangers(shop_model, "names and cities of all stores");
    check_strangers(shop_model, "list stores sorted by city descending");
}

/* ---- forms of their own ------------------------------------------------------ */

static void test_forms_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *question, *sql;
    } cases[] = {
        {"how many orders were placed in 2025?",
         "SELECT COUNT(DISTINCT orders.order_id) AS order_count FROM "
         "public.orders AS orders WHERE (orders.order_date >= DATE "
         "'2025-01-01' AND orders.order_date < DATE '2026-01-01')"},
        {"how many customers have no orders?",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS customers "
         "WHERE NOT EXISTS (SELECT 1 FROM public.orders AS orders WHERE "
         "orders.customer_id = customers.customer_id)"},
        {"how many customers have at least one order?",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS customers "
         "WHERE EXISTS (SELECT 1 FROM public.orders AS orders WHERE "
         "orders.customer_id = customers.customer_id)"},
        {"how many customers have more than 3 orders?",
         "SELECT COUNT(*) AS customer_count FROM public.customers AS customers "
         "WHERE (SELECT COUNT(*) FROM public.orders AS orders WHERE "
         "orders.customer_id = customers.customer_id) > 3"},
        {"ratio of the number of customers to the number of stores",
         "WITH part_1 AS ( SELECT COUNT(*) AS m1_1 FROM public.customers AS "
         "customers ), part_2 AS ( SELECT COUNT(*) AS m1_2 FROM public.stores "
         "AS stores ) SELECT 1.0 * (COALESCE(part_1.m1_1, 0)) / "
         "NULLIF(COALESCE(part_2.m1_2, 0), 0) AS "
         "ratio_of_number_of_customers_to_number_of_stores FROM part_1 CROSS "
         "JOIN part_2"},
        {"average number of orders per customer",
         "SELECT 1.0 * (COUNT(DISTINCT orders.order_id)) / NULLIF(COUNT("
         "DISTINCT customers.customer_id), 0) AS "
         "average_order_count_per_customer FROM public.orders AS orders "
         "JOIN public.customers AS customers ON orders.customer_id = "
         "customers.customer_id"},
        {"lowest, average and highest freight",
         "SELECT MIN(orders.freight) AS minimum_freight, AVG(orders.freight) "
         "AS average_freight, MAX(orders.freight) AS maximum_freight FROM "
         "public.orders AS orders"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        assert_str(asked_sql(&a), cases[i].sql);
        ask_done(&a);
    }
}

/* Each of them is near to one above, and must not be answered like it. */
static void test_their_twins_are_refused(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "how many stockouts were made?",
        "how many stores placed products?",
        "how many customers have fewer than 3 orders?",
        "revenue in Houston and where city is Dallas",
        "what do our stores earn",
        "which stores make revenue",
        "which products have the most stockouts",
        "average number of orders",
        "average freight per store",
        "average number of customers per product",
        "number of orders by loyalty members",
        "products in Houston",
        "average freight per order",
        "compare revenue",
        "number of orders by customers in Houston",
        "revenue in Houston or with freight over 100",
        "number of order dates",
        "how many products contain orders",
        "number of stockouts per store with more than 3 products",
        "how many products are out",
        "revenue in dollars",
        "how many orders on average",
    };
    for (size_t i = 0; i < LENGTH(questions); i++) {
        struct asked a;
        ask_one(&a, shop_model, questions[i]);
        if (a.planned)
            fail_msg("%s: %.*s", questions[i], STR_ARG(asked_sql(&a)));
        ask_done(&a);
    }
}

/* ---- the nearest question ---------------------------------------------------- */

static void test_a_refusal_offers_what_is_near(void **state)
{
    (void)state;
    static const struct {
        const char *question, *nearest;
    } cases[] = {
        {"weighted revenue by city", "\n- revenue by city\n"},
        {"revenue by city earned in 2025", "\n- revenue by city in 2025\n"},
        {"what do we earn in revenue by channel", "revenue by channel"},
        {"which products have the most stockouts",
         "\n- top 5 products by number of stockouts\n"},
        {"number of orders audited in Houston",
         "\n- number of orders in Houston\n"},
        {"revenue by city, cancelled orders excluded", "\n- revenue by city\n"},
        /* The verb of a sentence cannot be left out, nor a negation. */
        {"which store earned the most revenue in 2025?",
         "\n- top 5 stores by revenue in 2025\n"},
        {"how much did we sell to each segment in 2025, weighted?",
         "\n- sales by segment in 2025\n"},
        /* Rows are wanted, not their number. */
        {"which stores in Houston were audited?",
         "\n- list stores in Houston\n"},
        {"number of orders not audited in Houston", "\n- number of orders\n"},
        {"growth of revenue by city in 2025", "\n- revenue by city in 2025\n"},
        {"what was the revnue by city?", "\n- what was the revenue by city?\n"},
        {"which city is the strongest?", "\n- revenue by city\n"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        if (a.planned)
            fail_msg("%s: %.*s", cases[i].question, STR_ARG(asked_sql(&a)));
        assert_holds(asked_narrative(&a), "The nearest question");
        assert_holds(asked_narrative(&a), cases[i].nearest);
        ask_done(&a);
    }
}

/* What names something of the model is not called unknown. */
static void test_a_refusal_names_the_word_that_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *question, *says;
    } cases[] = {
        {"Which of the stores status have audited their channel in 2024",
         "I do not know this word: “audited”"},
        {"number of orders status", "see what is asked of “status”"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct asked a;
        ask_one(&a, shop_model, cases[i].question);
        if (a.planned)
            fail_msg("%s: %.*s", cases[i].question, STR_ARG(asked_sql(&a)));
        assert_holds(asked_narrative(&a), cases[i].says);
        ask_done(&a);
    }
}

/* A metric that was not asked for is not near. */
static void test_nothing_is_near(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "What is the airspeed of a swallow?", "What was our profit in 2024?",
        "number of orders forecast in Houston",
        "how many orders will we get in 2027?",
        /* All of them, when some are wanted, and another figure. */
        "which stores were audited?", "Why do customers audit their orders?",
        "What is the audit of the Houston store?",
        "which city brings in the most revenue per store?"};
    for (size_t i = 0; i < LENGTH(questions); i++) {
        struct asked a;
        ask_one(&a, shop_model, questions[i]);
        assert_false(a.planned);
        assert_holds(asked_narrative(&a), "For example:");
        ask_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_production_becomes_its_query),
        cmocka_unit_test(test_no_word_is_passed_over),
        cmocka_unit_test(test_forms_of_their_own),
        cmocka_unit_test(test_their_twins_are_refused),
        cmocka_unit_test(test_a_refusal_offers_what_is_near),
        cmocka_unit_test(test_a_refusal_names_the_word_that_blocks),
        cmocka_unit_test(test_nothing_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
