/* conninfo.h - libpq's keyword form of an address, put together from parts that
 * anybody may have written. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/* Appends key='value' and a blank, with the value escaped. */
void conninfo_put(struct buf *out, const char *key, struct str value);

/* libpq takes certificates by the name of a file alone. A text of ours becomes
 * one in memory, under a name that this process alone can open. */

enum { CERTIFICATES_MOST = 65536 }; /* bytes */

/* Whether the text is one or more certificates in PEM, and nothing broken. */
bool certificates_valid(struct str pem);
/* Its descriptor, the caller's to close when nothing connects with it any more;
 * -1 when there is none to be had. */
int certificates_open(struct str pem);
/* Appends sslrootcert for such a descriptor. */
void conninfo_put_certificates(struct buf *out, int fd);
