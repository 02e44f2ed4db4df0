/* source_certificates.h - the file that sslrootcert names, where it is ours to
 * read: on the command line. */
#pragma once
#include "base/arena.h"
#include "base/str.h"

/* The certificates in it, PEM. False with *why. */
bool source_certificates(struct arena *arena, struct str path, struct str *pem,
                         struct str *why);
