# SPDX-License-Identifier: Apache-2.0
# Installs the component Development into a folder of its own, builds a program against it and runs it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${code}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
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
run(${CMAKE_COMMAND} -S "${SOURCE}" -B "${FOLDER}/build" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${FOLDER}/moved"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
  "-DWANTED_VERSION=${VERSION}")
run(${CMAKE_COMMAND} --build "${FOLDER}/build")
set(ENV{WARPLIGHT_SOFTWARE_LIBRARY} "${SOFTWARE}")
run("${FOLDER}/build/consumer")
message(STATUS "${output}")
if(NOT output MATCHES "warplight ${VERSION}" OR NOT output MATCHES "12 24 36 48")
  message(FATAL_ERROR "the program said: ${output}")
endif()
file(REMOVE_RECURSE "${FOLDER}")
