// server.c -- HTTP and WebSocket on the loopback address, by libcivetweb.
//   Every request passes `begin` first, the opening of a WebSocket too; nothing is served by
//   civetweb itself. A message may come in fragments, which are put together here.
#include <stdlib.h>
#include <string.h>

#include "lab/lab.h"
#include "lazy/civetweb.h"

// A page's connection: what has come of its present message.
typedef struct link {
    session *session;
    char *text;
    size_t size;
    bool begun;
} link_state;

static int begin(lab_connection *connection) {
    const struct mg_request_info *info = mg_get_request_info(connection);
    const lab_setup *lab = info->user_data;
    const char *host = mg_get_header(connection, "Host");
    const char *rest = guard_path(info->request_uri, lab->token);
    if (!guard_host(host))
        return page_refuse(connection, 403, "this server answers on the loopback address only\n");
    if (!guard_origin(mg_get_header(connection, "Origin"), host))
        return page_refuse(connection, 403, "requests of other pages are refused\n");
    if (!rest)
        return page_refuse(connection, 403,
                           "the address has no token: open the one `judder lab` printed\n");
    if (strcmp(info->request_method, "GET") != 0)
        return page_refuse(connection, 405, "only GET is answered\n");
    if (strcmp(rest, "socket") == 0) return 0; // goes on to the WebSocket
    return page_send(connection, lab, rest);
}

// A browser always says its Origin here, and a key of 24 characters (one too long would end the
// connection between this and `ready`); 0 accepts, and the page counts from now on.
static int connect(const lab_connection *connection, void *user) {
    lab_setup *lab = user;
    const char *key = mg_get_header(connection, "Sec-WebSocket-Key");
    if (!mg_get_header(connection, "Origin") || !key || strlen(key) > 24) return 1;
    if (atomic_fetch_add(&lab->sessions, 1) < LAB_PAGES) return 0;
    atomic_fetch_sub(&lab->sessions, 1);
    return 1;
}

static void ready(lab_connection *connection, void *user) {
    link_state *l = calloc(1, sizeof *l);
    if (l) l->session = session_create(user, connection);
    if (!l || !l->session) end_without_memory();
    mg_set_user_connection_data(connection, l);
}

static bool append(link_state *l, const char *data, size_t size) {
    if (size > LAB_LONGEST - l->size) return false;
    char *text = realloc(l->text, l->size + size + 1);
    if (!text) return false;
    memcpy(text + l->size, data, size);
    l->text = text;
    l->size += size;
    return true;
}

// 0 closes the connection.
static int data(lab_connection *connection, int bits, char *text, size_t size, void *user) {
    link_state *l = mg_get_user_connection_data(connection);
    int opcode = bits & 15;
    (void)user;
    if (!l || opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) return 1;
    bool first = opcode == MG_WEBSOCKET_OPCODE_TEXT;
    if (first ? l->begun : opcode != MG_WEBSOCKET_OPCODE_CONTINUATION || !l->begun) return 0;
    l->begun = true;
    if (!append(l, text, size)) {
        send_refusal(l->session, 0, "a message is longer than 4 MiB");
        return 0;
    }
    if (!(bits & 128)) return 1;
    bool good = session_take(l->session, l->text, l->size);
    l->begun = false;
    l->size = 0;
    return good;
}

static void closed(const lab_connection *connection, void *user) {
    lab_setup *lab = user;
    link_state *l = mg_get_user_connection_data(connection);
    if (!l) return;
    session_free(l->session);
    free(l->text);
    free(l);
    mg_set_user_connection_data(connection, NULL);
    atomic_fetch_sub(&lab->sessions, 1);
}

static int silent(const lab_connection *connection, const char *message) {
    (void)connection, (void)message;
    return 1;
}

static jd_status refused(call *c, int port) {
    jd_fail(c->context, JD_CANNOT_WRITE, "the server could not be started on port %d", port);
    if (port > 0)
        jd_fail_hint(c->context, "another program may use it; without --port a free one is taken");
    return JD_CANNOT_WRITE;
}

jd_status server_start(call *c, lab_setup *lab, int port, void **server, int *port_used) {
    JD_TRY(jd_lazy_civetweb_ready(c->context));
    char address[40], threads[12];
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    snprintf(threads, sizeof threads, "%d", LAB_THREADS);
    const char *settings[] = {"listening_ports",
                              address,
                              "num_threads",
                              threads,
                              "request_timeout_ms",
                              "5000",
                              "websocket_timeout_ms",
                              "20000",
                              "enable_websocket_ping_pong",
                              "yes",
                              "tcp_nodelay",
                              "1",
                              "decode_url",
                              "no",
                              "enable_directory_listing",
                              "no",
                              NULL};
    const struct mg_callbacks callbacks = {.begin_request = begin, .log_message = silent};
    struct mg_server_port at[1] = {{0}};
    char path[GUARD_TOKEN + 16];
    mg_init_library(0);
    struct mg_context *s = mg_start(&callbacks, lab, settings);
    if (!s) return refused(c, port);
    snprintf(path, sizeof path, "/%s/socket", lab->token);
    mg_set_websocket_handler(s, path, connect, ready, data, closed, lab);
    *server = s;
    *port_used = mg_get_server_ports(s, 1, at) == 1 ? at[0].port : port;
    return JD_OK;
}

void server_stop(void *server) { mg_stop(server); }
