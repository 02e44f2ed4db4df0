/* mem.h - the heap, for what lives longer than a run or a request.
 *
 * Memory of a run or a request comes from an arena, whose exhaustion fails only
 * that run. The heap holds what the whole process needs; when it is empty, the
 * process writes one line and exits with status 71. Its supervisor restarts it,
 * and its runs continue at their checkpoints. So no function here returns
 * NULL. */
#pragma once
#include <stddef.h>

void *mem_alloc(size_t size); /* zeroed */
void *mem_alloc_array(size_t count, size_t size);
void *mem_resize(void *ptr, size_t size);       /* new bytes are not zeroed */
char *mem_copy(const char *bytes, size_t size); /* with a NUL after it */
void mem_free(void *ptr);

#define mem_new(T) ((T *)mem_alloc(sizeof(T)))
#define mem_new_array(T, n) ((T *)mem_alloc_array((n), sizeof(T)))

/* Ends the process as described above. */
_Noreturn void mem_exhausted(size_t wanted);
