/* The header for C++ (msg.hpp): owners, views and types over message queues. Each check names itself; the status is the
 * number of those that failed. msg_hpp.sh compares the functions at the end with the same in C.
 */
#include <array>
#include <atomic>
#include <cstdio>
#include <msg.hpp>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int failed;
#define CHECK(condition) ((condition) ? (void)0 : (std::printf("line %d: %s\n", __LINE__, #condition), (void)failed++))

struct point {
    double x, y;
    int32_t label;
};

static void words_and_values() {
    msg::endpoint e;
    auto inbox = e.receive_queue(0);
    auto out = e.transmit_queue(0, 8);
    out.connect(3, inbox, 77);
    CHECK(out.express(3, 5, 0x1234) == msg::status::ok);
    CHECK(out.express(2, 5, 0) == msg::status::no_row);
    CHECK(out.express(3, 32, 0) == msg::status::wrong);
    msg::message m = inbox.receive();
    CHECK(m && m.tag() == 5 && m.word() == 0x1234 && m.source() == 77 && m.kind() == msg::kind::express);
    CHECK(m.as<uint64_t>() == 0x1234u && !m.as<uint32_t>());
    CHECK(!inbox.receive());
    inbox.set_empty(9, 99);
    m = inbox.receive();
    CHECK(!m && m.tag() == 9 && m.word() == 99);

    CHECK(out.send_value(3, 1, point{1.5, -2, 7}) == msg::status::ok);
    CHECK(out.send(3, 2, "text of some length") == msg::status::ok);
    CHECK(out.send(3, 3, std::array<int, 3>{1, 2, 3}) == msg::status::ok);
    CHECK(out.send(3, 4, std::vector<short>{}) == msg::status::ok);
    m = inbox.receive();
    auto p = m.as<point>();
    CHECK(p && p->x == 1.5 && p->y == -2 && p->label == 7 && !m.as<int>());
    m = inbox.receive();
    CHECK(m.text() == "text of some length" && m.tag() == 2);
    m = inbox.receive();
    CHECK(m.data().size() == 12 && (*m.as<std::array<int, 3>>())[2] == 3);
    CHECK(inbox.receive().tag() == 4);
    CHECK(out.send(3, 0, std::string(2000, 'x')) == msg::status::too_long);
    e.set_residents(3);
    bool refused = false;
    try {
        e.set_residents(513);
    } catch (const msg::error &) {
        refused = true;
    }
    CHECK(refused);
}

static void rows_given_back() {
    msg::endpoint e;
    auto inbox = e.receive_queue(0), other = e.receive_queue(1);
    auto out = e.transmit_queue(0, 1);
    out.connect(0, inbox, 7);
    CHECK(out.send(0, 1, "before") == msg::status::ok);
    out.disconnect(0);
    CHECK(out.express(0, 1, 2) == msg::status::no_row);
    std::string why;
    try {
        out.disconnect(0);
    } catch (const msg::error &refused) {
        why = refused.what();
    }
    CHECK(why == "row 0 of transmit queue 0 is not connected");
    out.connect(0, other, 8);
    CHECK(out.send(0, 1, "after") == msg::status::ok);
    CHECK(inbox.receive().source() == 7 && other.receive().source() == 8);
}

static void many_at_once() {
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 4), records = e.receive_queue(1, 0, msg::single | msg::basic);
    auto out = e.transmit_queue(0, 2, msg::single);
    out.connect(0, inbox, 7);
    out.connect(1, records, 8);
    CHECK(inbox.receive_many(9).empty() && inbox.receive_many(0).empty());
    for (int round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 4; i++) CHECK(out.send(0, i, std::string(40, char('a' + i))) == msg::status::ok);
        CHECK(out.send(0, 0, std::string(40, 'x')) == msg::status::full);
        auto first = inbox.receive_many(3), rest = inbox.receive_many(3);
        CHECK(first.size() == 3 && rest.size() == 1 && first[1].tag() == 1 && rest[0].text() == std::string(40, 'd'));
        CHECK(first[2].text() == std::string(40, 'c') && rest[0].source() == 7);
    }
    for (unsigned i = 0; i < 3; i++) CHECK(out.basic_send(1, i, std::string(20, char('a' + i))) == msg::status::ok);
    for (unsigned i = 0; i < 3; i++) {
        auto one = records.receive_many(3);
        CHECK(one.size() == 1 && one[0].tag() == i && one[0].text() == std::string(20, char('a' + i)));
    }
}

