/* 6.7.2p1-2: __UPC__ is 1, __UPC_VERSION__ 201311L, and exactly one of the environments' macros is 1; they are there before any header,
 * and MYTHREAD is not a macro (footnote). __BERKELEY_UPC__ and others' names stay undefined. */
#if !defined __UPC__ || __UPC__ != 1
#error "__UPC__"
#endif
#if !defined __UPC_VERSION__ || __UPC_VERSION__ != 201311L
#error "__UPC_VERSION__"
#endif
#ifndef UPC_MAX_BLOCK_SIZE
#error "UPC_MAX_BLOCK_SIZE"
#endif
#if defined __UPC_DYNAMIC_THREADS__ && __UPC_DYNAMIC_THREADS__ != 1
#error "__UPC_DYNAMIC_THREADS__"
#endif
#if defined __UPC_STATIC_THREADS__ && __UPC_STATIC_THREADS__ != 1
#error "__UPC_STATIC_THREADS__"
#endif
#if defined __UPC_STATIC_THREADS__ == defined __UPC_DYNAMIC_THREADS__
#error "one environment"
#endif
#ifdef MYTHREAD
#error "MYTHREAD is no macro"
#endif
#ifdef __BERKELEY_UPC__
#error "this is no Berkeley UPC"
#endif
#ifndef __STDC__
#error "the C underneath"
#endif
#include "check.h"

#define STRING(x) #x

int main(void) {
    CHECK_EQ(1, __UPC__);
    CHECK_EQ(201311L, __UPC_VERSION__);
    CHECK(sizeof(__UPC_VERSION__) == sizeof(long));
    CHECK(strcmp(STRING(__UPC__), "__UPC__") == 0);
    /* The optional libraries announce themselves (1.3, library specification). */
    CHECK_EQ(1, __UPC_COLLECTIVE__);
    CHECK_EQ(1, __UPC_TICK__);
    CHECK_EQ(1, __UPC_ATOMIC__);
    CHECK_EQ(1, __UPC_CASTABLE__);
    CHECK(__UPC_IO__ >= 1);
    CHECK_EQ(1, __UPC_NB__);
    CHECK(__LINE__ > 30 && __FILE__[0] != 0);
    CHECK(strstr(__FILE__, "6.7.2-predefined-macros.upc") != NULL);
    CHECK(strcmp(__func__, "main") == 0);
    return 0;
}
