/* set_reading.h - what the readers of both formats share. */
#pragma once
#include "set.h"

/* Appends a problem of the set. */
void set_problem(struct buf *problems, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets a field of a question by name; false: there is no such field. `also` may
 * come several times. An empty value counts as missing. */
bool set_member(struct arena *arena, struct eval_question *q, struct str name,
                struct str value, struct buf *problems);
/* Call once all questions are read: checks required fields and duplicates. */
bool set_check(struct arena *arena, const struct eval_set *set,
               struct buf *problems);
