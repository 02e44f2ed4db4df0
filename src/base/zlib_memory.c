/* zlib_memory.c - allocation functions for zlib; see zlib_memory.h. */
#include "base/zlib_memory.h"
#include "base/mem.h"
#include "base/banned.h"

voidpf zlib_allocate(voidpf who, uInt items, uInt size)
{
    (void)who;
    return mem_alloc_array(items, size);
}

void zlib_release(voidpf who, voidpf what)
{
    (void)who;
    mem_free(what);
}
