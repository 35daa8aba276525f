// What docs/c-api.md says to write instead of MPI's windows and UPC++: each is done once, with its result looked at. Built and run
// by fathom_hpp.sh, which also finds out whether each name in that page exists.
#include <fathom.hpp>

#include <cstdio>
#include <functional>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) fathom_fatal("line %d: %s does not hold", __LINE__, #x);                                             \
    } while (0)

struct cell {
    double sum;
    std::int64_t count, tickets;
    std::uint64_t posted, completed;
    std::int32_t word;
    int kept[4];
};

static fathom_ptr base;
static fathom_ptr at(int rank, std::size_t displacement) { return fathom_on(rank, base) + displacement; }
static cell *mine() { return static_cast<cell *>(fathom_address(at(fathom_me(), 0))); }
#define IN(member) offsetof(cell, member)

static void fence() {
    fathom_quiet();
    fathom_barrier_all();
}

static void windows(int me, int n) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    base = fathom_alloc_all_zeroed(sizeof(cell)); // MPI_Win_allocate
    fence();
    // MPI_Put, MPI_Win_fence, MPI_Get
    fathom_put_nbi(at(next, IN(kept)), &me, sizeof me);
    fence();
    CHECK(mine()->kept[0] == before);
    int got = -1;
    fathom_get_nbi(&got, at(next, IN(kept)), sizeof got);
    fathom_quiet_gets(); // MPI_Win_flush_local
    CHECK(got == me);
    // MPI_Rput: complete where it is, and at its source
    fathom_op source, there = fathom_put_source_nb(at(next, IN(kept[1])), &me, sizeof me, &source);
    fathom_wait_op(&source);
    fathom_wait_op(&there);
    // MPI_Accumulate of one, of many, and MPI_Get_accumulate
    double half = 0.5, former[2];
    fathom_atomic(nullptr, at(0, IN(sum)), FATHOM_F64, FATHOM_ADD, &half, nullptr);
    fathom_op ops[2];
    for (int i = 0; i < 2; i++)
        ops[i] = fathom_atomic_nb(&former[i], at(0, IN(sum)), FATHOM_F64, FATHOM_ADD, &half, nullptr);
    fathom_wait_all(ops, 2);
    CHECK(former[0] >= half && former[1] > former[0] - 2 * n);
    // MPI_Fetch_and_op, MPI_Compare_and_swap
    CHECK(fathom_fetch_add(at(0, IN(tickets)), 1) < n);
    std::int32_t none = 0, mark = me + 1, found;
    fathom_atomic(&found, at(next, IN(word)), FATHOM_I32, FATHOM_CSWAP, &none, &mark);
    CHECK(found == 0);
    fence();
    CHECK(mine()->word == before + 1 && mine()->kept[1] == before);
    CHECK(me != 0 || (mine()->sum == 1.5 * n && fathom_atomic_get(at(0, IN(tickets))) == n));
    // MPI_Win_post, start, complete, wait: each thread gives to the next
    fathom_put_signal(0, nullptr, 0, at(before, IN(posted)), 1);
    fathom_wait_signal(at(me, IN(posted)), 1);
    fathom_put_signal(at(next, IN(kept[2])), &me, sizeof me, at(next, IN(completed)), 1);
    std::uint64_t origins = 1; // MPI_Win_test
    while (!fathom_holds(fathom_when(at(me, IN(completed)), FATHOM_U64, FATHOM_GE, &origins))) fathom_progress();
    fathom_order(); // MPI_Win_sync
    CHECK(mine()->kept[2] == before);
    // MPI_Win_lock, exclusive
    fathom_ptr lock = me == 0 ? fathom_lock_create() : 0;
    fathom_broadcast(fathom_world(), &lock, &lock, sizeof lock, 0);
    fathom_lock(lock);
    std::int64_t count;
    fathom_get(&count, at(0, IN(count)), sizeof count);
    count++;
    fathom_put_nbi(at(0, IN(count)), &count, sizeof count);
    fathom_quiet();
    fathom_unlock(lock);
    fence();
    CHECK(me != 0 || mine()->count == n);
    // MPI_Win_create_dynamic, MPI_Win_attach
    fathom_ptr own = fathom_alloc(sizeof(int)), other;
    fathom_put(own, &me, sizeof me);
    std::vector<fathom_ptr> all(static_cast<std::size_t>(n));
    fathom_all_gather(fathom_world(), all.data(), &own, sizeof own);
    other = all[static_cast<std::size_t>(next)];
    fathom_get(&got, other, sizeof got);
    CHECK(got == next);
    // MPI_Win_allocate_shared
    if (fathom_thread_is_near(next)) CHECK(*static_cast<int *>(fathom_address(other)) == next);
    fence();
    fathom_free(own);
    if (me == 0) fathom_free(base), fathom_free(lock);
}

