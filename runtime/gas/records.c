/* Carries out gathered writes where they arrive; see records.h. */
#include "gas/records.h"

#include <string.h>

#include "gas/transfer.h"

/* A record of an object of `thread`, this one or one that is near; returns where its data end. */
static const char *carry_out(int thread, uint64_t header, const char *data) {
    enum shape shape = shape_in(header);
    size_t count = header >> COUNT_SHIFT;
    char *at = fathom_local(fathom_make(thread, header & (FATHOM_STEP - 1)));
    size_t bytes = shape <= ELEMENTS_16 ? count << shape : count;
    switch (shape) {
    case ELEMENTS_1: memcpy(at, data, bytes); break;
    case ELEMENTS_2:
    case ELEMENTS_4:
    case ELEMENTS_16:
        for (size_t i = 0; i < bytes; i += (size_t)1 << shape) gas_store_shared(at + i, data + i, (size_t)1 << shape);
        break;
    case ELEMENTS_8:
        for (size_t i = 0; i < count; i++) gas_store_shared(at + 8 * i, data + 8 * i, 8);
        break;
    case OBJECT: gas_store_shared(at, data, bytes); break;
    case ATOMIC: {
        uint64_t operand[2] = {0};
        memcpy(operand, data, bytes = operand_bytes((enum gas_atomic_op)(count >> 4)));
        gas_atomic_here(NULL, at, (enum gas_atomic_type)(count & 15), (enum gas_atomic_op)(count >> 4), &operand[0],
                        &operand[1]);
        break;
    }
    case SAME: {
        uint64_t what[2];
        memcpy(what, data, sizeof what);
        const uint32_t *places = (const uint32_t *)(data + sizeof what);
        enum gas_atomic_type type = (enum gas_atomic_type)(what[0] & 15);
        if (what[0] & ATOMICS)
            gas_atomic_each(at - GAS_PLACE_BIAS * gas_atomic_bytes(type), places, count, type,
                            (enum gas_atomic_op)(what[0] >> 4 & 15), &what[1]);
        else
            gas_update_each(at - GAS_PLACE_BIAS * gas_update_bytes((unsigned)what[0]), places, count, (unsigned)what[0],
                            &what[1]);
        bytes = sizeof what + count * sizeof *places;
        break;
    }
    case UPDATES: {
        unsigned kind = count & ((1u << GAS_UPDATE_BITS) - 1);
        count >>= GAS_UPDATE_BITS;
        gas_update_here(at, kind, data, count);
        bytes = count * gas_update_operand_bytes(kind);
    }
    }
    return data + (bytes + 7) / 8 * 8;
}

/* `last`, if it is not null, is a record that must not be seen before all others. */
static void carry_out_all(int thread, const char *p, size_t bytes, const char *last) {
    for (const char *end = p + bytes; p < end;) {
        uint64_t header;
        if (p == last) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        memcpy(&header, p, sizeof header);
        p = carry_out(thread, header, p + sizeof header);
    }
}

static void on_records(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    carry_out_all(fathom_mythread, payload, bytes, nargs > 1 ? (char *)payload + args[1] : NULL);
    if (nargs) core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

static void on_sections(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    for (const uint64_t *p = payload, *end = p + bytes / sizeof *p; p < end; p += 1 + (uint32_t)*p)
        carry_out_all((int)(*p >> 32), (const char *)(p + 1), (uint32_t)*p * sizeof *p, NULL);
    if (nargs) core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

void gas_records_start(void) {
    core_service(GAS_DATA_RECORDS, on_records);
    core_service(GAS_DATA_SECTIONS, on_sections);
}
