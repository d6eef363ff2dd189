// kernel.h -- memory kernels as a document.
#ifndef JD_RESULT_KERNEL_H
#define JD_RESULT_KERNEL_H

#include "judder/kernel.h"
#include "result/document.h"

// `{"kind":"kernel","contacts":[...],"tau":[...],"G","L","L0","L1","jump","L_infinity","A",...}`.
// With one contact matrices are numbers and kernels lists over tau; with several they are
// [to][from] and [to][from][tau].
jd_status jd_document_kernel(jd_context *context, const jd_problem *problem,
                             const jd_kernel *kernel, json_t **out);
// One row per tau.
json_t *jd_document_kernel_rows(const jd_kernel *kernel);

#endif