static void upcxx(int me, int n) {
    int next = (me + 1) % n, near;
    fathom::symmetric<long> object(8); // dist_object
    fathom::team local = fathom::team().split(fathom_near(&near), 0);
    CHECK(local.rank_n() == near && fathom_thread_is_near(local[0]));
    fathom::global_ptr<long> p = object.on(next) + 1;
    CHECK(p && p - object.on(next) == 1 && p.where() == next && !fathom::global_ptr<long>());
    CHECK(fathom::global_ptr<long>(fathom_global(&object.local()[2])) == object.on(me) + 2); // to_global_ptr
    CHECK(!fathom::global_ptr<int>(fathom_global(&me)));
    fathom::global_ptr<int> halves(p.address()); // reinterpret_pointer_cast
    CHECK(halves.address() == p.address());
    fathom::rput(long(me), p).then([] {}).wait(); // operation_cx::as_lpc
    CHECK(fathom::rget(p).wait() == me);
    fathom::barrier();
    // copy, and promises
    long seen[2] = {-1, -1};
    fathom::future<>(fathom_copy_nb(object.on(me).address() + 16, p.address(), sizeof(long))).wait();
    CHECK(object.local()[2] == me);
    fathom_region_begin();
    fathom_get_nbi(&seen[0], p.address(), sizeof(long));
    fathom_get_nbi(&seen[1], object.on(me).address() + 16, sizeof(long));
    fathom::future<> both(fathom_region_end());
    both.wait();
    CHECK(seen[0] == me && seen[1] == me);
    // when_all, rput_strided
    long row[3] = {1, 2, 3};
    std::ptrdiff_t dense = sizeof(long), two = 2 * sizeof(long);
    std::size_t three = 3;
    fathom::future<> one(
        fathom_put_strided_nb((object.on(next) + 3).address(), &two, row, &dense, sizeof(long), &three, 1));
    fathom::future<> made;
    fathom::wait_all(one, made);
    fathom::barrier();
    CHECK(object.local()[3] == 1 && object.local()[5] == 2 && object.local()[7] == 3);
    // atomic_domain
    fathom_domain domain = fathom_domain_create(FATHOM_I64, 1u << FATHOM_ADD | 1u << FATHOM_MAX);
    std::int64_t more = me + 1;
    fathom_domain_atomic(domain, nullptr, object.on(0).address(), FATHOM_ADD, &more, nullptr);
    fathom::barrier();
    fathom_domain_free(domain);
    CHECK(fathom::rget(object.on(0)).wait() == long(n) * (n + 1) / 2);
    // rpc on a team, collectives of arrays
    fathom::team world;
    CHECK(fathom::rpc(
              world[n - 1], [](int x) { return x + fathom::rank_me(); }, me)
              .wait() == me + n - 1);
    double sums[2] = {1.0 * me, 1};
    fathom::future<>(fathom_all_reduce_nb(world.handle(), sums, sums, 2, FATHOM_F64, FATHOM_ADD)).wait();
    CHECK(sums[0] == n * (n - 1) / 2 && sums[1] == n);
    CHECK(fathom::reduce_one(me, std::plus<>(), 0) == n * (n - 1) / 2 || me != 0);
    fathom::barrier_async().wait();
}

int main(int argc, char **argv) {
    fathom::job job(argc, argv);
    windows(fathom_me(), fathom_count());
    upcxx(fathom_me(), fathom_count());
    fathom::barrier();
    if (fathom_me() == 0) std::puts("good");
}
