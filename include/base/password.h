/* password.h - passwords as they are stored: argon2id with a salt of their own
 * (RFC 9106; 19 MiB, two passes, one lane).
 *
 * Both take some 60 ms of a processor and 19 MiB: never on the loop. */
#pragma once
#include "base/str.h"
#include <stdbool.h>

enum {
    PASSWORD_LEAST = 8,   /* characters */
    PASSWORD_MOST = 1024, /* bytes */
    PASSWORD_HASH_SIZE = 128,
    PASSWORD_NEW_SIZE = 24,
};

/* The text that is stored. False: no memory for it. */
bool password_hash(struct str password, char out[PASSWORD_HASH_SIZE]);
/* Whether it is the password of that text. An empty text, that of an account
 * without a password or of none, matches nothing and takes as long. */
bool password_matches(struct str password, const char *hash);
/* A random one for a person to copy: four groups of five, some 98 bits. */
void password_new(char out[PASSWORD_NEW_SIZE]);
/* Overwrites what held one. */
void password_wipe(void *bytes, size_t len);
