/* mem.c - the heap; ends the process when it is empty. */
#include "base/mem.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/banned.h"

_Noreturn void mem_exhausted(size_t wanted)
{
    char line[128];
    int n = snprintf(line, sizeof line,
                     "{\"level\":\"error\",\"msg\":\"out of memory\","
                     "\"wanted\":%zu}\n",
                     wanted);
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        _exit(71);
    _exit(71);
}

void *mem_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        mem_exhausted(size);
    return p;
}

void *mem_alloc_array(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        mem_exhausted(SIZE_MAX);
    return mem_alloc(count * size);
}

void *mem_resize(void *ptr, size_t size)
{
    void *p = realloc(ptr, size ? size : 1);
    if (!p)
        mem_exhausted(size);
    return p;
}

char *mem_copy(const char *bytes, size_t size)
{
    char *p = mem_alloc(size + 1);
    if (size)
        memcpy(p, bytes, size);
    return p;
}

void mem_free(void *ptr)
{
    free(ptr);
}
