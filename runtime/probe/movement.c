/* Movements of data; see movement.h. */
#define _GNU_SOURCE
#include "probe/movement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_SPAN ((size_t)256 << 20)

static bool is(const struct movement *m, const char *decision) { return strcmp(m->decision, decision) == 0; }

/* A permutation that no prefetcher knows; the same every time. */
static void shuffle(size_t *order, size_t n)
{
	uint64_t state = 88172645463325252ull;
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		state ^= state << 13, state ^= state >> 7, state ^= state << 17;
		size_t k = (size_t)(state % i), other = order[i - 1];
		order[i - 1] = order[k];
		order[k] = other;
	}
}

static bool make_places(struct movement *m)
{
	size_t *order = malloc(m->count * sizeof *order);
	m->places = malloc(m->count * sizeof *m->places);
	m->far_places = malloc(m->count * sizeof *m->far_places);
	if (!order || !m->places || !m->far_places) {
		free(order);
		return false;
	}
	shuffle(order, m->count);
	for (size_t i = 0; i < m->count; i++) {
		m->places[i] = m->local + i * m->element;
		m->far_places[i] = m->remote + order[i] * m->stride;
	}
	free(order);
	return true;
}

const char *movement_begin(struct movement *m)
{
	m->local = NULL, m->shared = 0, m->places = NULL, m->far_places = NULL;
	int other = gas_count() > 1 ? (gas_me() + 1) % gas_count() : gas_me();
	bool is_far = is(m, "put-pieces") || is(m, "get-pieces");
	if (is_far && gas_is_local(other))
		return "all threads are near";
	if (!is_far && !gas_is_local(other))
		return "the other thread is not near";
	if (!m->element || m->bytes < m->element)
		return "there is no element";
	if (m->stride < m->element)
		m->stride = m->element;
	m->count = m->bytes / m->element;
	m->span = m->count * m->stride;
	if (is(m, "transpose")) {
		for (m->side = 1; (m->side + 1) * (m->side + 1) <= m->count;)
			m->side++;
		m->count = m->side * m->side;
		m->stride = m->side * m->element;
		m->span = m->count * m->element;
	}
	m->bytes = m->count * m->element;
	if (m->span > MOST_SPAN)
		return "it spans too much memory";
	m->local = mmap(NULL, m->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->local == MAP_FAILED)
		m->local = NULL;
	m->shared = gas_global_alloc(m->span);
	if (!m->local || !m->shared) {
		movement_end(m);
		return "there is no memory for it";
	}
	m->remote = fathom_make(other, fathom_offset_of(m->shared));
	memset(m->local, 1, m->span);
	gas_fill(m->remote, 2, m->span);
	if (is(m, "indexed") && !make_places(m)) {
		movement_end(m);
		return "there is no memory for the places";
	}
	return NULL;
}

void movement_end(struct movement *m)
{
	if (m->local)
		munmap(m->local, m->span);
	if (m->shared)
		gas_free(m->shared);
	free(m->places);
	free(m->far_places);
	m->local = NULL, m->shared = 0, m->places = NULL, m->far_places = NULL;
}

#define TIMES for (; n; n--)

void movement_perform(void *movement, long n)
{
	const struct movement *m = movement;
	ptrdiff_t element = (ptrdiff_t)m->element, stride = (ptrdiff_t)m->stride;
	size_t count = m->count;
	if (is(m, "contiguous")) {
		if (m->is_put)
			TIMES gas_put(m->remote, m->local, m->bytes);
		else
			TIMES gas_get(m->local, m->remote, m->bytes);
	} else if (is(m, "gather")) {
		TIMES gas_get_strided(m->local, &element, m->remote, &stride, m->element, &count, 1);
	} else if (is(m, "scatter") || is(m, "put-pieces")) {
		TIMES gas_put_strided(m->remote, &stride, m->local, &element, m->element, &count, 1);
	} else if (is(m, "get-pieces")) {
		TIMES gas_get_strided(m->local, &element, m->remote, &stride, m->element, &count, 1);
	} else if (is(m, "strided")) {
		if (m->is_put)
			TIMES gas_put_strided(m->remote, &stride, m->local, &stride, m->element, &count, 1);
		else
			TIMES gas_get_strided(m->local, &stride, m->remote, &stride, m->element, &count, 1);
	} else if (is(m, "indexed")) {
		if (m->is_put)
			TIMES gas_put_indexed(m->far_places, (const void *const *)m->places, m->element, count);
		else
			TIMES gas_get_indexed(m->places, m->far_places, m->element, count);
	} else if (is(m, "transpose")) {
		ptrdiff_t rows[2] = {element, stride}, columns[2] = {stride, element};
		size_t sides[2] = {m->side, m->side};
		if (m->is_put)
			TIMES gas_put_strided(m->remote, rows, m->local, columns, m->element, sides, 2);
		else
			TIMES gas_get_strided(m->local, rows, m->remote, columns, m->element, sides, 2);
	}
}