/* A message that goes releases its data; one that is moved does so once. */
static void released_once() {
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 4);
    auto out = e.transmit_queue(0, 1);
    auto region = out.make_region(4096);
    out.connect(0, inbox, 1);
    uint64_t ticket = MSG_NO_TICKET;
    auto *data = region.at<std::array<char, 64>>(64);
    data->fill('a');
    CHECK(out.tag_on(0, 1, 42, *data, &ticket) == msg::status::ok);
    {
        msg::message m = inbox.receive();
        CHECK(m && m.text() == std::string(64, 'a') && m.word() == 42);
        msg::message moved = std::move(m);
        CHECK(!m && moved.data().size() == 64);
        m = std::move(moved);
        CHECK(!out.is_released(0, ticket));
    }
    CHECK(out.is_released(0, ticket));
    try {
        region.at<point>(4090);
        CHECK(!"a place that no line begins at");
    } catch (const msg::error &) {}
    for (int round = 0; round < 100; round++) { /* a queue of 4 places, all of them released each time */
        CHECK(out.send(0, 1, std::string(100, 'b')) == msg::status::ok);
        CHECK(inbox.receive().kind() == msg::kind::data);
    }
    for (int i = 0; i < 4; i++) CHECK(out.send(0, 1, std::string(100, 'c')) == msg::status::ok);
    CHECK(out.send(0, 1, std::string(100, 'c')) == msg::status::full);
}

static void errors_and_moves() {
    msg::endpoint first;
    auto q = first.receive_queue(7, 0, msg::single);
    CHECK(q.number() == 7);
    try {
        (void)first.receive_queue(7);
        CHECK(!"two queues of one number");
    } catch (const msg::error &why) {
        CHECK(std::string(why.what()).find("exists already") != std::string::npos);
    }
    try {
        (void)first.receive_queue(1, 5);
        CHECK(!"a size that is no power of two");
    } catch (const msg::error &why) {
        CHECK(std::string(why.what()).find("power of two") != std::string::npos);
    }
    auto out = first.transmit_queue(0, 1);
    msg::endpoint second = std::move(first);
    first = msg::endpoint();
    auto records = second.receive_queue(1, 0, msg::basic | msg::single);
    out.connect(0, records, 3);
    CHECK(out.basic_send(0, 6, std::string(300, 'r')) == msg::status::ok);
    msg::message m = records.receive();
    CHECK(m.kind() == msg::kind::record && m.data().size() == 300 && m.tag() == 6);
}

static void threads_and_sets() {
    constexpr int senders = 4, each = 10000;
    msg::endpoint e;
    msg::set all(e);
    std::vector<msg::transmit_queue> out;
    for (int i = 0; i < senders; i++) {
        auto q = e.receive_queue(10 * i);
        all.add(q);
        out.push_back(e.transmit_queue(i, 1));
        out[i].connect(0, q, 100 + i);
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < senders; i++)
        threads.emplace_back([&, i] {
            for (uint64_t k = 0; k < each; k++)
                while (out[i].send(0, 1, std::string(k % 50, 'x') + std::to_string(k)) != msg::status::ok)
                    out[i].wait_for_room(0, -1);
        });
    std::array<int, senders> next{};
    for (int taken = 0; taken < senders * each; taken++) {
        msg::message m = all.wait(10000);
        if (!m) {
            CHECK(!"a message is missing");
            break;
        }
        int i = static_cast<int>(m.source()) - 100;
        CHECK(m.queue() == 10u * i && m.text() == std::string(next[i] % 50, 'x') + std::to_string(next[i]));
        next[i]++;
    }
    for (auto &t : threads) t.join();
    CHECK(!all.poll() && !all.wait(1));
    CHECK(e.fd() >= 0 && all.arm());
    all.disarm();
}

