#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the prefix of Windows libraries (x86_64, mingw-w64) that the preset `windows` builds with, on Debian 12:
#   windows-dependencies.sh [--check | --archive FILE]
# It is made in WARPLIGHT_WINDOWS_PREFIX, or in the user's cache (~/.cache/warplight/windows/prefix). What is there is
# not made again: a second run goes on where one stopped. A packed prefix in ../shared/windows is where it begins.
#   --check          say whether it is complete, and make nothing
#   --archive FILE   pack it, stripped, as FILE.tar.xz or FILE.tar.zst, to unpack anywhere
# JOBS=N limits the parallel compilers. Sources and build trees take 5 GB beside the prefix. All of it comes from the
# machine's own apt sources, their source packages too. On two cores: about an hour for Qt, half an hour for LLVM.
set -euo pipefail

usage() { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 2; }
archive='' check=''
case ${1:-} in
'') ;;
--check) check=1 ;;
--archive) [ $# = 2 ] || usage; archive=$(realpath -m "$2") ;;
*) usage ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
source "$here/dependencies.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/warplight/windows
prefix=${WARPLIGHT_WINDOWS_PREFIX:-$cache/prefix}
work=$cache/work
libraries=(lib/libqscintilla2_qt6.a lib/libfmt.a lib/cmake/llvm/LLVMConfig.cmake) # what is made last
later=(lib/libmuparser.a lib/libsqlite3.a include/xxhash.h lib/libminizip.a) # what a packed prefix may be older than
missing() { # of these, what the prefix lacks
    local each
    for each in "$@"; do [ -e "$prefix/$each" ] || echo "$each"; done
}
if [ -n "$check" ]; then
    lacks=$(missing "${libraries[@]}" "${later[@]}" nvrtc/with-headers)
    if [ -n "$lacks" ]; then
        say "$prefix lacks" $lacks
        say "Run scripts/windows-dependencies.sh, which makes it, or let WARPLIGHT_WINDOWS_PREFIX name one that is complete."
        exit 1
    fi
    say "$prefix is complete"
    exit
fi
mkdir -p "$work/src" "$prefix"
toolchain=$here/../cmake/mingw-w64.cmake
packed=$here/../../shared/windows/prefix.tar.xz
jobs=${JOBS:-$(nproc)}
triple=x86_64-w64-mingw32
llvm=/usr/lib/llvm-19/bin

# step NAME FILE [optional]: runs the function make_NAME unless the prefix has the file, which it makes last.
step() {
    local name=$1 start=$SECONDS log=$work/$1.log
    [ ! -e "$prefix/$2" ] || { say "$name: there"; return 0; }
    say "$name …"
    # Not in the condition, where `set -e` would not hold; nor is a step part of one.
    (set -x; "make_$name") >"$log" 2>&1 &
    if wait $!; then
        say "$name: $(duration $((SECONDS - start)))"
    else
        say "$name: failed after $(duration $((SECONDS - start))); the end of $log:"
        tail -n 20 "$log"
        [ "${3:-}" = optional ] || exit 1
        say "going on without $name; run this again when that can be had"
    fi
}

# Source packages are mostly switched off in the machine's apt configuration: a private one has them.
make_apt() {
    local from name
    rm -rf "$work/apt"
    mkdir -p "$work/apt/sources.d" "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
    for from in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$from" ] || continue
        name=$(basename "$from" .list)
        sed -nE 's/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$from" | sort -u >"$work/apt/sources.d/$name.list"
    done
    for from in /etc/apt/sources.list.d/*.sources; do
        [ -e "$from" ] || continue
        sed -E 's/^Types:.*/Types: deb-src/' "$from" >"$work/apt/sources.d/$(basename "$from")"
    done
    cat >"$work/apt/apt.conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/apt/sources.d";
Dir::State::lists "$work/apt/lists";
Dir::Cache "$work/apt/cache";
APT::Sandbox::User "root";
END
    APT_CONFIG=$work/apt/apt.conf apt-get update
}

