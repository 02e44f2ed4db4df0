/* address.h - internet addresses and networks of them, both families alike.
 *
 * An IPv4 address is kept as ::ffff:a.b.c.d (RFC 4291, 2.5.5.2), so that one
 * that came over an IPv6 socket is the same. Pure. */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct address {
    uint8_t bytes[16];
};

struct network {
    struct address base;
    unsigned bits; /* 0..128 */
};

/* "192.0.2.1", "2001:db8::1"; also as proxies write it: "[2001:db8::1]:443",
 * "192.0.2.1:443", and with a zone ("fe80::1%eth0"). */
bool address_parse(struct str text, struct address *out);
/* An address, or one with "/bits"; bits beyond those must be zero. */
bool network_parse(struct str text, struct network *out);
bool network_has(const struct network *n, const struct address *a);
bool address_is_loopback(const struct address *a);
/* Of one network cable alone (169.254.0.0/16, fe80::/10): where clouds tell a
 * machine its secrets. */
bool address_is_link_local(const struct address *a);

enum { ADDRESS_TEXT_SIZE = 46 };
/* As people write it, an IPv4 address with dots. */
void address_print(const struct address *a, char out[ADDRESS_TEXT_SIZE]);
