/* Lists of things: what they are called, and what else is asked of them. */
#include "models.h"
#include "base/banned.h"

static const char model[] =
    "semantic_model:\n"
    "- name: theatre\n"
    "  datasets:\n"
    "  - name: city\n"
    "    source: public.city\n"
    "    primary_key: [city_id]\n"
    "    fields:\n"
    "    - {name: city_id, expression: city_id, datatype: Integer}\n"
    "    - {name: city_name, expression: city_name, datatype: String,\n"
    "       ai_context: {examples: [Turku, Oulu]}}\n"
    "  - name: house\n"
    "    source: public.house\n"
    "    primary_key: [house_id]\n"
    "    fields:\n"
    "    - {name: house_id, expression: house_id, datatype: Integer}\n"
    "    - {name: house_name, expression: house_name, datatype: String}\n"
    "    - {name: seats, expression: seats, datatype: Integer}\n"
    "    - {name: opened_on, expression: opened_on, datatype: Date}\n"
    "    - {name: city_id, expression: city_id, datatype: Integer}\n"
    "  - name: actor\n"
    "    source: public.actor\n"
    "    primary_key: [actor_id]\n"
    "    fields:\n"
    "    - {name: actor_id, expression: actor_id, datatype: Integer}\n"
    "    - {name: first_name, expression: first_name, datatype: String}\n"
    "    - {name: last_name, expression: last_name, datatype: String}\n"
    "    - {name: voice, expression: voice, datatype: String,\n"
    "       ai_context: {examples: [tenor, soprano]}}\n"
    "    - {name: height_cm, expression: height_cm, datatype: Integer}\n"
    "    - {name: email, expression: email, datatype: String}\n"
    "    - {name: born_on, expression: born_on, datatype: Date}\n"
    "    - {name: house_id, expression: house_id, datatype: Integer}\n"
    "    - {name: active, expression: active, datatype: Boolean}\n"
    "  - name: booking\n"
    "    source: public.booking\n"
    "    primary_key: [booking_id]\n"
    "    fields:\n"
    "    - {name: booking_id, expression: booking_id, datatype: Integer}\n"
    "    - {name: booked_on, expression: booked_on, datatype: Date,\n"
    "       dimension: {is_time: true}}\n"
    "    - {name: channel, expression: channel, datatype: String,\n"
    "       ai_context: {examples: [online, phone]}}\n"
    "    - {name: amount, expression: amount, datatype: Decimal}\n"
    "    - {name: house_id, expression: house_id, datatype: Integer}\n"
    "  - name: play\n"
    "    source: public.play\n"
    "    primary_key: [play_id]\n"
    "    fields:\n"
    "    - {name: play_id, expression: play_id, datatype: Integer}\n"
    "    - {name: title, expression: title, datatype: String}\n"
    "    - {name: release_year, expression: release_year,\n"
    "       datatype: Integer}\n"
    "  - name: casting\n"
    "    source: public.casting\n"
    "    primary_key: [actor_id, play_id]\n"
    "    fields:\n"
    "    - {name: actor_id, expression: actor_id, datatype: Integer}\n"
    "    - {name: play_id, expression: play_id, datatype: Integer}\n"
    "  - name: stage_hands\n"
    "    source: public.stage_hands\n"
    "    primary_key: [hand_id]\n"
    "    fields:\n"
    "    - {name: hand_id, expression: hand_id, datatype: Integer}\n"
    "    - {name: full_name, expression: full_name, datatype: String}\n"
    "  - name: prop\n"
    "    source: public.prop\n"
    "    fields:\n"
    "    - {name: weight, expression: weight, datatype: Integer}\n"
    "  relationships:\n"
    "  - {name: house_city, from: house, to: city,\n"
    "     from_columns: [city_id], to_columns: [city_id]}\n"
    "  - {name: actor_house, from: actor, to: house,\n"
    "     from_columns: [house_id], to_columns: [house_id]}\n"
    "  - {name: casting_actor, from: casting, to: actor,\n"
    "     from_columns: [actor_id], to_columns: [actor_id]}\n"
    "  - {name: casting_play, from: casting, to: play,\n"
    "     from_columns: [play_id], to_columns: [play_id]}\n"
    "  - {name: booking_house, from: booking, to: house,\n"
    "     from_columns: [house_id], to_columns: [house_id]}\n"
    "  metrics:\n"
    "  - {name: revenue, expression: SUM(booking.amount)}\n";

