/* mem.h - the heap, for what lives longer than a run or a request.
 *
 * Memory of a run or a request comes from an arena, whose exhaustion fails that
 * run alone. The heap holds what the process itself stands on; when it is empty
 * the process ends with one clear line (exit 71) and its supervisor starts it
 * anew: runs are taken up at their checkpoints. So nothing here returns NULL. */
#pragma once
#include <stddef.h>

void *mem_alloc(size_t size); /* zeroed */
void *mem_resize(void *ptr, size_t size);
char *mem_copy(const char *bytes, size_t size); /* NUL-terminated copy */
void mem_free(void *ptr);

#define mem_new(T) ((T *)mem_alloc(sizeof(T)))
#define mem_new_array(T, n) ((T *)mem_alloc_array((n), sizeof(T)))
void *mem_alloc_array(size_t count, size_t size); /* overflow ends too */

/* Ends the process as above. */
_Noreturn void mem_exhausted(size_t wanted);
