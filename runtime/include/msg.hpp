/* Message queues for C++17: msg.h with owners, views and types. Header only: link with libfathom-msg.a as for msg.h.
 *
 *     msg::endpoint e;
 *     auto inbox = e.receive_queue(0);
 *     auto out = e.transmit_queue(0, 8);
 *     out.connect(3, inbox, 77);
 *     out.send(3, 5, std::string_view("hello"));
 *     if (msg::message m = inbox.receive()) std::cout << m.text() << " from " << m.source();
 *
 * An endpoint is owned and moved, and closes what belongs to it; queues, transmit queues and regions are handles of its parts,
 * which are copied like pointers, and must not be used after it. A message is owned, too: its data are released when it goes. Calls that set
 * something up throw msg::error with the reason; calls that send return a status, because a full queue is no exception. Every
 * function here is inline and compiles to the calls of msg.h (tests/runtime/msg_hpp.sh compares the instructions).
 */
#ifndef MSG_HPP
#define MSG_HPP

#if __cplusplus < 201703L
#error "msg.hpp needs C++17: compile with -std=c++17 or later"
#endif

#include <cstring>
#include <msg.h>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace msg {

/* What could not be set up, and why. */
class error : public std::runtime_error {
  public:
    explicit error(const char *why) : std::runtime_error(*why ? why : "an argument of a message queue is not valid") {}
};

enum class [[nodiscard]] status{ok = MSG_OK,         full = MSG_FULL, /* nothing has been sent */
                                no_row = MSG_NO_ROW, too_long = MSG_TOO_LONG, wrong = MSG_WRONG, failed = MSG_FAILED};

enum flags : unsigned { shared = 0, single = MSG_SINGLE, basic = MSG_BASIC };
constexpr flags operator|(flags a, flags b) { return static_cast<flags>(unsigned(a) | unsigned(b)); }

enum class kind : uint8_t {
    empty = MSG_EMPTY,
    express = MSG_EXPRESS,
    data = MSG_DATA,
    bulk = MSG_BULK,
    record = MSG_RECORD,
    ready = MSG_READY
};

/* Bytes that are only read: of a string, of a container of plain values, of any memory. C++20's std::span converts, too. */
class bytes {
    const void *at = nullptr;
    size_t count = 0;

  public:
    constexpr bytes() = default;
    constexpr bytes(const void *data, size_t size) : at(data), count(size) {}
    constexpr bytes(std::string_view text) : at(text.data()), count(text.size()) {}
    constexpr bytes(const char *text) : bytes(std::string_view(text)) {}
    template <class C, class T = std::remove_pointer_t<decltype(std::declval<const C &>().data())>,
              class = decltype(std::declval<const C &>().size()),
              class = std::enable_if_t<std::is_trivially_copyable_v<std::remove_const_t<T>> &&
                                       !std::is_same_v<C, std::string_view>>>
    constexpr bytes(const C &all) : at(all.data()), count(all.size() * sizeof(T)) {}
    constexpr const void *data() const { return at; }
    constexpr size_t size() const { return count; }
};

/* What has been received: of a message, or of one in a batch. */
class received {
  protected:
    msg_message m;
    received() = default;
    explicit received(const msg_message &taken) : m(taken) {}
    friend class batch;

  public:
    msg::kind kind() const { return static_cast<msg::kind>(m.kind); }
    unsigned tag() const { return m.tag; }
    uint64_t word() const { return m.word; }
    uint32_t source() const { return m.source; }
    unsigned queue() const { return m.queue; }

    /* The bytes, valid as long as the message; of an Express message of msg_send or of a word those of the word. */
    bytes data() const & {
        if (m.kind == MSG_EXPRESS || m.kind == MSG_EMPTY) return {&m.word, m.bytes ? m.bytes : sizeof m.word};
        return {m.data, m.bytes};
    }
    bytes data() const && = delete;
    std::string_view text() const & { return {static_cast<const char *>(data().data()), data().size()}; }
    std::string_view text() const && = delete;

    /* A copy of the value that was sent as T; none if the size is another. */
    template <class T> std::optional<T> as() const {
        static_assert(std::is_trivially_copyable_v<T>, "only plain values travel in messages");
        const bytes all = data();
        T value;
        if (all.size() != sizeof value) return std::nullopt;
        std::memcpy(&value, all.data(), sizeof value);
        return value;
    }
};

/* A message that has been received, or none. */
class message : public received {
    msg_queue *from;

    /* What the queue gives is written over all of it. */
    explicit message(msg_queue *queue) : from(queue) { msg_receive(queue, &m); }
    message(msg_queue *queue, const msg_message &taken) : received(taken), from(queue) {}

    bool is_held() const { return m.kind >= MSG_DATA && m.kind <= MSG_RECORD; }
    friend class receive_queue;
    friend class set;

