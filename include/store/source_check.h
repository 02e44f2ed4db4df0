/* source_check.h - connects to a source, and finds what its role may do
 * there. */
#pragma once
#include "db/read.h"
#include "db/script.h"
#include "store/connections.h"

struct source_check {
    const struct connection_add *target; /* with its store */
    /* Out */
    struct str version;
    int64_t readable; /* tables it may read */
    int64_t writable; /* tables it may change */
    int64_t definers; /* SECURITY DEFINER functions that it may execute */
    struct str definer_names; /* some of them: "public.pay, public.refund" */
    bool superuser, creates;  /* may make schemas or tables */
    bool knows_zone;          /* the time zone of `target` */
    /* private */
    struct script *script;
    struct source *cluster;
    struct read *read;
    struct buf address;
    int certificates;
};

/* Subflow (locals: source_check). Fails with the sentence of the database. */
struct next source_check_begin(struct flow *f);
