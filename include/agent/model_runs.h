/* model_runs.h - builds of semantic models, which continue when their client
 * leaves.
 *
 * A build begins with its row (store/model_runs.h). It reads the database,
 * makes the model (agent/modeler.h), and stores it in the transaction that ends
 * the row. Twice a second it writes its progress; when the row was ended by
 * someone else, it stops. An error is written into the row, and a model that
 * was there before stays. */
#pragma once
#include "agent/agent.h"

struct model_order {
    struct str owner_id, connection_id;
    struct str database;      /* of that server; empty: the connection's */
    struct str database_name; /* never empty */
    struct str name;          /* of the model */
    struct str_list schemas, tables; /* as struct modeler has them */
    struct str instructions;         /* by its user; part of the model */
    bool shared;
    bool describe; /* by the language model, where one is configured */
    bool replaces; /* a model whose ontologies need new vectors */
};

/* Starts the build of a row that model_run_start has made. Copies the order. */
void agent_start_model_run(struct agent *a, struct str id,
                           const struct model_order *order);
/* Stops it when it runs here; its row says why already. */
void agent_stop_model_run(struct agent *a, struct str id);
unsigned agent_model_runs(const struct agent *a); /* in progress here */
