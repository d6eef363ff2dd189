# exports.cmake -- the installed libraries show the names of the public headers and three of SuperLU's, no others: a program may
# call a function `dot` or `scale` of its own, whatever Judder calls inside.
file(GLOB JD_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/judder/*.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${JD_HEADERS})
set(JD_NAMES "")
foreach(header ${JD_HEADERS})
    file(STRINGS ${header} lines REGEX "jd_[a-z0-9_]+")
    string(REGEX MATCHALL "jd_[a-z0-9_]+" names "${lines}")
    list(APPEND JD_NAMES ${names})
endforeach()
# What SuperLU's library must find here instead of its own (src/linalg/superlu_guard.c).
list(APPEND JD_NAMES superlu_malloc superlu_free superlu_abort_and_exit)
list(REMOVE_DUPLICATES JD_NAMES)
list(SORT JD_NAMES)
list(JOIN JD_NAMES ";\n        " JD_NAMES_OF_MAP)
list(JOIN JD_NAMES "\n" JD_NAMES_OF_ARCHIVE)
file(CONFIGURE OUTPUT exports.map CONTENT "{\n    global:\n        @JD_NAMES_OF_MAP@;\n    local: *;\n};\n" @ONLY)
file(CONFIGURE OUTPUT exports.txt CONTENT "@JD_NAMES_OF_ARCHIVE@\n" @ONLY)

if(NOT APPLE)
    target_link_options(judder-shared PRIVATE LINKER:--version-script=${CMAKE_BINARY_DIR}/exports.map)
    set_property(TARGET judder-shared APPEND PROPERTY LINK_DEPENDS ${CMAKE_BINARY_DIR}/exports.map)
endif()

# The archive for others: all objects as one, its inner names made local. Tests take the open one.
if(CMAKE_OBJCOPY AND CMAKE_LINKER AND NOT APPLE)
    set(JD_ARCHIVE ${CMAKE_BINARY_DIR}/closed/libjudder.a)
    add_custom_command(OUTPUT ${JD_ARCHIVE}
        COMMAND ${CMAKE_COMMAND} -E make_directory closed
        COMMAND ${CMAKE_LINKER} -r -o closed/judder.o $<TARGET_OBJECTS:judder-objects>
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=exports.txt closed/judder.o
        COMMAND ${CMAKE_COMMAND} -E rm -f ${JD_ARCHIVE}
        COMMAND ${CMAKE_AR} rcs ${JD_ARCHIVE} closed/judder.o
        DEPENDS judder-objects $<TARGET_OBJECTS:judder-objects> ${CMAKE_BINARY_DIR}/exports.txt
        WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(judder-archive ALL DEPENDS ${JD_ARCHIVE})
    install(FILES ${JD_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
else()
    install(TARGETS judder ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