static void check(const char *question, const char *sql)
{
    struct asked a;
    ask_one(&a, model, question);
    if (!a.planned)
        fail_msg("%s: %.*s", question, STR_ARG(a.plan.intent));
    struct str got = asked_sql(&a);
    if (!str_eq(got, str_of(sql)))
        fail_msg("%s:\n%.*s\nis not\n%s", question, STR_ARG(got), sql);
    ask_done(&a);
}

static void check_holds(const char *question, const char *part)
{
    assert_answers(model, question, part);
}

static void check_refused(const char *question, const char *why)
{
    assert_refused(model, question, why);
}

#define HOUSES \
    "SELECT house.house_name AS house_name FROM public.house AS house "
#define HOUSES_END \
    "GROUP BY 1, house.house_id ORDER BY house_name, house.house_id"
#define ACTORS \
    "SELECT CONCAT_WS(' ', actor.first_name, actor.last_name) AS actor FROM " \
    "public.actor AS actor "
#define ACTORS_END "GROUP BY 1, actor.actor_id ORDER BY actor, actor.actor_id"

static void test_things_are_listed_by_what_they_are_called(void **state)
{
    (void)state;
    check("List all houses", HOUSES HOUSES_END);
    check("show me the houses", HOUSES HOUSES_END);
    check("What are the names of the houses?", HOUSES HOUSES_END);
    check("Name every house", HOUSES HOUSES_END);
    check("list the first names of actors", ACTORS ACTORS_END);
    check("show house names", HOUSES HOUSES_END);
    /* What has no name is shown by what it has. */
    check(
        "list bookings",
        "SELECT booking.booking_id AS booking_id, booking.booked_on AS "
        "booked_on, booking.channel AS channel, booking.amount AS amount FROM "
        "public.booking AS booking GROUP BY 1, 2, 3, 4 ORDER BY booking_id, "
        "booked_on, channel, amount");
    check_refused("list props", "what the props are called");
}

static void test_filters_limit_the_list(void **state)
{
    (void)state;
    check("Which actors are tenors?",
          ACTORS "WHERE LOWER(actor.voice) = 'tenor' " ACTORS_END);
    check("list active actors",
          ACTORS "WHERE actor.active IS TRUE " ACTORS_END);
    check("list houses without bookings", HOUSES
          "WHERE NOT EXISTS (SELECT 1 FROM public.booking AS booking WHERE "
          "booking.house_id = house.house_id) " HOUSES_END);
    check("which houses opened before 1990",
          HOUSES "WHERE (house.opened_on < DATE '1990-01-01') " HOUSES_END);
    check_holds(
        "list the actors of houses in Turku",
        "JOIN public.city AS city ON house.city_id = city.city_id WHERE "
        "LOWER(city.city_name) = 'turku' GROUP BY 1, actor.actor_id");
    check_holds("which bookings had an amount over 500 in March 2025?",
                "booking.amount > 500");
    check_holds("list bookings from March 2025",
                "WHERE (booking.booked_on >= DATE '2025-03-01' AND "
                "booking.booked_on < DATE '2025-04-01')");
    check_holds("list bookings from March 2025 on",
                "WHERE (booking.booked_on >= DATE '2025-03-01') GROUP");
    check_holds("list bookings from March 2025 to May 2025",
                "booking.booked_on < DATE '2025-06-01')");
    /* What is compared is shown. */
    check_holds("list actors taller than 190", "AS actor, actor.height_cm");
}

