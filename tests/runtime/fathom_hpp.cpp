// fathom.hpp: pointers, futures, owners, teams and reductions, against what they must give. Built and run by
// fathom_hpp.sh with several numbers of threads, near and far.
#include <fathom.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) fathom_fatal("line %d: %s does not hold", __LINE__, #x);                                             \
    } while (0)

struct odd { // 12 bytes: an element of a reduction is padded
    int value, rank, check;
};

/* Functions that run on other threads: with and without values, results and captures; answers in any order. */
static std::unordered_map<int, long> table;
static int told;
struct point {
    double x, y;
    char text[40];
};
static long find(int key) {
    auto at = table.find(key);
    return at == table.end() ? -1 : at->second;
}
static void calls_of_others(int me, int n) {
    for (int i = 0; i < 50; i++)
        fathom::rpc((me + i) % n, [](int key, long value) { table[key] = value; }, 100 * me + i, 7L * i).wait();
    fathom::barrier();
    std::vector<fathom::future<long>> found;
    for (int i = 0; i < 50; i++) {
        int from = (me + 1) % n;
        found.push_back(fathom::rpc((from + i) % n, find, 100 * from + i));
    }
    for (int i = 49; i >= 0; i--) CHECK(found[static_cast<std::size_t>(i)].wait() == 7L * i);
    CHECK(fathom::rpc(me, find, -5).wait() == -1);
    CHECK(fathom::rpc(n - 1, [] { return fathom::rank_me(); }).wait() == n - 1);
    point p = {1.5, 2.5, "there and back"};
    point q = fathom::rpc((me + 1) % n,
                          [p, me](double more) {
                              point r = p;
                              r.x += more + me;
                              return r;
                          },
                          3.0)
                  .wait();
    CHECK(q.x == 4.5 + me && q.y == 2.5 && std::strcmp(q.text, p.text) == 0);
    CHECK(fathom::rpc(0, find, 0).then([](long v) { return v + 1; }).wait() == 1);
    { auto unasked = fathom::rpc((me + 1) % n, find, 1); } // its destructor waits
    for (int t = 0; t < n; t++)
        fathom::rpc_ff(
            t, [](int from) { told += from + 1; }, me);
    while (told != n * (n + 1) / 2) fathom::progress();
    fathom::barrier();
}

