/* models.h - small models for the analyst's tests, and what is asked of them. */
#pragma once
#include "analyst/analyst.h"
#include "guard/guard.h"
#include "ontology/columns.h"
#include "ontology/osi.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Orders, their items, products, customers, stores, stockouts; two roles of
 * addresses; a profile that is one to one with a customer. */
extern const char shop_model[];
/* Composite keys and names that need quotes; no datatypes. */
extern const char odd_model[];
/* Flights with two airports; dates are few and years are columns. */
extern const char flight_model[];
/* Salaries by years, players with the day of their debut; games that are numbered
 * by a game, with seats and the kind of seat. */
extern const char league_model[];
/* Sales of cars by the year of their model, rentals with years of their own; the
 * orders have the dates. */
extern const char dealer_model[];
/* Rooms of hotels, their types, the reservations of guests, reviews of these, staff;
 * a guest is no key of their name. */
extern const char hotel_model[];

enum { TODAY = 20413 }; /* 2025-11-21 */

struct asked {
    struct arena arena;
    const struct ontology *model;
    struct analyst_context context;
    struct plan plan;
    struct query_specs specs;
    bool planned;
};

/* Plans and builds the queries of the last question; those before it are the
 * chat's earlier ones. Every query must pass the guard with the model's
 * relations. The list ends in NULL. */
void ask(struct asked *asked, const char *model, const char *const *questions);
void ask_one(struct asked *asked, const char *model, const char *question);
void ask_done(struct asked *asked);

/* The SQL of step 1 with single spaces. */
struct str asked_sql(struct asked *asked);
struct str asked_narrative(struct asked *asked);

/* The question is planned, and the SQL of step 1 holds the part. */
void assert_answers(const char *model, const char *question, const char *part);
/* It is refused, and the reason holds `why`. */
void assert_refused(const char *model, const char *question, const char *why);

void assert_str(struct str got, const char *wanted);
void assert_holds(struct str text, const char *part);
void assert_lacks(struct str text, const char *part);
