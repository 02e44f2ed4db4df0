/* settings.c - `sextant config`: prints the settings in effect and their
 * sources. */
#include "config/options.h"
#include "programs.h"
#include <stdio.h>
#include "base/banned.h"

int cmd_config(int argc, char **argv)
{
    bool json = false, markdown = false;
    const struct option own[] = {
        {"json", &json, NULL}, {"markdown", &markdown, NULL}, {0}};
    struct arena arena;
    struct arguments args;
    struct config config;
    struct buf out;
    arena_init(&arena, 0);
    buf_init(&out, &arena);
    bool good = options_read(&arena, argc, argv, own, &args, &config);
    if (good && args.n) {
        fprintf(stderr, "sextant config: unexpected argument \"%s\"\n",
                args.items[0]);
        good = false;
    } else if (good && markdown) {
        config_print_markdown(&out);
    } else if (good && json) {
        config_print_json(&config, &out);
    } else if (good) {
        config_print(&config, &out);
    }
    fwrite(out.ptr, 1, out.len, stdout);
    arena_done(&arena);
    return good ? EXIT_OK : EXIT_USAGE;
}
