// The front end computes sizes of shared types itself: they agree with the C compiler's for every kind of structure.
#include <stddef.h>
#include <stdint.h>
#include <complex.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <netdb.h>
#include <pthread.h>
#define SAME(...) _Static_assert(upc_elemsizeof(__typeof__(__VA_ARGS__) shared) == sizeof(__VA_ARGS__), "size")
struct padded { char a; double b; char c; };
struct packed { char a; double b; char c; } __attribute__((packed));
struct __attribute__((packed, aligned(4))) packed_aligned { char a; short b; };
struct member_packed { char a; int b __attribute__((packed)); short c; };
struct member_aligned { char a; int b __attribute__((aligned(32))); };
struct alignas_member { char a; _Alignas(16) char b; };
struct nested { struct padded p[3]; union { long double ld; char c[17]; }; short s; };
struct bits1 { unsigned a : 3, b : 7, c : 23; };
struct bits2 { char x; unsigned a : 31; unsigned b : 2; };
struct bits3 { unsigned char a : 5; unsigned char b : 5; int : 0; char c; };
struct bits4 { long a : 33; int b : 31; _Bool c : 1; short d : 9; };
struct bits5 { int a : 4; char b; int c : 4; unsigned long d : 40; };
struct bits6 { unsigned a : 3; unsigned b : 30; } __attribute__((packed));
struct bits7 { char c; int : 0; };
struct bits8 { char c; long : 12; };
struct bits9 { int i; enum { LOW, HIGH } e : 2; signed char f : 3; };
struct flexible { short n; double d[]; };
struct zero { char c; long z[0]; };
union mixed { char c[5]; int i; struct padded p; };
enum small { S0 } __attribute__((packed));
enum large { L0 = 1L << 40 };
struct enums { enum small s; enum large l; enum { ANON } a; };
struct wide { char c; __int128 i; long double l; double _Complex z; float _Complex f; };
struct pointers { char c; void *p; int (*f)(void); char d; shared int *phaseless; shared [] char *indefinite; };
typedef int v4 __attribute__((vector_size(16)));
typedef int under __attribute__((aligned(2)));
struct vectors { char c; v4 v; under u; };
#pragma pack(push, 2)
struct pragma_two { char a; double b; int c; };
#pragma pack(1)
struct pragma_one { char a; double b; struct padded p; };
#pragma pack(pop)
struct pragma_off { char a; double b; };
SAME(struct padded); SAME(struct packed); SAME(struct packed_aligned); SAME(struct member_packed);
SAME(struct member_aligned); SAME(struct alignas_member); SAME(struct nested);
SAME(struct bits1); SAME(struct bits2); SAME(struct bits3); SAME(struct bits4); SAME(struct bits5); SAME(struct bits6);
SAME(struct bits7); SAME(struct bits8); SAME(struct bits9);
SAME(struct flexible); SAME(struct zero); SAME(union mixed); SAME(enum small); SAME(enum large); SAME(struct enums);
SAME(struct wide); SAME(struct pointers); SAME(struct vectors); SAME(v4);
SAME(struct pragma_two); SAME(struct pragma_one); SAME(struct pragma_off);
SAME(char); SAME(_Bool); SAME(short); SAME(long long); SAME(long double); SAME(float _Complex); SAME(wchar_t);
SAME(uint_fast16_t); SAME(void *); SAME(shared void *); SAME(shared int *); SAME(shared [4] int *); SAME(int (*)(void));
SAME(struct stat); SAME(struct sockaddr_storage); SAME(struct addrinfo); SAME(pthread_mutex_t); SAME(pthread_attr_t);
SAME(struct msghdr); SAME(max_align_t);
