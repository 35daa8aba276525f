/* The layout of msg.h's structs, for a test of their declarations in Rust (ffi.rs). */
#include "msg/internal.h"

const size_t fathom_queue_layout[] = {
    sizeof(msg_message),           offsetof(msg_message, word), offsetof(msg_message, data),
    offsetof(msg_message, bytes),  offsetof(msg_message, source), offsetof(msg_message, queue),
    offsetof(msg_message, tag),    offsetof(msg_message, kind), offsetof(msg_message, lane), offsetof(msg_message, serial),
    offsetof(msg_message, place),  sizeof(msg_set), offsetof(msg_set, mask), offsetof(msg_set, empty_word),
    MSG_FULL, MSG_NO_ROW, MSG_TOO_LONG, MSG_WRONG, MSG_FAILED,
    MSG_EMPTY, MSG_EXPRESS, MSG_DATA, MSG_BULK, MSG_RECORD, MSG_READY,
    sizeof(msg_job), offsetof(msg_job, state), offsetof(msg_job, ticket), offsetof(msg_job, next), offsetof(msg_job, row),
    offsetof(msg_job, data), offsetof(msg_job, bytes), offsetof(msg_job, offset), offsetof(msg_job, stamp), MSG_JOB_DONE,
    MSG_MOST_RUN,
};
