/* Collectives that are under way while their caller does something else: lists of steps, which any call that makes progress
 * takes further. collective_begun.c writes the lists.
 *
 * A step sends data to a member, takes what a member has sent, combines that with a value, or copies. Steps are taken in
 * order; one that takes waits until the data is there. Each pair of members exchanges messages in the order of the
 * collectives of their team, which all members begin in the same order, so the number of the collective on its team is
 * all that a message must say.
 *
 * Short data travels in messages and is kept until its step comes. Long data stays where it is, in the sender's segment:
 * the message says where, the receiver reads it there, or gets it, and answers; the sender's list is complete when all
 * answers have come. Data that is not in the segment travels in messages, whatever its size.
 *
 * A member may begin GAS_AHEAD collectives that another has not begun, not more: so messages that are kept are limited.
 * (A limit of messages would not do: those of later collectives could use up what an earlier one needs.) Every message says
 * how many its sender has begun; a member that is about to be stopped asks.
 */
#ifndef GAS_SCHEDULE_H
#define GAS_SCHEDULE_H

#include "gas/calls.h"
#include "gas/collective.h"
#include "gas/handle.h"

enum { GAS_AHEAD = 16 };

/* The first three are dealings with another member. */
enum gas_step_kind { GAS_STEP_SEND, GAS_STEP_TAKE, GAS_STEP_COMBINE, GAS_STEP_COPY, GAS_STEP_MERGE };
struct gas_step {
    enum gas_step_kind kind;
    bool his_is_left; /* COMBINE: what is taken comes from lower ranks */
    bool again;       /* COMBINE: the next step takes the same data, too */
    bool is_away;     /* SEND: the receiver has yet to read it where it is */
    int rank;         /* of the other member */
    int in, out;      /* of reductions: the numbers of the values `from` and `to`, while those are not known */
    const char
        *from; /* SEND, COPY: the data; COMBINE: this member's value; MERGE: what `to` is combined with, on its right */
    char *to;  /* TAKE, COMBINE, COPY, MERGE */
    size_t n;
};

/* The operator of a reduction, which is kept with its list. */
union gas_any_operator {
    struct gas_operator o;
    struct gas_arithmetic arithmetic;
    struct gas_custom custom;
};

enum { GAS_SCHEDULE_ROOMS = 4 };
struct gas_schedule {
    struct gas_schedule *next; /* under way */
    gas_team team;
    bool blocks;     /* the call returns when it has completed; such lists of a team are numbered by themselves */
    uint64_t id;     /* of the team, and whether it blocks */
    uint64_t number; /* among the team's lists that do, or do not */
    struct gas_crew *crew;
    enum gas_call_kind kind;
    int root; /* or -1 */
    union gas_any_operator by;
    struct gas_step *steps;
    int count, room; /* steps, and for how many there is memory */
    int current;     /* the first that has not been taken */
    int away;        /* steps that are */
    bool is_complete;

    bool gets; /* the current step's data, from far memory, to: */
    char *got;
    struct gas_transfer transfer;

    void *rooms[GAS_SCHEDULE_ROOMS]; /* freed at the end */
    int room_count;
};

/* A list without steps. `steps` of them are foreseen. */
struct gas_schedule *gas_schedule_new(gas_team t, enum gas_call_kind kind, int root, int steps);
/* It does not count among the lists that are begun, with which calls that block may come in any order. */
void gas_schedule_blocks(struct gas_schedule *s);
struct gas_step *gas_schedule_add(struct gas_schedule *s, struct gas_step step);
/* Memory until the end, of the segment if there is room and some of it may be read by others. */
char *gas_schedule_room(struct gas_schedule *s, size_t n);
/* Memory until the end that no other member reads. */
char *gas_schedule_private_room(struct gas_schedule *s, size_t n);
/* Is data of this size and place left where it is for some member? */
bool gas_schedule_stays(const struct gas_schedule *s, const void *p, size_t n);
/* Is data of this size long enough for that? */
bool gas_schedule_is_long(const struct gas_schedule *s, size_t n);
/* Begins it; it belongs to the handle. */
gas_handle gas_schedule_begin(struct gas_schedule *s);

/* Called now and then by waits for handles: ends the job if a member of those that are waited for has terminated. waited: the
 * transfer whose end alone is waited for, or null; if it is a collective, the job also ends where that waits for a member that waits
 * for this one (calls.h). */
void gas_schedule_look_up(const struct gas_transfer *waited);
/* The team is freed: all members have met, and have no list under way. */
void gas_schedule_forget(gas_team t);

#endif
