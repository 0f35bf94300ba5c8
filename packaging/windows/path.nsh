; SPDX-License-Identifier: GPL-3.0-or-later
; A folder in PATH: in the user's or, after `SetShellVarContext all`, in that of all users. NSIS's own texts end after
; 1024 characters and PATH may be longer, so it stays in memory that the system's functions work on.
;   StrCpy $0 FOLDER
;   !insertmacro PATH_ADD        does nothing where it is there
;   !insertmacro PATH_REMOVE     takes away exactly what PATH_ADD wrote
; Both use $0 to $9.

!define PATH_REG_EXPAND_SZ 2

; $1 key, $2 type, $3 memory with room for one folder more, $4 bytes there were; $1 is 0 when it cannot be opened.
!macro PATH_OPEN
    ${If} $Mode == AllUsers
        System::Call 'advapi32::RegCreateKeyExW(p 0x80000002, w "SYSTEM\CurrentControlSet\Control\Session Manager\Environment", i 0, p 0, i 0, i 0x2001F, p 0, *p .r1, p 0) i.r5'
    ${Else}
        System::Call 'advapi32::RegCreateKeyExW(p 0x80000001, w "Environment", i 0, p 0, i 0, i 0x2001F, p 0, *p .r1, p 0) i.r5'
    ${EndIf}
    ${If} $5 <> 0
        StrCpy $1 0
    ${Else}
        StrCpy $2 ${PATH_REG_EXPAND_SZ}
        StrCpy $4 0
        System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i .r2, p 0, *i .r4) i.r5'
        ${If} $5 <> 0
            StrCpy $2 ${PATH_REG_EXPAND_SZ}
            StrCpy $4 0
        ${EndIf}
        IntOp $6 $4 + 4096
        System::Alloc $6
        Pop $3
        ${If} $4 > 0
            ; One character before it, for a separator.
            IntPtrOp $5 $3 + 2
            System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i .r2, p r5, *i r4)'
        ${EndIf}
        ; Now ";FOLDER;FOLDER;", where each folder has a separator on both sides.
        System::Call '*$3(&i2 59)'
        System::Call 'kernel32::lstrcatW(p r3, w ";")'
        ; ";FOLDER;" in it
        System::Call 'shlwapi::StrStrIW(p r3, w ";$0;") p.r5'
    ${EndIf}
!macroend

; Writes what is between the outer separators, or removes the value when nothing is.
!macro PATH_WRITE
    System::Call 'kernel32::lstrlenW(p r3) i.r6'
    ${If} $6 < 3
        System::Call 'advapi32::RegDeleteValueW(p r1, w "Path")'
    ${Else}
        IntOp $6 $6 - 1
        IntOp $7 $6 * 2
        IntPtrOp $8 $3 + $7
        System::Call '*$8(&i2 0)'
        IntPtrOp $8 $3 + 2
        System::Call 'advapi32::RegSetValueExW(p r1, w "Path", i 0, i r2, p r8, i r7)'
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

!macro PATH_CLOSE
    System::Free $3
    System::Call 'advapi32::RegCloseKey(p r1)'
!macroend

!macro PATH_ADD
    !insertmacro PATH_OPEN
    ${If} $1 P<> 0
        ${If} $5 P= 0
            ; An empty PATH is ";;".
            System::Call 'kernel32::lstrlenW(p r3) i.r6'
            ${If} $6 = 2
                System::Call '*$3(&i2 59, &i2 0)'
            ${EndIf}
            System::Call 'kernel32::lstrcatW(p r3, w "$0;")'
            !insertmacro PATH_WRITE
        ${EndIf}
        !insertmacro PATH_CLOSE
    ${EndIf}
!macroend

!macro PATH_REMOVE
    !insertmacro PATH_OPEN
    ${If} $1 P<> 0
        ${If} $5 P<> 0
            ; What follows the folder moves to where its first separator is.
            StrLen $6 ";$0"
            IntOp $6 $6 * 2
            IntPtrOp $8 $5 + $6
            System::Call 'kernel32::lstrlenW(p r8) i.r7'
            IntOp $7 $7 + 1
            IntOp $7 $7 * 2
            System::Call 'kernel32::RtlMoveMemory(p r5, p r8, p r7)'
            !insertmacro PATH_WRITE
        ${EndIf}
        !insertmacro PATH_CLOSE
    ${EndIf}
!macroend
