// matrix_refused.c -- matrices that are not what they seem: one triangle that calls itself general,
// MATLAB files of an old version.
#include <string.h>

#include "folder_case.h"
#include "near.h"
#include "structure/matrices/formats/format.h"

static jd_arena *arena;

static int begin(void **state) {
    int failed = open_folder(state);
    arena = failed ? NULL : jd_arena_create(context);
    return !arena;
}

static int end(void **state) {
    jd_arena_free(arena);
    return close_folder(state);
}

// One triangle of a matrix that says it is general is not mirrored, whether its rows have names or
// not; of one that says it is symmetric, and of a list, it is.
static void one_triangle_of_a_general_matrix_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool named, refused;
    } file[] = {{"%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n",
                 false, true},
                {"%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n",
                 false, false},
                {"DMIG,KAAX,0,1,2,0\nDMIG,KAAX,1,1,,1,1,2.0\n,2,1,-1.0\nDMIG,KAAX,2,1,,2,1,2.0\n",
                 true, true},
                {"DMIG,KAAX,0,6,2,0\nDMIG,KAAX,1,1,,1,1,2.0\n,2,1,-1.0\nDMIG,KAAX,2,1,,2,1,2.0\n",
                 true, false},
                {"1,1,1,1,2\n2,1,1,1,-1\n2,1,2,1,2\n", true, false},
                {"1 1 2\n2 1 -1\n2 2 2\n", false, false}};
    FILE *names = fopen(in_folder("dofs"), "w");
    fputs("1 1\n2 1\n", names);
    fclose(names);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        for (int name = 0; name < (file[i].named ? 1 : 2); name++) {
            jd_matrix_list m;
            jd_sparse A;
            FILE *f = fopen(in_folder("matrix"), "w");
            fputs(file[i].text, f);
            fclose(f);
            assert_int_equal(jd_matrix_read(arena, in_folder("matrix"), NULL, &m), JD_OK);
            if (name) assert_int_equal(jd_matrix_name_rows(arena, in_folder("dofs"), &m), JD_OK);
            jd_status status = jd_matrix_assemble(arena, &m, &m, "K", &A);
            assert_int_equal(status, file[i].refused ? JD_NOT_SYMMETRIC : JD_OK);
            if (!file[i].refused) assert_int_equal(A.start[2], 4);
        }
}

// As MATLAB 4 and scipy (format="4") write it, in either byte order.
static void matlab_files_of_version_4_are_refused_by_name(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        const uint32_t head[5] = {turned ? 1000 : 0, 1, 1, 0, 2};
        const double one = 1;
        FILE *f = fopen(in_folder("matrix"), "w");
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 4; k++)
                fputc((int)(head[i] >> (turned ? 24 - 8 * k : 8 * k) & 255), f);
        fwrite("K", 1, 2, f);
        fwrite(&one, sizeof one, 1, f);
        fclose(f);
        jd_matrix_list m;
        assert_int_equal(jd_matrix_read(arena, in_folder("matrix"), NULL, &m), JD_NOT_SUPPORTED);
        assert_non_null(strstr(jd_context_error(context)->message, "version 4"));
        assert_non_null(strstr(jd_context_error(context)->hint, "-v7"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triangle_of_a_general_matrix_is_refused),
        cmocka_unit_test(matlab_files_of_version_4_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
