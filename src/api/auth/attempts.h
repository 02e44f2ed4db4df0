/* attempts.h - who has tried too often of late, counted in bounded memory.
 *
 * A name's attempts are counted in windows of fixed length. The table is small
 * and its places are chosen by a secret hash: whoever fills it pushes out those
 * with the fewest attempts first. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct attempts;

struct attempts *attempts_new(unsigned window_ms);
void attempts_free(struct attempts **a);

/* Counts one more; false when the name has had `most` in this window, with the
 * seconds to wait in *retry_s. */
bool attempts_take(struct attempts *a, struct str name, unsigned most,
                   uint64_t now_ms, unsigned *retry_s);
/* One of them was good after all. */
void attempts_return(struct attempts *a, struct str name, uint64_t now_ms);
