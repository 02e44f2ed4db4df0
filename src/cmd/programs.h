/* programs.h - the commands, each a function of its line. argv[0] is the
 * command's name; they answer the exit status (options.h). */
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

/* Starts `words` (the supervisor's line) and answers when it is up; 0 at once
 * when a server is up already. */
struct arena;
struct config;
int background_serve(struct arena *arena, const struct config *c, char **words);
