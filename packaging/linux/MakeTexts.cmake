# SPDX-License-Identifier: GPL-3.0-or-later
# Run while building: writes the completions and the manual page that warplight-cli makes of its own description.
#   cmake -DCLI=COMMAND -DVERSION=… -DTEMPLATE=warplight-cli.1.in -DFOLDER=… -P MakeTexts.cmake
function(ask variable)
  execute_process(COMMAND ${CLI} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
ask(bash completion bash)
ask(zsh completion zsh)
ask(SECTIONS manual)
file(WRITE "${FOLDER}/warplight-cli.bash" "${bash}")
file(WRITE "${FOLDER}/_warplight-cli" "${zsh}")
configure_file("${TEMPLATE}" "${FOLDER}/warplight-cli.1" @ONLY)
