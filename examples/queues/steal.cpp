/* Work stealing: threads that solve the queens' problem, each with a queue of tasks, from which the others take when theirs is
 * empty.
 *
 *     c++ -std=c++17 -O2 examples/queues/steal.cpp $(pkg-config --cflags --libs fathom-msg) -o steal && ./steal
 *
 * A task is a board with some rows filled, which fits into the word of an Express message. Any thread may take messages from any
 * queue without locks, so stealing is receiving from a neighbour's queue. A queue that is full is no problem: then the
 * thread solves the board itself.
 */
#include <atomic>
#include <iostream>
#include <msg.hpp>
#include <thread>
#include <vector>

constexpr int queens = 10, threads = 4;

/* The columns of the queens so far, four bits each, and their number in the highest bits. */
struct board {
    uint64_t word;
    int rows() const { return int(word >> 60); }
    int column(int row) const { return int(word >> 4 * row & 15); }
    bool allows(int c) const {
        for (int row = 0, n = rows(); row < n; row++)
            if (column(row) == c || std::abs(column(row) - c) == n - row) return false;
        return true;
    }
    board with(int c) const { return {(word | uint64_t(c) << 4 * rows()) + (uint64_t(1) << 60)}; }
};

static std::atomic<long> open_tasks{0}, stolen{0};

class worker {
    msg::receive_queue own;
    msg::transmit_queue out; /* row 0: the own queue */

  public:
    long solutions = 0;

    worker(const msg::endpoint &e, int number) : own(e.receive_queue(number, 64)), out(e.transmit_queue(number, 1)) {
        out.connect(0, own, number);
    }

    void add(board b) {
        open_tasks++;
        if (out.express(0, 0, b.word) != msg::status::ok) solve(b);
    }

    /* Each place for the next queen is a task. */
    void solve(board b) {
        if (b.rows() == queens)
            solutions++;
        else
            for (int c = 0; c < queens; c++)
                if (b.allows(c)) add(b.with(c));
        open_tasks--;
    }

    void run(std::vector<worker> &all, size_t me) {
        while (open_tasks > 0) {
            bool found = false;
            for (size_t i = 0; i < all.size() && !found; i++)
                if (msg::message m = all[(me + i) % all.size()].own.receive()) {
                    stolen += i > 0;
                    found = true;
                    solve({m.word()});
                }
            if (!found) std::this_thread::yield();
        }
    }
};

int main() try {
    msg::endpoint e;
    std::vector<worker> all;
    for (int i = 0; i < threads; i++) all.emplace_back(e, i);
    all[0].add({0});
    std::vector<std::thread> running;
    for (size_t i = 0; i < all.size(); i++) running.emplace_back([&, i] { all[i].run(all, i); });
    for (auto &t : running) t.join();
    long solutions = 0;
    for (auto &w : all) solutions += w.solutions;
    std::cout << solutions << " ways to place " << queens << " queens\n";
    std::cerr << stolen << " tasks were stolen\n";
} catch (const msg::error &why) {
    std::cerr << "steal: " << why.what() << '\n';
    return 1;
}
