/* http_chars.h - which bytes may stand where (RFC 9110, 5.5 and 5.6.2). */
#pragma once
#include <stdbool.h>

enum { HTTP_CHAR_TOKEN = 1, HTTP_CHAR_VALUE = 2, HTTP_CHAR_PATH = 4 };

extern const unsigned char http_chars[256];

static inline bool http_is_token(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_TOKEN;
}

/* Tab, space, visible ASCII and bytes from 0x80 on. */
static inline bool http_is_value(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_VALUE;
}

/* What RFC 3986 has in a path, and |[]^ that browsers leave as they are. */
static inline bool http_is_path(unsigned char c)
{
    return http_chars[c] & HTTP_CHAR_PATH;
}

/* The value of a hexadecimal digit, or -1. */
static inline int http_hex(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}
