// orders.c -- rank 0 runs the command and orders; the others do their share of every order.
//   An order is broadcast; ranks that wait for one sleep between two looks, as Open MPI would spin
//   and take the processor from rank 0, which reads, bounds and writes alone.
#include "orders.h"

#include <mpi.h>

#include <time.h>

#include "base/fail.h"
#include "share.h"

typedef enum order_kind {
    ORDER_END,
    ORDER_FACTORISE,
    ORDER_SOLVE,
    ORDER_LOWEST,
    ORDER_FREE
} order_kind;

typedef struct order {
    order_kind kind;
    int place; // of the factor among those there are
    int n, m;  // size; vectors or eigenpairs
    bool with_B, keep;
    double sigma;
} order;

enum { PLACES = 8 };
static share *there[PLACES]; // the same places on all ranks
static int place_of[PLACES]; // their numbers, to be pointed at

static void give(order o) {
    MPI_Request request;
    MPI_Ibcast(&o, sizeof o, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static order await(void) {
    order o = {0};
    MPI_Request request;
    int done = 0;
    MPI_Ibcast(&o, sizeof o, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    while (!done) {
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return o;
}

static share_report factorise_share(const order *o, const jd_sparse *A, const jd_sparse *B) {
    share *s = share_create(A, B, o->n, o->with_B, o->sigma);
    share_report report = share_factorise(s, o->keep);
    if (report.outcome != SHARE_DONE || !o->keep) {
        share_free(s);
        s = NULL;
    }
    there[o->place] = s;
    return report;
}

void orders_serve(void) {
    for (;;) {
        order o = await();
        if (o.kind == ORDER_END) return;
        if (o.kind == ORDER_FACTORISE) factorise_share(&o, NULL, NULL);
        if (o.kind == ORDER_SOLVE) share_solve(there[o.place], o.m, NULL);
        if (o.kind == ORDER_LOWEST) share_lowest(there[o.place], o.m, NULL, NULL);
        if (o.kind == ORDER_FREE) {
            share_free(there[o.place]);
            there[o.place] = NULL;
        }
    }
}

void orders_end(void) { give((order){.kind = ORDER_END}); }

static jd_status told(jd_context *context, int n, const share_report *r) {
    const double gigabyte = 1e9;
    if (r->outcome == SHARE_DONE) return JD_OK;
    if (r->outcome == SHARE_SINGULAR)
        return jd_fail(context, JD_NOT_DEFINITE, "a sparse matrix of size %d is singular", n);
    if (r->outcome == SHARE_NOT_CONVERGED)
        return jd_fail(context, JD_NO_CONVERGENCE, "only %d modes converged", r->found);
    if (r->needed > r->there)
        jd_fail(context, JD_OUT_OF_MEMORY,
                "the factors of a sparse matrix of size %d need about %.2g GB on one of the "
                "machines, but only %.2g GB are free there",
                n, r->needed / gigabyte, r->there / gigabyte);
    else
        jd_fail(context, JD_OUT_OF_MEMORY,
                "not enough memory to factorise a sparse matrix of size %d", n);
    jd_fail_hint(context, "spread the ranks over more machines");
    return JD_OUT_OF_MEMORY;
}

static jd_status factorise(void *user, jd_context *context, const jd_sparse *A, const jd_sparse *B,
                           double sigma, bool keep, int *negative, void **factor) {
    (void)user;
    int place = 0;
    while (place < PLACES && there[place]) place++;
    if (place == PLACES)
        return jd_fail(context, JD_OUT_OF_MEMORY, "more than %d factors at once", PLACES);
    order o = {ORDER_FACTORISE, place, A->n, 0, B != NULL, keep, sigma};
    give(o);
    share_report report = factorise_share(&o, A, B);
    *negative = report.negative;
    place_of[place] = place;
    *factor = report.outcome == SHARE_DONE && keep ? &place_of[place] : NULL;
    return told(context, A->n, &report);
}

static jd_status solve(void *factor, jd_context *context, int m, double *x) {
    int place = *(const int *)factor;
    (void)context;
    give((order){.kind = ORDER_SOLVE, .place = place, .m = m});
    share_solve(there[place], m, x);
    return JD_OK;
}

static jd_status lowest(void *factor, jd_context *context, int count, double *lambda,
                        double *vector) {
    int place = *(const int *)factor;
    give((order){.kind = ORDER_LOWEST, .place = place, .m = count});
    share_report report = share_lowest(there[place], count, lambda, vector);
    return told(context, there[place]->n, &report);
}

static void release(void *factor) {
    int place = *(const int *)factor;
    give((order){.kind = ORDER_FREE, .place = place});
    share_free(there[place]);
    there[place] = NULL;
}

const jd_solver orders_solver = {
    .factorise = factorise, .solve = solve, .lowest = lowest, .release = release};