/* Programs with names of the release before still do what they did. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void former_names(int me, int n) {
    fathom_team world = fathom_world();
    int rows[3] = {me, me, me};
    std::vector<int> all(static_cast<std::size_t>(n)), each(all), twice(all);
    std::vector<std::size_t> at(all.size()), bytes(all.size(), sizeof(int));
    for (int t = 0; t < n; t++) each[t] = 10 * me + t, at[t] = t * sizeof(int);
    auto is_gathered = [&] {
        bool is = true;
        for (int t = 0; t < n; t++) is = is && all[t] == t;
        all.assign(all.size(), -1);
        return is;
    };
    auto is_exchanged = [&] {
        bool is = true;
        for (int t = 0; t < n; t++) is = is && twice[t] == 10 * t + me;
        twice.assign(twice.size(), -1);
        return is;
    };
    fathom_gather_all(world, all.data(), rows, sizeof(int));
    CHECK(is_gathered());
    fathom_op op = fathom_gather_all_nb(world, all.data(), rows, sizeof(int));
    fathom_wait_op(&op);
    CHECK(is_gathered());
    fathom_gather_all_pieces(world, all.data(), at.data(), bytes.data(), rows, sizeof(int));
    CHECK(is_gathered());
    op = fathom_gather_all_pieces_nb(world, all.data(), at.data(), bytes.data(), rows, sizeof(int));
    fathom_wait_op(&op);
    CHECK(is_gathered());
    fathom_exchange(world, twice.data(), each.data(), sizeof(int));
    CHECK(is_exchanged());
    op = fathom_exchange_nb(world, twice.data(), each.data(), sizeof(int));
    fathom_wait_op(&op);
    CHECK(is_exchanged());
    fathom_exchange_pieces(world, twice.data(), at.data(), bytes.data(), each.data(), at.data(), bytes.data());
    CHECK(is_exchanged());
    op = fathom_exchange_pieces_nb(world, twice.data(), at.data(), bytes.data(), each.data(), at.data(), bytes.data());
    fathom_wait_op(&op);
    CHECK(is_exchanged());
    fathom::symmetric<long> word(2);
    op = fathom_put_value_nb(word.on((me + 1) % n).address() + sizeof(long), static_cast<std::uint64_t>(me) + 2,
                             sizeof(long));
    fathom_wait_op(&op);
    fathom_put_value_nbi(word.on((me + 1) % n).address(), static_cast<std::uint64_t>(me) + 1, sizeof(long));
    fathom_sync_puts();
    fathom_sync_gets();
    fathom_sync();
    CHECK(fathom_test_sync() == 1);
    fathom::barrier();
    fathom_poll();
    CHECK(word.local()[1] == (me + n - 1) % n + 2);
    CHECK(word.local()[0] == (me + n - 1) % n + 1 && fathom_can_reach(me) == 1);
    fathom::barrier();
}
#pragma GCC diagnostic pop

/* What a function of then() throws. */
static int thrown(fathom::future<> f) {
    try {
        f.wait();
    } catch (const std::runtime_error &e) {
        return std::stoi(e.what());
    }
    return 0;
}
static void exceptions(int me, int n) {
    auto fails = [] { throw std::runtime_error("42"); };
    auto begin = [&] { return fathom::rpc((me + 1) % n, find, 1); };
    CHECK(thrown(begin().then([&](long) { fails(); })) == 42);
    { // behind it, with values and without; the functions between are not called
        int called = 0;
        auto f = begin().then([&](long) -> long { return fails(), 1; });
        auto g = f.then([&](long v) { return called++, v; });
        CHECK(thrown(g.then([&](long) { called++; })) == 42);
        CHECK(thrown(begin().then([&](long) { fails(); }).then([&] { called++; })) == 42);
        CHECK(thrown(begin().then([&](long) { return begin().then([&](long) { fails(); }); })) == 42);
        CHECK(called == 0);
    }
    { // again and again, and nothing from a destructor
        auto f = begin().then([&](long) -> long { return fails(), 1; });
        for (int i = 0; i < 2; i++) {
            int caught = 0;
            try {
                f.wait();
            } catch (const std::runtime_error &) {
                caught++;
            }
            CHECK(caught == 1 && f.is_ready());
        }
        auto unasked = begin().then([&](long) { fails(); });
    }
    { // progress() calls the functions of all futures, whichever throws
        int called = 0;
        std::vector<fathom::future<>> all;
        for (int i = 0; i < 9; i++)
            all.push_back(begin().then([&, i](long) {
                called++;
                if (i % 3 == 1) fails();
            }));
        while (called != 9) fathom::progress();
        for (std::size_t i = 0; i < all.size(); i++) CHECK(thrown(std::move(all[i])) == (i % 3 == 1 ? 42 : 0));
    }
    fathom::barrier();
}

/* Rows that are taken for spans: vectors, a thread's own part, objects that do not change. */
static void spans(int me, int n) {
    fathom::symmetric<long> row(8), other(8);
    std::vector<long> out(8, me), in(8);
    const std::vector<long> same = out;
    int next = (me + 1) % n, before = (me + n - 1) % n;
    fathom::rput(out, row.on(next)).wait();
    fathom::rput(same, other.on(next)).wait();
    fathom::barrier();
    CHECK(row.local()[7] == before && other.local()[0] == before);
    fathom::rget(row.on(next), in).wait();
    CHECK(in[7] == me);
    fathom::barrier();
    fathom::rput(other.local(), row.on(next)).wait();
    fathom::span<const long> mine = row.local();
    fathom::barrier();
    CHECK(mine[3] == (before + n - 1) % n);
    std::vector<long> all(static_cast<std::size_t>(8 * n));
    fathom::gather_all_async(out, fathom::span<long>(all)).wait();
    CHECK(all[static_cast<std::size_t>(8 * next)] == next);
    fathom::barrier();
}

