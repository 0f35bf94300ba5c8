# SPDX-License-Identifier: Apache-2.0
# Installs the component Development into a folder of its own, builds programs against it and runs them. They find the
# installed software device by themselves.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${code}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_say text)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the program does not say '${text}': ${output}")
  endif()
endfunction()

# build(SOURCE BUILD FLAGS …)
function(build source folder flags)
  run(${CMAKE_COMMAND} -S "${source}" -B "${folder}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${FOLDER}/moved"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_FLAGS=${flags} ${FLAGS}" ${ARGN})
  run(${CMAKE_COMMAND} --build "${folder}")
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
run(${CMAKE_COMMAND} --install "${BUILD}" --component Development --prefix "${FOLDER}/prefix")
file(GLOB_RECURSE headers "${FOLDER}/prefix/include/warplight/*.hpp")
list(LENGTH headers count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} headers were installed")
endif()
# Moved, so that no path of this place can be in it.
file(RENAME "${FOLDER}/prefix" "${FOLDER}/moved")
build("${SOURCE}" "${FOLDER}/build" "" "-DWANTED_VERSION=${VERSION}")
unset(ENV{WARPLIGHT_SOFTWARE_LIBRARY})
unset(ENV{LD_LIBRARY_PATH})
run("${FOLDER}/build/consumer")
message(STATUS "${output}")
must_say("warplight ${VERSION} from ${FOLDER}/moved/lib/warplight/")
must_say("12 24 36 48")
string(FIND "${output}" "NVRTC 1" nvrtc)

# The programs of the guide, with the warnings that careful projects turn on, in the library's headers too.
build("${FOLDER}/moved/share/doc/warplight/examples/library" "${FOLDER}/examples"
  "-O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror" -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON)
if(nvrtc EQUAL -1)
  message(STATUS "no NVRTC here: the programs of the guide were built and not run")
else()
  run(${CMAKE_CTEST_COMMAND} --test-dir "${FOLDER}/examples" --output-on-failure)
endif()

# A program that is installed beside the device finds it there, wherever that is.
file(MAKE_DIRECTORY "${FOLDER}/other/bin" "${FOLDER}/other/lib")
file(RENAME "${FOLDER}/moved/lib/warplight" "${FOLDER}/other/lib/warplight")
file(RENAME "${FOLDER}/build/consumer" "${FOLDER}/other/bin/consumer")
run("${FOLDER}/other/bin/consumer")
must_say("from ${FOLDER}/other/lib/warplight/")
file(REMOVE_RECURSE "${FOLDER}")
