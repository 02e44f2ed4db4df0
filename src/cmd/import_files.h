/* import_files.h - `sextant import --file`: makes a dataset of files. */
#pragma once
#include "cli.h"

struct file_import {
    struct cli *cli;
    struct cli_user user;
    struct arguments paths;
    struct str name; /* empty: that of the first file */
    bool shared;     /* all users may ask about it */
};
/* Runs the command: stores the files, prints what was found in them to standard
 * error and the ontology's id to standard output. Returns the exit status. */
int import_files(struct file_import *i);