# source_package NAME [VERSION] [OPTION]: into $work/src.
source_package() {
    local release
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    # With backports among the sources, the newest would be taken.
    (cd "$work/src" && APT_CONFIG=$work/apt/apt.conf apt-get -t "$release" source "${@:3}" "$1${2:+=$2}")
}
# The folder that a source package was unpacked to.
source_folder() { find "$work/src/" -maxdepth 1 -type d -name "$1-[0-9]*" | sort | tail -n 1; }
source_version() { dpkg-query -W -f '${source:Version}' "$1"; }

make_sources() {
    # Of the version that the machine's moc and llvm-tblgen are.
    source_package qt6-base "$(source_version qt6-base-dev-tools)"
    source_package llvm-toolchain-19 "$(source_version llvm-19)" --download-only
    # All of LLVM would be 2 GB, and what Debian changes isn't about these folders' Windows parts.
    local tar folder
    tar=$(find "$work/src/" -name 'llvm-toolchain-19_*.orig.tar.xz')
    folder=$(basename "$tar" .orig.tar.xz | tr _ -)
    mkdir -p "$work/src/$folder"
    tar -C "$work/src/$folder" -xf "$tar" --strip-components=1 --wildcards \
        --exclude='*/llvm/test' --exclude='*/llvm/unittests' '*/llvm' '*/cmake' '*/third-party'
    source_package qscintilla2
    source_package qcustomplot
    source_package libzstd
}

