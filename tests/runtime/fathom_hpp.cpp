// fathom.hpp: pointers, futures, owners, teams and reductions, against what they must give. Built and run by
// fathom_hpp.sh with several numbers of threads, near and far.
#include <fathom.hpp>

#include <cstdio>
#include <functional>
#include <mutex>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) fathom_fatal("line %d: %s does not hold", __LINE__, #x);                                             \
    } while (0)

struct odd { // 12 bytes: an element of a reduction is padded
    int value, rank, check;
};

int main(int argc, char **argv) {
    fathom::job job(argc, argv);
    const int me = fathom::rank_me(), n = fathom::rank_n(), next = (me + 1) % n, before = (me + n - 1) % n;

    { // values and rows, there and back
        fathom::symmetric<long> row(100);
        for (long x : row.local()) CHECK(x == 0);
        fathom::barrier();
        fathom::rput(me * 1000L, row.on(next) + 7).wait();
        fathom::barrier();
        CHECK(row.local()[7] == before * 1000L);
        auto f = fathom::rget(row.on(next) + 7), g = std::move(f);
        CHECK(g.wait() == me * 1000L);
        fathom::barrier();
        std::vector<long> there(50), back(50);
        for (int i = 0; i < 50; i++) there[i] = me * 100 + i;
        fathom::rput(fathom::span<const long>(there), row.on(next) + 50).wait();
        std::vector<fathom::future<>> futures;
        futures.push_back(fathom::rget(row.on(next) + 50, fathom::span<long>(back)));
        fathom::wait_all(futures);
        CHECK(back == there);
        { auto lost = fathom::rput(5L, row.on(next)); } // the destructor waits
        fathom::barrier();
        CHECK(row.local()[0] == 5 && row.local()[50] == before * 100);
        fathom::barrier();
    }
    { // pointers
        auto p = fathom::new_array<odd>(10);
        CHECK(p && p.where() == me && p.is_local() && p.local()[9].rank == 0);
        auto q = p + 4;
        CHECK(q - p == 4 && q != p && p < q && (q - 4) == p && q.local() == p.local() + 4);
        q -= 2;
        ++q;
        CHECK(q - p == 3 && !fathom::global_ptr<odd>());
        auto all = fathom::broadcast(p, 0);
        CHECK(all.where() == 0);
        fathom::barrier();
        fathom::delete_array(p);
    }
    { // reductions, in the order of the ranks
        CHECK(fathom::reduce_all(me + 1, std::plus<>()) == n * (n + 1) / 2);
        odd last = fathom::reduce_all(odd{me % 3, me, 42}, [](odd a, odd b) { return b.value >= a.value ? b : a; });
        int most = n > 2 ? 2 : n - 1, rank = most;
        while (rank + 3 < n) rank += 3;
        CHECK(last.value == most && last.rank == rank && last.check == 42);
        CHECK(fathom::broadcast(me, n - 1) == n - 1);
    }
    { // collectives that are begun, several at once
        std::vector<fathom::future<long>> sums;
        for (long i = 0; i < 10; i++) sums.push_back(fathom::reduce_all_async(me + i, std::plus<>()));
        auto from = fathom::broadcast_async(me * 7, n - 1);
        auto all_here = fathom::barrier_async();
        auto at_root = fathom::reduce_one_async(1, std::plus<>(), n - 1);
        CHECK(from.wait() == (n - 1) * 7);
        while (!all_here.is_ready()) fathom::progress();
        for (long i = 9; i >= 0; i--) CHECK(sums[static_cast<std::size_t>(i)].wait() == n * (n - 1L) / 2 + n * i);
        CHECK(at_root.wait() == (me == n - 1 ? n : 1));
    }
    { // what follows a future: once, after it, with its value; a future that a function gives is waited for, too
        fathom::symmetric<long> box(2);
        int calls = 0, order = 0;
        box.local()[0] = me * 10L;
        fathom::barrier();
        auto doubled = fathom::rget(box.on(next)).then([&](long x) { return calls++, 2 * x; });
        auto put = fathom::rput(5L, box.on(next) + 1).then([&] { order = 1; });
        CHECK(doubled.wait() == next * 20L && calls == 1);
        CHECK(doubled.wait() == next * 20L && calls == 1);
        put.wait();
        CHECK(order == 1);
        auto chain = fathom::reduce_all_async(1, std::plus<>())
                         .then([&](int all) { return fathom::broadcast_async(all * 100 + me, 0); })
                         .then([&](int x) {
                             order = 2;
                             return x + 0.5;
                         });
        CHECK(order == 1 || n == 1);
        CHECK(chain.wait() == n * 100 + 0.5 && order == 2);
        // progress() calls them; nobody asks the future
        bool called = false;
        auto later = fathom::barrier_async().then([&] {
            called = true;
            fathom::progress();
        });
        while (!called) fathom::progress();
        CHECK(later.is_ready());
        {
            auto lost = fathom::barrier_async().then([&] { calls++; });
        } // the destructor waits and calls
        CHECK(calls == 2);
        std::vector<fathom::future<>> all;
        for (int i = 0; i < 20; i++) all.push_back(fathom::barrier_async().then([&calls] { calls++; }));
        fathom::wait_all(all);
        CHECK(calls == 22);
        fathom::barrier();
    }
    { // asked only: called once, when all are here, although the last one comes late; and what it gives is complete, too
        fathom::symmetric<long> go(1), here(static_cast<std::size_t>(n));
        int calls = 0;
        bool all_here = true;
        fathom::barrier();
        while (me == n - 1 && n > 1 && !__atomic_load_n(&go.local()[0], __ATOMIC_ACQUIRE)) fathom::progress();
        for (int t = 0; t < n; t++) fathom::rput(1L, here.on(t) + me).wait();
        auto f = fathom::barrier_async().then([&] {
            calls++;
            for (long x : here.local()) all_here = all_here && x == 1;
            return fathom::reduce_all_async(me + 1, std::plus<>());
        });
        for (int i = 0; i < 50; i++) {
            f.is_ready();
            fathom::progress();
        }
        if (me == 0) fathom::rput(1L, go.on(n - 1)).wait();
        while (!f.is_ready()) fathom::progress();
        CHECK(f.wait() == n * (n + 1) / 2 && calls == 1 && all_here);
    }
    { // teams
        fathom::team world, half = world.split(me % 2, -me);
        CHECK(half && half.rank_n() == (n + 1 - me % 2) / 2 && half[half.rank_me()] == me);
        CHECK(fathom::reduce_all(1, std::plus<>(), half) == half.rank_n());
        CHECK(half.from_world(me) == half.rank_me());
        fathom::team first = world.create({0});
        CHECK(bool(first) == (me == 0));
        half.barrier();
    }
    { // a lock keeps a counter whole
        fathom::symmetric<long> counter(1);
        fathom::mutex mutex(fathom::broadcast(me == 0 ? fathom_lock_create() : 0, 0));
        for (int i = 0; i < 50; i++) {
            std::lock_guard<fathom::mutex> guard(mutex);
            fathom::rput(fathom::rget(counter.on(0)).wait() + 1, counter.on(0)).wait();
        }
        fathom::barrier();
        CHECK(fathom::rget(counter.on(0)).wait() == 50L * n);
        fathom::barrier();
    }
    if (me == 0) std::puts("good");
}
