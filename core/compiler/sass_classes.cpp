// SPDX-License-Identifier: Apache-2.0
#include "compiler/sass.hpp"

#include <algorithm>
#include <array>

namespace warplight::compiler {
namespace {

/// The first line whose list has the opcode, or the beginning of it where the word ends in *.
struct OpcodeClass {
    std::string_view name;
    std::string_view opcodes;
};
constexpr std::array kClasses = {
    OpcodeClass{
        "global memory",
        "LDG STG ATOMG ATOM RED REDG LD ST LDGSTS LDGMC CCTL CCTLL CCTLT PREFETCH UBLKCP UBLKPF UBLKRED UTMALDG "
        "UTMASTG UTMAREDG UTMAPF UTMACCTL UTMACMDFLUSH LDGDEPBAR"},
    OpcodeClass{"shared memory", "LDS STS ATOMS LDSM STSM LDS_LDU STAS REDAS UTCCP MOVM"},
    OpcodeClass{"local memory", "LDL STL"},
    OpcodeClass{"constant memory", "LDC ULDC LDCU"},
    OpcodeClass{"texture and surface", "TEX TLD TLD4 TMML TXD TXQ TEXS TLDS TLD4S SULD SUST SUATOM SURED"},
    OpcodeClass{"tensor",
                "HMMA IMMA DMMA BMMA QMMA OMMA HGMMA IGMMA QGMMA BGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMXQMMA "
                "UTCATOMSWS UTCBAR UTCSHIFT LDT LDTM STT STTM"},
    OpcodeClass{"float64", "DADD DMUL DFMA DSETP DMNMX DSET"},
    OpcodeClass{"half", "HADD2 HMUL2 HFMA2 HSETP2 HSET2 HMNMX2 HADD2_32 HMUL2_32 HFMA2_32 HFMA2_MMA BMNMX2"},
    OpcodeClass{"special function", "MUFU"},
    OpcodeClass{"float32", "FADD FMUL FFMA FSETP FSET FMNMX FMNMX3 FSEL FCHK FSWZADD FADD2 FMUL2 FFMA2 FADD32I FMUL32I "
                           "FFMA32I FHADD FHFMA RRO"},
    OpcodeClass{"conversion", "F2F F2I I2F I2I F2FP F2IP I2FP I2IP FRND"},
    OpcodeClass{"warp", "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT UVOTE ACTIVEMASK"},
    OpcodeClass{"synchronisation",
                "BAR MEMBAR DEPBAR WARPSYNC SYNCS ERRBAR FENCE WARPGROUP WARPGROUPSET ARRIVES ACQBULK "
                "UCGABAR_ARV UCGABAR_WAIT CGAERRBAR ENDCOLLECTIVE LEPC NANOSLEEP YIELD B2R R2B USYNCS "
                "ACQSHMINIT PREEXIT USETMAXREG USETSHMSZ"},
    OpcodeClass{"control",
                "BRA BRX BRXU JMP JMX JMXU BSSY BSYNC BREAK BMOV BPT CALL RET EXIT KILL RTT SSY SYNC PBK BRK CONT "
                "RPCMOV NOP WARPBRA UBRA"},
    OpcodeClass{"move", "MOV MOV32I PRMT SEL S2R S2UR CS2R R2UR CS2UR P2R R2P GETLMEMBASE SETLMEMBASE PLOP3 PSETP SGXT "
                        "S2UX AL2P BMSK"},
    OpcodeClass{"integer",
                "IADD* IMAD* IMUL* IMNMX* VIMNMX* ISETP ISET ISCADD* IABS INEG ICMP IDP* IDE LOP LOP3 LOP32I SHF "
                "SHL SHR LEA FLO BREV POPC VABSDIFF* VADD* VIADD* VIADDMNMX XMAD BFE BFI VHMNMX"},
    OpcodeClass{"uniform", "U*"},
};

bool lists(std::string_view words, std::string_view opcode) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const std::string_view word = words.substr(0, end);
        if (word.ends_with('*') ? opcode.starts_with(word.substr(0, word.size() - 1)) : word == opcode) return true;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
}

} // namespace

std::string_view sass_class(std::string_view opcode) {
    if (opcode.starts_with("HFMA2.MMA")) return "half"; // no tensor instruction: the pipe that it uses
    if (opcode.starts_with("IMAD.MOV")) return "move";
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    const auto found =
        std::ranges::find_if(kClasses, [&](const OpcodeClass& each) { return lists(each.opcodes, base); });
    return found == kClasses.end() ? "other" : found->name;
}

std::vector<std::pair<std::string, int>> sass_class_counts(const SassFunction& function) {
    std::vector<std::pair<std::string, int>> result;
    result.reserve(kClasses.size() + 1);
    for (const OpcodeClass& each : kClasses)
        result.emplace_back(each.name, 0);
    result.emplace_back("other", 0);
    for (std::size_t i = 0; i < function.count(); ++i) {
        const std::string_view name = sass_class(function.instructions[i].opcode);
        ++std::ranges::find(result, name, &std::pair<std::string, int>::first)->second;
    }
    std::erase_if(result, [](const auto& each) { return each.second == 0; });
    return result;
}

} // namespace warplight::compiler
