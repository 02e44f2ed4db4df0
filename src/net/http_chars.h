/* http_chars.h - classes of bytes in HTTP messages (RFC 9110, 5.5 and
 * 5.6.2). */
#pragma once
#include <stdbool.h>

enum { HTTP_CHAR_TOKEN = 1, HTTP_CHAR_VALUE = 2, HTTP_CHAR_PATH = 4 };

extern const unsigned char http_chars[256];

static inline bool http_is_token(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_TOKEN;
}

/* Allowed in a field value: tab, space, visible ASCII, bytes from 0x80 on. */
static inline bool http_is_value(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_VALUE;
}

/* Allowed in a path: what RFC 3986 lists, and |[]^, which browsers do not
 * encode. */
static inline bool http_is_path(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_PATH;
}
