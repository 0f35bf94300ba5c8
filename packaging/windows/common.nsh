; SPDX-License-Identifier: GPL-3.0-or-later
; What the installer and the uninstaller share.

; Ends with a code, and with a message where somebody reads it.
!macro TELL text code
    ${If} ${Silent}
        System::Call 'kernel32::AttachConsole(i -1)'
        System::Call 'kernel32::GetStdHandle(i -12) p.r8'
        StrCpy $9 "error: ${text}$\r$\n"
        System::Call 'kernel32::lstrlenA(m r9) i.r7'
        System::Call 'kernel32::WriteFile(p r8, m r9, i r7, *i .r6, p 0)'
    ${Else}
        MessageBox MB_OK|MB_ICONSTOP "${text}"
    ${EndIf}
    SetErrorLevel ${code}
    Quit
!macroend

!macro ASSOCIATIONS_CHANGED
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0x1000, p 0, p 0)'
!macroend

Var InUse ; the file that a program holds
Var Error
Var Handle

!macro COMMON_FUNCTIONS UN
; $0: 1 with an administrator's rights, else 0
Function ${UN}isAdministrator
    UserInfo::GetAccountType
    Pop $0
    ${If} $0 == "Admin"
        StrCpy $0 1
    ${Else}
        StrCpy $0 0
    ${EndIf}
FunctionEnd

; For ${Locate}: stops at a file that is in use.
Function ${UN}checkFile
    System::Call 'kernel32::CreateFileW(w R9, i 0x40000000, i 7, p 0, i 3, i 0x80, p 0) p.s ?e'
    Pop $Error
    Pop $Handle
    ${If} $Handle != -1
        System::Call 'kernel32::CloseHandle(p $Handle)'
        Push ""
    ${ElseIf} $Error = 32 ; ERROR_SHARING_VIOLATION: a program that runs, or a file that one has open
        StrCpy $InUse $R9
        Push "StopLocate"
    ${Else}
        Push ""
    ${EndIf}
FunctionEnd

; Nothing of a version is removed or written over while one of its files in the folder $0 is in use. Only the folders
; that are the installer's are looked into.
Function ${UN}waitForPrograms
again:
    StrCpy $InUse ""
    StrCpy $1 $0
    ${If} ${FileExists} "$1\bin\warplight-cli.exe"
        ${Locate} "$1\bin" "/L=F" "${UN}checkFile"
    ${EndIf}
    ${If} $InUse == ""
    ${AndIf} ${FileExists} "$1\plugins\platforms\qwindows.dll"
        ${Locate} "$1\plugins" "/L=F" "${UN}checkFile"
    ${EndIf}
    ${If} $InUse == ""
    ${AndIf} ${FileExists} "$1\share\warplight\*.*"
        ${Locate} "$1\share\warplight" "/L=F" "${UN}checkFile"
    ${EndIf}
    ${If} $InUse == ""
    ${AndIf} ${FileExists} "$1\share\doc\warplight\*.*"
        ${Locate} "$1\share\doc\warplight" "/L=F" "${UN}checkFile"
    ${EndIf}
    StrCpy $0 $1
    ${If} $InUse == ""
        Return
    ${EndIf}
    ${IfNot} ${Silent}
        MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Warplight is running, or another program has one of its files \
open:$\r$\n$InUse$\r$\n$\r$\nClose it, then try again." IDRETRY again
        SetErrorLevel ${IN_USE}
        Quit
    ${EndIf}
    !insertmacro TELL "Warplight is running, or another program has one of its files open: $InUse. \
Close it, then try again. Nothing was changed." ${IN_USE}
FunctionEnd
!macroend
