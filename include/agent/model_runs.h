/* model_runs.h - builds of semantic models that go on without whoever began them.
 *
 * A run is begun with its row (store/model_runs.h): it reads the database, makes
 * the model (agent/modeler.h), and stores it together with its end. Twice a second
 * it writes how far it is; when its row does not run any more, it stops. What fails
 * is written into the row, and the model that was there stays. */
#pragma once
#include "agent/agent.h"

struct model_order {
    struct str owner_id, connection_id;
    struct str database;      /* of that server; empty: the connection's own */
    struct str database_name; /* what it is called, in any case */
    struct str name;          /* of the model */
    struct str_list schemas, tables; /* as struct modeler has them */
    struct str instructions;         /* words of its user; part of the model */
    bool shared;
    bool describe; /* by the language model, where one is configured */
    bool replaces; /* a model that may have ontologies: they need vectors */
};

/* The run that model_run_start has made; what is ordered is copied. */
void agent_start_model_run(struct agent *a, struct str id,
                           const struct model_order *order);
/* Stops it when it runs here; its row says why already. */
void agent_stop_model_run(struct agent *a, struct str id);
unsigned agent_model_runs(const struct agent *a); /* in progress here */
