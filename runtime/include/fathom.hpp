/** @file fathom.hpp
 * @brief fathom.h for C++17: typed global pointers, futures over handles, and owners of jobs, memory, teams and locks.
 *
 * Everything is an inline call of fathom.h, whose rules hold; the two can be mixed. Names are those of UPC++ where the
 * meaning is the same. A future owns a transfer under way, and its destructor waits for it; so no handle is lost and no
 * buffer that a future owns is freed too early. Objects that are moved are bytes: types are trivially copyable.
 *
 * @code
 * fathom::job job(argc, argv);
 * fathom::symmetric<double> box(1);                                  // one double on every thread
 * int next = (fathom::rank_me() + 1) % fathom::rank_n();
 * fathom::rput(double(fathom::rank_me()), box.on(next)).wait();
 * fathom::barrier();
 * double sum = fathom::reduce_all(box.local()[0], std::plus<>());
 * @endcode
 */
#ifndef FATHOM_HPP
#define FATHOM_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "fathom.h"

/* For programs that ask for -Wshadow: a constructor's parameter has the name of the member that it sets. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

namespace fathom {

/** A thread's number, the number of threads, a barrier of all, and serving messages. */
inline int rank_me() { return fathom_me(); }
inline int rank_n() { return fathom_count(); }
inline void barrier() { fathom_barrier_all(); }
/** @cond */
namespace detail {
/* A call that then() has put behind a future. */
struct stage {
    virtual ~stage() = default;
    /* True when it is complete: its future is, and the function has been called. */
    virtual bool advance(bool waits) = 0;
    std::exception_ptr error; /* of a function that has thrown; kept until somebody waits */
};
/* Those of the calling POSIX thread; a future owns each. */
inline std::vector<std::weak_ptr<stage>> &stages() {
    static thread_local std::vector<std::weak_ptr<stage>> all;
    return all;
}
} // namespace detail
/** @endcond */

/** Serves messages; calls the functions of then() whose futures are ready, of this POSIX thread. */
inline void progress() {
    fathom_progress();
    auto &all = detail::stages();
    if (all.empty()) return;
    auto now = std::move(all); /* a function may add more */
    all.clear();
    for (auto &each : now) {
        std::shared_ptr<detail::stage> s = each.lock();
        if (s && !s->advance(false)) all.push_back(each);
    }
}

/** @cond */
namespace detail {
/* A call of another thread's that has been asked for: done when the answer has come. */
struct asked : stage {
    explicit asked(void *value) : value(value) {}
    bool advance(bool waits) override {
        for (unsigned round = 0; waits && !done.load(std::memory_order_acquire);) fathom_pause(&round);
        if (!waits && !done.load(std::memory_order_acquire)) fathom_progress();
        return done.load(std::memory_order_acquire);
    }
    void *value;
    std::atomic<bool> done{false};
};
/* What runs a call, named by its distance from this function: so it has the same name in all processes of a program. */
using runner = void(fathom_token, const std::uint64_t *, const void *);
inline void anchor(fathom_token, const std::uint64_t *, const void *) {}
inline std::uintptr_t place(runner *f) { return reinterpret_cast<std::uintptr_t>(f); }
inline void on_call(fathom_token token, const std::uint64_t *args, int, void *call, std::size_t) {
    reinterpret_cast<runner *>(place(anchor) + static_cast<std::uintptr_t>(args[0]))(token, args + 1, call);
}
inline void on_value(fathom_token, const std::uint64_t *args, int, void *value, std::size_t bytes) {
    auto *a = reinterpret_cast<asked *>(static_cast<std::uintptr_t>(args[0]));
    if (bytes) std::memcpy(a->value, value, bytes);
    a->done.store(true, std::memory_order_release);
}
/* Before the job starts: so all have them before the first message. */
struct handlers {
    int call = fathom_register(on_call), value = fathom_register(on_value);
};
inline handlers *&rpc_handlers() {
    static handlers *all;
    return all;
}
inline void start_rpc() {
    static handlers all;
    rpc_handlers() = &all;
}
} // namespace detail
/** @endcond */

