/* Lines on std::cout from all threads, in pieces and in different ways: whole ones come out, in the order of printf's. */
#include <fathom.h>

#include <cstdio>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    const std::string text(70, static_cast<char>('a' + fathom_me()));
    fathom_barrier_all();
    for (int i = 0; i < 3000; i++) {
        switch (i % 4) {
        case 0: std::cout << text << '\n'; break;
        case 1: std::cout << text.substr(0, 30) << text.substr(30) << std::endl; break;
        case 2:
            for (char c : text) std::cout.put(c);
            std::cout << "\n";
            break;
        default: /* one line of both */ std::cout << text.substr(0, 30); std::printf("%s\n", text.substr(30).c_str());
        }
    }
    return 0;
}
