/* pg_fixture.h - a private PostgreSQL for one test program.
 *
 * A cluster in a new directory, reached by its unix socket alone, without
 * fsync, that ends with the test program however that ends. Each function ends
 * the program with a message when it cannot do what it says. */
#pragma once
#include <libpq-fe.h>
#include <stdbool.h>

struct pg;

struct pg *pg_new(void);      /* initialised and started */
void pg_free(struct pg **pg); /* stopped, its directory removed */
/* "host=… dbname=… user=postgres"; valid until the next call. */
const char *pg_conninfo(struct pg *pg, const char *database);
/* The same over TCP on 127.0.0.1 (the port is free when the cluster is made). */
const char *pg_conninfo_tcp(struct pg *pg, const char *database);

void pg_start(struct pg *pg);  /* unless it runs */
void pg_stop(struct pg *pg);   /* fast: sessions are ended */
void pg_kill(struct pg *pg);   /* immediate, as in a crash */
void pg_freeze(struct pg *pg); /* SIGSTOP to the server and its backends */
void pg_thaw(struct pg *pg);

/* Lets it speak TLS over TCP, with a certificate of its own for localhost whose
 * file is answered (for sslrootcert); NULL without the openssl program. */
const char *pg_use_tls(struct pg *pg);

/* Runs statements over a connection of its own, blocking. */
void pg_run(struct pg *pg, const char *database, const char *sql);
/* The first cell as text, "" for none; valid until the next call. */
const char *pg_ask(struct pg *pg, const char *database, const char *sql);