/** The job, from its start to its end: the first object of main. */
class job {
  public:
    job(int &argc, char **&argv) {
        detail::start_rpc();
        fathom_init(&argc, &argv);
    }
    /** With several POSIX threads that call: FATHOM_THREAD_MULTIPLE, for example. thread_level() says which level the
     * job has got. */
    job(int &argc, char **&argv, int level) {
        detail::start_rpc();
        fathom_init_thread(&argc, &argv, level, nullptr);
    }
    int thread_level() const { return ::fathom_thread_level(); }
    ~job() { fathom_finalize(); }
    job(const job &) = delete;
    job &operator=(const job &) = delete;
};

/** Objects in a row in private or near memory, as std::span of C++20. */
template <typename T> class span {
  public:
    span(T *first, std::size_t n) : first(first), n(n) {}
    template <typename C, typename = std::enable_if_t<std::is_convertible<
                              std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>::value>>
    span(C &container) : first(container.data()), n(container.size()) {}
    /** Of objects that may change, as one of objects that may not. */
    template <typename U,
              typename = std::enable_if_t<!std::is_same<U, T>::value && std::is_convertible<U (*)[], T (*)[]>::value>>
    span(span<U> other) : first(other.data()), n(other.size()) {}
    T *data() const { return first; }
    std::size_t size() const { return n; }
    T *begin() const { return first; }
    T *end() const { return first + n; }
    T &operator[](std::size_t i) const { return first[i]; }

  private:
    T *first;
    std::size_t n;
};

/** @cond */
namespace detail {
/* A T that is not deduced from the argument: so that a vector, or a span of T, is taken for a span. */
template <typename T> struct same { using type = T; };
template <typename T> using span_of = typename same<span<T>>::type;
} // namespace detail
/** @endcond */

/** A global address of a T. Arithmetic counts elements and stays on the thread. */
template <typename T> class global_ptr {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");

  public:
    global_ptr(std::nullptr_t = nullptr) : at(0) {}
    explicit global_ptr(fathom_ptr p) : at(p) {}
    fathom_ptr address() const { return at; }
    /** The thread whose memory it is in. */
    int where() const { return fathom_owner(at); }
    /** Can this thread use local()? */
    bool is_local() const { return at == 0 || fathom_thread_is_near(where()); }
    /** The C++ pointer; null if it is null or not near. */
    T *local() const { return static_cast<T *>(fathom_address(at)); }
    explicit operator bool() const { return at != 0; }
    global_ptr operator+(std::ptrdiff_t i) const { return global_ptr(at + static_cast<fathom_ptr>(i) * sizeof(T)); }
    global_ptr operator-(std::ptrdiff_t i) const { return *this + -i; }
    std::ptrdiff_t operator-(global_ptr p) const {
        return static_cast<std::ptrdiff_t>(at - p.at) / static_cast<std::ptrdiff_t>(sizeof(T));
    }
    global_ptr &operator+=(std::ptrdiff_t i) { return *this = *this + i; }
    global_ptr &operator-=(std::ptrdiff_t i) { return *this = *this - i; }
    global_ptr &operator++() { return *this += 1; }
    global_ptr &operator--() { return *this -= 1; }
    friend bool operator==(global_ptr a, global_ptr b) { return a.at == b.at; }
    friend bool operator!=(global_ptr a, global_ptr b) { return a.at != b.at; }
    friend bool operator<(global_ptr a, global_ptr b) { return a.at < b.at; }

  private:
    fathom_ptr at;
};

/** A transfer or collective under way, or what follows it. It is completed by wait() or the destructor. What a function of
 * then() throws comes out of wait(), of this future and of those behind it; without a wait() nobody hears of it. */
template <typename T = void> class future;

/** @cond */
namespace detail {
template <typename R> struct unwrapped { using type = R; };
template <typename V> struct unwrapped<future<V>> { using type = V; };
template <typename F, typename T> struct result { using type = std::invoke_result_t<F &, T>; };
template <typename F> struct result<F, void> { using type = std::invoke_result_t<F &>; };
template <typename F, typename T> using after = future<typename unwrapped<typename result<F, T>::type>::type>;
} // namespace detail
/** @endcond */

