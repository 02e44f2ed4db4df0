/* openapi.c - `sextant openapi`: prints the description of the API, without a
 * server. */
#include "api/api.h"
#include "config/options.h"
#include "help.h"
#include "programs.h"
#include <stdio.h>
#include <string.h>
#include "base/banned.h"

int cmd_openapi(int argc, char **argv)
{
    bool markdown = argc == 2 && !strcmp(argv[1], "--markdown");
    struct buf out;
    if (argc > 1 && !markdown)
        return usage_error("openapi", NULL);
    buf_init(&out, NULL);
    if (markdown)
        api_openapi_markdown(&out);
    else
        api_openapi(&out);
    fwrite(out.ptr, 1, out.len, stdout);
    buf_done(&out);
    return EXIT_OK;
}
