// A distributed table in C++17: counts words. Each word belongs to the thread that its hash names, which keeps a map of
// its own; whoever meets a word sends it there in an active message, and the owner's handler counts it. Nobody waits
// for anybody until all have sent everything.
//
//     c++ -std=c++17 -O2 words.cpp -o words $(pkg-config --cflags --libs fathom-smp)
//     FATHOM_THREADS=4 ./words            counts words of its own making, and checks the result
#include <fathom.h>

#include <cinttypes>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

std::map<std::string, long> table; // this thread's part
uint64_t received;

void on_word(fathom_token, const uint64_t *args, int, void *payload, size_t bytes) {
    table[std::string(static_cast<const char *>(payload), bytes)] += static_cast<long>(args[0]);
    received++;
}

int owner(const std::string &word) {
    return static_cast<int>(std::hash<std::string>{}(word) % static_cast<size_t>(fathom_count()));
}

} // namespace

int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    const int handler = fathom_register(on_word);
    fathom_barrier_all();

    // Word i occurs i % 7 + 1 times on every thread.
    constexpr int words = 2000;
    std::vector<uint64_t> sent(static_cast<size_t>(fathom_count()));
    for (int i = 0; i < words; i++) {
        const std::string word = "word-" + std::to_string(i);
        const uint64_t times = static_cast<uint64_t>(i % 7 + 1);
        fathom_request_medium(owner(word), handler, word.data(), word.size(), &times, 1);
        sent[static_cast<size_t>(owner(word))]++;
    }

    // How many messages are on their way to me?
    std::vector<uint64_t> expected(sent.size());
    fathom_all_reduce(fathom_world(), expected.data(), sent.data(), sent.size(), FATHOM_U64, FATHOM_ADD);
    for (unsigned round = 0; received < expected[static_cast<size_t>(fathom_me())];) fathom_pause(&round);

    for (const auto &[word, times] : table) {
        const int i = std::stoi(word.substr(5));
        if (times != static_cast<long>(i % 7 + 1) * fathom_count())
            fathom_fatal("%s was counted %ld times", word.c_str(), times);
    }
    uint64_t mine = table.size(), all = 0;
    fathom_reduce(fathom_world(), &all, &mine, 1, FATHOM_U64, FATHOM_ADD, 0);
    if (fathom_me() == 0) {
        if (all != words) fathom_fatal("there are %" PRIu64 " different words", all);
        std::printf("%d words on %d threads: good\n", words, fathom_count());
    }
    fathom_finalize();
}