template <> class future<void> {
  public:
    future() = default;
    explicit future(fathom_op op) : op(op) {}
    explicit future(std::shared_ptr<detail::stage> stage) : stage(std::move(stage)) {}
    future(future &&f) noexcept
        : op(std::exchange(f.op, FATHOM_DONE)), kept(std::move(f.kept)), stage(std::move(f.stage)),
          error(std::move(f.error)) {}
    future &operator=(future &&f) noexcept {
        if (this != &f) {
            complete();
            op = std::exchange(f.op, FATHOM_DONE);
            kept = std::move(f.kept);
            stage = std::move(f.stage);
            error = std::move(f.error);
        }
        return *this;
    }
    ~future() { complete(); }
    /** Is it complete? Serves messages, does not wait. */
    bool is_ready() {
        if (stage && stage->advance(false)) leave_stage();
        return !stage && fathom_test(&op) != 0;
    }
    void wait() {
        complete();
        if (error) std::rethrow_exception(error);
    }
    /** Calls `function` when this is complete: in progress(), or a call of the new future's, whose value is the function's
     * result; where that is a future, the new one is complete when that is. This future is empty afterwards. */
    template <typename F> detail::after<F, void> then(F function);
    /** Keeps a buffer of the transfer until it is complete. */
    void keep(std::shared_ptr<void> buffer) { kept = std::move(buffer); }

  private:
    void leave_stage() {
        error = stage->error;
        stage.reset();
    }
    void complete() {
        if (stage) {
            stage->advance(true);
            leave_stage();
        }
        fathom_wait_op(&op);
    }
    fathom_op op = FATHOM_DONE;
    std::shared_ptr<void> kept;
    std::shared_ptr<detail::stage> stage;
    std::exception_ptr error;
};

template <typename T> class future {
  public:
    /** An empty one: another is assigned to it before it is waited for. */
    future() = default;
    future(std::shared_ptr<T> value, fathom_op op) : value(std::move(value)), done(op) { done.keep(this->value); }
    future(std::shared_ptr<T> value, future<> done) : value(std::move(value)), done(std::move(done)) {}
    bool is_ready() { return done.is_ready(); }
    /** As future<>::then(); the function's argument is the value. */
    template <typename F> detail::after<F, T> then(F function);
    /** Waits; the value. */
    T wait() {
        if (!value)
            fathom_fatal("a future that is empty is waited for: it has been moved from, has been given to then(), or "
                         "never had a value");
        done.wait();
        return *value;
    }

  private:
    std::shared_ptr<T> value;
    future<> done; /* behind the value: it is destroyed first, and waits */
};

/** @cond */
namespace detail {
/* `function` behind `before`; where it gives a future, that one, too. */
template <typename T, typename F> class call_after : public stage {
    using given = typename result<F, T>::type;
    using value_type = typename unwrapped<given>::type;
    static constexpr bool gives_future = !std::is_same<given, value_type>::value;
    static constexpr bool gives_value = !std::is_void<value_type>::value;
    struct nothing {};
    using kept_type = std::conditional_t<gives_value, value_type, nothing>;

  public:
    call_after(future<T> before, F function) : before(std::move(before)), function(std::move(function)) {
        if constexpr (gives_value) value = std::make_shared<kept_type>();
    }
    bool advance(bool waits) override {
        if (is_complete || runs) return is_complete; /* a function may come back here */
        try {
            return step(waits);
        } catch (...) {
            error = std::current_exception();
            runs = false;
            return is_complete = true;
        }
    }
    std::shared_ptr<kept_type> value;

  private:
    bool step(bool waits) {
        if (!was_called) {
            if (waits)
                before.wait();
            else if (!before.is_ready())
                return false;
            was_called = runs = true;
            if constexpr (gives_future)
                inner = std::make_unique<given>(call());
            else if constexpr (gives_value)
                *value = call();
            else
                call();
            runs = false;
        }
        if constexpr (gives_future) {
            if (!waits && !inner->is_ready()) return false;
            if constexpr (gives_value)
                *value = inner->wait();
            else
                inner->wait();
        }
        return is_complete = true;
    }
    given call() {
        if constexpr (std::is_void<T>::value) {
            before.wait(); /* it is complete, or has failed */
            return function();
        } else {
            return function(before.wait());
        }
    }
    future<T> before;
    F function;
    std::conditional_t<gives_future, std::unique_ptr<given>, nothing> inner;
    bool was_called = false, runs = false, is_complete = false;
};
template <typename T, typename F> after<F, T> make_after(future<T> before, F function) {
    auto s = std::make_shared<call_after<T, F>>(std::move(before), std::move(function));
    auto &all = stages();
    if (all.size() >= 64 && (all.size() & (all.size() - 1)) == 0) /* where progress() is never called */
        all.erase(std::remove_if(all.begin(), all.end(), [](auto &each) { return each.expired(); }), all.end());
    all.push_back(s);
    if constexpr (std::is_same<after<F, T>, future<>>::value)
        return future<>(std::shared_ptr<stage>(s));
    else
        return after<F, T>(s->value, future<>(std::shared_ptr<stage>(s)));
}
} // namespace detail
/** @endcond */