/* Runs of records: of sizes that are whole words and of others, as many as have room, and received together. */
template <class T> static void runs_of(msg::flags how) {
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 1 << 12, how);
    auto out = e.transmit_queue(0, 2, msg::flags(how & msg::single));
    out.connect(0, inbox, 7);
    std::vector<T> values(1000);
    for (size_t i = 0; i < values.size(); i++) std::memset(&values[i], int(i % 251), sizeof(T));
    msg::batch some(100);
    size_t sent = 0, got = 0;
    while (got < values.size()) {
        auto records = out.records(0);
        if (sent % 3 == 0 && sent < values.size() && records.add(5, {&values[sent], sizeof(T)}) == msg::status::ok)
            sent++;
        sent += records.add_many(5, std::vector<T>(values.begin() + long(sent), values.end()));
        CHECK(records.count() <= sent && sent <= values.size());
        records.publish();
        CHECK(inbox.receive(some) == some.size() && (how & msg::single || some.size() <= 1));
        for (const msg::received &m : some) {
            const auto value = m.as<T>();
            CHECK(m.kind() == msg::kind::record && m.tag() == 5 && m.source() == 7 && value);
            CHECK(value && std::memcmp(&*value, &values[got], sizeof(T)) == 0);
            got++;
        }
        if (got % 2) some.release(), CHECK(some.empty());
    }
    CHECK(sent == values.size() && inbox.receive(some) == 0 && some.begin() == some.end());
    CHECK(out.records(1).add_many(0, values) == 0 && out.records(0).add_many(32, values) == 0);
    CHECK(out.records(0).add_many(0, std::vector<T>()) == 0);
}

static void runs() {
    for (msg::flags how : {msg::basic | msg::single, msg::basic | msg::shared}) {
        runs_of<uint64_t>(how);
        runs_of<std::array<char, 3>>(how);
        runs_of<std::array<char, 100>>(how);
    }
    /* Of a queue that is not Basic each is released by itself. */
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 4);
    auto out = e.transmit_queue(0, 1);
    out.connect(0, inbox, 1);
    msg::batch some(8);
    for (int round = 0; round < 10; round++) {
        for (unsigned i = 0; i < 3; i++) CHECK(out.send(0, i, std::string(20, char('a' + i))) == msg::status::ok);
        CHECK(out.express(0, 9, 5) == msg::status::ok && inbox.receive(some) == 4);
        for (unsigned i = 0; i < 3; i++) CHECK(some[i].tag() == i && some[i].text() == std::string(20, char('a' + i)));
        CHECK(some[3].word() == 5 && out.express(0, 0, 0) == msg::status::full);
        some.release();
    }
    CHECK(out.records(0).add_many(0, std::vector<uint64_t>(3)) == 0);
}

/* Threads that send and take records of one shared queue: each once, in order per sender. */
static void shared_records() {
    constexpr uint64_t senders = 3, each = 2000;
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 4096, msg::basic);
    auto out = e.transmit_queue(0, 2);
    out.connect(0, inbox, 7);
    std::atomic<uint64_t> taken{0}, sum{0}, wrong{0};
    std::vector<std::thread> threads;
    for (uint64_t s = 0; s < senders; s++)
        threads.emplace_back([&, s] {
            for (uint64_t next = 0; next < each;) {
                auto some = out.records(0);
                for (uint64_t i = 0; i < 1 + next % 5 && next + i < each; i++) {
                    const uint64_t word[2] = {s * each + next + i, next + i};
                    const msg::status status = some.add(unsigned(s), {word, 16});
                    if (status == msg::status::full) break;
                    if (status != msg::status::ok) wrong++;
                }
                next += some.count();
                some.publish();
                std::this_thread::yield();
            }
        });
    for (int r = 0; r < 2; r++)
        threads.emplace_back([&] {
            uint64_t behind[senders] = {};
            while (taken < senders * each) {
                msg::message m = inbox.receive();
                if (!m) {
                    std::this_thread::yield();
                    continue;
                }
                const auto word = m.as<std::array<uint64_t, 2>>();
                if (!word || (*word)[0] / each != m.tag() || (*word)[1] < behind[m.tag()] || m.source() != 7)
                    wrong++;
                else
                    behind[m.tag()] = (*word)[1] + 1, sum += (*word)[0];
                taken++;
            }
        });
    for (auto &t : threads) t.join();
    constexpr uint64_t all = senders * each;
    CHECK(wrong == 0 && taken == all && sum == all * (all - 1) / 2);
    CHECK(out.records(0).add(32, "x") == msg::status::wrong && out.records(1).add(0, "x") == msg::status::no_row);
    CHECK(out.records(0).add(0, std::string(3000, 'x')) == msg::status::too_long);
}

