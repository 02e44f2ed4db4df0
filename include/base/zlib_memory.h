/* zlib_memory.h - lets zlib allocate from our heap (mem.h), which ends the
 * process rather than return NULL. */
#pragma once
#include <zlib.h>

/* For `zalloc` and `zfree` of a z_stream; set them before its Init function. */
voidpf zlib_allocate(voidpf who, uInt items, uInt size);
void zlib_release(voidpf who, voidpf what);
