/* health.c - `sextant health`: asks the server of these settings whether it is
 * healthy, for containers and scripts. It sends one blocking request
 * with libcurl. */
#include "config/options.h"
#include "help.h"
#include "programs.h"
#include "server_url.h"
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

enum { PATIENCE_S = 5 };

static size_t ignore_body(char *bytes, size_t size, size_t n, void *unused)
{
    (void)bytes;
    (void)unused;
    return size * n;
}

/* Returns the status of the answer; 0: there was none. */
static long request_status(const char *url)
{
    long status = 0;
    CURL *curl = curl_easy_init();
    if (!curl)
        return 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE_S);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore_body);
    curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(curl);
    return status;
}

int cmd_health(int argc, char **argv)
{
    struct arena arena;
    struct config config;
    struct arguments args;
    bool live = false;
    const struct option own[] = {{"live", &live, NULL}, {0}};
    arena_init(&arena, 0);
    bool good = options_read(&arena, argc, argv, own, &args, &config);
    if (!good || args.n) {
        arena_done(&arena);
        return good ? usage_error("health", NULL) : EXIT_USAGE;
    }
    struct str server = server_url(&arena, &config);
    long status = request_status(arena_printf(&arena, "%.*s%s", STR_ARG(server),
                                              live ? "/healthz" : "/readyz")
                                     .ptr);
    if (status == 200)
        printf("%s\n", live ? "up" : "ready");
    else if (status)
        fprintf(stderr, "sextant health: not ready (status %ld)\n", status);
    else
        fprintf(stderr, "sextant health: no answer from %.*s\n",
                STR_ARG(server));
    arena_done(&arena);
    return status == 200 ? EXIT_OK : EXIT_FAILED;
}
