/* programs.h - the commands, one function each. argv[0] is the command's name;
 * they return the exit status (options.h). */
#pragma once

int cmd_worker(int argc, char **argv);  /* hidden: started by the supervisor */
int cmd_prepare(int argc, char **argv); /* hidden: so is this */
int cmd_config(int argc, char **argv);
int cmd_openapi(int argc, char **argv);
int cmd_migrate(int argc, char **argv);
int cmd_connection(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_probe_yaml(int argc, char **argv);
int cmd_token(int argc, char **argv);
int cmd_user(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_ask(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_health(int argc, char **argv);
int cmd_backup(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_stop(int argc, char **argv);

/* Starts the supervisor with the command line `words` in the background.
 * Returns when the server is up; 0 at once if one is running already. */
struct arena;
struct config;
int background_serve(struct arena *arena, const struct config *c, char **words);