template <typename F> detail::after<F, void> future<void>::then(F function) {
    return detail::make_after<void>(std::move(*this), std::move(function));
}
template <typename T> template <typename F> detail::after<F, T> future<T>::then(F function) {
    return detail::make_after<T>(std::move(*this), std::move(function));
}

/** Reads an object. */
template <typename T> future<T> rget(global_ptr<T> src) {
    std::shared_ptr<T> value(new T);
    fathom_op op = fathom_get_nb(value.get(), src.address(), sizeof(T));
    return future<T>(std::move(value), op);
}
/** Reads dst.size() objects; `dst` must exist until it is complete. */
template <typename T> future<> rget(global_ptr<T> src, detail::span_of<T> dst) {
    return future<>(fathom_get_nb(dst.data(), src.address(), dst.size() * sizeof(T)));
}
template <typename T> future<> rget(global_ptr<T> src, T *dst, std::size_t n) { return rget(src, span<T>(dst, n)); }
/** Writes a value; it is kept until the future is complete. */
template <typename T> future<> rput(const typename std::common_type<T>::type &value, global_ptr<T> dst) {
    if (dst.is_local()) {
        fathom_put(dst.address(), &value, sizeof(T));
        return future<>();
    }
    std::shared_ptr<T> kept(new T(value));
    future<> f(fathom_put_nb(dst.address(), kept.get(), sizeof(T)));
    f.keep(std::move(kept));
    return f;
}
/** Writes src.size() objects, which may not change until it is complete. */
template <typename T> future<> rput(detail::span_of<const T> src, global_ptr<T> dst) {
    return future<>(fathom_put_nb(dst.address(), src.data(), src.size() * sizeof(T)));
}
template <typename T> future<> rput(const T *src, global_ptr<T> dst, std::size_t n) {
    return rput(span<const T>(src, n), dst);
}
/** Waits for all. */
template <typename... F> void wait_all(F &...futures) { (static_cast<void>(futures.wait()), ...); }
inline void wait_all(std::vector<future<>> &futures) {
    for (future<> &f : futures) f.wait();
}

/** @cond */
namespace detail {
/* Runs a function of the program below the runtime, which is written in C: an exception cannot go through it. */
template <typename F> auto guarded(const char *who, F function) -> decltype(function()) {
    try {
        return function();
    } catch (const std::exception &e) {
        fathom_fatal("a function of %s throws, where nobody could catch it: %s", who, e.what());
    } catch (...) {
        fathom_fatal("a function of %s throws, where nobody could catch it", who);
    }
}
template <typename C> void run(fathom_token token, const std::uint64_t *state, const void *bytes) {
    using R = std::invoke_result_t<C &>;
    alignas(C) unsigned char room[sizeof(C)];
    std::memcpy(room, bytes, sizeof(C));
    C &call = *std::launder(reinterpret_cast<C *>(room));
    if constexpr (std::is_void<R>::value) {
        guarded("fathom::rpc", call);
        if (*state) fathom_reply_short(token, rpc_handlers()->value, state, 1);
    } else {
        R value = guarded("fathom::rpc", call);
        if (*state) fathom_reply_medium(token, rpc_handlers()->value, &value, sizeof value, state, 1);
    }
}
/* A pointer to a function is another one in another process. */
template <typename P> struct pointer_to {
    std::uintptr_t distance;
    template <typename... A> auto operator()(A... args) const {
        return reinterpret_cast<P>(place(anchor) + distance)(args...);
    }
};
template <typename F> auto portable(F function) {
    if constexpr (std::is_pointer<F>::value)
        return pointer_to<F>{reinterpret_cast<std::uintptr_t>(function) - place(anchor)};
    else
        return function;
}
template <typename C> void send_call(int thread, const C &call, asked *state) {
    static_assert(std::is_trivially_copyable<C>::value, "functions and arguments of other types cannot be moved");
    static_assert(sizeof(C) <= 4096, "the function and its arguments have 4096 bytes at most");
    if (!rpc_handlers()) fathom_fatal("fathom::rpc: the job has not been started by fathom::job");
    std::uint64_t args[] = {place(run<C>) - place(anchor), reinterpret_cast<std::uintptr_t>(state)};
    fathom_request_medium(thread, rpc_handlers()->call, &call, sizeof call, args, 2);
}
} // namespace detail
/** @endcond */
/** Calls `function(args...)` on a thread; the future has its result. The function and the arguments go there as
 * bytes: a function of the program itself, or a lambda that captures nothing or values; no references, and no
 * pointers to what is not the same there. It runs as a handler does, inside a call of that thread, which may be
 * progress(): it may use that thread's objects, static ones among them, and near memory, and makes no call that
 * communicates. */
