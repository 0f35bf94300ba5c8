<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>warplight::ui::ArgumentDialog</name>
    <message numerus="yes">
        <source>%n numbers: 1, 2, …</source>
        <translation>
            <numerusform>%n number: 1, 2, …</numerusform>
            <numerusform>%n numbers: 1, 2, …</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1” has no %n numbers, such as 1, 2.5.</source>
        <translation>
            <numerusform>“%1” has no %n number, such as 1, 2.5.</numerusform>
            <numerusform>“%1” has no %n numbers, such as 1, 2.5.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>warplight::ui::ArgumentsModel</name>
    <message numerus="yes">
        <source>The kernel has only %n parameter(s). The Delete key removes this argument.</source>
        <translation>
            <numerusform>The kernel has only %n parameter. The Delete key removes this argument.</numerusform>
            <numerusform>The kernel has only %n parameters. The Delete key removes this argument.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchPanel</name>
    <message numerus="yes">
        <source>The kernel has %n parameter(s) without an argument.</source>
        <translation>
            <numerusform>The kernel has %n parameter without an argument.</numerusform>
            <numerusform>The kernel has %n parameters without an argument.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>warplight::ui::StructDialog</name>
    <message numerus="yes">
        <source>%1, %n bits</source>
        <translation>
            <numerusform>%1, %n bit</numerusform>
            <numerusform>%1, %n bits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n bytes. An empty value is 0.</source>
        <translation>
            <numerusform>%1, %n byte. An empty value is 0.</numerusform>
            <numerusform>%1, %n bytes. An empty value is 0.</numerusform>
        </translation>
    </message>
</context>
</TS>
