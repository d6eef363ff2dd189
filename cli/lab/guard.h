// guard.h -- who may ask the lab's server for what: token, Host, Origin, path.
//   The server listens on the loopback address, but every page a browser shows can send requests
//   there. So an address begins with a token that only the user was told; Host must name this
//   machine's loopback (another name that leads here is an attack by DNS), Origin must be the page
//   itself, and a path is a plain name of a file of the page.
#ifndef JD_LAB_GUARD_H
#define JD_LAB_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { GUARD_TOKEN = 32 }; // hexadecimal digits: 128 random bits

// A new token, ended by 0. False: the system gives no random numbers.
bool guard_token(char out[GUARD_TOKEN + 1]);
// 127.0.0.1, localhost or [::1] with any port: the near end of an ssh tunnel has its own.
bool guard_host(const char *host);
// A request without Origin (an address typed by hand) or from the page at this Host.
bool guard_origin(const char *origin, const char *host);
// What follows "/TOKEN/" in a path as sent, without its query; NULL: the token is missing or wrong.
const char *guard_path(const char *uri, const char *token);
// A name of a file below a folder: letters, digits, - _ . in words between single slashes; no word
// begins with a dot.
bool guard_name(const char *name);

#endif