  public:
    message() : received(msg_message{}), from(nullptr) {}
    message(message &&other) noexcept : received(other.m), from(other.from) { other.m.kind = MSG_EMPTY; }
    message &operator=(message &&other) noexcept {
        if (this != &other) {
            release();
            from = other.from, m = other.m;
            other.m.kind = MSG_EMPTY;
        }
        return *this;
    }
    message(const message &) = delete;
    message &operator=(const message &) = delete;
    ~message() { release(); }

    /* The data are out of use; views of them must not be used any more. The destructor does the same. */
    void release() {
        if (is_held()) msg_release(from, &m), m.kind = MSG_EMPTY;
    }

    explicit operator bool() const { return m.kind != MSG_EMPTY; }
};

/* Messages that are received and released together, by receive_queue::receive: those of a Basic queue with `single` all by one step. It is
 * used again and again, and allocates once. */
class batch {
    std::vector<received> all;
    size_t count = 0;
    msg_queue *from = nullptr;
    static_assert(sizeof(received) == sizeof(msg_message) && std::is_standard_layout_v<received>);
    msg_message *memory() { return reinterpret_cast<msg_message *>(all.data()); }
    friend class receive_queue;

  public:
    /* Of up to `most` messages at a time. */
    explicit batch(size_t most) : all(most, received(msg_message{})) {}
    batch(const batch &) = delete;
    batch &operator=(const batch &) = delete;
    ~batch() { release(); }

    size_t size() const { return count; }
    bool empty() const { return count == 0; }
    const received &operator[](size_t i) const { return all[i]; }
    const received *begin() const { return all.data(); }
    const received *end() const { return all.data() + count; }

    /* The data are out of use. Of records the last one's release is that of all. */
    void release() {
        for (size_t i = 0; i < count; i++)
            if (all[i].m.kind != MSG_RECORD || i + 1 == count) msg_release(from, &all[i].m);
        count = 0;
    }
};

/* A receive queue of an endpoint. */
class receive_queue {
    msg_queue *q;
    unsigned n;
    friend class endpoint;
    friend class transmit_queue;
    friend class set;
    bool has_records;
    receive_queue(msg_queue *queue, unsigned number, bool records) : q(queue), n(number), has_records(records) {}

  public:
    msg_queue *get() const { return q; }
    unsigned number() const { return n; }

    /* The next message, or one that is false: the Empty message, whose tag and word are the queue's. */
    [[nodiscard]] message receive() const { return message(q); }

    /* Up to `most` messages that are there already, of one sender and in order, taken by one atomic operation. Of a Basic queue one at
     * most, because its records are released together. */
    [[nodiscard]] std::vector<message> receive_many(size_t most) const {
        std::vector<msg_message> taken(has_records && most > 1 ? 1 : most);
        std::vector<message> all;
        all.reserve(taken.size()); /* so that nothing throws while a message is taken and nobody's */
        const size_t count = msg_receive_many(q, taken.data(), taken.size());
        for (size_t i = 0; i < count; i++) all.push_back(message(q, taken[i]));
        return all;
    }

    /* The same into a batch, whose former messages are released; also many records of a Basic queue that is `single`. How many. */
    size_t receive(batch &into) const {
        into.release();
        into.from = q;
        return into.count = msg_receive_many(q, into.memory(), into.all.size());
    }

    void set_empty(unsigned tag, uint64_t word) const { msg_set_empty(q, tag, word); }
    void set_window(size_t size) const {
        if (msg_set_window(q, size) != MSG_OK) throw error(msg_error());
    }
    /* Gives a sender in another process a row that leads here: see msg_answer. */
    void answer(uint32_t source, int socket, int timeout_ms) const {
        if (msg_answer(q, source, socket, timeout_ms) != MSG_OK) throw error(msg_error());
    }
};

/* Memory from which a transmit queue sends in place. */
class region {
    msg_region *r;
    size_t all;
    friend class transmit_queue;
    region(msg_region *memory, size_t size) : r(memory), all(size) {}

  public:
    void *data() const { return msg_region_memory(r); }
    size_t size() const { return all; }
    /* Values of a plain type at a multiple of 64 bytes. */
    template <class T> T *at(size_t offset) const {
        static_assert(std::is_trivially_copyable_v<T>, "only plain values travel in messages");
        if (offset % 64 || offset > all || sizeof(T) > all - offset) throw error("a place outside of the region");
        return reinterpret_cast<T *>(static_cast<char *>(data()) + offset);
    }
};

/* Bulk data that are being copied. They, and this, must stay until it is done: the destructor waits, which needs a receiver that takes
 * messages if its queue is full. */
class job {
    msg_job j{};
    bool has_begun = false;
    friend class transmit_queue;

