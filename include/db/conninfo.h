/* conninfo.h - builds a connection string in libpq's keyword form from parts
 * that users may have written, and checks the certificates in it. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/* Appends key='value' and a space, with the value escaped. */
void conninfo_put(struct buf *out, const char *key, struct str value);

/* libpq reads certificates only from a file. certificates_open puts a text into
 * a file in memory, whose name only this process can open. */

enum { CERTIFICATES_MAX_BYTES = 65536 }; /* bytes */

/* True when the text is one or more PEM certificates, all of them readable. */
bool certificates_valid(struct str pem);
/* A descriptor of the text as a file in memory, or -1 when the system refuses
 * one. The caller closes it when no connection uses it any more. */
int certificates_open(struct str pem);
/* Appends sslrootcert with the name of such a descriptor. */
void conninfo_put_certificates(struct buf *out, int fd);
