# SPDX-License-Identifier: Apache-2.0
# Installs the component Development into a folder of its own, builds programs against it and runs them. They find the
# installed software device by themselves. CROSS: the settings of a build for Windows, whose programs Wine runs.
set(cross_options "")
set(suffix "")
set(device_folder lib/warplight)
set(attempts "")
if(CROSS)
  include("${CROSS}")
  # Its toolchain looks for packages in its own folders alone.
  set(cross_options -C "${CROSS}" "-DWarplight_DIR=${FOLDER}/moved/lib/cmake/Warplight")
  set(suffix .exe)
  set(device_folder bin)
  set(attempts --repeat until-pass:2) # Wine itself may crash when a program ends (tests/windows/run.sh)
endif()

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${code}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(run_program file)
  run(${CMAKE_CROSSCOMPILING_EMULATOR} "${file}${suffix}")
  set(output "${output}" PARENT_SCOPE)
endfunction()

# A path as the program spells it.
function(spelt result path)
  if(CROSS)
    string(REPLACE "/" "\\" path "Z:${path}")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

function(must_say text)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the program does not say '${text}': ${output}")
  endif()
endfunction()

# build(SOURCE BUILD FLAGS …)
function(build source folder flags)
  run(${CMAKE_COMMAND} ${cross_options} -S "${source}" -B "${folder}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${FOLDER}/moved"
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
run_program("${FOLDER}/build/consumer")
message(STATUS "${output}")
if(CROSS)
  spelt(place "${FOLDER}/build/") # where it was copied to
else()
  spelt(place "${FOLDER}/moved/lib/warplight/")
endif()
must_say("warplight ${VERSION} from ${place}")
must_say("12 24 36 48")
string(FIND "${output}" "NVRTC 1" nvrtc)

# The programs of the guide, with the warnings that careful projects turn on, in the library's headers too.
build("${FOLDER}/moved/share/doc/warplight/examples/library" "${FOLDER}/examples"
  "-O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror" -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON)
if(nvrtc EQUAL -1)
  message(STATUS "no NVRTC here: the programs of the guide were built and not run")
else()
  run(${CMAKE_CTEST_COMMAND} --test-dir "${FOLDER}/examples" --output-on-failure ${attempts})
endif()

# A program that is installed beside the device finds it there, wherever that is.
file(MAKE_DIRECTORY "${FOLDER}/other/bin" "${FOLDER}/other/lib")
file(GLOB device "${FOLDER}/moved/${device_folder}/*warplight-cuda.*")
list(LENGTH device count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "the software device is not in ${FOLDER}/moved/${device_folder}: '${device}'")
endif()
cmake_path(GET device FILENAME name)
file(MAKE_DIRECTORY "${FOLDER}/other/${device_folder}")
file(RENAME "${device}" "${FOLDER}/other/${device_folder}/${name}")
file(RENAME "${FOLDER}/build/consumer${suffix}" "${FOLDER}/other/bin/consumer${suffix}")
run_program("${FOLDER}/other/bin/consumer")
spelt(place "${FOLDER}/other/${device_folder}/")
must_say("from ${place}")
file(REMOVE_RECURSE "${FOLDER}")
