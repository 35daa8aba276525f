/* msg_send's choice by a tuning table (runtime/msg/choice.c): which lines count, what is sent by them, and what is said about it.
 * The status is the number of checks that failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/msg.h"

static int failed;
#define CHECK(condition) ((condition) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #condition), failed++))

enum { PAGE = 4096 };

/* One process's two ends. */
static msg_endpoint *endpoint;
static msg_queue *inbox;
static msg_transmit *out;
static char *memory;

static void open_with(const char *table) {
    FILE *f = fopen("table", "w");
    if (f) fputs(table, f), fclose(f);
    setenv("FATHOM_TUNING", table ? "table" : "", 1);
    endpoint = msg_endpoint_create();
    inbox = msg_queue_create(endpoint, 0, 0, 0);
    out = msg_transmit_create(endpoint, 0, 2, 0);
    memory = msg_region_memory(msg_region_create(out, PAGE));
    memset(memory, 'x', PAGE);
    if (msg_connect(out, 0, inbox, 1) != MSG_OK) failed++;
}

/* Was it a copy? The data arrive whole in any case, and the explanation says the same. */
static bool copies(uint32_t bytes) {
    uint64_t ticket;
    msg_message m;
    char text[300];
    CHECK(msg_send(out, 0, 3, memory, bytes, &ticket) == MSG_OK);
    bool copied = ticket == MSG_NO_TICKET;
    CHECK(msg_receive(inbox, &m) && m.bytes == bytes && m.tag == 3 && memcmp(m.data, memory, bytes) == 0);
    CHECK(copied || !msg_is_released(out, 0, ticket));
    msg_release(inbox, &m);
    CHECK(msg_is_released(out, 0, ticket));
    CHECK(msg_explain_send(out, 0, memory, bytes, true, text, sizeof text) == (int)strlen(text));
    CHECK(strncmp(text, copied ? "a copy: " : "Tag-On: ", 8) == 0);
    return copied;
}

static bool says(const void *data, uint32_t bytes, bool ticket, unsigned row, const char *what) {
    char text[300];
    msg_explain_send(out, row, data, bytes, ticket, text, sizeof text);
    if (strstr(text, what)) return true;
    puts(text);
    return false;
}

int main(void) {
    static const struct {
        const char *table;
        bool at_64, at_128, at_1024, at_2048;
    } cases[] = {
        {"", false, false, false, false},
        {"msg-send: copy < 128, tag-on\n", true, false, false, false},
        {"# a comment\n\n  msg-send :copy<129,tag-on # why\n", true, true, false, false},
        {"msg-send: copy\n", true, true, true, false}, /* longer copies there are not */
        {"msg-send: tag-on < 100, copy < 1000, tag-on\n", false, true, false, false},
        {"conduit mpi\nmsg-send: copy\n", false, false, false, false},
        {"conduit mpi\nmsg-send: tag-on\nconduit smp\nput: auto\nmsg-send: copy\n", true, true, true, false},
        {"# fathom tuning table 1\nmsg-send: copy\n", false, false, false, false},
        {"# fathom tuning table 2\nmsg-send: copy\n", true, true, true, false},
        /* Lines that are not valid leave what was there. */
        {"msg-send: copy\nmsg-send: copy < 9\n", true, true, true, false},
        {"msg-send: copy\nmsg-send: copy < 128, copy < 64, tag-on\n", true, true, true, false},
        {"msg-send: copy\nmsg-send: tag-on < 1, copy < 2, tag-on < 3, copy < 4, tag-on\n", true, true, true, false},
        {"msg-send: copy < -5, tag-on\n", false, false, false, false},
        {"msg-send: express\n", false, false, false, false},
        {"msg-sendx: copy\nmsg-send copy\n", false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int before = failed;
        open_with(cases[i].table);
        CHECK(copies(64) == cases[i].at_64);
        CHECK(copies(128) == cases[i].at_128);
        CHECK(copies(1024) == cases[i].at_1024);
        CHECK(copies(2048) == cases[i].at_2048);
        if (failed > before) printf("with the table:\n%s\n", cases[i].table);
        msg_endpoint_close(endpoint);
    }

    open_with("msg-send: copy < 128, tag-on\n");
    CHECK(says(memory, 64, true, 0, "a copy: 64 bytes lie in the region (by the tuning table table)"));
    CHECK(says(memory, 200, true, 0, "Tag-On: 200 bytes"));
    CHECK(says(memory, 200, false, 0, "a copy: without a ticket"));
    CHECK(says(memory + 8, 200, true, 0, "a copy: the data are not at a multiple of 64"));
    CHECK(says("elsewhere", 9, true, 0, "a copy: the data are not"));
    CHECK(says(&failed, 8, true, 0, "Express: 8 bytes"));
    CHECK(says(memory, 2000, false, 0, "nothing: without a ticket"));
    CHECK(says(memory, 200, true, 1, "nothing: destination 1 is not connected"));
    /* Where there is no room for copies, data go as they lie: 32 copies are kept, and then. */
    int tag_on = 0;
    for (int i = 0; i < 40; i++) {
        uint64_t ticket;
        CHECK(msg_send(out, 0, 0, memory, 64, &ticket) == MSG_OK);
        tag_on += ticket != MSG_NO_TICKET;
    }
    CHECK(tag_on == 8);
    msg_endpoint_close(endpoint);

    setenv("FATHOM_TUNING", "there/is/none", 1);
    CHECK(!msg_endpoint_create() && strstr(msg_error(), "FATHOM_TUNING=there/is/none: cannot read it"));
    setenv("FATHOM_TUNING", "/", 1);
    CHECK(!msg_endpoint_create());
    unsetenv("FATHOM_TUNING");
    setenv("XDG_CONFIG_HOME", "/there/is/none", 1);
    endpoint = msg_endpoint_create();
    CHECK(endpoint);
    msg_endpoint_close(endpoint);
    unlink("table");
    return failed;
}