/* More objects than there are bytes, and one whose constructor throws. */
struct refuses {
    long x = [] { return fathom_alloc_bytes(0) == 0 ? throw std::runtime_error("1") : 0L; }();
};
template <typename E, typename F> static bool throws(F function) {
    try {
        function();
    } catch (const E &) {
        return true;
    }
    return false;
}
static void sizes() {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    CHECK(throws<std::bad_alloc>([&] { fathom::new_array<long>(most / 8 + 2); }));
    CHECK(throws<std::bad_alloc>([&] { fathom::new_array<char>(most); }));
    CHECK(throws<std::bad_alloc>([&] { fathom::symmetric<long>(most / 8 + 2); }));
    CHECK(throws<std::runtime_error>([] { fathom::new_array<refuses>(3); }));
}

/* Futures without a value may be made and assigned to, but not waited for. */
static void wait_for_an_empty_future() {
    std::vector<fathom::future<int>> some(2);
    some[0] = fathom::rpc(0, [] { return 1; });
    CHECK(some[0].wait() == 1);
    fathom::future<int> other = std::move(some[0]);
    CHECK(other.wait() == 1);
    some[0].wait();
}

/* A function that runs in a handler, or inside a reduction, has nobody who could catch. */
static void throw_where_nobody_catches(const char *where) {
    auto fails = [](long, long) -> long { throw std::runtime_error("no more of this"); };
    if (std::strcmp(where, "rpc") == 0) fathom::rpc(0, fails, 1L, 2L).wait();
    if (std::strcmp(where, "reduction") == 0) fathom::reduce_all(1L, fails);
}

