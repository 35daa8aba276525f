/* Why this machine cannot perform a stimulus. What each reason stands for is written in crates/profile/src/reason.rs; the
 * words on the wire are in request.c, and a test compares them.
 */
#pragma once

enum reason {
    REASON_PROCESSORS,
    REASON_THREADS,
    REASON_APART,
    REASON_NEAR,
    REASON_MEMORY,
    REASON_OPERATION,
    REASON_SIZE,
    REASON_SYSTEM,
    REASON_COMPILER,
    REASON_UNSEEN,
    REASON_TIME,
    REASONS
};
