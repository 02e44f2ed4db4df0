/* body_stream.h - the body of a request, read while it arrives.
 *
 * For requests that http_server_options.streams_body takes: their handler runs
 * as soon as the head is accepted. It takes the bytes at its own speed; while it
 * leaves 64 KiB of them, the server reads no more from the client. There is no
 * limit of the length: the reader counts. A client that sends less than 64 KiB
 * in limits.body_ms breaks the body.
 *
 * The handler may answer before the body is whole, and so refuse it. The server
 * then closes the connection, but first reads what the client still sends, so
 * that the client sees the answer. A client that waits for "100 Continue" gets
 * it at the first body_stream_wait. */
#pragma once
#include "loop/wait.h"
#include "net/http_server.h"

/* The length that the head states; -1: it does not. */
int64_t body_stream_length(const struct http_exchange *x);
/* The bytes that have arrived and were not taken; valid until the next take, or
 * the next turn of the loop. */
struct str body_stream_bytes(const struct http_exchange *x);
/* Takes n of them. */
void body_stream_take(struct http_exchange *x, size_t n);
/* Whether all bytes of the body have arrived. */
bool body_stream_is_whole(const struct http_exchange *x);
/* OK, or why the rest will not come: ERR_CANCELLED (the client disconnected),
 * ERR_REQUEST_TIMEOUT, ERR_VALIDATION, ERR_TOO_LARGE; then *why is a sentence
 * (static text). */
enum err body_stream_broken(const struct http_exchange *x, struct str *why);
/* Waits until one of these three has changed, or earlier. The exchange must not
 * be ended before the wait is over. */
void body_stream_wait(struct flow *f, struct wait *w, struct http_exchange *x);
