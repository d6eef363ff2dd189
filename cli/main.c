// main.c -- the judder command, in one process.
#include "command.h"

int main(int argc, char **argv) { return command_run(argc, argv, NULL); }