static void bulk() {
    msg::endpoint e;
    auto inbox = e.receive_queue(0, 4);
    auto out = e.transmit_queue(0, 1);
    inbox.set_window(65536);
    out.connect(0, inbox, 7);
    std::string text(10000, 't');
    msg::job job;
    CHECK(job.is_done() && job.ticket() == MSG_NO_TICKET);
    CHECK(out.bulk(0, 5, 77, 128, text, job) == msg::status::ok);
    job.wait();
    text[0] = 'u';
    {
        msg::message m = inbox.receive();
        CHECK(m.kind() == msg::kind::bulk && m.word() == 77 && m.tag() == 5 && m.text() == std::string(10000, 't'));
        CHECK(!out.is_released(0, job.ticket()));
    }
    CHECK(out.is_released(0, job.ticket()));
    uint64_t ticket = MSG_NO_TICKET;
    CHECK(out.bulk_copy(0, 6, 78, 0, text, &ticket) == msg::status::ok && !out.is_released(0, ticket));
    CHECK(inbox.receive().kind() == msg::kind::bulk);
    CHECK(out.is_released(0, ticket));
    CHECK(out.bulk(0, 5, 0, 65536, text, job) == msg::status::too_long && job.is_done());
    CHECK(out.bulk_copy(0, 5, 0, 1, text, &ticket) == msg::status::wrong);
}

static void between_processes() {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        msg::endpoint e;
        auto out = e.transmit_queue(0, 1);
        out.dial(0, ends[1], 5000);
        _exit(out.send_value(0, 1, point{3, 4, 5}) == msg::status::ok ? 0 : 1);
    }
    msg::endpoint e;
    auto inbox = e.receive_queue(0);
    inbox.answer(55, ends[0], 5000);
    msg::set set(e);
    set.add(inbox);
    msg::message m = set.wait(5000);
    CHECK(m.source() == 55 && m.as<point>() && m.as<point>()->label == 5);
    close(ends[1]);
    try {
        e.transmit_queue(0, 1).dial(0, ends[0], 100);
        CHECK(!"nobody is there");
    } catch (const msg::error &) {}
}

int main() {
    words_and_values();
    rows_given_back();
    many_at_once();
    released_once();
    errors_and_moves();
    threads_and_sets();
    runs();
    shared_records();
    bulk();
    between_processes();
    return failed;
}

/* ---- the same work by msg.h and by msg.hpp: msg_hpp.sh compares the instructions ---------------------------------- */

extern "C" int plain_express(msg_transmit *t, uint64_t word) { return msg_express(t, 3, 5, word); }
extern "C" msg::status wrapped_express(const msg::transmit_queue &out, uint64_t word) {
    return out.express(3, 5, word);
}

extern "C" int plain_send(msg_transmit *t, const point *p) { return msg_send(t, 3, 5, p, sizeof *p, nullptr); }
extern "C" msg::status wrapped_send(const msg::transmit_queue &out, const point &p) { return out.send_value(3, 5, p); }

extern "C" uint64_t plain_receive(msg_queue *q) {
    msg_message m;
    uint64_t sum = 0;
    while (msg_receive(q, &m), m.kind != MSG_EMPTY) {
        sum += m.word;
        if (m.kind >= MSG_DATA && m.kind <= MSG_RECORD) msg_release(q, &m);
    }
    return sum;
}
extern "C" uint64_t wrapped_receive(const msg::receive_queue &q) {
    uint64_t sum = 0;
    while (msg::message m = q.receive()) sum += m.word();
    return sum;
}