template <typename F, typename... A> auto rpc(int thread, F function, A... args) {
    auto call = [f = detail::portable(function), args...]() mutable { return f(args...); };
    using R = std::invoke_result_t<decltype(call) &>;
    if constexpr (std::is_void<R>::value) {
        auto state = std::make_shared<detail::asked>(nullptr);
        detail::send_call(thread, call, state.get());
        return future<>(std::shared_ptr<detail::stage>(state));
    } else {
        static_assert(std::is_trivially_copyable<R>::value, "results of other types cannot be moved between threads");
        static_assert(sizeof(R) <= 4096, "a result has 4096 bytes at most");
        std::shared_ptr<R> value(new R);
        auto state = std::make_shared<detail::asked>(value.get());
        detail::send_call(thread, call, state.get());
        return future<R>(std::move(value), future<>(std::shared_ptr<detail::stage>(state)));
    }
}
/** The same without an answer. */
template <typename F, typename... A> void rpc_ff(int thread, F function, A... args) {
    detail::send_call(
        thread, [f = detail::portable(function), args...]() mutable { f(args...); }, nullptr);
}

/** @cond */
namespace detail {
/* Bytes of n objects, at least of one; more than a difference of pointers can say is no room. */
template <typename T> std::size_t bytes_of(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    return (n ? n : 1) * sizeof(T);
}
} // namespace detail
/** @endcond */

/** n objects in this thread's segment, value-initialised; std::bad_alloc if there is no room. */
template <typename T> global_ptr<T> new_array(std::size_t n) {
    fathom_ptr p = fathom_alloc_aligned(detail::bytes_of<T>(n), alignof(T));
    if (!p) throw std::bad_alloc();
    try {
        std::uninitialized_value_construct_n(static_cast<T *>(fathom_address(p)), n);
    } catch (...) {
        fathom_free(p);
        throw;
    }
    return global_ptr<T>(p);
}
/** Frees what new_array gave, on any thread. */
template <typename T> void delete_array(global_ptr<T> p) { fathom_free(p.address()); }

/** n objects on every thread, at the same offset, filled with zeros. Made and destroyed by all threads together. */
template <typename T> class symmetric {
  public:
    explicit symmetric(std::size_t n) : p(fathom_alloc_all(detail::bytes_of<T>(n))), n(n) {
        if (!p) throw std::bad_alloc();
        fathom_fill(fathom_on(rank_me(), p), 0, n * sizeof(T));
        barrier();
    }
    ~symmetric() {
        barrier();
        if (rank_me() == 0) fathom_free(p);
    }
    symmetric(const symmetric &) = delete;
    symmetric &operator=(const symmetric &) = delete;
    std::size_t size() const { return n; }
    /** A thread's part. */
    global_ptr<T> on(int thread) const { return global_ptr<T>(fathom_on(thread, p)); }
    /** This thread's part. */
    span<T> local() const { return span<T>(on(rank_me()).local(), n); }

  private:
    fathom_ptr p;
    std::size_t n;
};