# build NAME SOURCE [OPTION…] [-- TARGET…]: configures, builds and installs (or makes the targets, which install).
build() {
    local name=$1 source=$2 options=()
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
    [ $# = 0 ] || shift
    cmake -S "$source" -B "$work/build-$name" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
        -DWINDOWS_PREFIX="$prefix" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE='-O2 -DNDEBUG' -DCMAKE_CXX_FLAGS_RELEASE='-O2 -DNDEBUG' "${options[@]}"
    cmake --build "$work/build-$name" -j "$jobs" -t "${@:-install}"
}

make_headers() {
    mkdir -p "$prefix/include/stb" "$prefix/lib" "$prefix/share/cmake"
    cp -r /usr/include/nlohmann /usr/include/CLI "$prefix/include/"
    cp /usr/include/stb/*.h "$prefix/include/stb/"
    cp -r /usr/share/cmake/nlohmann_json /usr/share/cmake/CLI11 "$prefix/share/cmake/"
    # zlib is Debian's own for mingw; with a copy here the prefix is complete.
    cp "/usr/$triple/include/zlib.h" "/usr/$triple/include/zconf.h" "$prefix/include/"
    cp "/usr/$triple/lib/libz.a" "$prefix/lib/"
}

make_zstd() {
    build zstd "$(source_folder libzstd)/build/cmake" -DZSTD_BUILD_SHARED=OFF -DZSTD_BUILD_PROGRAMS=OFF \
        -DZSTD_BUILD_TESTS=OFF -DZSTD_MULTITHREAD_SUPPORT=OFF
}

# Not its headers alone: each file that uses it would compile all of it, which took two seconds a file.
make_fmt() {
    source_package fmtlib "$(source_version libfmt-dev)"
    rm -rf "$prefix/lib/cmake/fmt"
    build fmt "$(source_folder fmtlib)" -DBUILD_SHARED_LIBS=OFF -DFMT_TEST=OFF -DFMT_DOC=OFF
}

# For the formulas of sessions. A packed prefix may be older than it is.
make_muparser() {
    source_package muparser "$(source_version libmuparser-dev)"
    build muparser "$(source_folder muparser)" -DBUILD_SHARED_LIBS=OFF -DENABLE_SAMPLES=OFF -DENABLE_OPENMP=OFF \
        -DENABLE_WIDE_CHAR=OFF
    note_version muparser libmuparser-dev
}

make_qtbase() {
    local source
    source=$(source_folder qt6-base)
    # Qt 6.4 has its DirectWrite fonts where Direct2D is on only, but two files ask for DirectWrite alone.
    sed -i -E 's/^#if QT_CONFIG\((directwrite3?)\)$/#if QT_CONFIG(\1) \&\& QT_CONFIG(direct2d)/' \
        "$source/src/printsupport/platform/windows/qprintengine_win.cpp" \
        "$source/src/plugins/platforms/windows/qwindowsintegration.cpp"
    # Debian removed the tablet header (wintab); the rest is off because the project has no use for it.
    build qtbase "$source" -DBUILD_SHARED_LIBS=ON -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF \
        -DFEATURE_tabletevent=OFF -DFEATURE_dbus=OFF -DFEATURE_network=OFF -DFEATURE_sql=OFF -DFEATURE_xml=OFF \
        -DFEATURE_concurrent=OFF -DINPUT_opengl=no -DFEATURE_vulkan=OFF -DFEATURE_direct2d=OFF -DFEATURE_zstd=OFF
}

make_qtsvg() {
    source_package qt6-svg
    build qtsvg "$(source_folder qt6-svg)" -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF
}

# QScintilla (a qmake project) and QCustomPlot (one file), as static libraries.
make_qtextras() {
    mkdir -p "$work/qtextras"
    cat >"$work/qtextras/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(qtextras LANGUAGES CXX)
find_package(Qt6 REQUIRED COMPONENTS Widgets PrintSupport)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_AUTOMOC ON)
add_compile_options(-w)

file(GLOB sources ${QSCINTILLA}/src/*.cpp ${QSCINTILLA}/src/*.h ${QSCINTILLA}/src/Qsci/*.h
  ${QSCINTILLA}/scintilla/lexers/*.cpp ${QSCINTILLA}/scintilla/lexlib/*.cpp ${QSCINTILLA}/scintilla/src/*.cpp)
add_library(qscintilla2_qt6 STATIC ${sources})
target_compile_definitions(qscintilla2_qt6 PRIVATE SCINTILLA_QT SCI_LEXER INCLUDE_DEPRECATED_FEATURES)
target_include_directories(qscintilla2_qt6 PRIVATE ${QSCINTILLA}/src ${QSCINTILLA}/scintilla/include
  ${QSCINTILLA}/scintilla/lexlib ${QSCINTILLA}/scintilla/src)
target_link_libraries(qscintilla2_qt6 PRIVATE Qt6::Widgets Qt6::PrintSupport)

add_library(QCustomPlotQt6 STATIC ${QCUSTOMPLOT}/qcustomplot.cpp ${QCUSTOMPLOT}/qcustomplot.h)
target_link_libraries(QCustomPlotQt6 PRIVATE Qt6::Widgets Qt6::PrintSupport)

# What find_library() finds is a linker script: it brings the Qt libraries behind the static one, where GNU ld wants them.
foreach(name qscintilla2_qt6 QCustomPlotQt6)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${name}_static)
  file(WRITE ${PROJECT_BINARY_DIR}/lib${name}.a
    "INPUT(lib${name}_static.a libQt6PrintSupport.a libQt6Widgets.a libQt6Gui.a libQt6Core.a)\n")
  install(FILES ${PROJECT_BINARY_DIR}/lib${name}.a DESTINATION lib)
endforeach()
install(TARGETS qscintilla2_qt6 QCustomPlotQt6 ARCHIVE DESTINATION lib)
install(DIRECTORY ${QSCINTILLA}/src/Qsci DESTINATION include)
install(FILES ${QCUSTOMPLOT}/qcustomplot.h DESTINATION include)
END
    build qtextras "$work/qtextras" -DQSCINTILLA="$(source_folder qscintilla2)" -DQCUSTOMPLOT="$(source_folder qcustomplot)"
}

# What the just-in-time compiler needs, and what that needs: 59 of LLVM's libraries.
llvm_libraries=(AggressiveInstCombine Analysis AsmParser AsmPrinter BinaryFormat BitReader BitWriter BitstreamReader
    CFGuard CodeGen CodeGenTypes Core Coroutines DebugInfoBTF DebugInfoCodeView DebugInfoDWARF DebugInfoMSF
    DebugInfoPDB Demangle ExecutionEngine FrontendOffloading FrontendOpenMP GlobalISel HipStdPar IRPrinter IRReader
    InstCombine Instrumentation JITLink Linker MC MCDisassembler MCParser ObjCARCOpts Object Option OrcJIT OrcShared
    OrcTargetProcess Passes ProfileData Remarks RuntimeDyld ScalarOpts SelectionDAG Support Symbolize Target
    TargetParser TextAPI TransformUtils Vectorize WindowsDriver X86AsmParser X86CodeGen X86Desc X86Disassembler
    X86Info ipo)

make_llvm() {
    # zstd is what the newer compilers' fat binaries are packed with.
    local distribution
    distribution=$(printf 'LLVM%s;' "${llvm_libraries[@]}")"llvm-headers;cmake-exports"
    cat >"$work/llvm-pch.cmake" <<'END'
# Precompiled headers for LLVM's larger libraries: reading headers is half of the compiler's work there.
function(precompile_llvm)
  set(ir llvm/ADT/SmallPtrSet.h llvm/ADT/Statistic.h llvm/ADT/SetVector.h llvm/IR/IRBuilder.h llvm/IR/Module.h
    llvm/IR/IntrinsicInst.h llvm/IR/InstIterator.h llvm/IR/PassManager.h llvm/IR/Dominators.h
    llvm/IR/DebugInfo.h llvm/Support/CommandLine.h llvm/Support/Debug.h llvm/Support/raw_ostream.h)
  set(analysis ${ir} llvm/Analysis/AliasAnalysis.h llvm/Analysis/AssumptionCache.h llvm/Analysis/LoopInfo.h
    llvm/Analysis/MemorySSA.h llvm/Analysis/ScalarEvolutionExpressions.h llvm/Analysis/TargetLibraryInfo.h
    llvm/Analysis/TargetTransformInfo.h llvm/Analysis/ValueTracking.h)
  set(codegen ${ir} llvm/Analysis/AliasAnalysis.h llvm/Analysis/TargetTransformInfo.h llvm/CodeGen/MachineFunctionPass.h
    llvm/CodeGen/MachineInstrBuilder.h llvm/CodeGen/MachineModuleInfo.h llvm/CodeGen/MachineRegisterInfo.h
    llvm/CodeGen/TargetInstrInfo.h llvm/CodeGen/TargetLowering.h llvm/CodeGen/TargetSubtargetInfo.h
    llvm/Target/TargetMachine.h)
  set(headers_LLVMCore ${ir})
  foreach(name LLVMAnalysis LLVMTransformUtils LLVMScalarOpts LLVMipo LLVMInstrumentation LLVMVectorize
      LLVMInstCombine LLVMCoroutines LLVMAggressiveInstCombine LLVMObjCARCOpts LLVMIRPrinter)
    set(headers_${name} ${analysis})
  endforeach()
  foreach(name LLVMCodeGen LLVMAsmPrinter)
    set(headers_${name} ${codegen})
  endforeach()
  foreach(name LLVMSelectionDAG LLVMGlobalISel LLVMX86CodeGen)
    set(headers_${name} ${codegen} llvm/CodeGen/SelectionDAG.h)
  endforeach()
  set(headers_LLVMMC llvm/ADT/SmallString.h llvm/ADT/StringMap.h llvm/MC/MCAssembler.h llvm/MC/MCContext.h
    llvm/MC/MCExpr.h llvm/MC/MCStreamer.h llvm/Support/raw_ostream.h)
  set(headers_LLVMX86Desc ${headers_LLVMMC})
  set(headers_LLVMObject llvm/Object/COFF.h llvm/Object/ELFObjectFile.h llvm/Object/MachO.h)
  set(headers_LLVMJITLink llvm/ExecutionEngine/JITLink/JITLink.h llvm/Object/ELFObjectFile.h)
  set(headers_LLVMOrcJIT llvm/ExecutionEngine/JITLink/JITLink.h llvm/ExecutionEngine/Orc/Core.h llvm/IR/Module.h)
  set(headers_LLVMDebugInfoDWARF llvm/DebugInfo/DWARF/DWARFContext.h)
  foreach(name LLVMDebugInfoPDB LLVMDebugInfoCodeView LLVMProfileData LLVMDebugInfoMSF)
    set(headers_${name} llvm/ADT/DenseMap.h llvm/ADT/StringMap.h llvm/Support/BinaryStreamReader.h
      llvm/Support/Error.h llvm/Support/FormatVariadic.h llvm/Support/raw_ostream.h)
  endforeach()
  get_property(libraries GLOBAL PROPERTY LLVM_LIBS)
  foreach(name ${libraries})
    if(headers_${name})
      list(TRANSFORM headers_${name} REPLACE "(.+)" "<\\1>")
      target_precompile_headers(${name} PRIVATE ${headers_${name}})
    endif()
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL precompile_llvm)
END
    build llvm "$(source_folder llvm-toolchain-19)/llvm" -DCMAKE_PROJECT_INCLUDE="$work/llvm-pch.cmake" \
        -DLLVM_DISTRIBUTION_COMPONENTS="$distribution" -DLLVM_TARGETS_TO_BUILD=X86 \
        -DLLVM_HOST_TRIPLE=x86_64-w64-windows-gnu -DLLVM_DEFAULT_TARGET_TRIPLE=x86_64-w64-windows-gnu \
        -DLLVM_TABLEGEN=$llvm/llvm-tblgen -DLLVM_ENABLE_ASSERTIONS=OFF -DLLVM_ENABLE_THREADS=ON \
        -DLLVM_ENABLE_ZSTD=FORCE_ON -DLLVM_USE_STATIC_ZSTD=ON -DLLVM_ENABLE_ZLIB=OFF -DLLVM_ENABLE_LIBXML2=OFF \
        -DLLVM_ENABLE_CURL=OFF -DLLVM_ENABLE_HTTPLIB=OFF -DLLVM_ENABLE_LIBEDIT=OFF -DLLVM_ENABLE_LIBPFM=OFF \
        -DLLVM_ENABLE_PLUGINS=OFF -DLLVM_ENABLE_BINDINGS=OFF -DLLVM_ENABLE_WARNINGS=OFF -DLLVM_APPEND_VC_REV=OFF \
        -DLLVM_BUILD_TOOLS=OFF -DLLVM_INCLUDE_TOOLS=OFF -DLLVM_BUILD_UTILS=OFF -DLLVM_INCLUDE_UTILS=OFF \
        -DLLVM_BUILD_RUNTIME=OFF -DLLVM_INCLUDE_RUNTIMES=OFF -DLLVM_INCLUDE_TESTS=OFF -DLLVM_INCLUDE_EXAMPLES=OFF \
        -DLLVM_INCLUDE_BENCHMARKS=OFF -DLLVM_INCLUDE_DOCS=OFF -- install-distribution
}

# NVIDIA's compiler and the headers of CUDA for the tests, from its packages for Python. Not part of an archive: NVIDIA's
# licence goes with it. The headers of all packages are put where NVRTC's lie, as a toolkit has them.
make_nvrtc() {
    local release packages package folder wheels
    while read -r release packages; do
        folder=$prefix/nvrtc/$release wheels=$work/nvrtc/$release
        rm -rf "$folder" "$wheels"
        mkdir -p "$folder" "$wheels"
        python3 -m pip download --quiet --no-deps --only-binary :all: --platform win_amd64 --dest "$wheels" $packages
        for package in "$wheels"/*cuda_nvrtc*.whl; do python3 -m zipfile -e "$package" "$folder"; done
        python3 - "$(find "$folder" -name include -type d -print -quit)" "$wheels"/*.whl <<'END'
import pathlib, sys, zipfile
for wheel in sys.argv[2:]:
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            _, include, header = name.partition("/include/")
            if include and header and not name.endswith("/"):
                to = pathlib.Path(sys.argv[1], header)
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(files.read(name))
END
    done <<'END'
12.9 nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-cccl-cu12==12.9.27 nvidia-cuda-nvcc-cu12==12.9.86
13.0 nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88 nvidia-cuda-cccl==13.0.85
END
    touch "$prefix/nvrtc/with-headers"
}

# Its source is many files, of which its own Makefile makes the one that programs compile.
make_sqlite() {
    source_package sqlite3 "$(source_version libsqlite3-dev)"
    local source
    source=$(realpath "$(source_folder sqlite3)")
    rm -rf "$work/sqlite" && mkdir -p "$work/sqlite"
    (cd "$work/sqlite" && "$source/configure" --disable-tcl --disable-readline && make sqlite3.c)
    cat >"$work/sqlite/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(sqlite LANGUAGES C)
add_library(sqlite3 STATIC sqlite3.c)
target_compile_definitions(sqlite3 PRIVATE SQLITE_OMIT_LOAD_EXTENSION SQLITE_THREADSAFE=1)
install(TARGETS sqlite3 ARCHIVE DESTINATION lib)
install(FILES sqlite3.h DESTINATION include)
END
    build sqlite "$work/sqlite"
    note_version sqlite3 libsqlite3-dev
}
# Three files of zlib's. The program's own files come through functions, never through those of the C library.
make_minizip() {
    source_package minizip "$(source_version libminizip-dev)"
    mkdir -p "$work/minizip"
    cat >"$work/minizip/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(minizip LANGUAGES C)
add_library(minizip STATIC ${MINIZIP}/ioapi.c ${MINIZIP}/unzip.c ${MINIZIP}/zip.c)
target_include_directories(minizip PRIVATE ${WINDOWS_PREFIX}/include)
target_compile_definitions(minizip PRIVATE NOCRYPT NOUNCRYPT)
install(TARGETS minizip ARCHIVE DESTINATION lib)
install(FILES ${MINIZIP}/ioapi.h ${MINIZIP}/unzip.h ${MINIZIP}/zip.h DESTINATION include/minizip)
END
    build minizip "$work/minizip" -DMINIZIP="$(source_folder minizip)"
    note_version minizip libminizip-dev
}
make_xxhash() {
    cp /usr/include/xxhash.h "$prefix/include/"
    note_version libxxhash-dev libxxhash-dev
}
# note_version NAME PACKAGE: of what was added to a prefix that was there.
note_version() {
    grep -q "^$1 " "$prefix/VERSIONS" || sed -i "/^Debian source packages:/a $1 $(source_version "$2")" "$prefix/VERSIONS"
}

# What is in the prefix, for who finds it alone.
make_versions() {
    local dsc name
    {
        echo "Windows libraries, x86_64, made by scripts/windows-dependencies.sh with:"
        "$triple-g++-posix" --version | sed -n 1p
        dpkg-query -W -f 'mingw-w64 ${Version}\n' mingw-w64-x86-64-dev
        echo
        echo "Debian source packages:"
        for dsc in "$work"/src/*.dsc; do
            [ -e "$dsc" ] || continue
            name=$(sed -n 's/^Source: //p' "$dsc")
            case $name in
            qt6-svg) [ -e "$prefix/lib/cmake/Qt6Svg" ] || continue ;;
            llvm-*) [ -e "$prefix/lib/cmake/llvm/LLVMConfig.cmake" ] || continue ;;
            esac
            echo "$name $(sed -n 's/^Version: //p' "$dsc")"
        done
        echo
        echo "Debian packages, copied:"
        dpkg-query -W -f '${Package} ${Version}\n' libz-mingw-w64-dev nlohmann-json3-dev libcli11-dev libstb-dev
        [ -e "$prefix/lib/cmake/Qt6Svg" ] || printf '\nNot in it: Qt Svg\n'
        [ -e "$prefix/lib/cmake/llvm/LLVMConfig.cmake" ] || printf '\nNot in it: LLVM\n'
    } >"$prefix/VERSIONS"
    cp "$toolchain" "$prefix/"
}

make_archive() {
    local stage=$work/archive/prefix found
    rm -rf "$work/archive"
    mkdir -p "$work/archive"
    cp -a "$prefix" "$stage"
    # Of use to qmake and pkg-config only, and full of this machine's paths.
    rm -rf "$stage"/{doc,libexec,modules,nvrtc} "$stage"/lib/pkgconfig "$stage"/lib/cmake/Qt6/qt.toolchain.cmake \
        "$stage"/share/{doc,man}
    find "$stage" \( -name '*.prl' -o -name '*.pri' \) -delete
    # Kept for who builds one more Qt module into the unpacked prefix.
    sed -i "s#set(qtbi_orig_prefix .*#set(qtbi_orig_prefix \"\${QT_BUILD_INTERNALS_RELOCATABLE_INSTALL_PREFIX}\")#" \
        "$stage/lib/cmake/Qt6BuildInternals/QtBuildInternalsExtra.cmake"
    find "$stage/bin" -type f ! -name '*.dll' -delete
    find "$stage/mkspecs" -mindepth 1 -maxdepth 1 ! -name win32-g++ ! -name common -exec rm -rf {} +
    find "$stage" \( -name '*.dll' -o -name '*.exe' \) -exec "$triple-strip" --strip-unneeded {} +
    # Neither the DLLs' own nor linker scripts.
    find "$stage" -name '*.a' ! -name 'libQt6*' -size +4k -exec "$triple-strip" --strip-debug {} +
    find "$stage" -type d -empty -delete
    if found=$(grep -rlIF -e "$prefix" -e "$work" "$stage"); then
        echo "these name a folder of this machine:"
        echo "$found"
        return 1
    fi
    case $archive in
    *.zst) tar -C "$work/archive" --owner=0 --group=0 --sort=name -cf - prefix | zstd -q -T0 -19 -o "$archive" -f ;;
    *) tar -C "$work/archive" --owner=0 --group=0 --sort=name -cf - prefix | xz -T0 -6 >"$archive" ;;
    esac
}

if [ ! -e "$prefix/VERSIONS" ] && [ -e "$packed" ]; then
    say "unpacking $packed"
    tar -xJf "$packed" -C "$prefix" --strip-components=1
fi
install_packages "${windows_packages[@]}" "${windows_prefix_packages[@]}"
if [ -n "$(missing "${libraries[@]}")" ]; then
    for name in apt sources; do
        step "$name" none # for each run anew
    done
    step headers lib/libz.a
    step zstd lib/libzstd.a
    step fmt lib/libfmt.a
    step qtbase bin/Qt6Widgets.dll
    step qtsvg lib/cmake/Qt6Svg/Qt6SvgConfig.cmake optional # the icons can be drawn without
    step qtextras lib/libqscintilla2_qt6.a
    step llvm lib/cmake/llvm/LLVMConfig.cmake
    make_versions
fi
if [ -n "$(missing "${later[@]}")" ]; then
    step apt none
    step sqlite lib/libsqlite3.a
    step xxhash include/xxhash.h
    step minizip lib/libminizip.a
    step muparser lib/libmuparser.a
fi
step nvrtc nvrtc/with-headers
if [ -n "$archive" ]; then
    make_archive
    say "$(du -h "$archive" | cut -f 1) $archive"
fi
say "$prefix is complete"