int main(int argc, char **argv) {
    fathom::job job(argc, argv, FATHOM_THREAD_SERIALIZED);
    CHECK(job.thread_level() == FATHOM_THREAD_SERIALIZED);
    const int me = fathom::rank_me(), n = fathom::rank_n(), next = (me + 1) % n, before = (me + n - 1) % n;
    if (argc > 1) {
        if (std::strcmp(argv[1], "empty") == 0) wait_for_an_empty_future();
        throw_where_nobody_catches(argv[1]);
        fathom::barrier();
        return 0;
    }

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
    { // scans, and reductions that are dealt out, in the order of the ranks
        auto sum = fathom::inclusive_scan_async(me + 1L, std::plus<>());
        auto before = fathom::exclusive_scan_async(me + 1L, 100L, std::plus<>());
        auto last = fathom::inclusive_scan_async(odd{me, me, 42}, [](odd a, odd b) {
            return odd{a.value, b.rank, 42};
        });
        std::vector<long> values;
        for (int r = 0; r < n; r++) values.push_back(me * 10 + r);
        auto mine = fathom::reduce_scatter_async(values, std::plus<>());
        CHECK(mine.wait() == 5L * n * (n - 1) + static_cast<long>(n) * me);
        odd seen = last.wait();
        CHECK(seen.value == 0 && seen.rank == me && seen.check == 42);
        CHECK(before.wait() == 100 + me * (me + 1L) / 2);
        CHECK(sum.wait() == (me + 1L) * (me + 2) / 2);
        auto join = [](odd a, odd b) { return odd{a.value, b.rank, a.check + b.check}; };
        odd first = fathom::exclusive_scan(odd{me, me, 1}, odd{-5, -7, 0}, join);
        CHECK(first.value == -5 && first.rank == (me ? me - 1 : -7) && first.check == me);
        CHECK(fathom::inclusive_scan(me, [](int a, int b) { return a > b ? a : b; }) == me);
        std::vector<odd> rows(static_cast<std::size_t>(n), odd{me, me, 1});
        odd dealt = fathom::reduce_scatter(rows, join);
        CHECK(dealt.value == 0 && dealt.rank == n - 1 && dealt.check == n);
        CHECK(fathom::reduce_one(me, std::plus<>(), n - 1) == (me == n - 1 ? n * (n - 1) / 2 : me));
    }
    { // rows between the members, with pieces of one size, and of sizes of their own; several under way
        using row = std::vector<long>;
        using from = fathom::span<const long>;
        using to = fathom::span<long>;
        auto members = static_cast<std::size_t>(n);
        auto value = [](int from, int to, std::size_t i) { return from * 10000L + to * 100L + static_cast<long>(i); };
        row two(2 * members), mine(2), all(2 * members, -1), swapped(2 * members, -1);
        for (std::size_t i = 0; i < two.size(); i++) two[i] = value(me, static_cast<int>(i / 2), i % 2);
        auto a = fathom::scatter_async(from(two), to(mine), n - 1);
        a.wait();
        CHECK(mine[0] == value(n - 1, me, 0) && mine[1] == value(n - 1, me, 1));
        auto b = fathom::gather_all_async(from(mine), to(all));
        auto c = fathom::exchange_async(from(two), to(swapped));
        row gathered(2 * members, -1);
        auto d = fathom::gather_async(from(mine), to(gathered), 0);
        d.wait(), c.wait(), b.wait();
        for (int r = 0; r < n; r++) {
            auto i = 2 * static_cast<std::size_t>(r);
            CHECK(all[i] == value(n - 1, r, 0) && all[i + 1] == value(n - 1, r, 1));
            CHECK(swapped[i] == value(r, me, 0) && swapped[i + 1] == value(r, me, 1));
            CHECK(gathered[i] == (me ? -1 : value(n - 1, r, 0)));
        }
        // Rank r's pieces have r objects for itself, and to + 2 from + 1 from one to another; gaps in the results.
        auto count = [](int from, int to) { return static_cast<std::size_t>(from == to ? from : to + 2 * from + 1); };
        std::vector<std::size_t> out, in, at;
        std::size_t room = 1;
        for (int r = 0; r < n; r++) {
            out.push_back(count(me, r)), in.push_back(count(r, me)), at.push_back(room);
            room += in.back() + 1;
        }
        fathom::pieces of_src(out), of_dst(at, in);
        row src, dst(room, -1);
        for (int r = 0; r < n; r++)
            for (std::size_t i = 0; i < count(me, r); i++) src.push_back(value(me, r, i));
        auto e = fathom::exchange_async(from(src), of_src, to(dst), of_dst);
        row own(count(0, me), -1);
        auto f = fathom::scatter_async(from(src), of_src, to(own), 0);
        f.wait();
        for (std::size_t i = 0; i < own.size(); i++) CHECK(own[i] == value(0, me, i));
        std::vector<std::size_t> owns;
        for (int r = 0; r < n; r++) owns.push_back(count(0, r));
        fathom::pieces of_all(owns);
        row everything(of_all.at.back() + of_all.n.back(), -1), at_root(everything);
        auto g = fathom::gather_all_async(from(own), to(everything), of_all);
        auto h = fathom::gather_async(from(own), to(at_root), of_all, n - 1);
        h.wait(), g.wait(), e.wait();
        std::size_t next = 1;
        CHECK(dst[0] == -1);
        for (int r = 0; r < n; r++) {
            for (std::size_t i = 0; i < count(r, me); i++) CHECK(dst[next++] == value(r, me, i));
            CHECK(dst[next++] == -1);
            for (std::size_t i = 0; i < count(0, r); i++) {
                CHECK(everything[of_all.at[static_cast<std::size_t>(r)] + i] == value(0, r, i));
                CHECK(at_root[of_all.at[static_cast<std::size_t>(r)] + i] == (me == n - 1 ? value(0, r, i) : -1));
            }
        }
    }
    { // the calls of fathom.h beneath: lists of pieces, aligned memory, shares of different sizes
        fathom_ptr all = fathom_alloc_all_aligned(1000, 4096);
        auto *here = static_cast<char *>(fathom_address(fathom_on(me, all)));
        CHECK(reinterpret_cast<std::uintptr_t>(here) % 4096 == 0);
        std::memset(here, 0, 1000);
        fathom::barrier();
        char text[] = "0123456789", back[11] = {};
        fathom_ptr there = fathom_on(next, all);
        const fathom_piece from[] = {{text, 3}, {text + 3, 7}};
        const fathom_remote_piece to[] = {{there + 100, 1}, {there + 500, 9}};
        fathom_put_list(to, 2, from, 2);
        fathom_op op = fathom_get_list_nb(std::vector<fathom_piece>{{back, 10}}.data(), 1, to, 2);
        fathom_wait_op(&op);
        CHECK(std::strcmp(back, text) == 0);
        fathom::barrier();
        CHECK(here[100] == '0' && std::memcmp(here + 500, "123456789", 10) == 0 && here[101] == 0);
        op = fathom_put_list_nb(to, 2, from, 2);
        fathom_wait_op(&op);
        std::memset(back, 0, sizeof back);
        fathom_get_list(std::vector<fathom_piece>{{back + 5, 5}, {back, 5}}.data(), 2, to, 2);
        CHECK(std::strcmp(back, "5678901234") == 0);
        fathom::barrier();
        if (me == 0) fathom_free(all);
        std::vector<std::size_t> counts;
        std::vector<int> values;
        for (int r = 0; r < n; r++) {
            counts.push_back(static_cast<std::size_t>(r));
            for (int i = 0; i < r; i++) values.push_back(100 * r + i + me);
        }
        std::vector<int> share(static_cast<std::size_t>(n), -1);
        fathom_reduce_scatter_pieces(fathom_world(), share.data(), values.data(), counts.data(), FATHOM_I32,
                                     FATHOM_ADD);
        for (int i = 0; i < n; i++) CHECK(share[i] == (i < me ? n * (100 * me + i) + n * (n - 1) / 2 : -1));
        op = fathom_reduce_scatter_pieces_nb(fathom_world(), share.data(), values.data(), counts.data(), FATHOM_I32,
                                             FATHOM_MAX);
        fathom_wait_op(&op);
        for (int i = 0; i < n; i++) CHECK(share[i] == (i < me ? 100 * me + i + n - 1 : -1));
        long one = me + 1, sum = 0, sums[2] = {0, 0};
        op = fathom_scan_nb(fathom_world(), &sum, &one, 1, FATHOM_I64, FATHOM_ADD, 0);
        std::vector<long> ones(2 * static_cast<std::size_t>(n), 1);
        fathom_op shares = fathom_reduce_scatter_nb(fathom_world(), sums, ones.data(), 2, FATHOM_I64, FATHOM_ADD);
        fathom_wait_op(&shares), fathom_wait_op(&op);
        CHECK(sum == (me + 1L) * (me + 2) / 2 && sums[0] == n && sums[1] == n);
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
    { // rows by pointer and length
        fathom::symmetric<double> row(5);
        double out[5] = {me + .5, 1, 2, 3, 4}, in[5] = {};
        const double *from = out;
        fathom::rput(from, row.on((me + 1) % n), 5).wait();
        fathom::barrier();
        fathom::rget(row.on(me), in, 5).wait();
        CHECK(in[0] == (me + n - 1) % n + .5 && in[4] == 4);
        fathom::barrier();
    }
    { // symmetric memory that is zero, also where it was used before
        for (int i = 0; i < 2; i++) {
            fathom_ptr p = fathom_alloc_all_zeroed(1000);
            char next[1000], zero[1000] = {};
            fathom_get(next, fathom_on((me + 1) % n, p), sizeof next);
            CHECK(std::memcmp(next, zero, sizeof zero) == 0);
            fathom::barrier();
            fathom_fill(fathom_on(me, p), 'x', 1000);
            fathom::barrier();
            if (me == 0) fathom_free(p);
            fathom::barrier();
        }
        CHECK(fathom_alloc_all_zeroed(0) == 0);
    }
    former_names(me, n);
    calls_of_others(me, n);
    exceptions(me, n);
    spans(me, n);
    sizes();
    if (me == 0) std::puts("good");
}