/** A team, which its members make and destroy together; the world, which is not destroyed, by default. */
class team {
  public:
    team() : t(fathom_world()), owned(false) {}
    ~team() {
        if (owned) fathom_team_free(t);
    }
    team(team &&o) noexcept : t(std::exchange(o.t, nullptr)), owned(std::exchange(o.owned, false)) {}
    team &operator=(team &&) = delete;
    /** fathom_team_split(); a member with a negative colour gets a team that is false. */
    team split(int colour, int key) const { return team(fathom_team_split(t, colour, key)); }
    /** fathom_team_create(); a member that is not in the list gets a team that is false. */
    team create(const std::vector<int> &ranks) const {
        return team(fathom_team_create(t, ranks.data(), static_cast<int>(ranks.size())));
    }
    explicit operator bool() const { return t != nullptr; }
    int rank_me() const { return fathom_team_rank(t); }
    int rank_n() const { return fathom_team_size(t); }
    /** The thread that has this rank, and the rank of a thread, or -1. */
    int operator[](int rank) const { return fathom_team_thread(t, rank); }
    int from_world(int thread) const { return fathom_team_rank_of(t, thread); }
    void barrier() const { fathom_team_barrier(t); }
    fathom_team handle() const { return t; }

  private:
    explicit team(fathom_team t) : t(t), owned(t != nullptr) {}
    fathom_team t;
    bool owned;
};

/** The root's value, on all members. */
template <typename T> [[nodiscard]] T broadcast(T value, int root, const team &t = team()) {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");
    fathom_broadcast(t.handle(), &value, &value, sizeof(T), root);
    return value;
}

/** @cond */
namespace detail {
constexpr std::size_t power_of_two(std::size_t n) { return n <= 1 ? 1 : 2 * power_of_two((n + 1) / 2); }
/* A T in an element whose size is a power of two, as reductions have them. */
template <typename T> struct alignas(power_of_two(sizeof(T))) element { T value; };
template <typename T, typename F>
void combine(void *dst, const void *a, const void *b, std::size_t count, void *function) {
    F &f = *static_cast<F *>(function);
    auto *d = static_cast<element<T> *>(dst);
    auto *x = static_cast<const element<T> *>(a), *y = static_cast<const element<T> *>(b);
    guarded("a reduction or scan", [&] {
        for (std::size_t i = 0; i < count; i++) d[i].value = f(x[i].value, y[i].value);
    });
}
} // namespace detail
/** @endcond */

/** The members' values combined by an associative function, in the order of their ranks, on all members. */
template <typename T, typename F> T reduce_all(T value, F function, const team &t = team()) {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");
    static_assert(sizeof(detail::element<T>) <= 64, "reductions have elements of up to 64 bytes");
    detail::element<T> mine{value}, all{value};
    fathom_all_reduce_with(t.handle(), &all, &mine, 1, sizeof mine, detail::combine<T, F>, &function);
    return all.value;
}

/** The same at the root only; the others' result is their own value. */
template <typename T, typename F> T reduce_one(T value, F function, int root, const team &t = team()) {
    detail::element<T> mine{value}, all{value};
    fathom_reduce_with(t.handle(), &all, &mine, 1, sizeof mine, detail::combine<T, F>, &function, root);
    return all.value;
}

/** The calls above, begun only; the team's members begin them in the same order, and the team outlives the futures. A function
 * that combines may run in any call that communicates. */