static void test_things_have_or_lack_others(void **state)
{
    (void)state;
    /* Rows between the two, one that it belongs to, and many that belong to it. */
    check("list actors without plays", ACTORS
          "WHERE NOT EXISTS (SELECT 1 FROM public.casting AS casting LEFT "
          "JOIN public.play AS play ON casting.play_id = play.play_id WHERE "
          "casting.actor_id = actor.actor_id AND play.play_id IS NOT "
          "NULL) " ACTORS_END);
    check("which actors have no house",
          ACTORS "WHERE actor.house_id IS NULL " ACTORS_END);
    check_holds("how many actors have a play", "WHERE EXISTS (SELECT 1 FROM "
                                               "public.casting AS casting");
    check_holds("which houses have no actors", "NOT EXISTS (SELECT 1 FROM "
                                               "public.actor AS actor");
    check_refused("list actors without stage hands", "");
    check_holds("list unopened houses", "WHERE house.opened_on IS NULL");
    check_holds("how many unopened houses are there",
                "WHERE house.opened_on IS NULL");
    /* They have no such date: it may be a value. */
    check_holds("how many unsold houses are there", "= 'unsold'");
    check_holds("how many unopened actors are there", "= 'unopened'");
    check_refused("list bookings without plays", "");
}

/* What a judge of benchmark questions found to be answered wrongly. */
static void test_what_is_said_of_all_rows_is_not_said_of_one(void **state)
{
    (void)state;
    check_refused("which houses have only online bookings", "all their rows");
    check_refused("houses with all bookings online", "all their rows");
    check_refused("actors with only plays", "all their rows");
    check_holds("houses with online bookings", "EXISTS");
    check_holds("list only active actors", "actor.active IS TRUE");
    check_holds("which house has the lowest seats", "ASC NULLS LAST");
}

/* What other judges found. */
static void test_what_two_things_share_is_not_taken_from_one(void **state)
{
    (void)state;
    check_refused("names of houses and actors from Turku", "two things");
    check_refused("houses and actors in Turku", "two things");
    check_refused("how many actors and houses are in Turku?", "two things");
    check_holds("actors with their house and city", "city.city_name");
    check_holds("number of bookings by house and city in 2025", "GROUP BY 1");
}

static void test_a_list_with_a_figure_of_each_is_no_total(void **state)
{
    (void)state;
    check_refused("list houses with their number of bookings", "by houses");
    check_refused("list houses with their city and number of seats",
                  "by houses");
    check_holds("number of bookings by house", "house.house_name");
    check_holds("show the number of bookings of houses in Turku", "COUNT(");
}

static void test_what_is_denied_of_one_row_is_not_denied_of_each(void **state)
{
    (void)state;
    check_refused("houses with actors that are not active", "or of each");
    check_refused("which houses have an actor that is not active",
                  "or of each");
    check_holds("houses without active actors", "NOT EXISTS");
    check_holds("houses with no online bookings", "NOT EXISTS");
    check_holds("houses without online bookings", "NOT EXISTS");
    check_refused("which bookings have never been online", "what is so now");
    check_holds("which bookings are not online", "IS NOT TRUE");
}

static void test_what_has_the_most_is_named(void **state)
{
    (void)state;
    check_holds("house with the highest number of seats",
                "SELECT house.house_name AS house_name, SUM(house.seats)");
    check_holds("actor with the lowest height",
                "AS actor, MIN(actor.height_cm)");
    check_holds("house with the highest revenue",
                "house.house_name AS house_name, SUM(booking.amount)");
    check_holds("highest amount of bookings in Turku", "SELECT MAX");
}

