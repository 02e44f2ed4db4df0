/* zlib_memory.h - zlib's streams on our heap (mem.h), which never runs short of
 * an answer: the process ends instead. */
#pragma once
#include <zlib.h>

/* For `zalloc` and `zfree` of a z_stream, before its Init. */
voidpf zlib_allocate(voidpf who, uInt items, uInt size);
void zlib_release(voidpf who, voidpf what);