inline future<> barrier_async(const team &t = team()) { return future<>(fathom_team_barrier_nb(t.handle())); }
template <typename T> future<T> broadcast_async(T value, int root, const team &t = team()) {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");
    std::shared_ptr<T> kept(new T(value));
    fathom_op op = fathom_broadcast_nb(t.handle(), kept.get(), kept.get(), sizeof(T), root);
    return future<T>(std::move(kept), op);
}
/** @cond */
namespace detail {
template <typename T, typename F> struct reduction {
    element<T> mine, all;
    F function;
};
template <typename T, typename F> std::shared_ptr<reduction<T, F>> make_reduction(T value, F function) {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");
    static_assert(sizeof(element<T>) <= 64, "reductions have elements of up to 64 bytes");
    return std::shared_ptr<reduction<T, F>>(
        new reduction<T, F>{element<T>{value}, element<T>{value}, std::move(function)});
}
} // namespace detail
/** @endcond */
template <typename T, typename F> future<T> reduce_all_async(T value, F function, const team &t = team()) {
    auto r = detail::make_reduction(value, std::move(function));
    fathom_op op = fathom_all_reduce_with_nb(t.handle(), &r->all, &r->mine, 1, sizeof r->mine, detail::combine<T, F>,
                                             &r->function);
    return future<T>(std::shared_ptr<T>(r, &r->all.value), op);
}
/** The members' values combined, at the root; the others' value is their own. */
template <typename T, typename F> future<T> reduce_one_async(T value, F function, int root, const team &t = team()) {
    auto r = detail::make_reduction(value, std::move(function));
    fathom_op op = fathom_reduce_with_nb(t.handle(), &r->all, &r->mine, 1, sizeof r->mine, detail::combine<T, F>,
                                         &r->function, root);
    return future<T>(std::shared_ptr<T>(r, &r->all.value), op);
}

/** The values of the members up to this one, combined in the order of their ranks. */
template <typename T, typename F> future<T> inclusive_scan_async(T value, F function, const team &t = team()) {
    auto r = detail::make_reduction(value, std::move(function));
    fathom_op op =
        fathom_scan_with_nb(t.handle(), &r->all, &r->mine, 1, sizeof r->mine, detail::combine<T, F>, &r->function, 0);
    return future<T>(std::shared_ptr<T>(r, &r->all.value), op);
}
/** `first`, which member 0 gives, and the values of the members before this one, combined in the order of their ranks. */
template <typename T, typename F> future<T> exclusive_scan_async(T value, T first, F function, const team &t = team()) {
    auto r = detail::make_reduction(value, std::move(function));
    if (t.rank_me() == 0) {
        r->all.value = first;
        r->mine.value = r->function(first, value);
    }
    fathom_op op =
        fathom_scan_with_nb(t.handle(), &r->all, &r->mine, 1, sizeof r->mine, detail::combine<T, F>, &r->function, 1);
    return future<T>(std::shared_ptr<T>(r, &r->all.value), op);
}
template <typename T, typename F> T inclusive_scan(T value, F function, const team &t = team()) {
    return inclusive_scan_async(value, std::move(function), t).wait();
}
template <typename T, typename F> T exclusive_scan(T value, T first, F function, const team &t = team()) {
    return exclusive_scan_async(value, first, std::move(function), t).wait();
}

/** @cond */
namespace detail {
template <typename T, typename F> struct dealt_reduction {
    std::vector<element<T>> mine;
    element<T> all;
    F function;
};
} // namespace detail
/** @endcond */
/** A value for each member, `values`, from all; this member's, combined in the order of ranks. */
template <typename T, typename F>
future<T> reduce_scatter_async(const std::vector<T> &values, F function, const team &t = team()) {
    static_assert(std::is_trivially_copyable<T>::value, "objects of other types cannot be moved between threads");
    static_assert(sizeof(detail::element<T>) <= 64, "reductions have elements of up to 64 bytes");
    using kept = detail::dealt_reduction<T, F>;
    auto own = detail::element<T>{values.at(static_cast<std::size_t>(t.rank_me()))};
    std::shared_ptr<kept> r(new kept{{}, own, std::move(function)});
    for (int i = 0; i < t.rank_n(); i++) r->mine.push_back(detail::element<T>{values.at(static_cast<std::size_t>(i))});
    fathom_op op = fathom_reduce_scatter_with_nb(t.handle(), &r->all, r->mine.data(), 1, sizeof r->all,
                                                 detail::combine<T, F>, &r->function);
    return future<T>(std::shared_ptr<T>(r, &r->all.value), op);
}
template <typename T, typename F> T reduce_scatter(const std::vector<T> &values, F function, const team &t = team()) {
    return reduce_scatter_async(values, std::move(function), t).wait();
}