static void test_figures_of_some_things_are_one_figure(void **state)
{
    (void)state;
    check_holds("average seats of houses with more than 4 bookings",
                "SELECT AVG(house.seats) AS average_seats FROM public.house AS "
                "house WHERE (SELECT COUNT(*) FROM public.booking");
    check_holds("what is the most common voice of actors in Turku?",
                "actor.voice IS NOT NULL GROUP BY 1 ORDER BY actor_count DESC");
    check_holds("which voice is the least common", "actor_count ASC");
    check_refused("most common channels", "how many");
    check_refused("most common height", "common");
    check_refused("the highest paid actor", "");
    check_refused("average height by active actors", "a condition");
    check_refused("number of booking houses", "called both");
    check_refused("How many actors are at least 45?", "");
}

static void test_things_are_called_by_the_last_word_of_their_name(void **state)
{
    (void)state;
    check_holds("how many hands are there", "FROM public.stage_hands");
    check_holds("list all hands", "stage_hands.full_name AS full_name");
}

static void test_more_can_be_asked_of_the_things(void **state)
{
    (void)state;
    check_holds("Show the names and emails of actors in Turku",
                "AS actor, actor.email AS email FROM");
    check_holds("list the id, name and seats of each house",
                "SELECT house.house_name AS house_name, house.house_id AS "
                "house_id, house.seats AS seats FROM");
    check_holds("list houses in Turku with their seats and city",
                "house.seats AS seats, city.city_name AS city_name FROM");
    check_holds("actors and their house", "house.house_name AS house_name");
    check_refused("list the houses and their actors", "may have several");
    check_refused("list houses with their colour", "what is to be listed");
}

static void test_a_list_is_sorted_as_asked(void **state)
{
    (void)state;
    check_holds("list houses sorted by seats descending",
                "ORDER BY seats DESC NULLS LAST, house_name, house.house_id");
    check_holds("list houses ordered by seats, highest first",
                "ORDER BY seats DESC NULLS LAST, house_name");
    check_holds("list houses sorted by seats",
                "ORDER BY seats, house_name, house.house_id");
    check_holds("list houses sorted by name descending",
                "ORDER BY house_name DESC NULLS LAST, house.house_id");
    check("list houses alphabetically", HOUSES HOUSES_END);
    check_holds("list actors sorted by born on from the youngest to the oldest",
                "ORDER BY born_on DESC NULLS LAST");
    check_holds(
        "list houses with seats over 100 sorted by seats, highest first",
        "ORDER BY seats DESC NULLS LAST");
    check_refused("list houses sorted by colour", "colour");
    check_refused(
        "list actors sorted by height from the oldest to the youngest",
        "oldest");
}

static void test_a_year_is_read_like_a_date(void **state)
{
    (void)state;
    check_holds("plays released before 1950",
                "CAST(play.release_year AS integer) < 1950");
    check_holds("which plays were released after 1950",
                "CAST(play.release_year AS integer) >= 1951");
    check_holds("list plays released between 1950 and 1960",
                "CAST(play.release_year AS integer) < 1961");
    check_holds("plays where the release year is after 1950",
                "CAST(play.release_year AS integer) >= 1951");
    check_refused("plays released before May 1950", "released");
    check_refused("release year of plays by house", "which is a year");
}

static void test_the_first_of_a_list_may_be_said(void **state)
{
    (void)state;
    check_holds("list houses, newest first",
                "ORDER BY opened_on DESC NULLS LAST");
    check_holds("show houses in Turku, oldest first",
                "ORDER BY opened_on, house_name");
    check_holds("list plays, newest first", "ORDER BY release_year DESC");
    check_refused("list actors, newest first", "newest");
    check_holds("Return all bookings by phone", "booking.booking_id");
    check_holds("names and email addresses of the actors", "actor.email");
}

/* "But are not" denies something of the same rows; "but not in 2024" would be of
 * others. */
