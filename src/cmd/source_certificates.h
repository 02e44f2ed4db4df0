/* source_certificates.h - the file that sslrootcert names on the command
 * line. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* Reads the certificates (PEM). Returns false with *why if it cannot, or if
 * there are none. */
bool source_certificates(struct arena *arena, struct str path, struct str *pem,
                         struct str *why);
