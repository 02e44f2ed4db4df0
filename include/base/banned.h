/* banned.h - bans functions that have no bound or no thread safety. Every .c
 * file includes it last. */
#pragma once
#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok strncpy strncat
#pragma GCC poison atoi atol atof gmtime localtime ctime asctime
