/* set_reading.h - what the two readers of sets share. */
#pragma once
#include "set.h"

/* Problems of a set, as they are found. */
void set_problem(struct buf *problems, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A member of a question by its name; false: there is no such member. `also`
 * may come several times. What is empty counts as not given. */
bool set_member(struct arena *arena, struct eval_question *q, struct str name,
                struct str value, struct buf *problems);
/* Once all questions are there: what each must have, and what may not stand
 * twice. */
bool set_check(struct arena *arena, const struct eval_set *set,
               struct buf *problems);
