/* address.h - IP addresses and networks, IPv4 and IPv6 alike.
 *
 * An IPv4 address is kept as ::ffff:a.b.c.d (RFC 4291, 2.5.5.2), so a client
 * has the same address whether it connects over IPv4 or over a dual-stack IPv6
 * socket. Pure. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

struct address {
    uint8_t bytes[16];
};

struct network {
    struct address base;
    unsigned bits; /* of the prefix, 0..128 */
};

/* Parses "192.0.2.1" or "2001:db8::1"; also the forms that proxies write:
 * "[2001:db8::1]:443", "192.0.2.1:443", and an address with a zone
 * ("fe80::1%eth0"). False: malformed. */
MUST_CHECK bool address_parse(struct str text, struct address *out);
/* Parses an address with or without "/bits". False: malformed, or a bit after
 * the prefix is set. */
MUST_CHECK bool network_parse(struct str text, struct network *out);
/* Whether the address is in the network. */
bool network_has(const struct network *n, const struct address *a);
/* 127.0.0.0/8 or ::1. */
bool address_is_loopback(const struct address *a);
/* 169.254.0.0/16 or fe80::/10. Cloud providers serve a machine's credentials
 * from such an address. */
bool address_is_link_local(const struct address *a);

/* Whether it belongs to a machine on the Internet: not private, shared, reserved,
 * for documentation, multicast, or one that stands for another address (6to4,
 * Teredo, NAT64). The special-purpose registries of IANA, RFC 6890. */
bool address_is_public(const struct address *a);

enum { ADDRESS_TEXT_SIZE = 46 };
/* The usual notation, IPv4 with dots, and a NUL. */
void address_print(const struct address *a, char out[ADDRESS_TEXT_SIZE]);
