/* password.h - password hashes: argon2id with a random salt (RFC 9106; 19 MiB,
 * two passes, one lane).
 *
 * Hashing and verifying take about 60 ms of CPU and 19 MiB: never call them on
 * the loop's thread. */
#pragma once
#include "base/compiler.h"
#include "base/str.h"
#include <stdbool.h>

enum {
    PASSWORD_LEAST = 8,   /* characters */
    PASSWORD_MOST = 1024, /* bytes */
    PASSWORD_HASH_SIZE = 128,
    PASSWORD_NEW_SIZE = 24,
};

/* Writes the hash to store. False: not enough memory. */
MUST_CHECK bool password_hash(struct str password,
                              char out[PASSWORD_HASH_SIZE]);
/* Whether the password has that hash. An empty or NULL hash (no such account,
 * or one without a password) matches nothing and takes as long. */
MUST_CHECK bool password_matches(struct str password, const char *hash);
/* A random password for a user to copy: four groups of five, about 98 bits. */
void password_new(char out[PASSWORD_NEW_SIZE]);
/* Overwrites memory that held a password. */
void password_wipe(void *bytes, size_t len);
