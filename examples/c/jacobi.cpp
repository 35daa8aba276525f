// Jacobi's iteration on a ring of cells, dealt out in blocks, as one writes it in UPC++: each rank reads the neighbours'
// outermost cells by rget while it computes its inner ones. The sum of all cells stays what it was, which is checked.
//
//     c++ -O2 jacobi.cpp -o jacobi $(pkg-config --cflags --libs fathom-smp) && FATHOM_THREADS=4 ./jacobi
#include <cmath>
#include <cstdio>
#include <fathom.hpp>
#include <vector>

int main(int argc, char **argv) {
    fathom::job job(argc, argv);
    const std::size_t cells = 1000;
    const int rounds = 200;
    const int me = fathom::rank_me(), n = fathom::rank_n();
    fathom::symmetric<double> old_cells(cells), new_cells(cells);
    for (std::size_t i = 0; i < cells; i++) old_cells.local()[i] = me == 0 && i < 10 ? 100 : 1;
    auto sum = [&](fathom::span<double> block) {
        double s = 0;
        for (double x : block) s += x;
        return fathom::reduce_all(s, [](double a, double b) { return a + b; });
    };
    const double before = sum(old_cells.local());

    fathom::symmetric<double> *from = &old_cells, *to = &new_cells;
    for (int round = 0; round < rounds; round++) {
        fathom::barrier();
        auto left = fathom::rget(from->on((me + n - 1) % n) + (cells - 1));
        auto right = fathom::rget(from->on((me + 1) % n));
        fathom::span<double> a = from->local(), b = to->local();
        for (std::size_t i = 1; i + 1 < cells; i++) b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4;
        b[0] = (left.wait() + 2 * a[0] + a[1]) / 4;
        b[cells - 1] = (a[cells - 2] + 2 * a[cells - 1] + right.wait()) / 4;
        std::swap(from, to);
    }

    const double after = sum(from->local());
    const double most = fathom::reduce_all(from->local()[0], [](double a, double b) { return a > b ? a : b; });
    const bool good = std::fabs(after - before) < 1e-6 * before && most < 100;
    if (me == 0) std::printf("jacobi: the sum is %g: %s\n", after, good ? "good" : "WRONG");
    return good ? 0 : 1;
}