  public:
    job() = default;
    job(const job &) = delete;
    job &operator=(const job &) = delete;
    ~job() { wait(); }
    /* The data may be changed, and the receiver's message is on its way. True also of one that has not begun. */
    bool is_done() const { return !has_begun || msg_bulk_is_done(&j); }
    void wait() const {
        while (!is_done()) std::this_thread::yield();
    }
    /* Once it is done: for transmit_queue::is_released, when this part of the window may be written again. */
    uint64_t ticket() const { return has_begun ? j.ticket : MSG_NO_TICKET; }
};

/* Records of a Basic queue that are sent together, when this goes or by publish(). In a shared transmit queue other threads wait
 * from the first record until then. */
class records {
    msg_transmit *t;
    unsigned row;
    size_t held = 0, all = 0;
    friend class transmit_queue;
    records(msg_transmit *queue, unsigned destination) : t(queue), row(destination) {}

  public:
    records(const records &) = delete;
    records &operator=(const records &) = delete;
    ~records() { publish(); }
    /* Adds a copy. full: there is no room now, perhaps because of those that have been added: they go with publish(). */
    status add(unsigned tag, bytes data) {
        if (data.size() > UINT32_MAX) return status::too_long;
        if (tag >= MSG_TAGS) return status::wrong;
        const auto size = static_cast<uint32_t>(data.size());
        if (void *to = msg_basic_reserve(t, row, size)) {
            if (size) std::memcpy(to, data.data(), size);
            msg_basic_add(t, row, tag, size);
            held++, all++;
            return status::ok;
        }
        if (held) return status::full;
        /* Why, or there is room now. */
        const auto sent = static_cast<status>(msg_basic_send(t, row, tag, data.data(), size));
        if (sent == status::ok) all++;
        return sent;
    }
    /* Adds copies of plain values of one type, each a record, with one header for up to 65536 of them: 8 bytes then take 8 bytes of the
     * ring. How many: fewer if there is no room for more now. 0: add() of one says why. */
    template <class C, class T = std::remove_pointer_t<decltype(std::declval<const C &>().data())>>
    size_t add_many(unsigned tag, const C &values) {
        using value = std::remove_const_t<T>;
        static_assert(std::is_trivially_copyable_v<value> && sizeof(value) <= UINT32_MAX, "plain values are sent");
        constexpr size_t piece = (sizeof(value) + 7) / 8 * 8;
        const value *const from = values.data();
        const size_t most = values.size();
        size_t done = 0;
        if (tag >= MSG_TAGS) return 0;
        for (size_t fits = MSG_MOST_RUN; done < most && fits;) {
            const auto n = static_cast<uint32_t>(most - done < fits ? most - done : fits);
            auto *to = static_cast<char *>(msg_basic_reserve_many(t, row, sizeof(value), n));
            if (!to) {
                fits = n / 2;
                continue;
            }
            if constexpr (piece == sizeof(value))
                std::memcpy(to, from + done, n * piece);
            else
                for (size_t i = 0; i < n; i++) std::memcpy(to + i * piece, from + done + i, sizeof(value));
            msg_basic_add_many(t, row, tag, n);
            held += n, all += n, done += n;
        }
        return done;
    }
    /* How many have been added, ever. */
    size_t count() const { return all; }
    void publish() {
        if (held) msg_basic_publish(t, row), held = 0;
    }
};

class transmit_queue {
    msg_transmit *t;
    friend class endpoint;
    explicit transmit_queue(msg_transmit *queue) : t(queue) {}

  public:
    msg_transmit *get() const { return t; }

    void connect(unsigned destination, const receive_queue &to, uint32_t source) const {
        if (msg_connect(t, destination, to.q, source) != MSG_OK) throw error(msg_error());
    }
    void dial(unsigned destination, int socket, int timeout_ms) const {
        if (msg_dial(t, destination, socket, timeout_ms) != MSG_OK) throw error(msg_error());
    }
    /* Gives a row back: see msg_disconnect. */
    void disconnect(unsigned destination) const {
        if (msg_disconnect(t, destination) != MSG_OK) throw error(msg_error());
    }
    region make_region(size_t size) const {
        msg_region *r = msg_region_create(t, size);
        if (!r) throw error(msg_error());
        return {r, size};
    }

    status express(unsigned destination, unsigned tag, uint64_t word) const {
        return static_cast<status>(msg_express(t, destination, tag, word));
    }

    /* A message of these bytes, which may be changed at once. */
    status send(unsigned destination, unsigned tag, bytes data) const {
        if (data.size() > UINT32_MAX) return status::too_long;
        return static_cast<status>(
            msg_send(t, destination, tag, data.data(), static_cast<uint32_t>(data.size()), nullptr));
    }