/** Where the pieces from or for each member lie in a row, and how many objects each has, by rank. */
struct pieces {
    std::vector<std::size_t> at, n;
    /** One behind the other. */
    explicit pieces(std::vector<std::size_t> counts) : at(counts.size()), n(std::move(counts)) {
        for (std::size_t r = 1; r < n.size(); r++) at[r] = at[r - 1] + n[r - 1];
    }
    pieces(std::vector<std::size_t> at, std::vector<std::size_t> counts) : at(std::move(at)), n(std::move(counts)) {}
};
/** @cond */
namespace detail {
/* Pieces in bytes. */
struct places {
    std::vector<std::size_t> at, bytes;
    places(const pieces &p, std::size_t size) : at(p.at), bytes(p.n) {
        for (std::size_t &x : at) x *= size;
        for (std::size_t &x : bytes) x *= size;
    }
};
} // namespace detail
/** @endcond */
/** Rows of objects between the members, as fathom_scatter(), fathom_gather(), fathom_all_gather() and
 * fathom_all_to_all(). The rows exist until the future is complete. A piece has dst.size() objects of a scatter,
 * src.size() of a gather; in an exchange a row has a piece for each member. With `pieces`, as the forms of these
 * calls that end in `_pieces`; the list may change at once. */
template <typename T>
future<> scatter_async(detail::span_of<const T> src, span<T> dst, int root, const team &t = team()) {
    return future<>(fathom_scatter_nb(t.handle(), dst.data(), src.data(), dst.size() * sizeof(T), root));
}
template <typename T>
future<> scatter_async(detail::span_of<const T> src, const pieces &of_src, span<T> dst, int root,
                       const team &t = team()) {
    detail::places p(of_src, sizeof(T));
    return future<>(fathom_scatter_pieces_nb(t.handle(), dst.data(), dst.size() * sizeof(T), src.data(), p.at.data(),
                                             p.bytes.data(), root));
}
template <typename T>
future<> gather_async(detail::span_of<const T> src, span<T> dst, int root, const team &t = team()) {
    return future<>(fathom_gather_nb(t.handle(), dst.data(), src.data(), src.size() * sizeof(T), root));
}
template <typename T>
future<> gather_async(detail::span_of<const T> src, span<T> dst, const pieces &of_dst, int root,
                      const team &t = team()) {
    detail::places p(of_dst, sizeof(T));
    return future<>(fathom_gather_pieces_nb(t.handle(), dst.data(), p.at.data(), p.bytes.data(), src.data(),
                                            src.size() * sizeof(T), root));
}
template <typename T> future<> gather_all_async(detail::span_of<const T> src, span<T> dst, const team &t = team()) {
    return future<>(fathom_all_gather_nb(t.handle(), dst.data(), src.data(), src.size() * sizeof(T)));
}
template <typename T>
future<> gather_all_async(detail::span_of<const T> src, span<T> dst, const pieces &of_dst, const team &t = team()) {
    detail::places p(of_dst, sizeof(T));
    return future<>(fathom_all_gather_pieces_nb(t.handle(), dst.data(), p.at.data(), p.bytes.data(), src.data(),
                                                src.size() * sizeof(T)));
}
template <typename T> future<> exchange_async(detail::span_of<const T> src, span<T> dst, const team &t = team()) {
    std::size_t n = src.size() / static_cast<std::size_t>(t.rank_n());
    return future<>(fathom_all_to_all_nb(t.handle(), dst.data(), src.data(), n * sizeof(T)));
}
template <typename T>
future<> exchange_async(detail::span_of<const T> src, const pieces &of_src, span<T> dst, const pieces &of_dst,
                        const team &t = team()) {
    detail::places from(of_src, sizeof(T)), to(of_dst, sizeof(T));
    return future<>(fathom_all_to_all_pieces_nb(t.handle(), dst.data(), to.at.data(), to.bytes.data(), src.data(),
                                                from.at.data(), from.bytes.data()));
}

/** A lock for std::lock_guard, at the address that fathom_lock_create() gave. */
class mutex {
  public:
    explicit mutex(fathom_ptr at) : at(at) {}
    void lock() { fathom_lock(at); }
    bool try_lock() { return fathom_trylock(at) != 0; }
    void unlock() { fathom_unlock(at); }

  private:
    fathom_ptr at;
};

} // namespace fathom

#pragma GCC diagnostic pop

#endif
