# Libraries that are loaded when the first of their functions is called, not when the program starts.
#   jd_lazy(NAME list LIBRARIES path...) reads a list of lines `include HEADER`, `function NAME`, `variable NAME` and makes
#   lazy/NAME.h (the headers, and a macro per name that goes through a table) and lazy/NAME.c (the table; base/lazy.h fills it).
#   A function that is called but not listed fails to link. Where a library has no name to load it by (static, or
#   JD_LAZY=OFF) the header only includes the headers and the library is linked as usual.
option(JD_LAZY "Load HDF5, LAPACK and other heavy libraries only when they are needed" ON)

# The name the dynamic linker knows a library by, or nothing.
function(jd_soname path out)
    set(${out} "" PARENT_SCOPE)
    if(JD_LAZY AND CMAKE_READELF AND path MATCHES "\\.so")
        execute_process(COMMAND ${CMAKE_READELF} -d ${path} OUTPUT_VARIABLE text ERROR_QUIET)
        if(text MATCHES "SONAME\\)[^\n]*\\[([^]]+)\\]")
            set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
        endif()
    endif()
endfunction()

# JD_LAZY_SOURCES: what is to be compiled; JD_LAZY_LINKED: what is to be linked after all.
function(jd_lazy name list)
    cmake_parse_arguments(PARSE_ARGV 2 lazy "" "" "LIBRARIES")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    set(files "")
    foreach(path ${lazy_LIBRARIES})
        jd_soname(${path} soname)
        list(APPEND files ${soname})
    endforeach()
    list(LENGTH files found)
    list(LENGTH lazy_LIBRARIES wanted)
    file(STRINGS ${list} lines)
    set(includes "")
    set(members "")
    set(macros "")
    set(names "")
    foreach(line ${lines})
        if(line MATCHES "^include (.+)$")
            string(APPEND includes "#include <${CMAKE_MATCH_1}>\n")
        elseif(line MATCHES "^(function|variable) (.+)$")
            set(f ${CMAKE_MATCH_2})
            string(APPEND members "    __typeof__(${f}) *${f};\n")
            string(APPEND names "    \"${f}\",\n")
            if(CMAKE_MATCH_1 STREQUAL "function")
                string(APPEND macros "#define ${f} jd_lazy_${name}()->${f}\n")
            else()
                string(APPEND macros "#define ${f} (*jd_lazy_${name}()->${f})\n")
            endif()
        endif()
    endforeach()
    set(base ${CMAKE_BINARY_DIR}/lazy/${name})
    if(NOT found EQUAL wanted)
        file(CONFIGURE OUTPUT ${base}.h CONTENT "${includes}#define jd_lazy_${name}_ready(context) JD_OK\n" @ONLY)
        set(JD_LAZY_LINKED ${JD_LAZY_LINKED} ${lazy_LIBRARIES} PARENT_SCOPE)
        return()
    endif()
    list(TRANSFORM files REPLACE "(.+)" "\"\\1\"")
    list(JOIN files ", " files)
    file(CONFIGURE OUTPUT ${base}.h CONTENT
"// Made from ${list}: each function goes through a table that is filled when it is needed.
#pragma once
${includes}#include \"base/lazy.h\"
typedef struct jd_${name}_table {
${members}} jd_${name}_table;
const jd_${name}_table *jd_lazy_${name}(void);
jd_status jd_lazy_${name}_ready(jd_context *context);
#ifndef JD_LAZY_TABLE
${macros}#endif
" @ONLY)
    file(CONFIGURE OUTPUT ${base}.c CONTENT
"// Made from ${list}: the table and what it is filled from.
#define JD_LAZY_TABLE
#include \"lazy/${name}.h\"
static const char *const files[] = {${files}, 0};
static const char *const names[] = {
${names}    0};
static union { jd_${name}_table table; void *slot[sizeof(jd_${name}_table) / sizeof(void *)]; } at;
static jd_lazy library = {.file = files, .name = names, .slot = at.slot};
const jd_${name}_table *jd_lazy_${name}(void) {
    jd_lazy_load(&library);
    return &at.table;
}
jd_status jd_lazy_${name}_ready(jd_context *context) { return jd_lazy_ready(context, &library); }
" @ONLY)
    set(JD_LAZY_SOURCES ${JD_LAZY_SOURCES} ${base}.c PARENT_SCOPE)
endfunction()