static void test_words_that_add_nothing(void **state)
{
    (void)state;
    check_holds("total amount booked by channel", "SUM(booking.amount)");
    check_refused("total seats booked by channel", "booked");
    check_holds("actors born after 1980 but who are not tenors",
                "(LOWER(actor.voice) = 'tenor') IS NOT TRUE");
    check_refused("houses opened in 2023 but not in Turku", "but");
    check_holds("Which houses have more than 3 bookings? Give their names.",
                "q.booking_count > 3");
    check_refused("How many bookings are there? Give their names.", "names");
}

static void test_different_values_are_listed(void **state)
{
    (void)state;
    check("What are the different voices of actors?",
          "SELECT actor.voice AS voice FROM public.actor AS actor WHERE "
          "actor.voice IS NOT NULL GROUP BY 1 ORDER BY voice");
    check(
        "list the distinct channels",
        "SELECT booking.channel AS channel FROM public.booking AS booking WHERE "
        "booking.channel IS NOT NULL GROUP BY 1 ORDER BY channel");
}

static void test_figures_are_no_list(void **state)
{
    (void)state;
    check_holds("which house has the most bookings",
                "COUNT(*) AS booking_count");
    check_holds("what is the amount of bookings in Turku",
                "SUM(booking.amount)");
    check_holds("list revenue by house", "SUM(booking.amount) AS revenue");
    check_holds("houses in Turku", "COUNT(*) AS house_count");
    check_refused("list actors by voice", "what is to be listed");
    check_refused("list the houses, cities and actors", "what is to be listed");
    check_refused("list 5 actors", "5");
    check_refused("which actors sing", "sing");
    check_refused("where are the actors", "");
}

static void test_a_list_is_counted(void **state)
{
    (void)state;
    struct asked a;
    ask_one(&a, model, "list active actors");
    assert_true(a.planned);
    assert_int_equal(a.specs.n_queries, 2);
    assert_holds(a.specs.queries[1].full_sql, "COUNT(*) AS actor_count");
    assert_lacks(a.specs.queries[1].full_sql, "GROUP BY");
    ask_done(&a);
}

static void test_lists_are_followed_up(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, model,
        (const char *const[]){"list active actors", "only tenors", NULL});
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "LOWER(actor.voice) = 'tenor'");
    assert_holds(asked_sql(&a), "actor.active IS TRUE");
    assert_lacks(asked_sql(&a), "COUNT");
    ask_done(&a);
    ask(&a, model,
        (const char *const[]){"list active actors", "and by voice", NULL});
    assert_false(a.planned);
    ask_done(&a);
    /* What was asked for before may be meant. */
    ask(&a, model,
        (const char *const[]){"revenue by house", "show houses in Turku",
                              NULL});
    assert_true(a.planned);
    assert_holds(asked_sql(&a), "SUM(booking.amount)");
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_are_listed_by_what_they_are_called),
        cmocka_unit_test(test_filters_limit_the_list),
        cmocka_unit_test(test_things_have_or_lack_others),
        cmocka_unit_test(test_what_is_said_of_all_rows_is_not_said_of_one),
        cmocka_unit_test(test_what_two_things_share_is_not_taken_from_one),
        cmocka_unit_test(test_a_list_with_a_figure_of_each_is_no_total),
        cmocka_unit_test(test_what_is_denied_of_one_row_is_not_denied_of_each),
        cmocka_unit_test(test_what_has_the_most_is_named),
        cmocka_unit_test(test_figures_of_some_things_are_one_figure),
        cmocka_unit_test(test_things_are_called_by_the_last_word_of_their_name),
        cmocka_unit_test(test_more_can_be_asked_of_the_things),
        cmocka_unit_test(test_a_list_is_sorted_as_asked),
        cmocka_unit_test(test_a_year_is_read_like_a_date),
        cmocka_unit_test(test_the_first_of_a_list_may_be_said),
        cmocka_unit_test(test_words_that_add_nothing),
        cmocka_unit_test(test_different_values_are_listed),
        cmocka_unit_test(test_figures_are_no_list),
        cmocka_unit_test(test_a_list_is_counted),
        cmocka_unit_test(test_lists_are_followed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
