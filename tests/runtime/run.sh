#!/bin/bash
# Builds the runtime for a conduit and the programs beside this file, with CC (default cc), and runs them: the conduit by
# itself, starts, ends, crashes; for smp also barriers, the heap, output. No compiler of ours is needed. Says what fails;
# the status is the number of failures.
#
#     run.sh [--sanitize] [CONDUIT…]     smp and template unless others are named; they must start their threads
#                                        themselves. --sanitize: under the address and undefined-behaviour sanitizers
set -u
# Who starts this may ignore hang-ups (nohup), and what is started would, too; some tests send them.
[ "${SIGNALS_RESET:-}" ] || SIGNALS_RESET=1 exec env --default-signal=HUP "$0" "$@"
. "$(dirname "$0")/lib.sh"
EMULATOR=${EMULATOR:-}
# For each page of address space qemu's user emulation takes 24 bytes; and heaps have as much of it as there is memory.
[ -z "$EMULATOR" ] || export FATHOM_HEAP=64m
sanitize=
if [ "${1:-}" = --sanitize ]; then
    sanitize=1
    export ASAN_OPTIONS=detect_leaks=0
    shift
fi
conduits=("${@:-smp}")
[ $# = 0 ] && conduits=(smp template)

# Rules of far accesses; HOW is FATHOM_COMM and the program that finds that the rule is broken.
broken=(
    'gas/outbox|nothing is settled|outbox=4096 comm 40 1|s/if (box && n && is_marked(box, p, n))/if (0)/'
    'gas/outbox|no marks|outbox=4096 comm 40 1|s/^    box->marks.first % MARKS. = box->mark;/    return;/'
    'gas/outbox|no mark on the second line|outbox=4096 comm 40 1|s/if (__builtin_expect(first != last, 0)) box->marks/if (0) box->marks/'
    'gas/outbox|only the first line is looked at|outbox=4096 comm 40 1|s/for (uint64_t line = first; line <= last; line++)/for (uint64_t line = first; line <= first; line++)/'
    'gas/outbox|a fence sends nothing|outbox=4096 comm 40 1|s/^    send_all(t);/    (void)t;/'
    'gas/outbox|elements of another size are appended|outbox=4096 comm 40 1|s/shape_in(.header) == shape && //'
    'gas/outbox|a strided put overtakes|outbox=4096 comm 40 1|/^void gas_outbox_settle_thread/,/^}/s/settle(box, entered);/conduit_leave(entered);/'
    'gas/far|what is held back waits for the thread|outbox=4096 comm 1 beside 3|s/^    return gas_outbox_is_on && gas_outbox_send_beside();/    return false;/'
    'gas/far|what is kept waits for the thread|lines comm 1 stale 60|/^static bool let_go_beside/,/^}/s/gas_lines_forget_beside();//'
    'gas/records|operations are confused|outbox=4096 comm 40 1|s/(enum gas_atomic_op)(count >> 4)/(enum gas_atomic_op)(count >> 4 \& 1)/'
    'gas/outbox|updates are not marked|updates,outbox=4096 comm 40 1|/^static inline bool update/,/^}/s/mark(box, target, bytes);//'
    'gas/outbox|updates of another kind are appended|updates,outbox=4096 comm 40 1|/^static inline bool update/,/^}/s/ (count & ((1u << GAS_UPDATE_BITS) - 1)) == kind &&//'
    'gas/outbox|updates are appended to writes|updates,outbox=4096 comm 40 1|/^static inline bool update/,/^}/s/shape_in(.header) == UPDATES &&//'
    'gas/outbox|updates of other places are appended|updates,outbox=4096 comm 40 1|/^static inline bool update/,/^}/s/(.header & (FATHOM_STEP - 1)) + old . bytes == fathom_offset_of(target)/1/'
    'gas/records|only the first of many updates is made|updates,outbox=4096 comm 40 1|s/gas_update_here(at, kind, data, count);/gas_update_here(at, kind, data, 1);/'
    'gas/outbox|an operation loses its operand|outbox=4096 comm 40 1|s/operand_bytes(op));$/op == GAS_ADD ? 0 : operand_bytes(op));/'
    'gas/outbox|a strict write goes before writes to other threads|outbox=4096 comm 100 orders|s/active_count != 1/active_count < 1/;/^static bool put_last/,/^}/s/deactivate(0);/active_count = 0;/'
    'gas/outbox|a strict write goes to another thread|outbox=4096 comm 200 orders|s/if (box->thread != (int)fathom_thread_of(dst) || .*//'
    'gas/outbox|what is counted is not marked|updates,outbox=4096 comm 40 1|/^static inline bool add_same/,/^}/s/^    mark(.*//'
    'gas/outbox|a new operand is taken for the old one|updates,outbox=4096 comm 40 1|s/ || box->same_operand != operand//'
    'gas/outbox|an operation is taken for the one before|updates,outbox=4096 comm 40 1|s/box->same != what/box->same == NOTHING/'
    'gas/outbox|objects of any alignment fit|updates,outbox=4096 comm 40 1|s/^    if (place >> 32) return false;//'
    'gas/records|the last of many places is left out|updates,outbox=4096 comm 40 1|s/places, count, (unsigned)what/places, count - 1, (unsigned)what/'
    'gas/outbox|a record begins in one that is open|updates,outbox=4096 comm 200 1|/^static char .begin_record/,/^}/s/close_same(box);//'
    'gas/far|a repeated update leaves lines alone|updates,lines=512 comm 40 1|/^bool gas_far_is_simple/s/ && !gas_lines_are_kept()//'
    'gas/far|a repeated update overtakes a put under way|updates,outbox=128 late|s/ && !count//'
    'gas/far|a strict write keeps lines|outbox=4096,lines=512 comm 200 orders|/^static bool goes_with_the_rest/,/^}/s/gas_lines_forget();//'
    'gas/update|narrow objects are shifted in their own width|updates,outbox=4096 comm 40 1|s/b & (WIDTH - 1)/b \& (8 * sizeof(T) - 1)/'
    'gas/update|the sign is lost|updates,outbox=4096 comm 40 1|s/INTEGERS(i8, int8_t, uint32_t, int32_t)/INTEGERS(i8, int8_t, uint32_t, uint32_t)/'
    'gas/update|a float is computed with as a float|updates,outbox=4096 comm 40 1|s/FLOATING(f32_by_f64, float, double)/FLOATING(f32_by_f64, float, float)/'
    'gas/far|updates leave lines alone|updates,lines=512 comm 40 1|/^void fathom_far_update/,/^}/s/gas_lines_drop(p, n);//'
    'gas/far|an update overtakes a put under way|updates,outbox=128 late|/^void fathom_far_update/,/^}/s/gas_far_settle_puts(p, n);//'
    'gas/domain|an atomic operation of the network overtakes a put under way|off late|/^static void by_conduit/,/^}/s/gas_far_settle(.*//'
    'gas/domain|a gathered atomic overtakes a put under way|outbox=128 late|s/gas_far_settle_puts(.*//'
    'gas/far|a fence keeps lines|lines=512 comm 100 orders|/^static void settle_all/,/^}/s/gas_lines_forget();//'
    'gas/far|waiting and polling keep lines|lines=512 comm 100 orders|/^static void let_go/,/^}/s/gas_lines_forget();//'
    'gas/until|a condition that holds keeps lines|lines=512 comm 200 orders|/^static bool has_come/,/^}/s/gas_lines_forget();//'
    'gas/signal|a wait for a signal keeps lines|lines=512 comm 100 orders|s/gas_lines_forget();//'
    'gas/collective|a collective function keeps lines|lines=512 comm 100 orders|s/gas_lines_forget();//'
    'gas/barrier|half a barrier keeps lines|lines=512 comm 100 orders|s/gas_lines_forget();//'
    'gas/lines|an object is kept for ever|lines=512 comm 100 orders|s,SERVES / SPIN : 1,1 : 1,'
    'gas/lines|a line is kept for ever|lines=512 comm 100 orders|s/SERVES = 4096/SERVES = 1 << 30/'
    'gas/lines|a line of an old epoch|lines=512 comm 100 orders|s/ && l->epoch == gas_lines_epoch//'
    'gas/lines|a line of another address|lines=8 comm 40 1|s/l->at == at && //'
    'gas/lines|own writes leave lines alone|lines=64 comm 40 1|s/^            memcpy(data + (place << shift) + (p - at), from, part);/            (void)0;/'
    'gas/lines|large writes leave lines alone|lines=64 comm 40 1|s/^        gas_lines_forget();/        (void)0;/;s/^            lines.place..at = 0;/            (void)0;/'
    'gas/lines|only the first line is changed|lines=16 comm 40 1|s/n; n -= part, p += part/n; n = 0/'
    'gas/lines|no second line|lines=64 comm 40 1|s/(n <= here, 1)/(1, 1)/'
    'gas/lines|a line is fetched before what is held back|outbox=4096,lines=512 comm 40 1|s/^    gas_far_settle(at, width());//'
    'gas/lines|a line is fetched before puts under way|lines=512 late|s/^    gas_far_settle(at, width());//'
    'gas/far|library calls leave lines alone|lines=512 comm 40 1|/^void gas_far_settle(/,/^}/s/gas_lines_drop(p, n);//'
    'gas/far|library puts leave lines alone|lines=512 comm 40 1|/^void fathom_far_memput/,/^}/s/gas_lines_wrote(dst, src, n);//'
    'gas/far|strided puts leave lines alone|lines=512 comm 40 1|/^void gas_far_settle_thread/,/^}/s/gas_lines_forget();//'
    'gas/domain|gathered atomics leave lines alone|outbox=4096,lines=512 comm 40 1|s/gas_lines_drop(.*//'
    'gas/handle|what is fetched during a transfer is kept|lines=512 late|s/gas_lines_forget();//'
    'gas/strip|stores may reach the index|gathers gathers 300 1|/^void fathom_strip_stores/,/^}/s/i < s->sources/i < 0/'
    'gas/strip|the index is compared one element short|gathers gathers 3000 1|/^void fathom_strip_stores/,/^}/s/(uintptr_t)x->bytes/(uintptr_t)x->bytes - 4/'
    'gas/strip|writes may reach the table|gathers gathers 300 1|/^static bool is_read/,/^}/s/bool is = is_gathered(.*);/bool is = false;/'
    'gas/strip|an unknown table is apart from all|gathers gathers 300 1|s/g->high == 0 \&\& !object_of(.*) return true;/g->high == 0) continue;/'
    'gas/kept|two places have one element|gathers gathers 300 1|s/ .. table.i..place != p)/ \&\& 0)/'
    'gas/kept|a place of the strip before is there still|gathers gathers 300 1|s/++strips == 0/strips == 0/'
    'gas/kept|a list serves whatever the key is|gathers gathers 300 1|s/memcmp(l->key, k->key, .*count))/0)/'
    'gas/kept|a list stays although its indices have changed|gathers gathers 300 1|s/while (kept) forget_last();//'
    'gas/kept|what was read before is taken to be read again|gathers gathers 300 1|s/ .. l->places.number. != places.i.) break/) break/'
    'gas/kept|what a strip leaves to the next one is left out|gathers=7 gathers 300 1|s/o->next = o->at.n.;//'
    'gas/kept|rows begin where the one before does|gathers gathers 300 1|s/l->first.i. = l->reads;/l->first[i] = i ? l->first[i - 1] : 0;/'
    'gas/kept|what is behind a whole table is taken to be in it|gathers gathers 300 1|s,(long)k->many),(long)k->many / 2),'
    'gas/kept|an element that is not in a whole table is another one|gathers gathers 300 1|s/fathom_ptr place = gas_strip_place(&whole, e)/fathom_ptr place = gas_strip_place(\&whole, e + 1)/'
    'gas/kept|a table is whole without its first element|gathers gathers 300 1|s/k->at = gas_strip_whole(&whole, k->low,/k->at = gas_strip_whole(\&whole, k->low + 1,/'
    'gas/kept|no index is looked at before the last row|gathers gathers 300 1|/^int fathom_kept_looked/,/^}/s/fathom_kept_look_at(k);//'
    'gas/kept|the indices behind the last vector are not looked at|gathers gathers 300 1|s/for (; n > 0; n--/for (; n > 8; n--/'
    'gas/kept|indices below a whole table are taken to be in it|gathers gathers 300 1|s/found\[i\] |= d | (last - d)/found[i] |= last - d/'
    'gas/kept|indices behind a whole table are taken to be in it|gathers gathers 300 1|s/found\[i\] |= d | (last - d)/found[i] |= d/'
    'gas/kept|every second vector of indices is forgotten|gathers gathers 300 1|s/ | found\[1\]\[i\]//'
    'gas/kept|a table is certain whatever the key is|gathers gathers 300 1|s/memcmp(x->key, key, .*) == 0;/1;/'
    'gas/kept|a table is certain although its indices have changed|gathers gathers 300 1|s/seen\[i\].key_count = 0;/;/'
    'gas/kept|element 0 of a whole table is element 1|gathers gathers 300 1|s/(k->low \* whole.size)/((k->low + 1) * whole.size)/'
    'gas/kept|reads that are not made count|gathers gathers 300 1|s/l->reads - l->left_out/l->reads/'
    'gas/strip|the last element of a whole table does not travel|gathers gathers 300 1|s/land(table, r, first, first + n/& - 1/'
    'gas/sorted|the last element of a record is left out|gathers gathers 300 1|/^static void close_record/,/^}/s/r->count = b->count;/r->count = b->count - 1;/'
    'gas/sorted|elements take the places of those that are not wanted|gathers gathers 300 1|s/(uint32_t .)b->to).i. = (uint32_t)k;/(uint32_t *)b->to)[i] = (uint32_t)(k + wanted - n);/'
    'gas/sorted|elements are gathered before what is held back|gathers,outbox=4096 gathers 300 1|s/gas_far_settle_reads(thread);/(void)0;/'
    'gas/sorted|every offset fits|gathers gathers 300 1|s/(at >> 32 != 0, 0)/(0, 0)/'
    'gas/sorted|an offset of 8 bytes is taken for two of 4|gathers gathers 300 1|s/r->is_wide, b->base}/0, b->base}/'
    'gas/sorted|a record is used again before its answer has come|gathers gathers 900 1|s/^    r->transfer->answers++;/&  r->next = spare; spare = r;/;/^static void on_got(/,/^}/{s/r->next = spare;//;s/    spare = r;//}'
    'gas/strip|the loop may read the table|gathers fetches 300 1|/^bool gas_strip_loads/,/^}/s/if (is_in_table(.*)) return 0;/(void)0;/'
    'gas/fetch|the loop may read the table behind a pointer|gathers fetches 300 1|/^static bool meets/,/^}/s/return true;/continue;/'
    'gas/strip|an index may be written if nothing else is known|gathers fetches 300 1|/^void fathom_strip_writes_anything/,/^}/s/if (is_in_source(.*) s/if (0) s/'
    'gas/strip|an index may be in the array that is written|gathers fetches 300 1|/^void fathom_strip_writes_array/,/^}/s/if (is_in_source(.*) s/if (0) s/'
    'gas/halo|iterations behind the loop are run|strips halo 300 1|s/least(start + r->first + r->n, halo.hi)/start + r->first + r->n/'
    'gas/halo|iterations before the loop are run|strips halo 300 1|s/most(start + r->first, halo.lo)/start + r->first/'
    'gas/halo|the first iterations of a block in part are those of the whole|strips halo 300 1|s/long skip = begin - start - r->first;/long skip = 0;/'
    'gas/halo|what is joined begins with its piece|strips halo 300 1|s/struct copy c = {.piece = p, .skip = skip,/struct copy c = {.piece = p, .skip = 0,/'
    'gas/halo|what is read in one piece begins with it|strips halo 300 1|s/r->slot.i..skip = skip;/r->slot[i].skip = 0;/'
    'gas/halo|rows begin with the first of all blocks|strips=2 halo 300 1|s/p->row = (long)at - from . (long)p->bytes;/p->row = (long)at;/'
    'gas/halo|nobody waits for what is on its way|strips=2 halo 300 1|/^static void land(/,/^}/s/gas_transfer_wait(&halo.transfer);//'
    'gas/halo|the next blocks come to the room of those at hand|strips=2 halo 300 1|/^static void fetch(/,/^}/s/int which = !halo.which;/int which = halo.which;/'
    'gas/halo|rows of several threads are asked of the first|strips halo 300 1|s/ && halo.far.next.->thread == halo.far.k.->thread//'
    'gas/halo|a piece ends with the block of the first slot|strips halo 300 1|s/p.n = least(place.left, n - at)/p.n = n - at/'
    'gas/halo|what was begun for a loop that was left comes to the next one|strips=1 halo 300 1|s/gas_transfer_wait(&halo.transfer); .. of a loop.*//'
    'gas/heap|nobody is told that an allocation is given back|strips extents 40 1|s/is_dropped .. b->known == 0/true/'
    'gas/extent|the one who gives an allocation back keeps its extent|strips extents 40 1|/^void gas_extent_drop/,/^}/s/drop_here(p, all_have);//'
    'gas/heap|who asks is taken for the only one|strips extents 40 1|s/b->known == 0 .. b->known == asker + 1 . asker + 1 : MANY_KNOW/asker + 1/'
    'gas/extent|one of many is told|strips extents 40 1|s/end = thread < 0 . fathom_threads : thread + 1/end = first + 1/'
    'gas/extent|the offset is that of any thread|strips extents 40 1|s/(e->thread < 0 .. e->thread == thread) && //'
    'gas/blocks|any place in the heap is in its first block|strips extents 40 1|/^struct block .blocks_find_around/,/^}/s/if (p < end_of(b)) //'
    'gas/halo_rows|rows that were fetched before a fence are used behind it|strips,foresee halo 300 1|s/!rows.are_there || rows.epoch != gas_lines_epoch/!rows.are_there/'
    'gas/halo_rows|what this thread writes does not change rows|strips,foresee halo 300 1|s/if (p < r->from + r->bytes .*) rows.are_there = false;//'
    'gas/halo_rows|a row begins where what was fetched does|strips,foresee halo 300 1|s/memcpy(to, r->to + (from - r->from), n);/memcpy(to, r->to, n);/'
    'gas/halo_rows|a row that is in part there is there|strips,foresee halo 300 1|s/ || from + n > r->from + r->bytes//'
    'gas/strided|rows in one message have one beginning|strips halo 300 1|s/left.bytes, n, to - asked}/left.bytes, n, 0}/'
    'gas/strided|a row that goes in several messages begins anew|strips halo 300 1|s/left.from += n . (uint64_t)left.stride;//'
    'gas/strided|rows are asked for before what is held back has gone|strips,outbox=4096 halo 300 1|s/if (!is_settled) gas_far_settle_thread.*;//'
    'gas/foreseen|what was fetched before a fence is used behind it|gathers,foresee=3 foreseen 60 1|s/return b->is_whole && b->epoch == gas_lines_epoch;/return b->is_whole;/'
    'gas/foreseen|what this thread writes does not change what it has fetched|gathers,foresee=3 foreseen 60 1|/^void gas_foreseen_change(/,/^}/s/low < b->high/false/'
    'gas/lines|its writes are not told|gathers,foresee=3 foreseen 60 1|s/^    gas_foreseen_change(p, n);//'
    'gas/foreseen|places are not compared with those that were expected|gathers,foresee=3 foreseen 60 1|/^static bool copy_out(/,/^}/s/if (p != .*) return false;//'
    'gas/foreseen|pieces are not compared with those that were expected|gathers,foresee=3 foreseen 60 1|/^static bool copy_pieces(/,/^}/s/if (p != places.i. || /if (/'
    'gas/foreseen|a loop that moves in another way uses what it has fetched|gathers,foresee=3 foreseen 60 1|/^static void compare(/,/^}/s/first = true;//'
    'gas/foreseen|a loop that reads more uses what it has fetched|gathers,foresee=3 foreseen 60 1|s/!b || b->count.r. != n/!b/'
    'gas/foreseen|the room that a run uses is filled again|gathers,foresee=1 foreseen 60 1|s/if (!b->is_whole || b->behind <= l->run) {/if (!b->is_whole || b->behind <= l->run + 1) {/'
    'gas/foreseen|nobody waits for what is on its way|gathers,foresee=3 foreseen 60 1|/^enum gas_foreseen gas_foreseen_take(/,/^}/s/gas_transfer_wait(&b->transfer);//'
    'gas/strip|elements beside those that the runs name are left out|gathers,foresee=3 foreseen 60 1|/^static enum gas_foreseen land_foreseen(/,/^}/s/n + t->extra/n/'
    'gas/foreseen_rows|slots read the rows of the first one|gathers,foresee=3 foreseen 60 1|s/r + reads.i..row - lowest/r - lowest/'
    'gas/foreseen_rows|a row begins where that of the first slot does|gathers,foresee=3 foreseen 60 1|s/ + reads.i..shift - groups.g..low//'
    'gas/foreseen_rows|a row ends where that of the first slot does|gathers,foresee=3 foreseen 60 1|s/if (high > groups.g..high) .*//'
    'gas/foreseen_rows|there are no more rows than runs|gathers,foresee=3 foreseen 60 1|s/groups.g..most - groups.g..least + runs/runs/'
    'gas/foreseen_rows|rows that go down begin with the first|gathers,foresee=3 foreseen 60 1|s/by < 0 ? row + rows - 1 : row/row/'
    'gas/foreseen_rows|rows in several blocks are one piece|gathers,foresee=3 foreseen 60 1|s/return at->left >= .*/return true;/'
    'gas/foreseen_rows|slots of other threads join|gathers,foresee=3 foreseen 60 1|s/return t->thread == u->thread && /return /'
    'gas/foreseen_rows|slots do not share rows|foresee,lines=64 foreseen 1 1|s/ || groups.g..by != by) return false;/ || true) return false;/'
    'gas/foreseen|a loop that begins anew is not known|foresee,lines=64 foreseen 1 1|s/if (l->moves <= PATIENCE) {/if (true) {/'
    'gas/foreseen|what lies behind the usual runs is fetched|foresee,lines=64 foreseen 1 1|s/else if (l->moves <= l->usual /else if (l->moves < l->usual /'
    'gas/strip|nobody waits for what was begun for a loop that was left|strips=7 left 100 1|/^static void end_ahead(/,/^}/s/while (ahead_count) {/ahead_count = 0;\n    while (0) {/'
    'gas/strip|a strip is read before it has come|strips=7 left 100 1|s/^    gas_transfer_wait(awaited);//'
    'gas/nest|nobody waits for what is on its way|gathers,foresee=3 foreseen 60 1|s/gas_transfer_wait(&boxes.x->which.\.transfer);//'
    'gas/nest|the next box takes the room of the one at hand|gathers,foresee=3 foreseen 60 1|s/fill(x, &boxes.!x->which.)/fill(x, \&boxes[x->which])/'
    'gas/nest|each box has the rows of the first one|gathers,foresee=3 foreseen 60 1|s/slot.i.\.first += x->ahead . x->by.i.;//'
    'gas/nest|what was begun for a nest that was left comes to the next one|gathers,foresee=1 foreseen 900 1|s/gas_transfer_wait(&b->transfer); .. of a loop.*//'
    'gas/nest|the rows of the first iteration are all that is asked about|gathers,foresee=3 foreseen 300 1|s/all->extra = span + /all->extra = /'
    'gas/nest|rows that go down are asked about from the first on|gathers,foresee=3 foreseen 300 1|s/all->first += span, span = -span/span = -span/'
    'gas/nest|parts of a row lie on each other|gathers,foresee=3 foreseen 60 1|s/to += part . size;//'
    'gas/nest|elements beside those that the iterations name are left out|gathers,foresee=3 foreseen 60 1|s/return x->count + x->slot.i.\.extra;/return x->count;/'
    'gas/nest|iterations have the rows of the first of their box|gathers,foresee=20 foreseen 300 1|s/b->room + (x->done - b->first)/b->room/'
    'gas/strip|what is joined next is known although a strip has landed|strips left 300 1|s/^    r->joined.next = GAS_JOIN_NONE;//'
    'gas/join|pieces do not step on|strips left 100 1|s/j->row.k. += bytes;//'
    'gas/join|the first block is joined as a whole|strips left 100 1|s/size_t left_out = rows . 0 : (size_t)skip . size;/size_t left_out = 0;/'
    'gas/join|the first row begins with its first block|strips left 100 1|s/spread_blocks(to + row, j->row.0. + block, block, row, rows - 1);/spread_blocks(to + row, j->row[0], block, row, rows - 1);/'
    'gas/join|every piece is even|strips left 100 1|s/j->is_even = skip == 0 && n == step;/j->is_even = true;/'
    'gas/join|the last of an odd number of rows is left out|strips left 100 1|s/if (rows) move(to, a, 8), move(to + 8, b, 8);//'
    'gas/join|the row that is not whole is left out|strips left 100 1|s/k . t->block < rest; k++/k * t->block < rest - 1; k++/'
    'gas/strip|what goes on is read in place where its end is in a block|strips left 600 1|s/ && !goes_on.i.)/)/'
    'gas/strip|strips grow without end where nothing but places is computed|gathers gathers 1 1|s/long iterations = MOST_BYTES;/long iterations = LONG_MAX;/'
    'gas/fetch|the last operation of a record is left out|gathers fetches 300 1|s/^    for (size_t i = 0; i < args.1.; i++)/    for (size_t i = 0; i + 1 < args[1]; i++)/'
    'gas/fetch|operations are made in the other order|gathers fetches 300 1|s/^    for (size_t i = 0; i < args.1.; i++)/    for (size_t i = args[1]; i-- > 0;)/'
    'gas/fetch|operations overtake what is held back|gathers,outbox=4096 fetches 300 1|s/gas_far_settle_thread(thread);/(void)0;/'
    'gas/fetch|a record is used again before its answer has come|gathers fetches 300 1|s/^    t->answers++;/&  r->next = spare; spare = r;/;/^static void on_fetched_list(/,/^}/{s/r->next = spare;//;s/    spare = r;//}'
    'gas/fetch|nobody waits for an answer|gathers fetches 300 1|s/^    t->answers++;//;/^static void on_fetched_list(/,/^}/s/r->transfer->answers--;//'
    'gas/fetch|iterations that make no operation have the results of others|gathers fetches 300 1|s/r->iterations.r->count. = (uint32_t)k;/r->iterations[r->count] = r->count;/'
    'gas/fetch|a full record is forgotten|gathers fetches 300 1|s/^        send(thread, t, f);$/        opened[open_count - 1] = thread;/'
    'gas/sorted|nobody waits for an answer|gathers gathers 300 1|s/^    r->transfer->answers++;//;/^static void on_got(/,/^}/s/r->transfer->answers--;//'
    'gas/nonblocking|puts are not put in order|off late|s/^        if (puts->parts) gas_transfer_ask(puts);/        return;/'
    'gas/nonblocking|nothing follows puts that are in order|off late|s/^        gas_puts_follow = true;/        (void)0;/'
    'gas/nonblocking|what follows does not wait|off late|s/gas_puts_follow = own()->all_puts.answers > 0;/false;/'
    'gas/domain|an atomic does not follow puts|off late|s/if (__builtin_expect(gas_puts_follow, 0)) gas_puts_wait();//'
    'gas/nonblocking|a source is free when the put has begun|off late|s/^        gas_transfer_part(of_source, shared_op_done, s);/        s->users = 1;/'
    'gas/nonblocking|those of a region are not put in order|off late|s/if (i->region) order(i->region, false);//'
    'gas/nonblocking|what is fetched during implicit transfers is kept|lines=512 late|s/gas_lines_forget();//'
    'gas/nonblocking|what was fetched while puts were under way that have arrived is kept|lines=512 late|s/if (i->has_put)/if (!is_idle(\&i->all_puts))/'
)
# Rules of conduit.h that template breaks; FATHOM_CONDUIT_CHECK finds each, and says HOW.
broken_conduits=(
    'conduit/template/template|messages come twice|request [0-9]+ of thread . is delivered twice|/^static ssize_t post/,/^}/s/^    return n;/    static int c;\n    if (n >= 0 \&\& !m->reply \&\& ++c == 7) sendmsg(box[m->thread][0].out, \&packet, MSG_NOSIGNAL);\n&/'
    'conduit/template/template|requests are lost|request [0-9]+ of thread . is delivered before request [0-9]+|s/^    if (n <= 0) return false;/&\n    static int c;\n    if (kind == REQUESTS \&\& ++c == 7) return true;/'
    'conduit/template/template|replies are lost|reply [0-9]+ of thread . is delivered where reply [0-9]+ is the next|s/^    if (n <= 0) return false;/&\n    static int c;\n    if (kind == REPLIES \&\& ++c == 7) return true;/'
    'conduit/template/template|the last message is lost|the last request of thread . has not been delivered|/^static ssize_t post/,/^}/s/^    ssize_t n;/&\n    static int is_over;\n    is_over |= !m->handler \&\& m->nargs == 3 \&\& m->args[2] >> 33 \& 1;\n    if (is_over \&\& !m->reply) return 0;/'
    'conduit/template/template|one overtakes another|request [0-9]+ of thread . is delivered before request [0-9]+|s/^static bool deliver(int kind) {/static ssize_t receive(int kind, struct packet *p) {\n    static struct packet late;\n    static ssize_t more;\n    static int c;\n    ssize_t n = more;\n    if (kind == REQUESTS \&\& n) { *p = late; more = 0; return n; }\n    n = recv(box[me][kind].in, p, sizeof *p, MSG_DONTWAIT);\n    if (kind != REQUESTS || n <= 0 || ++c < 20) return n;\n    late = *p;\n    ssize_t next = recv(box[me][kind].in, p, sizeof *p, MSG_DONTWAIT);\n    if (next > 0) { more = n; return next; }\n    errno = 0;\n    return n;\n}\n&/;s/ssize_t n = recv(box.me..kind..in, p, sizeof .p, MSG_DONTWAIT);/ssize_t n = receive(kind, p);/'
    'conduit/template/template|long payloads are cut|is not as it was sent|s/\.bytes = (size_t)n - start})/.bytes = (size_t)n - start - (n > 5000)})/'
    'conduit/template/template|a request travels as a reply|is not as it was sent|s/box.m->thread..m->reply ? REPLIES : REQUESTS..out, &packet/box[m->thread][m->reply || m->bytes > 5000].out, \&packet/'
    'conduit/template/template|one buffer serves requests and replies|the arguments of a request of thread . change while it is handled|s/= &arrived.kind./= \&arrived[0]/'
    'conduit/template/template|payloads are not aligned|that are not aligned to 8|s/\.payload = (char \*)p + start,/.payload = memmove((char *)p + start + 1, (char *)p + start, (size_t)n - start),/'
    'conduit/template/template|a poll for replies delivers requests|a request is delivered in send, which may deliver replies only|s/while (!replies_only && n < ENOUGH && deliver(REQUESTS))/while (n < ENOUGH \&\& deliver(REQUESTS))/'
    'conduit/template/template|a poll changes errno|poll changes errno, which is the program.s|/^static int template_poll(bool replies_only) {/,/^}/s/^    errno = before;//'
    'conduit/template/template|a poll does not count|poll delivers [0-9]+ messages and returns 0|/^static int template_poll(bool replies_only) {/,/^}/s/^    return n;/    return 0;/'
    'conduit/template/template|a poll does not enter the engine|a message is delivered outside the engine .conduit_enter.|/^static int template_poll(bool replies_only) {/,/^}/s/bool entered = conduit_enter();/bool entered = false;/'
    'conduit/template/template|a try delivers|a message is delivered in try_send|/^static enum conduit_sent template_try_send/,/^}/s/sent = post(m) >= 0;/sent = (template_poll(false), post(m) >= 0);/'
    'conduit/template/template|a request leaves later|is not as it was sent|/^static bool template_send/,/^}/s/^    int out = /    if (!m->reply) { let_go(); held = *m; has_held = true; return true; }\n&/;s/^static bool template_send(/static struct conduit_message held;\nstatic bool has_held;\nstatic void let_go(void) {\n    if (has_held) post(\&held);\n    has_held = false;\n}\n&/;/^static int template_poll(bool replies_only) {/,/^}/s/^    bool entered = .*/&\n    let_go();/'
    'conduit/template/template|segments are not zero|segments returns memory that is not zero|s/^    return segments_map_own(bytes, huge);/    int why = segments_map_own(bytes, huge);\n    if (!why) *(long *)segments_at(0) = 1;\n    return why;/'
    'conduit/template/template|there is one thread more|start returns 4 threads; 3 are wanted, and max_threads is [0-9]+|s/^    return threads_of_job;/    return threads_of_job + 1;/'
    'conduit/template/template|a function is missing|it has no wake|s/^    \.wake = .*//'
    'conduit/template/template|messages are small|max_medium is 1024, less than 4096|s/\.max_medium = MAX_PAYLOAD/.max_medium = 1024/'
    'conduit/template/template|others are near|the near threads are 1 from 0 on, and this is thread . of 3|s/^    conduit_near\.first = me;//'
    'conduit/template/template|shared memory is not aligned|shared_memory returns memory at [0-9a-fx]+, which is not aligned|s/return p == MAP_FAILED ? NULL : p;/return p == MAP_FAILED ? NULL : (char *)p + 4;/'
)
link_broken() { # link_broken FILE COMM PROGRAM
    "$CC" "${flags[@]}" -Wno-error -w -DBOARD_BYTES='"81920"' broken.c "$here/$3.c" -o broken -Wl,--wrap=main libfathom.a &&
        emulated broken
}
finds() { # finds COMM PROGRAM ARGUMENTS…
    local comm=$1
    shift
    FATHOM_COMM=$comm run 3 "./broken" "${@:2}"
    # What a broken rule makes of a message may crash who reads it.
    [ $status -gt 128 ] || { [ $status = 99 ] && grep -Eq ': wrong|not true' err; }
}

build() { # build CONDUIT, in the current folder
    local header=conduit/distributed.h f p parts=()
    [ -f "$runtime/conduit/$1/fathom_conduit.h" ] && header=conduit/$1/fathom_conduit.h
    flags=(-std=gnu17 -O2 -g1 -Wall -Wextra -Werror -I "$runtime" -I "$runtime/include" -I "$runtime/lang"
           -DFATHOM_CONDUIT_HEADER="\"$header\"")
    [ $sanitize ] && flags+=(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
    for p in launch queue; do
        grep -qs "conduit/$p/$p.h" "$runtime/conduit/$1"/*.c && parts+=("$runtime/conduit/$p"/*.c)
    done
    # The parts that this suite tests; the UPC library's other files have tests of their own.
    for f in "$runtime"/{core,gas,msg,queues,conduit/check,"conduit/$1"}/*.c "${parts[@]}" "$runtime"/lang/{start,unit,explain_trace,barrier,alloc,lock,exit}.c; do
        echo "$f"
    done | objects "${flags[@]}" || return
    ar rcs libfathom.a ./*_runtime_*.o
    "$CC" "${flags[@]}" "$here/features.c" -o features || return
    "$CC" "${flags[@]}" "$here/conduit.c" -o conduit ./*_runtime_conduit_*.o ./*_constants.c.o ./*_host.c.o || return
    if [ "$header" = conduit/distributed.h ]; then # with core/progress.c alone; a second time under ThreadSanitizer
        local engine=("$here/engine.c" "$runtime"/core/{progress,constants}.c)
        "$CC" "${flags[@]}" "${engine[@]}" -o engine -pthread || return
        "$CC" "${flags[@]}" "$here/flood.c" "$runtime"/conduit/{cluster,queue}/*.c "$runtime"/core/{constants,host}.c -o flood || return
        [ "$sanitize$EMULATOR" ] || "$CC" "${flags[@]}" -Wno-unknown-warning-option -Wno-tsan -fsanitize=thread "${engine[@]}" \
            -o engine-tsan -pthread 2>/dev/null # not every compiler brings it
    fi
    if [ "$1" = smp ]; then
        "$CC" "${flags[@]}" "$here/ring.c" -o ring -pthread || return
        [ "$sanitize$EMULATOR" ] || "$CC" "${flags[@]}" -fsanitize=thread "$here/ring.c" -o ring-tsan -pthread 2>/dev/null
        "$CC" "${flags[@]}" "$here/bell.c" -o bell ./*_runtime_conduit_*.o ./*_constants.c.o ./*_host.c.o || return
        "$CC" "${flags[@]}" "$here/nodes.c" -o nodes ./*_runtime_conduit_*.o ./*_constants.c.o ./*_host.c.o || return
    fi
    for p in ends crash sync heap forms output tuning waiting peers contract; do
        "$CC" "${flags[@]}" -g "$here/$p.c" -o $p -Wl,--wrap=main libfathom.a || return
    done
    if [ "$1" = template ]; then # puts its own operations into the conduit, which has none
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/late.c" -o late -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/comm.c" -o comm -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/gathers.c" -o gathers -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/fetches.c" -o fetches -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/foreseen.c" -o foreseen -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/extents.c" -o extents -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"81920"' "$here/left.c" -o left -Wl,--wrap=main libfathom.a || return
        "$CC" "${flags[@]}" -g -DBOARD_BYTES='"327680"' "$here/halo.c" -o halo -Wl,--wrap=main libfathom.a || return
    fi
    if command -v "${CXX:-c++}" >/dev/null; then
        "${CXX:-c++}" -std=gnu++17 "${flags[@]:1}" "$here/cout.cpp" -o cout libfathom.a || return
    fi
    "$CC" "${flags[@]}" -DPROGRAM_THREADS=3 "$here/ends.c" -o ends3 -Wl,--wrap=main libfathom.a || return
    "$CC" "${flags[@]}" -DPROGRAM_THREADS=9999999 "$here/ends.c" -o ends-many -Wl,--wrap=main libfathom.a || return
    "$CC" "${flags[@]}" -DBOARD_BYTES='"1500000000"' "$here/ends.c" -o ends-big -Wl,--wrap=main libfathom.a || return
    "$CC" "${flags[@]}" -DPROGRAM_ABI=77 "$here/ends.c" -o ends-abi -Wl,--wrap=main libfathom.a || return
    emulated $(find . -maxdepth 1 -type f -perm -u+x)
}

fail() {
    bad=$((bad + 1))
    echo "FAIL $conduit: $1: $2"
    sed 's/^/    out: /' out | cut -c1-300 | head -5
    sed 's/^/    err: /' err | cut -c1-300 | head -5
}
run() { # run THREADS COMMAND…: sets status
    { FATHOM_THREADS=$1 timeout -k 1 300 "${@:2}" >out 2>err </dev/null; status=$?; } 2>/dev/null
    [ -z "$EMULATOR" ] || sed -i '/^qemu: uncaught target signal/d' err
}
# try NAME THREADS STATUS OUT ERR COMMAND…: runs it; the status, and extended regular expressions that stdout and stderr
# (as one line, \n shown as |) must match in whole.
try() {
    local name=$1 threads=$2 want=$3 out=$4 err=$5
    shift 5
    ran=$((ran + 1))
    run "$threads" "$@"
    local o e
    o=$(head -c 2000 out | tr '\n' '|') e=$(head -c 4000 err | tr '\n' '|')
    if [ $status != "$want" ]; then fail "$name ($threads threads)" "status $status, not $want"
    elif ! [[ $o =~ ^($out)$ ]]; then fail "$name ($threads threads)" "stdout is not $out"
    elif ! [[ $e =~ ^($err)$ ]]; then fail "$name ($threads threads)" "stderr is not $err"
    fi
}
# Times here are so long that only what hangs takes them, whatever else the computer does.
gone() { # gone NAME PID…: these processes end
    local name=$1 i p left
    shift
    for i in {1..1500}; do
        left=
        for p in "$@"; do
            if [ -e "/proc/$p" ] && ! grep -q '^State:.*Z' "/proc/$p/status" 2>/dev/null; then left="$left $p"; fi
        done
        [ -z "$left" ] && return
        sleep 0.02
    done
    fail "$name" "processes are left:$left"
    kill -9 $left
}

start() { # a job of 4 threads; sets pids and supervisor
    : >out # what the last job wrote must not be taken for this one's
    # a shell makes its background jobs ignore SIGINT and SIGQUIT
    FATHOM_THREADS=4 env --default-signal=INT,QUIT ./ends sleep "$@" >out 2>err </dev/null &
    job=$!
    for _ in {1..3000}; do [ "$(grep -c . out)" = 5 ] && break; sleep 0.01; done
    pids=$(sed -n 's/pid //p' out)
    supervisor=$(sed -n 's/supervisor //p' out)
    ran=$((ran + 1))
    [ "$supervisor" = $job ] || fail "start" "job $job has supervisor '$supervisor'"
}
killed() { # killed NAME SIGNAL STATUS PID
    local status
    {
        kill -"$2" "$4"
        gone "$1" $supervisor
        wait $job
        status=$?
    } 2>/dev/null
    [ $status = "$3" ] || fail "$1" "status $status, not $3"
    gone "$1" $pids
}
asked() { # asked NAME THREADS PID: so many threads say where they are, each time they are asked
    local i place='is in main \(.*ends.c:[0-9]+\)'
    for i in 1 2; do
        kill -USR1 "$3"
        for _ in {1..3000}; do [ "$(grep -c . err)" = $((i * $2)) ] && break; sleep 0.01; done
    done
    [ "$(grep -Ec "^fathom: thread [0-3]: $place$" err)" = $((2 * $2)) ] && [ "$(sort -u err | wc -l)" = "$2" ] ||
        fail "$1" "not each of $2 says it twice"
}
crash() { # crash WAY STATUS MESSAGE [THREAD]
    try "crash: $1" 3 "$2" '' "fathom: thread ${4:-2}: $3\\|" ./crash "$1"
    grep -Eq "in (commit|deep|main) \(.*crash.c:[0-9]+\)" err || fail "crash: $1" "no source line"
}

alone() { # conduit.c: what conduit.h promises
    for n in 1 2 3 8; do try "the conduit by itself" $n 0 'good\|' '' ./conduit $n 300; done
    try "the conduit by itself" 32 0 'good\|' '' ./conduit 32 20
    [ ! -x flood ] || try "a barrier in a flood of messages" 1 0 'good\|' '' ./flood
    for p in engine engine-tsan; do # engine.c: the lock between a thread and its progress thread, with membarrier and without
        [ -x $p ] || continue
        try "$p" 1 0 'good\|' '' ./$p 200
        ! ./features filter || try "$p, fences" 1 0 'good\|' '' ./$p 200 fences # it forbids membarrier by a filter
    done
    [ "$conduit" = smp ] || return
    try "the nodes of made-up computers" 1 0 'good\|' '' ./nodes made-up
    for p in ring ring-tsan; do # ring.c
        [ -x $p ] || continue
        for n in 1 2 8; do try "$p" $n 0 'good\|' '' ./$p $n 20000; done
    done
    for n in 2 3 5 8; do # bell.c, fewer rounds where threads take turns: no wake-up is lost, with the fence on one side, and on both
        try "sleeping and being woken" $n 0 'good\|' '' ./bell $n $((20000 / n / n))
        FATHOM_BELL=fence try "sleeping and being woken" $n 0 'good\|' '' ./bell $n $((20000 / n / n))
        FATHOM_BELL=switch try "sleeping and being woken" $n 0 'good\|' '' ./bell $n $((20000 / n / n))
    done
}

pointers() { # of jobs that are larger than any computer; one build serves every conduit, and tests one representation
    local flags=(-std=gnu17 -O2 -Wall -Wextra -Werror -I "$root/runtime" -I "$root/runtime/include" -I "$root/runtime/lang"
                 -DFATHOM_CONDUIT_HEADER='"conduit/distributed.h"' "$here/pointers.c" "$root/runtime/core/constants.c")
    [ $sanitize ] && flags+=(-fsanitize=undefined -fno-sanitize-recover=undefined)
    "$CC" "${flags[@]}" -o pointers && "$CC" "${flags[@]}" -DFATHOM_STATIC_THREADS=1048576 -o pointers-static || return
    emulated pointers pointers-static
    for job in "1 0 1" "3 1 2" "767 5 255" "769 100 8" "65536 65000 128" "1048575 0 256" "1048576 1048320 256"; do
        try "pointers, of threads, me, near: $job" "" 0 'good\|' '' ./pointers $job
    done
    try "pointers, static threads" "" 0 'good\|' '' ./pointers-static 1048576 1048000 64
}

forms() {
    for n in 1 2 3; do try "the access forms of generated code" $n 0 'good\|' '' ./forms; done
}

starts() {
    try "threads by default" "" 0 'hello from 0 of 1\|' '' ./ends
    for n in 1 2 7 64; do
        try "every thread says hello" $n 0 "(hello from [0-9]+ of $n\\|){$n}" '' ./ends
    done
    # Thread t's segment is at (256 + t) << 37. One mapping holds all of more than 64 threads: too much for qemu.
    if [ $conduit = smp ] && [ ! "$sanitize$EMULATOR" ]; then
        try "many threads" 90 0 '(hello from [0-9]+ of 90\|){90}' '' ./ends
        IN_THE_WAY=0x28df00000000 try "something between two segments" 90 0 '(hello from [0-9]+ of 90\|){90}' '' ./ends
        for n in 90 50; do
            IN_THE_WAY=0x228008000000 try "something 128 MiB behind a segment's start" $n 0 "(hello.*\\|){$n}" '' ./ends
            IN_THE_WAY=0x228000000000 try "something where a segment starts" $n 1 '' 'fathom: cannot map .*' ./ends
        done
    fi
    try "static threads" "" 0 '(hello from [0-2] of 3\|){3}' '' ./ends3
    try "static threads, asked for" 3 0 '(hello from [0-2] of 3\|){3}' '' ./ends3
    try "static threads, others asked for" 4 1 '' 'fathom: .*ends.c was compiled for 3 threads.*started with 4.*' ./ends3
    try "more static threads than there can be" "" 1 '' 'fathom: .*ends.c was compiled for 9999999 threads.*on conduit [a-z]+ has at most [0-9]+;.*' ./ends-many
    # What is kept of each thread from the start on: 64 bytes, whatever the conduit adds in its own way.
    if [ $conduit = template ] && [ ! $sanitize ]; then
        try "many threads that share no memory" 90 0 '(hello from [0-9]+ of 90\|){90}' '' ./ends
        try "what few threads keep" 16 0 '[0-9]+\|' '' ./peers && few=$(cat out)
        try "what more threads keep" 80 0 '[0-9]+\|' '' ./peers && many=$(cat out)
        [ $(((many - few) / 64)) -le 64 ] || fail "bytes kept for each thread" "$(((many - few) / 64))"
    fi
    try "another abi" 2 1 '' 'fathom: .*ends.c was compiled by a version.*' ./ends-abi
    for n in 0 -3 x 4x 9999999; do try "senseless number of threads" $n 1 '' "fathom: FATHOM_THREADS=$n: expected.*" ./ends; done
    FATHOM_HEAP=lots try "senseless heap" 2 1 '' 'fathom: FATHOM_HEAP=lots: expected.*512m.*' ./ends
    FATHOM_HEAP=200g try "heap beyond a segment" 2 1 '' 'fathom: FATHOM_HEAP is 200 GiB.*room for.*' ./ends
    [ $sanitize ] || try "address space limited" 2 0 '(hello.*\|){2}' '' bash -c 'ulimit -v 2000000; exec ./ends'
    [ $sanitize ] || FATHOM_HEAP=8g try "address space too limited" 2 1 '' 'fathom: cannot map .*16.0 GiB.*ulimit -v.*' \
        bash -c 'ulimit -v 2000000; exec ./ends'
    try "file size limited" 2 0 '(hello.*\|){2}' '' bash -c 'ulimit -f 1000000; exec ./ends'
    [ $conduit != smp ] || FATHOM_HEAP=8g try "file size too limited" 2 1 '' 'fathom: cannot map .*ulimit -f.*' \
        bash -c 'ulimit -f 1000; exec ./ends'
    if [ "$conduit" = template ]; then
        try "few files" 8 0 '(hello.*\|){8}' '' bash -c 'ulimit -Sn 20; exec ./ends'
        try "too few files" 8 1 '' 'fathom: cannot make the sockets of 8 threads: .*ulimit -n.*' bash -c 'ulimit -n 30; exec ./ends'
    fi
    if (($(getconf _PHYS_PAGES) * 4096 < 1000000000000)); then
        try "static data beyond memory" 768 1 '' \
            'fathom: .*static shared data does not fit: 1.4 GiB on each of 768 threads, 1.0 TiB together, but .* is .*' ./ends-big
    fi
    try "static data of some size" 2 0 '(hello.*\|){2}' '' ./ends-big
    try "stdin is thread 0's" 3 0 'thread 0 read Q\|' '' bash -c 'echo Q | ./ends stdin'
    try "neither stdin nor stdout" 3 0 '' '' bash -c 'exec ./output 20 <&- >&-'
    try "a program's own children" 3 0 '' '' ./ends fork
}

endings() {
    for what in alloc barrier reduce lock poll pause; do
        try "a call before the start: $what" 2 1 '' 'fathom: a call before fathom_init.*' env CALLS_EARLY=$what ./ends hello
    done
    try "return 0" 4 0 '' '' ./ends return 2 0
    try "return by one thread" 4 9 '' '' ./ends return 2 9
    try "return by several: the first counts" 4 21 '' '' ./ends order 20
    for t in 0 3; do
        try "exit with a status ends the job" 4 7 '(said [0-3]){4}' '' ./ends exit $t 7
        try "exit(0) waits for the others" 4 0 '(still here [0-3]\|){3}' '' ./ends exit0 $t
        try "_exit with a status ends the job" 4 6 '' '' ./ends _exit $t 6
        try "_exit(0) leaves the others" 4 0 '' '' ./ends _exit $t 0
        for s in 0 5; do
            rm -f file
            try "upc_global_exit" 4 $s '(said [0-3]){4}' '' ./ends global $t $s file
            [ "$(sort file)" = "$(printf 'file %d\n' 0 1 2 3)" ] || fail "upc_global_exit" "files are not flushed"
        done
        try "a thread killed" 4 137 '' "fathom: thread $t: ended by signal 9 .*" ./ends raise $t 9
        try "a thread terminated" 4 143 '' '(Terminated)?\|?' ./ends raise $t 15
    done
    try "upc_global_exit, one thread" 1 5 'said 0' '' ./ends global 0 5 file
    try "exit, one thread" 1 7 'said 0' '' ./ends exit 0 7
    try "closed pipe" 3 141 '' '' bash -c './output 40 | true; exit ${PIPESTATUS[0]}'
}

killings() { # processes that are killed from outside
    for s in 2:130 15:143 1:129 3:131 9:137; do
        start; killed "signal $s to the supervisor" ${s%:*} ${s#*:} $supervisor
        start; killed "signal $s to a thread" ${s%:*} ${s#*:} "$(echo "$pids" | sed -n 3p)"
    done
    start barrier; killed "supervisor killed, a thread in a barrier" 9 137 $supervisor
    start barrier; asked "where the threads are" 4 $supervisor; killed "terminated after a question" 15 143 $supervisor
    start; asked "where a thread is" 1 "$(echo "$pids" | sed -n 3p)"; killed "killed after a question" 9 137 $supervisor
    start; kill -STOP $(echo "$pids" | sed -n 2p); killed "terminated with a thread stopped" 9 137 "$(echo "$pids" | sed -n 3p)"
    : >out
    FATHOM_THREADS=2 ./ends handle >out 2>err & job=$!
    for _ in {1..3000}; do [ "$(grep -c . out)" = 2 ] && break; sleep 0.01; done
    kill -TERM $job; gone "a program's own handler" $job; wait $job
    [ $? = 5 ] || fail "a program's own handler" "status"
    if command -v setsid script >/dev/null; then
        ran=$((ran + 1))
        # Ctrl-C, as the terminal sends it: to the whole foreground group.
        : >out
        FATHOM_THREADS=4 timeout 60 script -qec './ends sleep' /dev/null >out 2>err < <(
            for _ in {1..3000}; do [ "$(grep -c . out)" = 5 ] && break; sleep 0.01; done
            printf '\003'
            sleep 0.3
        )
        pids=$(sed -n 's/\(pid\|supervisor\) \([0-9]*\).*/\2/p' out)
        [ "$(echo "$pids" | wc -l)" = 5 ] || fail "Ctrl-C" "the job has not started"
        gone "Ctrl-C" $pids
        FATHOM_THREADS=2 script -qec './ends tty' /dev/null </dev/null | grep -q '1 1' || fail "stdout on a terminal" "isatty"
    fi
    [ $sanitize ] || try "the stack of signal handlers has a guard" 2 0 '' '' ./ends guard
    try "fileno(stdout)" 2 0 '(1 0\|){2}' '' ./ends tty
}

children() { # of the program's own: they end with a job that fails, and so do the pipes that they hold
    local way status pids
    for way in abort:134 exit:3 killed:137; do
        ran=$((ran + 1))
        rm -f go
        : >out
        # The reader ends when nobody holds the pipe any more.
        { FATHOM_THREADS=3 timeout -k 1 120 ./ends children ${way%:*} 2>err </dev/null; echo "status $?"; } | timeout 120 cat >out &
        job=$!
        for _ in {1..3000}; do [ "$(grep -c child out)" = 4 ] && break; sleep 0.01; done
        pids=$(sed -n 's/child //p' out)
        [ "$(echo "$pids" | wc -l)" = 4 ] || fail "children: ${way%:*}" "they have not started"
        touch go
        wait $job || fail "children: ${way%:*}" "somebody holds the pipe"
        status=$(sed -n 's/status //p' out)
        [ "$status" = ${way#*:} ] || fail "children: ${way%:*}" "status $status, not ${way#*:}"
        gone "children: ${way%:*}" $pids
    done
    rm -f there
    try "a normal end leaves children alone" 3 0 'child [0-9]+\|' '' ./ends daemon
    pids=$(sed -n 's/child //p' out)
    kill -0 "$pids" 2>/dev/null || fail "a normal end leaves children alone" "$pids is gone"
    kill -9 "$pids" 2>/dev/null
}

crashes() { # and misuse: each message once, with the line
    lines=' in .*'
    if [ ! $sanitize ]; then
        crash null 139 "segmentation fault at address 0x0$lines\(a null pointer\)"
        crash null-index 139 "segmentation fault at address 0x.*$lines\(a null pointer-to-shared, with an index\)"
        crash beyond 139 "segmentation fault .*$lines\(in shared memory of thread 2, but .* beyond the end of its .*\)"
        [ $conduit = smp ] || crash other-thread 139 "segmentation fault .*$lines\(in shared memory of thread 0, which no C .*\)"
        crash no-thread 139 "segmentation fault .*$lines\(a pointer-to-shared to thread 9, but there are 3 threads\)"
        crash library 139 "segmentation fault .*$lines\(a pointer-to-shared to thread 9, but there are 3 threads\)"
        # x86-64 does not say which address it was.
        ! ./features fault || crash wild 139 "segmentation fault( at address 0x[1-9a-f].*$lines|$lines\(at an address that no process has\))"
        crash symbol 139 "segmentation fault at .*$lines"
        crash stack 139 "segmentation fault at .*$lines\(the stack is full.*\)"
        [[ $("$CC" -dumpmachine) == aarch64* ]] || crash divide 136 "arithmetic error.*$lines" # 64-bit ARM: a quotient of 0
        crash call 139 "segmentation fault at address 0x10$lines\(a null pointer\)"
        try "crash of the only thread" 1 139 '' 'fathom: thread 0: segmentation fault at address 0x0 in commit .*' \
            bash -c './crash null; exit $?' 2>/dev/null
    fi
    crash abort 134 "aborted$lines"
    try "crash: part" 3 134 '' 'fathom: thread 2: aborted in divided \(.*\)\|' ./crash part
    crash free-wild 1 "cannot free 0x200000100000: it is not the start of an allocation.*$lines"
    crash free-static 1 "cannot free 0x.*: it is in a static shared object of the program$lines"
    crash free-inside 1 "cannot free 0x.*: it is not the start of an allocation.*$lines"
    crash free-local 1 "cannot free 0x.*: it is not a pointer to shared memory of this job$lines"
    crash free-other-copy 1 "cannot free 0x.*: it is inside a global allocation \(on thread 1\), not its start$lines"
    crash free-twice 1 "cannot free 0x.*: it has been freed already$lines"
    crash overrun 1 "(cannot free 0x.*overwritten\)|the shared heap is damaged at .*)$lines"
    crash lock-twice 1 "cannot take a lock that this thread already holds$lines"
    crash unlock-free 1 "cannot release a lock that nobody holds$lines"
    crash lock-null 1 "upc_lock of a null pointer$lines"
    crash lock-freed 1 "upc_lock of 0x.*, which is not a lock, or one that has been freed$lines"
    crash wait 1 "upc_wait without a upc_notify before it$lines"
    crash notify-twice 1 "upc_notify \(or upc_barrier\) between upc_notify and upc_wait$lines"
    crash split-collective 1 "a collective function between upc_notify and upc_wait$lines"
    crash other-collective 1 "the threads are in different collectives: some at a upc_barrier.*, others in .*$lines" '[0-2]'
    crash broadcast 1 "this thread is in a broadcast \(root 0, 4 bytes\) and waits for thread 0, which waits for it at a barrier: .*$lines"
    crash leave 1 "waits at a barrier, but thread 2 has already terminated.*$lines" '[01]'
    crash flag 1 "waits for another thread, but all others have terminated.*$lines"
    crash counter 1 "waits for another thread, but all others have terminated.*$lines"
    crash leave-locked 1 "waits for a lock that thread 2 holds, which has terminated.*$lines" '[01]'
    crash value 1 "barrier values differ: thread [0-2] notifies with [57], thread [0-2] with [57]$lines" '[0-2]'
    crash wait-value 1 "barrier values differ: upc_wait has 6, but thread [0-2] notified with 5$lines"
    try "a thread killed, others at a barrier" 3 137 '' 'fathom: thread 2: ended by signal 9 .*' ./crash killed
}

tables() { # core/tuning_file.c: where the table is found, what is reported, what ends a job
    mkdir -p home/.config/fathom xdg/fathom
    printf 'contiguous: stream\n' >home/.config/fathom/tuning
    printf 'contiguous: string\n' >xdg/fathom/tuning
    printf 'conduit other\ncontiguous: stream\nconduit %s # this one\ncontiguous: library < 40, string\n' "$conduit" >table
    printf 'gather: loop\nfuture: x\ncontiguous: loop\nother: y\ncontiguous: in-place < 20, string\n' >strange
    printf 'broadcast threads=2..3: help\nbroadcast threads=1: read\nput computer=other: message < 9, direct\n' >ways
    head -c 5000 /dev/zero | tr '\0' x >long
    printf '# fathom tuning table 1\ncontiguous: string\n' >elder
    for n in 1 3; do
        try "no table" $n 0 ': library\|' '' ./tuning contiguous 1 1 100
        FATHOM_TUNING=table try "a table by name" $n 0 'table: string\|' '' ./tuning contiguous 1 1 40
        FATHOM_TUNING=table try "below the threshold" $n 0 'table: library\|' '' ./tuning contiguous 1 1 39
        FATHOM_TUNING=ways try "a way by the number of threads" $n 0 'ways: help\|' '' ./tuning broadcast 3 0 100
        FATHOM_TUNING=ways try "and of another number" $n 0 'ways: read\|' '' ./tuning broadcast 1 0 100000
        FATHOM_TUNING=strange try "strange lines are named once" $n 0 'strange: string\|' \
            'fathom: strange:2: there is no decision `future`; [^|]*\|fathom: strange:3: `loop` is not a mechanism of `contiguous`; [^|]*\|' \
            ./tuning contiguous 1 1 20
        FATHOM_TUNING=long try "a line without end" $n 0 'long: library\|' 'fathom: long:1: a line of more than .*' ./tuning contiguous 1 1 100
        FATHOM_TUNING=elder try "a table of another version" $n 0 'elder: library\|' \
            'fathom: elder:1: a table of another version, and not used; .*fathom tune.*' ./tuning contiguous 1 1 100
        FATHOM_TUNING=absent try "a table that is not there" $n 1 '' 'fathom: FATHOM_TUNING=absent: cannot read it: .*fathom tune.*' ./tuning
        FATHOM_TUNING=. try "a folder" $n 1 '' 'fathom: FATHOM_TUNING=.: cannot read it: .*' ./tuning
        try "the home's table" $n 0 'tuning: stream\|' '' env -u FATHOM_TUNING HOME="$PWD/home" ./tuning contiguous 1 1 100
        try "XDG_CONFIG_HOME comes first" $n 0 'tuning: string\|' '' \
            env -u FATHOM_TUNING HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/xdg" ./tuning contiguous 1 1 100
        try "a home without a table" $n 0 ': library\|' '' env -u FATHOM_TUNING HOME="$PWD/xdg" ./tuning contiguous 1 1 100
        try "no home" $n 0 ': library\|' '' env -u FATHOM_TUNING -u HOME ./tuning contiguous 1 1 100
    done
}

waits() {
    for n in 2 4; do FATHOM_BELL=patient try "signals and flags wake who waits" $n 0 'good\|' '' ./waiting signals; done
    for n in 1 2; do try "a loop of polls gives the processor away" $n 0 '' '' ./waiting polls; done
    if ./features filter; then
        for n in 1 3; do try "waking nobody makes no system call" $n 0 "(quiet\|){$n}" '' ./waiting nobody; done
        try "last words in a sandbox" 2 134 'fathom: thread 1: aborted in .*' '' bash -c './waiting mute 2>&1 | cat; exit ${PIPESTATUS[0]}'
    fi
    try "waiting for an own POSIX thread" 3 0 'ready\|' '' ./waiting pthread
    ran=$((ran + 1))
    FATHOM_THREADS=3 timeout 120 ./waiting output 2>err | (sleep 4; cat) >lines
    [ "$(sort lines | uniq -c | awk '{print $1, length($2)}' | tr '\n' '|')" = '6 49998|1 12|' ] && ! grep -q . err ||
        fail "printing into a full pipe" "lines are broken, or a thread that waits is busy"
    ran=$((ran + 1))
    rm -f killed # nobody reads before
    FATHOM_THREADS=2 timeout 120 ./waiting child 2>err | (for _ in {1..900}; do [ -e killed ] && break; sleep 0.05; done; tail -n 1) >lines
    [ "$(cat lines)" = printed ] && ! grep -q . err || fail "a child killed while it prints" "its lock is kept"
}

answers() { # of threads that have terminated; and what handlers may not do
    try "a put from a handler" 2 1 '' 'fathom: thread 1: sends to thread 0 from a handler, .*' ./waiting handler
    for progress in thread poll; do
        FATHOM_PROGRESS=$progress try "a thread that has terminated answers late" 2 0 'answered\|' '' ./waiting stopped
    done
}

rooms() { # a message for which there is no room
    try "sending to a thread that computes" 2 0 'good\|' '' ./waiting full
    try "sending to a thread that has left" 2 1 '' 'fathom: thread 0: sends to thread 1, whose process has ended.*' ./waiting gone
}

far() { # programs whose threads access each other's memory, all of it by messages
    local skipped='(skipped: another process[^|]*\|)*' comm n # by each thread, in containers that do not allow it
    for comm in off lines outbox,lines lines=8 updates,lines updates,outbox=4096; do
        for n in 2 3 5; do
            FATHOM_COMM=$comm try "behind a put that is under way, FATHOM_COMM=$comm" $n 0 "$skipped"'good\|'"$skipped" '' ./late
        done
    done
    for comm in off on outbox outbox=4096 outbox=128 lines lines=8 lines=64,outbox=128 outbox,lines=4096 updates updates,outbox=128,lines=64; do
        for n in 1 3 5; do
            FATHOM_COMM=$comm try "random far accesses, FATHOM_COMM=$comm" $n 0 'good\|' '' ./comm 20 $n
            FATHOM_COMM=$comm try "behind each synchronisation, FATHOM_COMM=$comm" $n 0 'good\|' '' ./comm 50 orders
            FATHOM_COMM=$comm try "waiting for relaxed writes, FATHOM_COMM=$comm" $n 0 'good\|' '' ./comm 50 flags
            FATHOM_COMM=$comm try "waiting without a call, FATHOM_COMM=$comm" $n 0 'good\|' '' ./comm 10 beside
            FATHOM_COMM=$comm try "reading again and again, FATHOM_COMM=$comm" $n 0 'good\|' '' ./comm 2 stale
        done
    done
    for comm in off gathers gathers=1,force gathers=7 gathers=40,outbox=4096 gathers,kept=3000 gathers,outbox=128,lines=64; do
        for n in 1 3 5; do FATHOM_COMM=$comm try "loops that gather, FATHOM_COMM=$comm" $n 0 'good\|' '' ./gathers 300 $n; done
    done
    for comm in off gathers gathers=1,force gathers=7,outbox=4096 gathers,outbox=128,lines=64; do
        for n in 1 3 5; do FATHOM_COMM=$comm try "loops whose results come together, FATHOM_COMM=$comm" $n 0 'good\|' '' ./fetches 300 $n; done
    done
    for comm in off gathers foresee foresee=1,strips=5 gathers,foresee=3 gathers,foresee,force gathers,foresee=9,outbox=128,lines=64 foresee,lines=64; do
        for n in 1 2 3 5; do FATHOM_COMM=$comm try "loops that run again, FATHOM_COMM=$comm" $n 0 'good\|' '' ./foreseen 40 $n; done
    done
    for comm in strips strips,force strips=7 strips=20,outbox=128,lines=64 strips=40,foresee=3; do
        for n in 1 2 3 5; do FATHOM_COMM=$comm try "loops that are left, FATHOM_COMM=$comm" $n 0 'good\|' '' ./left 200 $n; done
    done
    for n in 1 2 3 5 8; do try "extents of allocations" $n 0 'good\|' '' ./extents 40 $n; done
    for comm in off strips strips,force strips=1 strips,foresee strips=2,force,foresee strips=3,outbox=128,lines=64; do
        for n in 1 2 3 5; do FATHOM_COMM=$comm try "blocks that read their neighbours, FATHOM_COMM=$comm" $n 0 'good\|' '' ./halo 300 $n; done
    done
    for n in 0 1 2; do # two loops
        local said='fathom: thread [0-9]: FATHOM_COMM_SITES=[12]: the last loop that fetches ahead is one [^|]*\|'
        [ $n = 0 ] && said=
        FATHOM_COMM=strips,gathers FATHOM_COMM_SITES=$n try "FATHOM_COMM_SITES=$n" 3 0 'good\|' "($said)*" ./foreseen 60 $n
    done
    for comm in x -1 1x; do FATHOM_COMM_SITES=$comm try "FATHOM_COMM_SITES=$comm" 2 1 '' "fathom: FATHOM_COMM_SITES=$comm: expected a number.*" ./comm; done
    [ $sanitize ] || find_broken 20 # some show in few of the interleavings, under an emulator or on a busy computer
    for comm in yes kept=0 kept=x gathers=0 gathers=x foresee=0 foresee=x outbox=127 outbox=x outbox= lines=7 lines=24 lines=8192 lines, outbox,,lines lines=64x updates=8; do
        FATHOM_COMM=$comm try "FATHOM_COMM=$comm" 2 1 '' "fathom: FATHOM_COMM=$comm: expected on, off, .*" ./comm
    done
}

contracts() { # both sides of conduit.h, checked
    export FATHOM_CONDUIT_CHECK=1
    for n in 1 2 3 8; do
        try "both sides of conduit.h" $n 0 'good\|' '' ./contract
        try "the conduit by itself, checked" $n 0 'good\|' '' ./conduit $n 100
    done
    local who="a caller of conduit $conduit breaks a rule of conduit.h:" each
    for each in "own thread|0|send to the own thread" "no thread|0|send to thread 2 of 2" "handler|0|send for handler 1024" \
        "arguments|0|send with 19 arguments" "payload|0|send with [0-9]+ bytes of payload; max_medium is [0-9]+" \
        "reply outside a handler|0|send of a reply outside the handler of a request" "try to reply|0|try_send of a reply" \
        "ring|0|ring is called for thread 2, which is not near" "start|0|start is called twice" \
        "after finish|.|poll is called after finish" "request in a handler|1|send of a request in a handler" \
        "poll in a handler|1|poll is called in a handler" "rest in a handler|1|rest is called in a handler"; do
        IFS='|' read -r way thread text <<<"$each"
        # A message that the progress thread has received first is handled without the wrapper's knowledge.
        FATHOM_PROGRESS=poll try "misuse: $way" 2 1 '' "fathom: thread $thread: $who $text\|" ./contract "$way"
    done
    [ $conduit = smp ] ||
        try "misuse: progress" 2 1 '' "fathom: thread 0: $who progress is called outside the progress thread\|" ./contract progress
    FATHOM_CONDUIT_CHECK=yes try "FATHOM_CONDUIT_CHECK=yes" 2 1 '' 'fathom: FATHOM_CONDUIT_CHECK=yes: expected 0 or 1 .*' ./contract
    unset FATHOM_CONDUIT_CHECK
}
broken_contracts() { # a conduit that breaks a rule, one at a time
    local each file rule text change i
    for each in "${broken_conduits[@]}"; do
        IFS='|' read -r file rule text change <<<"$each"
        sed "$change" "$runtime/$file.c" >broken.c
        cmp -s "$runtime/$file.c" broken.c && fail "broken: $rule" "nothing is changed: adapt it to $file.c" && continue
        "$CC" "${flags[@]}" -Wno-error -w broken.c "$here/contract.c" -o broken -Wl,--wrap=main libfathom.a || exit 1
        emulated broken
        ran=$((ran + 1))
        for i in 1 2 3 4 5; do # some show in some interleavings only
            FATHOM_PROGRESS=poll FATHOM_CONDUIT_CHECK=1 run 3 ./broken
            [ $status = 1 ] && [[ $(tr '\n' '|' <err) =~ ^fathom:\ (thread\ .:\ )?conduit\ template\ breaks\ a\ rule\ of\ conduit.h:\ .*$text.*\|$ ]] &&
                continue 2
        done
        fail "broken: $rule" "status $status, and nothing says: $text"
    done
}

works() {
    for n in 1 2 3 8 64; do try "barriers, locks, atomics" $n 0 'good\|' '' ./sync $((n > 8 ? 50 : 400)); done
    for n in 1 2 4; do
        FATHOM_HEAP=64m try "heap: random" $n 0 'good\|' '' ./heap stress
        FATHOM_HEAP=64m try "heap: full" $n 0 'good\|' '' ./heap full
        FATHOM_HEAP=1g try "heap: reuse" $n 0 'good\|' '' ./heap reuse
        FATHOM_HEAP=64m try "heap: collective" $n 0 'good\|' '' ./heap all
        try "heap: budget" $n 0 'good\|' '' env -u FATHOM_HEAP ./heap budget
    done
    if [ -x cout ]; then
        ran=$((ran + 1))
        FATHOM_THREADS=4 timeout 120 ./cout 2>err | cat >lines
        [ "$(sort lines | uniq -c | awk '{print $1, length($2)}' | tr '\n' '|')" = '3000 70|3000 70|3000 70|3000 70|' ] ||
            fail "lines of std::cout" "broken"
    fi
    try "wide characters" 3 0 '[a-c|]*' '' ./output 60 wide
    for c in a b c; do
        [ "$(tr -cd $c <out | wc -c)" = 177000 ] || fail "wide characters" "$(tr -cd $c <out | wc -c) of $c"
    done
    try "stdout opened anew" 2 0 'before\|before\|' '' ./output 40 reopened
    cat out.a out.b >lines
    [ "$(wc -l <lines)" = 80 ] && [ "$(tr -d '\nb' <out.b | wc -c)" = 0 ] && [ "$(tr -d '\na' <out.a | wc -c)" = 0 ] ||
        fail "stdout opened anew" "not all lines are there"
    for job in "2 40" "5 40" "5 40 buffer"; do
        n=${job%% *} ran=$((ran + 1))
        FATHOM_THREADS=$n timeout 120 ./output ${job#* } 2>err | cat >lines
        [ "$(wc -l <lines)" = $((40 * n)) ] || fail "lines through a pipe" "$(wc -l <lines) of them"
        grep -Evq '^(a+|b+|c+|d+|e+)$' lines && fail "lines through a pipe" "mixed"
        for c in a b c d e; do grep "^$c" lines | awk '{print length}' | md5sum; done | sort -u | head -n $((n == 5 ? 1 : 9)) >sums
        [ $n = 2 ] || [ "$(wc -l <sums)" = 1 ] || fail "lines through a pipe" "differ"
    done
}

for conduit in "${conduits[@]}"; do
    mkdir "$work/$conduit" && cd "$work/$conduit" || exit 1
    build "$conduit" || { echo "the runtime does not build for conduit $conduit"; exit 1; }
    alone
    [ "$conduit" = template ] && pointers
    forms
    starts
    endings
    killings
    ! ./features subreaper || children
    crashes
    tables
    rooms
    contracts
    [ "$conduit" != template ] || [ $sanitize ] || broken_contracts
    [ "$conduit" = smp ] || answers
    [ "$conduit" != smp ] || waits
    # Programs that write into each other's memory by themselves.
    [ "$conduit" = smp ] && works
    [ "$conduit" = template ] && far
done
echo "runtime: $((ran - bad)) of $ran good"
exit $bad