    /* A plain value, to be received by message::as<T>. */
    template <class T> status send_value(unsigned destination, unsigned tag, const T &value) const {
        static_assert(std::is_trivially_copyable_v<T>, "only plain values travel in messages");
        static_assert(sizeof value <= MSG_MOST_COPY, "longer values are sent in place: tag_on");
        return static_cast<status>(msg_send(t, destination, tag, &value, sizeof value, nullptr));
    }

    /* Data in the region, as they lie; *ticket says when they may be changed. */
    status tag_on(unsigned destination, unsigned tag, uint32_t word, bytes data, uint64_t *ticket) const {
        if (data.size() > UINT32_MAX) return status::too_long;
        return static_cast<status>(
            msg_tag_on(t, destination, tag, word, data.data(), static_cast<uint32_t>(data.size()), ticket));
    }
    bool is_released(unsigned destination, uint64_t ticket) const { return msg_is_released(t, destination, ticket); }

    /* A record of a Basic queue. */
    status basic_send(unsigned destination, unsigned tag, bytes data) const {
        if (data.size() > UINT32_MAX) return status::too_long;
        return static_cast<status>(
            msg_basic_send(t, destination, tag, data.data(), static_cast<uint32_t>(data.size())));
    }

    msg::records records(unsigned destination) const { return {t, destination}; }

    /* Bulk: into the row's window at `offset`, a multiple of 64 (see msg_bulk, msg_bulk_copy). */
    status bulk(unsigned destination, unsigned tag, uint16_t word, uint64_t offset, bytes data, job &begun) const {
        begun.wait();
        const int s = msg_bulk(t, destination, tag, word, offset, data.data(), data.size(), &begun.j);
        begun.has_begun = s == MSG_OK;
        return static_cast<status>(s);
    }
    status bulk_copy(unsigned destination, unsigned tag, uint16_t word, uint64_t offset, bytes data,
                     uint64_t *ticket) const {
        return static_cast<status>(msg_bulk_copy(t, destination, tag, word, offset, data.data(), data.size(), ticket));
    }

    bool wait_for_room(unsigned destination, int timeout_ms) const {
        return msg_wait_for_room(t, destination, timeout_ms);
    }
};

/* A process's queues. No thread may be using them when it goes. */
class endpoint {
    msg_endpoint *e;

  public:
    endpoint() : e(msg_endpoint_create()) {
        if (!e) throw error(msg_error());
    }
    endpoint(endpoint &&other) noexcept : e(std::exchange(other.e, nullptr)) {}
    endpoint &operator=(endpoint &&other) noexcept {
        if (this != &other) {
            msg_endpoint_close(e);
            e = std::exchange(other.e, nullptr);
        }
        return *this;
    }
    endpoint(const endpoint &) = delete;
    endpoint &operator=(const endpoint &) = delete;
    ~endpoint() { msg_endpoint_close(e); }

    msg_endpoint *get() const { return e; }

    msg::receive_queue receive_queue(int number, uint32_t slots = 0, flags f = shared) const {
        msg_queue *q = msg_queue_create(e, number, slots, f);
        if (!q) throw error(msg_error());
        return {q, static_cast<unsigned>(number), (f & basic) != 0};
    }
    msg::transmit_queue transmit_queue(int number, unsigned destinations, flags f = shared) const {
        msg_transmit *t = msg_transmit_create(e, number, destinations, f);
        if (!t) throw error(msg_error());
        return msg::transmit_queue(t);
    }
    /* See msg_set_residents. */
    void set_residents(unsigned most) const {
        if (msg_set_residents(e, most) != MSG_OK) throw error(msg_error());
    }
    /* For poll and epoll: see msg_fd. */
    int fd() const {
        int fd = msg_fd(e);
        if (fd < 0) throw error(msg_error());
        return fd;
    }
};

/* Queues of an endpoint that are polled together: the lowest number first. */
class set {
    msg_set s;
    std::vector<msg_queue *> queues;

    message found(const msg_message &m) const {
        message one;
        one.m = m;
        if (m.kind != MSG_EMPTY) one.from = queues[m.queue];
        return one;
    }

  public:
    explicit set(const endpoint &e) : queues(MSG_MOST_QUEUES) { msg_set_init(&s, e.get()); }
    void add(const receive_queue &q) {
        msg_set_add(&s, q.q);
        queues.at(q.n) = q.q;
    }
    void remove(const receive_queue &q) { msg_set_remove(&s, q.q); }

    [[nodiscard]] message poll() const {
        msg_message m;
        msg_poll(&s, &m);
        return found(m);
    }
    [[nodiscard]] message wait(int timeout_ms = -1) const {
        msg_message m;
        msg_wait(&s, &m, timeout_ms);
        return found(m);
    }
    bool arm() const { return msg_arm(&s); }
    void disarm() const { msg_disarm(&s); }
};

} // namespace msg
#endif
