// hdf5_tree.h -- pieces of a result file, shared by the writers.
#ifndef JD_RESULT_HDF5_TREE_H
#define JD_RESULT_HDF5_TREE_H

#include "lazy/hdf5.h"

#include "result/file/document.h"

// The document and where it comes from, at the root of an open file.
bool jd_hdf5_put_root(hid_t file, const json_t *document, const jd_origin *origin);
bool jd_hdf5_put_text(hid_t object, const char *key, const char *text); // attribute
hid_t jd_hdf5_new_group(hid_t parent, const char *name);
// A name as one link: '/' becomes %2F.
void jd_hdf5_link_name(const char *key, char *out, size_t size);
void jd_hdf5_key(char *name); // and back, in place

// A result file open to be read, whole as it was sealed.
typedef struct jd_hdf5_source {
    jd_context *context;
    const char *path;
    hid_t file;
    uint64_t length; // of the file [bytes]: nothing in it can be longer
} jd_hdf5_source;

// Scalar attribute as JSON; NULL when there is none, or one of a kind Judder does not write.
json_t *jd_hdf5_attribute(hid_t object, const char *name);
// JD_BAD_RESULT_FILE: what is at `place` cannot be read.
jd_status jd_hdf5_damaged(const jd_hdf5_source *source, const char *place);
// The object behind a link of the group, negative when it cannot be opened. Links that lead to
// another place or another file are none: Judder writes no such links.
hid_t jd_hdf5_open(hid_t group, const char *name);
// Are the values of a dataset in this file, as they are: not packed, computed or kept elsewhere?
bool jd_hdf5_is_plain(hid_t set);
// Opens a result file, checks that it is whole and of this format, and lets `visit` add to *out,
// which has the head: kind, title, units, judder_version, judder_format, command, model.
typedef jd_status (*jd_hdf5_visitor)(const jd_hdf5_source *source, json_t *head, void *user);
jd_status jd_hdf5_visit(jd_context *context, const char *path, jd_hdf5_visitor visit, void *user,
                        json_t **out);
// The same for many files; take(user, i, document) gets the document of file i, and must not free
// it.
jd_status jd_hdf5_visit_all(jd_context *context, int n, const char *const *path,
                            jd_hdf5_visitor visit, jd_hdf5_taker take, void *user);

// Around calls of HDF5: it is taken (jd_hdf5_take), and told not to print what fails to stderr.
// What it was told before holds again at the end of the outermost pair.
void jd_hdf5_begin(void);
void jd_hdf5_end(void);

#endif
