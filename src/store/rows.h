/* rows.h - rows that outlive the frame in which they were asked for. */
#pragma once
#include "db/query.h"

/* Moves the result of an answered query into the flow's keep. */
struct query *rows_keep(struct flow *f, struct query *q);
