/* address.c - parsing, comparing and printing of IP addresses and networks. */
#include "base/address.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

static bool is_v4(const struct address *a)
{
    return memcmp(a->bytes, mapped, sizeof mapped) == 0;
}

static bool parse_plain(struct str text, struct address *out)
{
    char c[ADDRESS_TEXT_SIZE];
    ptrdiff_t zone = str_find_char(text, '%');
    if (zone > 0)
        text = str_cut(text, 0, (size_t)zone);
    if (!text.len || text.len >= sizeof c)
        return false;
    str_copy(c, sizeof c, text);
    memcpy(out->bytes, mapped, sizeof mapped);
    return inet_pton(AF_INET, c, out->bytes + 12) == 1 ||
           inet_pton(AF_INET6, c, out->bytes) == 1;
}

static bool is_port(struct str text)
{
    int64_t n;
    return str_to_int64(text, &n) && n >= 0 && n <= 65535;
}

bool address_parse(struct str text, struct address *out)
{
    ptrdiff_t colon = str_find_char(text, ':');
    if (text.len && text.ptr[0] == '[') {
        ptrdiff_t end = str_find_char(text, ']');
        struct str port = str_from(text, end < 0 ? 0 : (size_t)end + 1);
        return end > 0 &&
               (!port.len ||
                (port.ptr[0] == ':' && is_port(str_from(port, 1)))) &&
               parse_plain(str_cut(text, 1, (size_t)end - 1), out);
    }
    if (colon > 0 && str_find_char(text, '.') >= 0 &&
        is_port(str_from(text, (size_t)colon + 1)))
        text = str_cut(text, 0, (size_t)colon);
    return parse_plain(text, out);
}

static uint8_t mask_of(unsigned bits, unsigned byte)
{
    unsigned left = bits > byte * 8 ? bits - byte * 8 : 0;
    return left >= 8 ? 0xff : (uint8_t)(0xff00 >> left);
}

bool network_parse(struct str text, struct network *out)
{
    struct str rest = text, base;
    int64_t bits = 128;
    bool sized = str_find_char(text, '/') >= 0;
    str_split(&rest, '/', &base);
    if (!parse_plain(base, &out->base) || str_find_char(base, '%') >= 0)
        return false;
    int64_t offset = is_v4(&out->base) && str_find_char(base, ':') < 0 ? 96 : 0;
    if (sized && (!rest.len || rest.ptr[0] == '+' || rest.ptr[0] == '-' ||
                  !str_to_int64(rest, &bits) || bits > 128 - offset))
        return false;
    out->bits = (unsigned)(sized ? bits + offset : 128);
    for (unsigned i = 0; i < 16; i++)
        if (out->base.bytes[i] & ~mask_of(out->bits, i))
            return false;
    return true;
}

bool network_has(const struct network *n, const struct address *a)
{
    for (unsigned i = 0; i < 16; i++)
        if ((a->bytes[i] & mask_of(n->bits, i)) != n->base.bytes[i])
            return false;
    return true;
}

bool address_is_loopback(const struct address *a)
{
    static const struct address one = {{[15] = 1}};
    return is_v4(a) ? a->bytes[12] == 127
                    : memcmp(a->bytes, one.bytes, sizeof one.bytes) == 0;
}

bool address_is_link_local(const struct address *a)
{
    return is_v4(a) ? a->bytes[12] == 169 && a->bytes[13] == 254
                    : a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
}

bool address_is_public(const struct address *a)
{
    static const char *const special[] = {
        "0.0.0.0/8",      "10.0.0.0/8",     "100.64.0.0/10", "127.0.0.0/8",
        "169.254.0.0/16", "172.16.0.0/12",  "192.0.0.0/24",  "192.0.2.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/3",    "2001::/23",     "2001:db8::/32",
        "2002::/16",      "3fff::/20"};
    struct network network;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (!network_parse(str_of(special[i]), &network) ||
            network_has(&network, a))
            return false;
    return is_v4(a) || (a->bytes[0] & 0xe0) == 0x20; /* 2000::/3 */
}

void address_print(const struct address *a, char out[ADDRESS_TEXT_SIZE])
{
    if (is_v4(a))
        inet_ntop(AF_INET, a->bytes + 12, out, ADDRESS_TEXT_SIZE);
    else
        inet_ntop(AF_INET6, a->bytes, out, ADDRESS_TEXT_SIZE);
}
