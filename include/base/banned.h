/* banned.h - functions that have no bound or no thread safety. Included last,
 * by the build, in every file of ours. */
#pragma once
#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok strncpy strncat
#pragma GCC poison atoi atol atof gmtime localtime ctime asctime
