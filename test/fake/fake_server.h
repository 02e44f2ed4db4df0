/* fake_server.h - net/http_server.h without a socket: a test supplies the requests,
 * and the answers are kept. */
#pragma once
#include "base/buf.h"
#include "net/http_server.h"

struct fake_request {
    struct http_exchange face; /* first */
    struct http_header headers[4];
    struct buf sent, body; /* heap: header lines, and the answer */
    int status;            /* 0: none yet */
    int answers;           /* ends of the exchange: 1 in the end */
    /* Of an upload: its body, and how much has come and was taken */
    struct str stream;
    size_t arrived, taken, cut; /* cut: the client leaves there; 0: never */
    bool gone;                  /* the client has left */
};

/* Passes a request on as the server would; a header's name may be NULL. */
struct fake_request *fake_request(const char *method, const char *path,
                                  const char *name, const char *value,
                                  const char *json_body);
/* The same in two steps, for a test that must know the request before it is
 * passed on. */
struct fake_request *fake_request_new(const char *method, const char *path,
                                      const char *name, const char *value,
                                      const char *json_body);
void fake_request_send(struct fake_request *r);
/* The client leaves, as the server would tell its handler. */
void fake_request_leave(struct fake_request *r);
/* The same for an upload, whose body comes in pieces while its handler waits for
 * it. After `cut` bytes the client is gone; 0: it stays. */
struct fake_request *fake_upload(const char *path, const char *type,
                                 const char *authorization, struct str body,
                                 size_t cut);
void fake_request_free(struct fake_request *r);
