<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AttributesModel</name>
    <message>
        <source>Registers a thread</source>
        <translation>Register je Thread</translation>
    </message>
    <message>
        <source>32-bit registers of a thread. Fewer let more warps be resident; the software device estimates them from the PTX.</source>
        <translation>32-Bit-Register eines Threads. Bei weniger Registern können mehr Warps resident sein; das Software-Gerät schätzt sie aus dem PTX.</translation>
    </message>
    <message>
        <source>Static shared memory</source>
        <translation>Statischer Shared Memory</translation>
    </message>
    <message>
        <source>What the __shared__ variables of a block take; the launch&apos;s dynamic shared memory comes on top.</source>
        <translation>Was die __shared__-Variablen eines Blocks belegen; der dynamische Shared Memory des Starts kommt hinzu.</translation>
    </message>
    <message>
        <source>Constant memory</source>
        <translation>Constant Memory</translation>
    </message>
    <message>
        <source>What the __constant__ variables of the module take.</source>
        <translation>Was die __constant__-Variablen des Moduls belegen.</translation>
    </message>
    <message>
        <source>Local memory a thread</source>
        <translation>Local Memory je Thread</translation>
    </message>
    <message>
        <source>Memory of each thread for arrays and for registers that did not suffice.</source>
        <translation>Speicher jedes Threads für Arrays und für Werte, denen die Register nicht reichten.</translation>
    </message>
    <message>
        <source>Most threads a block</source>
        <translation>Max. Threads je Block</translation>
    </message>
    <message>
        <source>The largest block that this kernel can be launched with: registers or __launch_bounds__ limit it.</source>
        <translation>Der größte Block, mit dem dieser Kernel gestartet werden kann: Register oder __launch_bounds__ begrenzen ihn.</translation>
    </message>
    <message>
        <source>Most dynamic shared memory</source>
        <translation>Max. dynamischer Shared Memory</translation>
    </message>
    <message>
        <source>What a launch of this kernel may ask for at present; a run raises it as needed.</source>
        <translation>Was ein Start dieses Kernels derzeit anfordern darf; ein Lauf erhöht es bei Bedarf.</translation>
    </message>
    <message>
        <source>PTX compiled for</source>
        <translation>PTX kompiliert für</translation>
    </message>
    <message>
        <source>The virtual architecture (compute capability) that the PTX was made for.</source>
        <translation>Die virtuelle Architektur (Compute Capability), für die das PTX erzeugt wurde.</translation>
    </message>
    <message>
        <source>Binary compiled for</source>
        <translation>Binärcode kompiliert für</translation>
    </message>
    <message>
        <source>The architecture (compute capability) that the machine code was made for.</source>
        <translation>Die Architektur (Compute Capability), für die der Maschinencode erzeugt wurde.</translation>
    </message>
    <message>
        <source>Preferred shared memory</source>
        <translation>Bevorzugter Shared Memory</translation>
    </message>
    <message>
        <source>How much of the memory that L1 cache and shared memory have together is to be shared memory.</source>
        <translation>Welcher Anteil des gemeinsamen Speichers von L1-Cache und Shared Memory als Shared Memory dienen soll.</translation>
    </message>
    <message>
        <source>Caches global loads in L1</source>
        <translation>Globale Loads im L1-Cache</translation>
    </message>
    <message>
        <source>Whether it was compiled with -Xptxas --dlcm=ca.</source>
        <translation>Ob mit -Xptxas --dlcm=ca kompiliert wurde.</translation>
    </message>
    <message>
        <source>Needs a cluster size</source>
        <translation>Braucht eine Clustergröße</translation>
    </message>
    <message>
        <source>Whether each launch must say how many blocks make a cluster.</source>
        <translation>Ob jeder Start angeben muss, wie viele Blöcke einen Cluster bilden.</translation>
    </message>
    <message>
        <source>Required cluster width</source>
        <translation>Nötige Clusterbreite</translation>
    </message>
    <message>
        <source>Blocks of a cluster along x that the kernel was compiled for.</source>
        <translation>Blöcke eines Clusters entlang x, für die der Kernel kompiliert wurde.</translation>
    </message>
    <message>
        <source>Required cluster height</source>
        <translation>Nötige Clusterhöhe</translation>
    </message>
    <message>
        <source>Blocks of a cluster along y that the kernel was compiled for.</source>
        <translation>Blöcke eines Clusters entlang y, für die der Kernel kompiliert wurde.</translation>
    </message>
    <message>
        <source>Required cluster depth</source>
        <translation>Nötige Clustertiefe</translation>
    </message>
    <message>
        <source>Blocks of a cluster along z that the kernel was compiled for.</source>
        <translation>Blöcke eines Clusters entlang z, für die der Kernel kompiliert wurde.</translation>
    </message>
    <message>
        <source>Large clusters allowed</source>
        <translation>Große Cluster erlaubt</translation>
    </message>
    <message>
        <source>Whether clusters of more than 8 blocks may be launched, which not every device can.</source>
        <translation>Ob Cluster mit mehr als 8 Blöcken gestartet werden dürfen. Nicht jedes Gerät kann das.</translation>
    </message>
    <message>
        <source>Cluster scheduling</source>
        <translation>Cluster-Scheduling</translation>
    </message>
    <message>
        <source>How the blocks of a cluster are given to multiprocessors.</source>
        <translation>Wie die Blöcke eines Clusters auf die Multiprozessoren verteilt werden.</translation>
    </message>
</context>
<context>
    <name>BufferInfo</name>
    <message>
        <source>single</source>
        <translation>Einzelwert</translation>
    </message>
    <message>
        <source>struct</source>
        <translation>struct</translation>
    </message>
</context>
<context>
    <name>BufferRole</name>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>out</source>
        <translation>out</translation>
    </message>
    <message>
        <source>in/out</source>
        <translation>in/out</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Ansicht</translation>
    </message>
</context>
<context>
    <name>ColourMap</name>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Wärme</translation>
    </message>
    <message>
        <source>Diverging</source>
        <translation>Divergierend</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
</context>
<context>
    <name>ContainerMember</name>
    <message>
        <source>%1, one number</source>
        <translation>%1, eine Zahl</translation>
    </message>
</context>
<context>
    <name>DeviceAttributes</name>
    <message>
        <source>anybody</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>ein Thread</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <source>one process</source>
        <translation>ein Prozess</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>das Gerät</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>alle Geräte</translation>
    </message>
    <message>
        <source>no node</source>
        <translation>kein Knoten</translation>
    </message>
    <message>
        <source>a node</source>
        <translation>ein Knoten</translation>
    </message>
</context>
<context>
    <name>DeviceId</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Cannot make the folder %1 for the example. Check that it may be written, or open the example&apos;s file instead.</source>
        <translation>Der Ordner %1 für das Beispiel lässt sich nicht anlegen. Prüfen Sie die Schreibrechte oder öffnen Sie stattdessen die Datei des Beispiels.</translation>
    </message>
    <message>
        <source>Cannot copy %1 to %2. The disk may be full.</source>
        <translation>%1 lässt sich nicht nach %2 kopieren. Vielleicht ist der Datenträger voll.</translation>
    </message>
    <message>
        <source>Cannot write %1. The disk may be full.</source>
        <translation>%1 lässt sich nicht schreiben. Vielleicht ist der Datenträger voll.</translation>
    </message>
</context>
<context>
    <name>InputFile</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 kann nicht gelesen werden: %2.</translation>
    </message>
</context>
<context>
    <name>Launch</name>
    <message>
        <source>Expected result: %1</source>
        <translation>Erwartetes Ergebnis: %1</translation>
    </message>
    <message>
        <source>What was built last has no such variable. The Delete key removes this row.</source>
        <translation>Was zuletzt erstellt wurde, hat diese Variable nicht. Die Taste Entf entfernt diese Zeile.</translation>
    </message>
    <message>
        <source>No kernel can change a __constant__ variable: choose In.</source>
        <translation>Kein Kernel kann eine __constant__-Variable ändern: Wählen Sie „In“.</translation>
    </message>
</context>
<context>
    <name>MachineLink</name>
    <message>
        <source>The connection has ended.</source>
        <translation>Die Verbindung wurde beendet.</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>Verbindung mit %1</translation>
    </message>
    <message>
        <source>Sending %1</source>
        <translation>Wird gesendet: %1</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>Wird geholt: %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>sizes</comment>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>%1 crashed: %2</source>
        <translation>%1 ist abgestürzt: %2</translation>
    </message>
</context>
<context>
    <name>OpenedSession</name>
    <message>
        <source> (at %1)</source>
        <translation> (bei %1)</translation>
    </message>
</context>
<context>
    <name>PresentState</name>
    <message>
        <source>the present state</source>
        <translation>der aktuelle Stand</translation>
    </message>
</context>
<context>
    <name>ProfileText</name>
    <message>
        <source>No colours</source>
        <translation>Keine Farben</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Ausführungen</translation>
    </message>
    <message>
        <source>Divergence</source>
        <translation>Divergenz</translation>
    </message>
    <message>
        <source>Sectors</source>
        <translation>Sektoren</translation>
    </message>
    <message>
        <source>Excess sectors</source>
        <translation>Überzählige Sektoren</translation>
    </message>
    <message>
        <source>Wavefronts</source>
        <translation>Wavefronts</translation>
    </message>
    <message>
        <source>Excess wavefronts</source>
        <translation>Überzählige Wavefronts</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>%1 executions by warps, with %2 of 32 threads on average</source>
        <translation>%1 Ausführungen durch Warps, im Mittel mit %2 von 32 Threads</translation>
    </message>
    <message>
        <source>%1 branches from which the threads of a warp went two ways</source>
        <translation>%1 Verzweigungen, an denen sich die Threads eines Warps trennten</translation>
    </message>
    <message>
        <source>Global memory: %1 requests, %2 sectors (%3 would do), %4</source>
        <translation>Global Memory: %1 Anfragen, %2 Sektoren (%3 würden genügen), %4</translation>
    </message>
    <message>
        <source>Shared memory: %1 requests, %2 wavefronts (%3 would do), %4</source>
        <translation>Shared Memory: %1 Anfragen, %2 Wavefronts (%3 würden genügen), %4</translation>
    </message>
    <message>
        <source>Local memory: %1 requests, %2 sectors, %3</source>
        <translation>Local Memory: %1 Anfragen, %2 Sektoren, %3</translation>
    </message>
    <message>
        <source>Atomic operations of %1 threads on %2 addresses</source>
        <translation>Atomare Operationen von %1 Threads auf %2 Adressen</translation>
    </message>
    <message>
        <source>Operations: %1</source>
        <translation>Operationen: %1</translation>
    </message>
</context>
<context>
    <name>RunResults</name>
    <message>
        <source>Run %1, %2</source>
        <translation>Lauf %1, %2</translation>
    </message>
    <message>
        <source>%1 (%2) went with its worker: it was too large to be kept on the disk. Run again to have it.</source>
        <translation>%1 (%2) ging mit dem Arbeitsprozess verloren: zu groß, um auf der Platte aufbewahrt zu werden. Ein neuer Lauf stellt es wieder bereit.</translation>
    </message>
    <message>
        <source>%1 (%2) went with its worker, before it could be kept on the disk. Run again to have it.</source>
        <translation>%1 (%2) ging mit dem Arbeitsprozess verloren, bevor es auf der Platte gesichert werden konnte. Ein neuer Lauf stellt es wieder bereit.</translation>
    </message>
    <message>
        <source>Run %1, %2, on %3</source>
        <translation>Lauf %1, %2, auf %3</translation>
    </message>
</context>
<context>
    <name>RunText</name>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>It ran, and results that are expected are as expected</source>
        <translation>Er lief, und die erwarteten Ergebnisse stimmen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>It ran, but a result is not as expected</source>
        <translation>Ausgeführt, aber ein Ergebnis ist nicht wie erwartet</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>It ran, but its checks found mistakes</source>
        <translation>Ausgeführt, aber die Prüfungen fanden Fehler</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>The kernel failed, or could not be launched</source>
        <translation>Der Kernel scheiterte oder ließ sich nicht starten</translation>
    </message>
    <message>
        <source>no build</source>
        <translation>nicht erstellt</translation>
    </message>
    <message>
        <source>The source did not compile</source>
        <translation>Der Quelltext ließ sich nicht kompilieren</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht gelaufen</translation>
    </message>
    <message>
        <source>The session could not be run as it was</source>
        <translation>Die Sitzung konnte so nicht laufen</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>It reached a limit of time or memory</source>
        <translation>Er erreichte eine Grenze für Zeit oder Speicher</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>It was stopped</source>
        <translation>Er wurde angehalten</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>%1 is for typing and moving. Take Ctrl, Alt or a function key.</source>
        <translation>%1 dient zum Tippen und Bewegen. Nehmen Sie Ctrl, Alt oder eine Funktionstaste.</translation>
    </message>
</context>
<context>
    <name>Slurm</name>
    <message>
        <source>The login node of a cluster is written ssh://user@host.</source>
        <translation>Der Login-Knoten eines Clusters wird als ssh://benutzer@rechner geschrieben.</translation>
    </message>
    <message>
        <source>The work folder has no whole path. It is one that all nodes see, such as /home/me/sweeps.</source>
        <translation>Der Arbeitsordner hat keinen vollständigen Pfad. Er muss einer sein, den alle Knoten sehen, etwa /home/ich/messreihen.</translation>
    </message>
</context>
<context>
    <name>Sweep</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 Tage</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>Grid %1</source>
        <translation>Grid %1</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Shared Memory</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>Größe von %1</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>axis, value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Compiled %1 of %2</source>
        <translation>%1 von %2 kompiliert</translation>
    </message>
    <message>
        <source>Trial: %1 of %2 points</source>
        <translation>Probelauf: %1 von %2 Punkten</translation>
    </message>
    <message>
        <source>Round %1 of %2: %3 of %4 points</source>
        <translation>Runde %1 von %2: %3 von %4 Punkten</translation>
    </message>
    <message>
        <source>, about %1 left</source>
        <translation>, noch etwa %1</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>wrong: %1</source>
        <translation>falsch: %1</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht gelaufen</translation>
    </message>
    <message>
        <source>best of one run each</source>
        <translation>bester bei je einem Lauf</translation>
    </message>
    <message>
        <source>one run only</source>
        <translation>nur ein Lauf</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>no difference from the best seen</source>
        <translation>kein Unterschied zum besten erkennbar</translation>
    </message>
    <message>
        <source>too few rounds for a test</source>
        <translation>zu wenige Runden für einen Test</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>far slower, not measured on</source>
        <translation>viel langsamer, nicht weiter gemessen</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Best: %1, %2</source>
        <translation>Bester: %1, %2</translation>
    </message>
    <message>
        <source> (95 %: %1 … %2)</source>
        <translation> (95 %: %1 … %2)</translation>
    </message>
    <message>
        <source>, of one run each</source>
        <translation>, bei je einem Lauf</translation>
    </message>
    <message>
        <source>. No difference seen from %1</source>
        <translation>. Kein Unterschied erkennbar zu %1</translation>
    </message>
    <message>
        <source>. No difference seen from %1 others</source>
        <translation>. Kein Unterschied erkennbar zu %1 anderen</translation>
    </message>
    <message>
        <source>No point was measured.</source>
        <translation>Es wurde kein Punkt gemessen.</translation>
    </message>
    <message>
        <source>%1 of %2 points measured</source>
        <translation>%1 von %2 Punkten gemessen</translation>
    </message>
    <message>
        <source>%1 far slower</source>
        <translation>%1 viel langsamer</translation>
    </message>
    <message>
        <source>%1 wrong</source>
        <translation>%1 falsch</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 tried once</source>
        <translation>%1 einmal probiert</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>%1 nicht gelaufen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cooperative</source>
        <translation>Kooperativ</translation>
    </message>
    <message>
        <source>Carve-out</source>
        <translation>Anteil des gemeinsamen Speichers</translation>
    </message>
    <message>
        <source>Cache preference</source>
        <translation>Bevorzugter Cache</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Template argument %1</source>
        <translation>Template-Argument %1</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Ausführen als</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Rounds between questions</source>
        <translation>Runden zwischen Fragen</translation>
    </message>
    <message>
        <source>Most rounds</source>
        <translation>Höchstens Runden</translation>
    </message>
    <message>
        <source>Value %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>block, of a step</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>L2-Cache</translation>
    </message>
    <message>
        <source>, throttled</source>
        <translation>, gedrosselt</translation>
    </message>
    <message>
        <source>, clock changed</source>
        <translation>, Takt verändert</translation>
    </message>
    <message>
        <source>, mostly its launch</source>
        <translation>, größtenteils der Start</translation>
    </message>
    <message>
        <source>Jobs: %1 of %2 done, %3 running, %4 waiting. Points: %5 of %6</source>
        <translation>Jobs: %1 von %2 fertig, %3 laufen, %4 warten. Punkte: %5 von %6</translation>
    </message>
    <message>
        <source>%1 of %2 points have no result. Resume runs them.</source>
        <translation>%1 von %2 Punkten haben kein Ergebnis. „Fortsetzen“ führt sie aus.</translation>
    </message>
</context>
<context>
    <name>SweepRow</name>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>Block x</source>
        <translation>Block x</translation>
    </message>
    <message>
        <source>Block y</source>
        <translation>Block y</translation>
    </message>
    <message>
        <source>Block z</source>
        <translation>Block z</translation>
    </message>
    <message>
        <source>Grid x</source>
        <translation>Grid x</translation>
    </message>
    <message>
        <source>Grid y</source>
        <translation>Grid y</translation>
    </message>
    <message>
        <source>Grid z</source>
        <translation>Grid z</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Shared Memory</translation>
    </message>
    <message>
        <source>Macro</source>
        <translation>Makro</translation>
    </message>
    <message>
        <source>Compile option</source>
        <translation>Compiler-Option</translation>
    </message>
    <message>
        <source>Kernel, template</source>
        <translation>Kernel, Template</translation>
    </message>
    <message>
        <source>Scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>Data size</source>
        <translation>Datengröße</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cooperative</source>
        <translation>Kooperativ</translation>
    </message>
    <message>
        <source>Carve-out</source>
        <translation>Anteil des gemeinsamen Speichers</translation>
    </message>
    <message>
        <source>Cache preference</source>
        <translation>Bevorzugter Cache</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Rounds of a loop</source>
        <translation>Runden einer Schleife</translation>
    </message>
    <message>
        <source>Rounds between questions</source>
        <translation>Runden zwischen Fragen</translation>
    </message>
    <message>
        <source>Most rounds</source>
        <translation>Höchstens Runden</translation>
    </message>
    <message>
        <source>Value of a launch</source>
        <translation>Wert eines Starts</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Ausführen als</translation>
    </message>
    <message>
        <source>Template argument</source>
        <translation>Template-Argument</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>L2-Cache</translation>
    </message>
</context>
<context>
    <name>TimingWords</name>
    <message>
        <source>clocks that were set for applications</source>
        <translation>Takte, die für Anwendungen eingestellt sind</translation>
    </message>
    <message>
        <source>the power cap</source>
        <translation>die Leistungsgrenze</translation>
    </message>
    <message>
        <source>a slowdown by the hardware</source>
        <translation>eine Bremse der Hardware</translation>
    </message>
    <message>
        <source>other GPUs of its group</source>
        <translation>andere GPUs der Gruppe</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>Wärme</translation>
    </message>
    <message>
        <source>heat, by the hardware</source>
        <translation>Wärme, durch die Hardware</translation>
    </message>
    <message>
        <source>the machine&apos;s power supply</source>
        <translation>die Stromversorgung der Maschine</translation>
    </message>
    <message>
        <source>clocks that were set for the display</source>
        <translation>Takte, die für die Anzeige eingestellt sind</translation>
    </message>
    <message>
        <source>Throttled: the clocks were held down by %1.</source>
        <translation>Gedrosselt. Grund für die niedrigen Takte: %1.</translation>
    </message>
    <message>
        <source>%1 of %2 MHz</source>
        <translation>%1 von %2 MHz</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>The SM clock changed by %1 % while the runs were measured.</source>
        <translation>Der SM-Takt änderte sich während der Messung um %1 %.</translation>
    </message>
    <message>
        <source>The SM clock changed while the runs were measured.</source>
        <translation>Der SM-Takt änderte sich während der Messung.</translation>
    </message>
    <message>
        <source>SM clock %1</source>
        <translation>SM-Takt %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>of the whole GPU, which is split</source>
        <translation>der ganzen, aufgeteilten GPU</translation>
    </message>
    <message>
        <source>The L2 cache was cold.</source>
        <translation>Der L2-Cache war kalt.</translation>
    </message>
    <message>
        <source>An empty graph takes %1.</source>
        <translation>Ein leerer Graph braucht %1.</translation>
    </message>
    <message>
        <source>An empty launch takes %1.</source>
        <translation>Ein leerer Start braucht %1.</translation>
    </message>
    <message>
        <source>Most of the kernel&apos;s time is its launch.</source>
        <translation>Die Zeit des Kernels ist größtenteils sein Start.</translation>
    </message>
    <message>
        <source>The clocks are held by %1.</source>
        <translation>Die Takte bestimmen: %1.</translation>
    </message>
</context>
<context>
    <name>warplight::ui</name>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 Blöcke</translation>
    </message>
    <message>
        <source>%1 registers</source>
        <translation>%1 Register</translation>
    </message>
    <message>
        <source>%1 texels</source>
        <translation>%1 Texel</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Layer</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 Bit</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>the driver&apos;s choice</source>
        <translation>vom Treiber gewählt</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>verteilt</translation>
    </message>
    <message>
        <source>balanced load</source>
        <translation>ausgeglichene Last</translation>
    </message>
    <message>
        <source>length of axis %1 of %2</source>
        <translation>Länge der Achse %1 von %2</translation>
    </message>
    <message>
        <source>size of %1</source>
        <translation>Größe von %1</translation>
    </message>
    <message>
        <source>all fields 0</source>
        <translation>alle Felder 0</translation>
    </message>
    <message>
        <source>true</source>
        <translation>wahr</translation>
    </message>
    <message>
        <source>false</source>
        <translation>falsch</translation>
    </message>
    <message>
        <source>zeros, %1</source>
        <translation>Nullen, %1</translation>
    </message>
    <message>
        <source>all %1, %2</source>
        <translation>alle %1, %2</translation>
    </message>
    <message>
        <source>%1, %2, …, %3</source>
        <translation>%1, %2, …, %3</translation>
    </message>
    <message>
        <source>%1 … %2, %3</source>
        <translation>%1 … %2, %3</translation>
    </message>
    <message>
        <source>random normal, %1</source>
        <translation>normalverteilt, %1</translation>
    </message>
    <message>
        <source>random, %1</source>
        <translation>zufällig, %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>The kernel takes a pointer here: choose a buffer.</source>
        <translation>Der Kernel erwartet hier einen Zeiger: Wählen Sie einen Puffer.</translation>
    </message>
    <message>
        <source>The kernel takes %1, and no struct.</source>
        <translation>Der Kernel erwartet %1, kein Struct.</translation>
    </message>
    <message>
        <source>“%1” is not a type.</source>
        <translation>„%1“ ist kein Typ.</translation>
    </message>
    <message>
        <source>The kernel takes %1 (%2 bytes); this is %3.</source>
        <translation>Der Kernel erwartet %1 (%2 Bytes); dies ist %3.</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>einen Wert</translation>
    </message>
    <message>
        <source>There is no buffer “%1”.</source>
        <translation>Es gibt keinen Puffer „%1“.</translation>
    </message>
    <message>
        <source>The kernel takes a value here: %1.</source>
        <translation>Der Kernel erwartet hier einen Wert: %1.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>No file is chosen.</source>
        <translation>Es ist keine Datei gewählt.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Es gibt keine Datei %1.</translation>
    </message>
    <message>
        <source>The shape has no elements.</source>
        <translation>Die Form hat keine Elemente.</translation>
    </message>
    <message>
        <source>The kernel takes %1, which needs %2; the buffer holds %3.</source>
        <translation>Der Kernel erwartet %1 und braucht dafür %2; der Puffer enthält %3.</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>%1 is %2; %3 allows at most %4.</source>
        <translation>%1 ist %2; %3 erlaubt höchstens %4.</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>A grid needs at least one block.</source>
        <translation>Ein Grid braucht mindestens einen Block.</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>A block needs at least one thread.</source>
        <translation>Ein Block braucht mindestens einen Thread.</translation>
    </message>
    <message>
        <source>A block of %1 threads is too large: %2 allows at most %3.</source>
        <translation>Ein Block mit %1 Threads ist zu groß: %2 erlaubt höchstens %3.</translation>
    </message>
    <message>
        <source>A block of %1 threads is too large for this kernel: its registers or its __launch_bounds__ allow at most %2.</source>
        <translation>Ein Block mit %1 Threads ist für diesen Kernel zu groß: Seine Register oder seine __launch_bounds__ erlauben höchstens %2.</translation>
    </message>
    <message>
        <source>%1 of shared memory and the %2 of the kernel itself are too much: %3 allows at most %4 a block.</source>
        <translation>%1 Shared Memory und die %2 des Kernels selbst sind zu viel: %3 erlaubt höchstens %4 je Block.</translation>
    </message>
    <message>
        <source>%1 of shared memory is too much: %2 allows at most %3 (%4) a block.</source>
        <translation>%1 Shared Memory sind zu viel: %2 erlaubt höchstens %3 (%4) je Block.</translation>
    </message>
    <message>
        <source>There is no argument &quot;%1&quot;.</source>
        <translation>Es gibt kein Argument &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a variable: no kernel is given it.</source>
        <translation>&quot;%1&quot; ist eine Variable: Sie wird keinem Kernel übergeben.</translation>
    </message>
    <message>
        <source>The source has no kernel &quot;%1&quot;.</source>
        <translation>Der Quelltext hat keinen Kernel &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>%1 is a template. Name the instance, such as %1&lt;float&gt;.</source>
        <translation>%1 ist ein Template. Geben Sie die Instanz an, etwa %1&lt;float&gt;.</translation>
    </message>
    <message>
        <source>%1 takes %2 arguments, and is given %3.</source>
        <translation>%1 erwartet %2 Argumente und bekommt %3.</translation>
    </message>
    <message>
        <source>The parameter %1 needs an array.</source>
        <translation>Der Parameter %1 braucht ein Array.</translation>
    </message>
    <message>
        <source>The parameter %1 is a number.</source>
        <translation>Der Parameter %1 ist eine Zahl.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a number, and an array is needed.</source>
        <translation>&quot;%1&quot; ist eine Zahl, gebraucht wird ein Array.</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>der Kernel</translation>
    </message>
    <message>
        <source>Copy %1 to %2</source>
        <translation>%1 nach %2 kopieren</translation>
    </message>
    <message>
        <source>Fill %1 with %2</source>
        <translation>%1 mit %2 füllen</translation>
    </message>
    <message>
        <source>Swap %1 and %2</source>
        <translation>%1 und %2 tauschen</translation>
    </message>
    <message>
        <source>Loop, %1 rounds</source>
        <translation>Schleife, %1 Runden</translation>
    </message>
    <message>
        <source>Loop until %1</source>
        <translation>Schleife bis %1</translation>
    </message>
    <message>
        <source>(%1), %2 blocks of %3</source>
        <translation>(%1), %2 Blöcke zu %3</translation>
    </message>
    <message>
        <source>all elements</source>
        <translation>alle Elemente</translation>
    </message>
    <message>
        <source>%1 elements from %2, to %3</source>
        <translation>%1 Elemente ab %2, nach %3</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>%1 elements from %2</source>
        <translation>%1 Elemente ab %2</translation>
    </message>
    <message>
        <source>asked every %1, at most %2 rounds</source>
        <translation>Abfrage alle %1, höchstens %2 Runden</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>No step launches a kernel. Add one.</source>
        <translation>Kein Schritt startet einen Kernel. Fügen Sie einen hinzu.</translation>
    </message>
    <message>
        <source>Frames: %1</source>
        <translation>Bilder: %1</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>check of %1</source>
        <translation>Prüfung: %1</translation>
    </message>
    <message>
        <source>block %1, thread %2</source>
        <translation>Block %1, Thread %2</translation>
    </message>
    <message>
        <source>, and %1 more times</source>
        <translation>, und noch %1-mal</translation>
    </message>
    <message>
        <source>inlined here</source>
        <translation>hier inline eingesetzt</translation>
    </message>
    <message>
        <source>%1 here: block %2, thread %3</source>
        <translation>hier %1: Block %2, Thread %3</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Threads came %1 more times to places that are not listed. Mend those above first.</source>
        <translation>Noch %1-mal kamen Threads an Stellen, die nicht aufgeführt sind. Beheben Sie zuerst die Befunde oben.</translation>
    </message>
    <message>
        <source>checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>expectation</source>
        <translation>Erwartung</translation>
    </message>
    <message>
        <source>%1 could not be compared: %2</source>
        <translation>%1 konnte nicht verglichen werden: %2</translation>
    </message>
    <message>
        <source>%1 is not as expected: %2 of %3 elements differ, the first at %4 is %5 instead of %6</source>
        <translation>%1 ist nicht wie erwartet: %2 von %3 Elementen weichen ab, das erste bei %4 ist %5 statt %6</translation>
    </message>
    <message>
        <source>fast math</source>
        <translation>schnelle Mathematik</translation>
    </message>
    <message>
        <source>at most %1 registers</source>
        <translation>höchstens %1 Register</translation>
    </message>
    <message>
        <source>no source lines</source>
        <translation>ohne Quellzeilen</translation>
    </message>
    <message>
        <source>Run as graphs: %1 with %2 nodes.</source>
        <translation>Als Graphen ausgeführt: %1 mit %2 Knoten.</translation>
    </message>
    <message>
        <source>The steps were timed in one more run, one by one.</source>
        <translation>Die Schritte wurden in einem weiteren Lauf einzeln gemessen.</translation>
    </message>
    <message>
        <source>The kernel takes a texture here: choose “Given as: Texture”.</source>
        <translation>Der Kernel nimmt hier eine Textur: wählen Sie „Übergeben als: Textur“.</translation>
    </message>
    <message>
        <source>The kernel takes a surface here: choose “Given as: Surface”.</source>
        <translation>Der Kernel nimmt hier eine Surface: wählen Sie „Übergeben als: Surface“.</translation>
    </message>
    <message>
        <source>The kernel takes an address here: choose “Given as: Address”.</source>
        <translation>Der Kernel nimmt hier eine Adresse: wählen Sie „Übergeben als: Adresse“.</translation>
    </message>
    <message>
        <source>The source has several kernels. Choose one.</source>
        <translation>Die Quelle hat mehrere Kernel. Wählen Sie einen.</translation>
    </message>
    <message>
        <source>The loop has no steps. Add one, or remove the loop.</source>
        <translation>Die Schleife hat keine Schritte. Fügen Sie einen hinzu, oder entfernen Sie die Schleife.</translation>
    </message>
    <message>
        <source>English</source>
        <comment>the name of the translation&apos;s language, in that language</comment>
        <translation>Deutsch</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AboutDialog</name>
    <message>
        <source>About Warplight</source>
        <translation>Über Warplight</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Warplight %1&lt;/h3&gt;</source>
        <translation>&lt;h3&gt;Warplight %1&lt;/h3&gt;</translation>
    </message>
    <message>
        <source>A workbench for GPU kernels: write a CUDA kernel, give it data, run it, and see what it did.</source>
        <translation>Eine Werkbank für GPU-Kernel: CUDA-Kernel schreiben, Daten angeben, ausführen und das Ergebnis ansehen.</translation>
    </message>
    <message>
        <source>The workbench is free software under the GNU General Public License, version 3 or later; its core library is under the Apache License 2.0. Qt %1.</source>
        <translation>Die Anwendung ist freie Software unter der GNU General Public License, Version 3 oder neuer. Ihre Kernbibliothek steht unter der Apache License 2.0. Qt %1.</translation>
    </message>
    <message>
        <source>Walls around sessions and kernels</source>
        <translation>Abschottung der Sitzungen und Kernel</translation>
    </message>
    <message>
        <source>The worker has not told yet which walls stand. Open this again in a moment.</source>
        <translation>Der Arbeitsprozess hat seine Schutzmaßnahmen noch nicht gemeldet. Öffnen Sie dieses Fenster gleich noch einmal.</translation>
    </message>
    <message>
        <source>Sessions and kernels run in a worker process. On this system all of its walls stand.</source>
        <translation>Sitzungen und Kernel laufen in einem Arbeitsprozess. Auf diesem System sind alle seine Schutzmaßnahmen aktiv.</translation>
    </message>
    <message>
        <source>Sessions and kernels run in a worker process. On this system some of its walls are missing: open sessions from strangers with care.</source>
        <translation>Sitzungen und Kernel laufen in einem Arbeitsprozess. Auf diesem System fehlen einige seiner Schutzmaßnahmen: Öffnen Sie Sitzungen von Fremden mit Vorsicht.</translation>
    </message>
    <message>
        <source>stands</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>stands in part</source>
        <translation>teilweise aktiv</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>
On this system it %1: %2.</source>
        <translation>
Auf diesem System %1: %2.</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>nicht vorhanden</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Activities</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ActivityBar</name>
    <message>
        <source>%1: stopping</source>
        <translation>%1: wird angehalten</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>Vergangene Zeit</translation>
    </message>
    <message>
        <source>For how long it has lasted</source>
        <translation>Wie lange es schon dauert</translation>
    </message>
    <message>
        <source>Stop (%1)</source>
        <translation>Anhalten (%1)</translation>
    </message>
    <message>
        <source>Stop what lasts</source>
        <translation>Anhalten, was dauert</translation>
    </message>
    <message>
        <source>%1, and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Stop “%1” (%2)</source>
        <translation>„%1“ anhalten (%2)</translation>
    </message>
    <message>
        <source>Stop &amp;All</source>
        <translation>&amp;Alles anhalten</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ArgumentDialog</name>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>the size of a buffer</source>
        <translation>Größe eines Puffers</translation>
    </message>
    <message>
        <source>all elements; or an axis: 0, 1, …</source>
        <translation>alle Elemente; oder eine Achse: 0, 1, …</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Typ</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>&amp;Buffer</source>
        <translation>&amp;Puffer</translation>
    </message>
    <message>
        <source>&amp;Axis</source>
        <translation>&amp;Achse</translation>
    </message>
    <message>
        <source>{&quot;x&quot;: 1, &quot;v&quot;: [1, 2]}, or the bytes: 0x…</source>
        <translation>{&quot;x&quot;: 1, &quot;v&quot;: [1, 2]} oder die Bytes: 0x…</translation>
    </message>
    <message numerus="yes">
        <source>%n numbers: 1, 2, …</source>
        <translation>
            <numerusform>%n Zahl: 1, 2, …</numerusform>
            <numerusform>%n Zahlen: 1, 2, …</numerusform>
        </translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>a number; 0x… is hexadecimal</source>
        <translation>eine Zahl; 0x… ist hexadezimal</translation>
    </message>
    <message>
        <source>In: copied to the device before each run</source>
        <translation>In: wird vor jedem Lauf auf das Gerät kopiert</translation>
    </message>
    <message>
        <source>Out: copied back after the run</source>
        <translation>Out: wird nach dem Lauf zurückkopiert</translation>
    </message>
    <message>
        <source>InOut: both</source>
        <translation>InOut: beides</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>One value</source>
        <translation>Ein Wert</translation>
    </message>
    <message>
        <source>Counting up</source>
        <translation>Fortlaufend</translation>
    </message>
    <message>
        <source>Evenly spaced</source>
        <translation>Gleiche Abstände</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Formulas of fields</source>
        <translation>Formeln je Feld</translation>
    </message>
    <message>
        <source>Choose Data</source>
        <translation>Daten wählen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>1024, 768</source>
        <translation>1024, 768</translation>
    </message>
    <message>
        <source>bytes to skip; raw files only</source>
        <translation>zu überspringende Bytes; nur bei Rohdateien</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>gleichverteilt</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>normalverteilt</translation>
    </message>
    <message>
        <source>&amp;Direction</source>
        <translation>&amp;Richtung</translation>
    </message>
    <message>
        <source>Data fro&amp;m</source>
        <translation>Daten a&amp;us</translation>
    </message>
    <message>
        <source>&amp;Path</source>
        <translation>&amp;Pfad</translation>
    </message>
    <message>
        <source>Element t&amp;ype</source>
        <translation>Element&amp;typ</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>&amp;Form</translation>
    </message>
    <message>
        <source>O&amp;ffset</source>
        <translation>&amp;Offset</translation>
    </message>
    <message>
        <source>D&amp;istribution</source>
        <translation>&amp;Verteilung</translation>
    </message>
    <message>
        <source>Form&amp;ula</source>
        <translation>Forme&amp;l</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>S&amp;eed</source>
        <translation>Start&amp;wert</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message>
        <source>Val&amp;ue</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>Mea&amp;n</source>
        <translation>&amp;Mittelwert</translation>
    </message>
    <message>
        <source>&amp;Lowest</source>
        <translation>&amp;Mindestens</translation>
    </message>
    <message>
        <source>St&amp;art</source>
        <translation>A&amp;nfang</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>S&amp;chrittweite</translation>
    </message>
    <message>
        <source>Devia&amp;tion</source>
        <translation>Stan&amp;dardabweichung</translation>
    </message>
    <message>
        <source>Belo&amp;w</source>
        <translation>&amp;Kleiner als</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>En&amp;de</translation>
    </message>
    <message>
        <source>i is the element, n their number; x, y, z or i0, i1, … its place, n0, n1, … the shape. Other arguments have their names: a*x + y[i - 1]. Arrays have their contents before the run.</source>
        <translation>i ist das Element, n die Anzahl der Elemente; x, y, z oder i0, i1, … ist seine Position, n0, n1, … die Form. Andere Argumente haben ihre Namen: a*x + y[i - 1]. Arrays haben den Inhalt, den sie vor dem Lauf haben.</translation>
    </message>
    <message>
        <source>The axis is a number from 0 on, or nothing for all elements.</source>
        <translation>Die Achse ist eine Zahl ab 0 oder bleibt leer für alle Elemente.</translation>
    </message>
    <message numerus="yes">
        <source>“%1” has no %n numbers, such as 1, 2.5.</source>
        <translation>
            <numerusform>„%1“ besteht nicht aus %n Zahl wie 2.5.</numerusform>
            <numerusform>„%1“ besteht nicht aus %n Zahlen wie 1, 2.5.</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>The shape is one or more lengths, such as “1024, 768”.</source>
        <translation>Die Form besteht aus einer oder mehreren Längen, zum Beispiel „1024, 768“.</translation>
    </message>
    <message>
        <source>Structs come from a file, are zeros, or have formulas for their fields.</source>
        <translation>Structs kommen aus einer Datei, sind Nullen oder haben Formeln für ihre Felder.</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>Wählen Sie eine Datei.</translation>
    </message>
    <message>
        <source>A file of raw numbers needs an element type.</source>
        <translation>Eine Datei mit rohen Zahlen braucht einen Elementtyp.</translation>
    </message>
    <message>
        <source>The offset is a number of bytes.</source>
        <translation>Der Offset ist eine Anzahl von Bytes.</translation>
    </message>
    <message>
        <source>Write a formula for each field, such as “mass = 1; pos.x = sin(i)”.</source>
        <translation>Schreiben Sie eine Formel für jedes Feld, zum Beispiel „mass = 1; pos.x = sin(i)“.</translation>
    </message>
    <message>
        <source>The seed is a whole number from 0 on.</source>
        <translation>Der Startwert ist eine ganze Zahl ab 0.</translation>
    </message>
    <message>
        <source>.npy, .npz, HDF5, .csv, .txt, .wav, an image, or raw numbers</source>
        <translation>.npy, .npz, HDF5, .csv, .txt, .wav, ein Bild oder rohe Zahlen</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Daten (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Array in it</source>
        <translation>Array &amp;darin</translation>
    </message>
    <message>
        <source>The file has several arrays: choose one.</source>
        <translation>Die Datei hat mehrere Arrays: wählen Sie eines.</translation>
    </message>
    <message>
        <source>all that is there</source>
        <translation>alles, was da ist</translation>
    </message>
    <message>
        <source>Raw numbers, whatever its name says</source>
        <translation>Rohe Zahlen, was auch der Name sagt</translation>
    </message>
    <message>
        <source>as in the file: %1</source>
        <translation>wie in der Datei: %1</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>One of %1, or a number</source>
        <translation>Eines von %1, oder eine Zahl</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ArgumentsModel</name>
    <message>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Out</translation>
    </message>
    <message>
        <source>InOut</source>
        <translation>InOut</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message numerus="yes">
        <source>The kernel has only %n parameter(s). The Delete key removes this argument.</source>
        <translation>
            <numerusform>Der Kernel hat nur %n Parameter. Die Taste Entf entfernt dieses Argument.</numerusform>
            <numerusform>Der Kernel hat nur %n Parameter. Die Taste Entf entfernt dieses Argument.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (variable)</source>
        <translation>%1 (Variable)</translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>vermutet</translation>
    </message>
    <message>
        <source>good</source>
        <translation>in Ordnung</translation>
    </message>
    <message>
        <source>Guessed from the signature. Double-click or Enter to choose.</source>
        <translation>Aus der Signatur vermutet. Doppelklick oder Enter zum Wählen.</translation>
    </message>
    <message>
        <source>%1
Double-click or Enter to change.</source>
        <translation>%1
Doppelklick oder Enter zum Ändern.</translation>
    </message>
    <message>
        <source>%1
Double-click or Enter to change, or drop a file here.</source>
        <translation>%1
Doppelklick oder Enter zum Ändern, oder eine Datei hier ablegen.</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>a digest</source>
        <translation>ein Hashwert</translation>
    </message>
    <message>
        <source>The name is that of the variable in the source.</source>
        <translation>Der Name ist der der Variablen im Quelltext.</translation>
    </message>
    <message>
        <source>The name is that of the kernel&apos;s parameter. Rename it in the source: what refers to it follows.</source>
        <translation>Der Name ist der des Kernel-Parameters. Benennen Sie ihn im Quelltext um: Was sich auf ihn bezieht, folgt.</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AskpassDialog</name>
    <message>
        <source>Is This the Right Machine?</source>
        <translation>Ist das der richtige Rechner?</translation>
    </message>
    <message>
        <source>Question of ssh</source>
        <translation>Frage von ssh</translation>
    </message>
    <message>
        <source>Compare the fingerprint with one that you got another way, from whom runs the machine. Connect remembers the key; a later change of it is refused.</source>
        <translation>Vergleichen Sie den Fingerabdruck mit einem, den Sie auf anderem Weg bekommen haben, von dem, der den Rechner betreibt. „Verbinden“ merkt sich den Schlüssel; ein späterer anderer wird abgelehnt.</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>&amp;Allow</source>
        <translation>&amp;Erlauben</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AssemblyView</name>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Compiler products</source>
        <translation>Erzeugnisse des Compilers</translation>
    </message>
    <message>
        <source>Function to show</source>
        <translation>Angezeigte Funktion</translation>
    </message>
    <message>
        <source>Show one function or all</source>
        <translation>Eine oder alle Funktionen anzeigen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in PTX</source>
        <translation>In PTX suchen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all PTX</source>
        <translation>Gesamtes PTX kopieren</translation>
    </message>
    <message>
        <source>The source has changed since this was compiled.</source>
        <translation>Der Quelltext wurde seit dem Kompilieren geändert.</translation>
    </message>
    <message>
        <source>No PTX yet</source>
        <translation>Noch kein PTX</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Resources of each kernel</source>
        <translation>Ressourcen jedes Kernels</translation>
    </message>
    <message>
        <source>No report yet</source>
        <translation>Noch kein Bericht</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>What ptxas says of each kernel</source>
        <translation>Was ptxas zu jedem Kernel meldet</translation>
    </message>
    <message>
        <source>All functions</source>
        <translation>Alle Funktionen</translation>
    </message>
    <message>
        <source>%1 (device)</source>
        <translation>%1 (Gerät)</translation>
    </message>
    <message>
        <source>The source does not compile. This is the PTX of the last source that did.</source>
        <translation>Der Quelltext lässt sich nicht kompilieren. Dies ist das PTX des letzten fehlerfreien Quelltexts.</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>aus dem Cache</translation>
    </message>
    <message>
        <source>compiled in %1</source>
        <translation>kompiliert in %1</translation>
    </message>
    <message>
        <source>registers spill to local memory ⚠</source>
        <translation>Register werden in Local Memory ausgelagert ⚠</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see the instructions of each line. Of programs they are not shown.</source>
        <translation>Erstellen Sie den Kernel (%1), um die Instruktionen jeder Zeile zu sehen. Bei Programmen werden sie nicht angezeigt.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see its registers, spills and shared memory.</source>
        <translation>Erstellen Sie den Kernel (%1), um seine Register, Spills und seinen Shared Memory zu sehen.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AttributesModel</name>
    <message>
        <source>Function on %1</source>
        <translation>Funktion auf %1</translation>
    </message>
    <message>
        <source>%1 (estimated)</source>
        <translation>%1 (geschätzt)</translation>
    </message>
    <message>
        <source>An attribute of a newer driver.</source>
        <translation>Ein Attribut eines neueren Treibers.</translation>
    </message>
    <message>
        <source>Occupancy of the launch</source>
        <translation>Belegung des Starts</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>The share of the warps that a multiprocessor can hold that this launch makes resident.</source>
        <translation>Anteil der Warps, die dieser Start resident hält, an denen, die ein Multiprozessor aufnehmen kann.</translation>
    </message>
    <message>
        <source>Warps a multiprocessor</source>
        <translation>Warps je Multiprozessor</translation>
    </message>
    <message>
        <source>%1 of %2 warps</source>
        <translation>%1 von %2 Warps</translation>
    </message>
    <message>
        <source>Warps of this launch that are resident on a multiprocessor at once.</source>
        <translation>Warps dieses Starts, die gleichzeitig auf einem Multiprozessor resident sind.</translation>
    </message>
    <message>
        <source>Blocks a multiprocessor</source>
        <translation>Blöcke je Multiprozessor</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 Blöcke</translation>
    </message>
    <message>
        <source>Blocks of this launch that are resident on a multiprocessor at once.</source>
        <translation>Blöcke dieses Starts, die gleichzeitig auf einem Multiprozessor resident sind.</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>What would have to shrink for more blocks to be resident.</source>
        <translation>Was kleiner werden müsste, damit mehr Blöcke resident sind.</translation>
    </message>
    <message>
        <source>Suggested block</source>
        <translation>Vorgeschlagener Block</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>The smallest block with the highest occupancy.</source>
        <translation>Der kleinste Block mit der höchsten Belegung.</translation>
    </message>
    <message>
        <source>ptxas</source>
        <translation>ptxas</translation>
    </message>
    <message>
        <source>ptxas for %1</source>
        <translation>ptxas für %1</translation>
    </message>
    <message>
        <source>Registers a thread</source>
        <translation>Register je Thread</translation>
    </message>
    <message>
        <source>%1 registers</source>
        <translation>%1 Register</translation>
    </message>
    <message>
        <source>32-bit registers of a thread, as ptxas gives them out for this architecture.</source>
        <translation>32-Bit-Register eines Threads, wie ptxas sie für diese Architektur vergibt.</translation>
    </message>
    <message>
        <source>Spill stores</source>
        <translation>Spill-Stores</translation>
    </message>
    <message>
        <source>Registers did not suffice: values are written to local memory.</source>
        <translation>Die Register reichten nicht: Werte werden in Local Memory geschrieben.</translation>
    </message>
    <message>
        <source>Code that writes registers to local memory because they did not suffice.</source>
        <translation>Code, der Register in Local Memory schreibt, weil sie nicht reichten.</translation>
    </message>
    <message>
        <source>Spill loads</source>
        <translation>Spill-Loads</translation>
    </message>
    <message>
        <source>Code that reads such values back.</source>
        <translation>Code, der solche Werte zurückliest.</translation>
    </message>
    <message>
        <source>Stack frame</source>
        <translation>Stack-Frame</translation>
    </message>
    <message>
        <source>Local memory of a thread for calls and arrays.</source>
        <translation>Local Memory eines Threads für Aufrufe und Arrays.</translation>
    </message>
    <message>
        <source>Static shared memory</source>
        <translation>Statischer Shared Memory</translation>
    </message>
    <message>
        <source>What the __shared__ variables of a block take.</source>
        <translation>Was die __shared__-Variablen eines Blocks belegen.</translation>
    </message>
    <message>
        <source>Constant bank 0</source>
        <translation>Konstantenbank 0</translation>
    </message>
    <message>
        <source>The parameters of the kernel and of its launch.</source>
        <translation>Die Parameter des Kernels und seines Starts.</translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation>Barrieren</translation>
    </message>
    <message>
        <source>%1 of 16</source>
        <translation>%1 von 16</translation>
    </message>
    <message>
        <source>Barriers for __syncthreads() and its kin that the kernel uses.</source>
        <translation>Barrieren für __syncthreads() und Verwandte, die der Kernel benutzt.</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Gerätespeicher</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Allocated for the buffers of this run.</source>
        <translation>Für die Puffer dieses Laufs belegt.</translation>
    </message>
    <message>
        <source>Free before</source>
        <translation>Frei vorher</translation>
    </message>
    <message>
        <source>Memory of the device that was free before the buffers were allocated.</source>
        <translation>Speicher des Geräts, der vor dem Anlegen der Puffer frei war.</translation>
    </message>
    <message>
        <source>Free after</source>
        <translation>Frei nachher</translation>
    </message>
    <message>
        <source>Memory of the device that was free when they were gone again.</source>
        <translation>Speicher des Geräts, der nach dem Freigeben der Puffer frei war.</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Memory of the device altogether.</source>
        <translation>Gesamter Speicher des Geräts.</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BannerStack</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferGrid</name>
    <message>
        <source>Buffer values</source>
        <translation>Werte des Puffers</translation>
    </message>
    <message>
        <source>Rows of the buffer</source>
        <translation>Zeilen des Puffers</translation>
    </message>
    <message>
        <source>%1 cells copied.</source>
        <translation>%1 Zellen kopiert.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Save Selection As…</source>
        <translation>Auswahl &amp;speichern unter…</translation>
    </message>
    <message>
        <source>Select cells first.</source>
        <translation>Wählen Sie zuerst Zellen aus.</translation>
    </message>
    <message>
        <source>At most %1 cells can be copied or saved at once.</source>
        <translation>Höchstens %1 Zellen können auf einmal kopiert oder gespeichert werden.</translation>
    </message>
    <message>
        <source>Save Selection</source>
        <translation>Auswahl speichern</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy-Array (*.npy)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>End the name with .npy or .csv.</source>
        <translation>Der Name muss auf .npy oder .csv enden.</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 gespeichert.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferListModel</name>
    <message>
        <source>Buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Richtung</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferRegistry</name>
    <message>
        <source>The buffer went with its worker. Run again to have it.</source>
        <translation>Der Puffer ging mit seinem Arbeitsprozess verloren. Führen Sie erneut aus, um ihn zu erhalten.</translation>
    </message>
    <message>
        <source>The buffer is not there any more.</source>
        <translation>Der Puffer ist nicht mehr vorhanden.</translation>
    </message>
    <message>
        <source>These buffers lie on different machines. Save one to a file and open that, to have it beside the other.</source>
        <translation>Diese Puffer liegen auf verschiedenen Rechnern. Speichern Sie einen in eine Datei und öffnen Sie diese, um ihn neben dem anderen zu haben.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferSaver</name>
    <message>
        <source>Saving</source>
        <translation>Speichern läuft</translation>
    </message>
    <message>
        <source>Cancel saving; the file stays as it was</source>
        <translation>Speichern abbrechen; die Datei bleibt, wie sie war</translation>
    </message>
    <message>
        <source>Cancel saving</source>
        <translation>Speichern abbrechen</translation>
    </message>
    <message>
        <source>A buffer is being saved. Wait for it, or cancel it.</source>
        <translation>Ein Puffer wird gerade gespeichert. Warten Sie darauf oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>NumPy-Array (*.npy)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Raw bytes (*.bin)</source>
        <translation>Rohe Bytes (*.bin)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 gespeichert.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Not saved: cancelled.</source>
        <translation>Nicht gespeichert: abgebrochen.</translation>
    </message>
    <message>
        <source>NumPy archive (*.npz)</source>
        <translation>NumPy-Archiv (*.npz)</translation>
    </message>
    <message>
        <source>HDF5 (*.h5)</source>
        <translation>HDF5 (*.h5)</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Sound (*.wav)</source>
        <translation>Klang (*.wav)</translation>
    </message>
    <message>
        <source>Samples a second, in Hz</source>
        <translation>Abtastwerte je Sekunde, in Hz</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferScan</name>
    <message>
        <source>The buffer is shorter than it said.</source>
        <translation>Der Puffer ist kürzer als angegeben.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferSource</name>
    <message>
        <source>Only data of a worker can be looked at in this way.</source>
        <translation>Nur Daten eines Arbeitsprozesses lassen sich so ansehen.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferTableModel</name>
    <message>
        <source>(differs)</source>
        <translation>(weicht ab)</translation>
    </message>
    <message>
        <source>Differs from what it is compared with</source>
        <translation>Weicht von dem ab, womit verglichen wird</translation>
    </message>
    <message>
        <source>%1: %2, byte %3 of the struct</source>
        <translation>%1: %2, Byte %3 des Structs</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BuffersPanel</name>
    <message>
        <source>&amp;Open Data…</source>
        <translation>Daten ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Save Buffer As…</source>
        <translation>Puffer &amp;speichern unter…</translation>
    </message>
    <message>
        <source>&amp;Close Buffer</source>
        <translation>Puffer s&amp;chließen</translation>
    </message>
    <message>
        <source>Write the buffer to a file</source>
        <translation>Den Puffer in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Take the opened file from the list</source>
        <translation>Die geöffnete Datei aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Ways to look at the buffer</source>
        <translation>Ansichten des Puffers</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>Hex</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>No data of programs</source>
        <translation>Keine Daten bei Programmen</translation>
    </message>
    <message>
        <source>A program keeps its arrays to itself. Open a .npy, .csv or raw file that it wrote.</source>
        <translation>Ein Programm behält seine Arrays für sich. Öffnen Sie eine .npy-, .csv- oder Rohdatei, die es geschrieben hat.</translation>
    </message>
    <message>
        <source>No data yet</source>
        <translation>Noch keine Daten</translation>
    </message>
    <message>
        <source>Run the kernel (%1) to look at its inputs and outputs, or drop a .npy file here.</source>
        <translation>Führen Sie den Kernel aus (%1), um seine Ein- und Ausgaben anzusehen, oder legen Sie hier eine .npy-Datei ab.</translation>
    </message>
    <message>
        <source>%1 failed. It has inputs and no results.</source>
        <translation>%1 ist fehlgeschlagen. Es gibt Eingaben, aber keine Ergebnisse.</translation>
    </message>
    <message>
        <source>%1 failed before it had data.</source>
        <translation>%1 ist fehlgeschlagen, bevor es Daten gab.</translation>
    </message>
    <message>
        <source>The results are those of %1.</source>
        <translation>Die Ergebnisse stammen von: %1.</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>%1 lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Open Data</source>
        <translation>Daten öffnen</translation>
    </message>
    <message>
        <source>Look at an array of a file: .npy, .npz, HDF5, text, image, sound, raw</source>
        <translation>Ein Array einer Datei ansehen: .npy, .npz, HDF5, Text, Bild, Klang, Rohdaten</translation>
    </message>
    <message>
        <source>%1 has no array that can be read.</source>
        <translation>%1 hat kein Array, das gelesen werden kann.</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>Array</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Daten (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>&amp;New Buffer from Formula…</source>
        <translation>&amp;Neuer Puffer aus Formel…</translation>
    </message>
    <message>
        <source>New buffer from a formula over this one and others of its size</source>
        <translation>Neuer Puffer aus einer Formel über diesen und andere seiner Größe</translation>
    </message>
    <message>
        <source>The expected result of %1 cannot be opened: %2</source>
        <translation>Das erwartete Ergebnis von %1 kann nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>Make Buffer</source>
        <translation>Puffer erzeugen</translation>
    </message>
    <message>
        <source>Made %1 = %2.</source>
        <translation>%1 = %2 erzeugt.</translation>
    </message>
    <message>
        <source>Stay with Its &amp;Run</source>
        <translation>Bei seinem &amp;Lauf bleiben</translation>
    </message>
    <message>
        <source>Buffers that are made of others follow the next run, unless they stay</source>
        <translation>Puffer, die aus anderen entstehen, folgen dem nächsten Lauf, wenn sie nicht bei ihrem bleiben</translation>
    </message>
    <message>
        <source>there is no buffer %1</source>
        <translation>es gibt keinen Puffer %1</translation>
    </message>
    <message>
        <source>%1 is still of %2: %3</source>
        <translation>%1 ist noch von %2: %3</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CaseDialog</name>
    <message>
        <source>Hi&amp;dden: only passing or failing is shown</source>
        <translation>&amp;Verborgen: nur ob bestanden, wird gezeigt</translation>
    </message>
    <message>
        <source>Chec&amp;ks of its own</source>
        <translation>Eigene Prü&amp;fungen</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>Bea&amp;rbeiten…</translation>
    </message>
    <message>
        <source>As in the Sess&amp;ion</source>
        <translation>Wie in der S&amp;itzung</translation>
    </message>
    <message>
        <source>Case of the Exercise</source>
        <translation>Fall der Übung</translation>
    </message>
    <message>
        <source>none; for who fails here</source>
        <translation>keiner; für alle, die hier scheitern</translation>
    </message>
    <message>
        <source>the exercise&apos;s</source>
        <translation>die der Übung</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Points</source>
        <translation>&amp;Punkte</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>&amp;Zeitgrenze</translation>
    </message>
    <message>
        <source>&amp;Hint</source>
        <translation>&amp;Hinweis</translation>
    </message>
    <message>
        <source>Dynamic shared memory of a block, in bytes</source>
        <translation>Dynamischer Shared Memory eines Blocks, in Bytes</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grid</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Block</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>&amp;Shared</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>What is written bold differs from the session.</source>
        <translation>Was fett geschrieben ist, weicht von der Sitzung ab.</translation>
    </message>
    <message>
        <source>Give the case a name: results are told by the names of cases.</source>
        <translation>Geben Sie dem Fall einen Namen: Ergebnisse werden mit den Namen der Fälle genannt.</translation>
    </message>
    <message>
        <source>Another case has the name “%1”.</source>
        <translation>Ein anderer Fall heißt schon „%1“.</translation>
    </message>
    <message>
        <source>Grid and block are one to three numbers of 1 or more: 8, or 32, 8.</source>
        <translation>Grid und Block sind eine bis drei Zahlen ab 1: 8, oder 32, 8.</translation>
    </message>
    <message>
        <source>Shared memory is a whole number of bytes.</source>
        <translation>Shared Memory ist eine ganze Zahl von Bytes.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ChecksBox</name>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Speicher</translation>
    </message>
    <message>
        <source>&amp;Values that nothing wrote</source>
        <translation>Nie geschriebene &amp;Werte</translation>
    </message>
    <message>
        <source>&amp;Races</source>
        <translation>&amp;Races</translation>
    </message>
    <message>
        <source>&amp;Barriers</source>
        <translation>&amp;Barrieren</translation>
    </message>
    <message>
        <source>&amp;Arithmetic</source>
        <translation>&amp;Arithmetik</translation>
    </message>
    <message>
        <source>&amp;Leaks</source>
        <translation>&amp;Lecks</translation>
    </message>
    <message>
        <source>Check the running kernel</source>
        <translation>Den laufenden Kernel prüfen</translation>
    </message>
    <message>
        <source>Change Checks</source>
        <translation>Prüfungen ändern</translation>
    </message>
    <message>
        <source>Look for wrong accesses to memory, races and misused barriers while the kernel runs, on the software device. Problems has what is found. The kernel takes longer, so its times say little.</source>
        <translation>Während der Kernel auf dem Software-Gerät läuft, nach falschen Speicherzugriffen, Races und falsch benutzten Barrieren suchen. Was gefunden wird, steht unter „Probleme“. Der Kernel braucht länger, seine Zeiten sagen also wenig aus.</translation>
    </message>
    <message>
        <source>%1
Chosen: %2</source>
        <comment>checks</comment>
        <translation>%1
Gewählt: %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ChecksButton</name>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Choose checks</source>
        <translation>Prüfungen wählen</translation>
    </message>
    <message>
        <source>Choose what is looked for</source>
        <translation>Wählen, wonach gesucht wird</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type the name of a command</source>
        <translation>Name eines Befehls eingeben</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ComparePage</name>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>with</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>Equal means |actual − expected| ≤ atol + rtol · |expected|</source>
        <translation>Gleich heißt |tatsächlich − erwartet| ≤ atol + rtol · |erwartet|</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>Relative Toleranz</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>Absolute Toleranz</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Previous mismatch</source>
        <translation>Vorige Abweichung</translation>
    </message>
    <message>
        <source>Next mismatch</source>
        <translation>Nächste Abweichung</translation>
    </message>
    <message>
        <source>Result of the comparison</source>
        <translation>Ergebnis des Vergleichs</translation>
    </message>
    <message>
        <source>Elements that differ</source>
        <translation>Abweichende Elemente</translation>
    </message>
    <message>
        <source>Choose a buffer in the list.</source>
        <translation>Wählen Sie einen Puffer in der Liste.</translation>
    </message>
    <message>
        <source>There is nothing to compare with: open a file, or give the argument an expectation in Launch.</source>
        <translation>Es gibt nichts zum Vergleichen: Öffnen Sie eine Datei oder geben Sie beim Argument unter „Start“ ein erwartetes Ergebnis an.</translation>
    </message>
    <message>
        <source>Choose what to compare %1 with.</source>
        <translation>Wählen Sie, womit %1 verglichen wird.</translation>
    </message>
    <message>
        <source>The tolerances must be numbers of 0 or more, such as 1e-5.</source>
        <translation>Die Toleranzen müssen Zahlen ab 0 sein, zum Beispiel 1e-5.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft…</translation>
    </message>
    <message>
        <source>Cannot be compared: %1</source>
        <translation>Vergleich nicht möglich: %1</translation>
    </message>
    <message>
        <source>All %1 elements match.</source>
        <translation>Alle %1 Elemente stimmen überein.</translation>
    </message>
    <message>
        <source>Largest error %1 at %2.</source>
        <translation>Größter Fehler %1 bei %2.</translation>
    </message>
    <message>
        <source>%1 of %2 elements differ. First at %3: %4 instead of %5. Largest error %6 at %7; relative %8.</source>
        <translation>%1 von %2 Elementen weichen ab. Erstmals bei %3: %4 statt %5. Größter Fehler %6 bei %7; relativ %8.</translation>
    </message>
    <message>
        <source>The list has the first %1.</source>
        <translation>Die Liste enthält die ersten %1.</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Stopped. The list is not complete.</source>
        <translation>Angehalten. Die Liste ist unvollständig.</translation>
    </message>
    <message>
        <source>Difference over the index</source>
        <translation>Differenz über dem Index</translation>
    </message>
    <message>
        <source>Difference as a picture</source>
        <translation>Differenz als Bild</translation>
    </message>
    <message>
        <source>How differences are shown</source>
        <translation>Darstellung der Differenzen</translation>
    </message>
    <message>
        <source>Largest differences of both signs over the index</source>
        <translation>Größte Differenzen beider Vorzeichen über dem Index</translation>
    </message>
    <message>
        <source>actual − expected</source>
        <translation>tatsächlich − erwartet</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ComparisonView</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Merkmal</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>The present state was not run. Run it (%1), and compare again.</source>
        <translation>Der jetzige Stand wurde nicht ausgeführt. Führen Sie ihn aus (%1) und vergleichen Sie erneut.</translation>
    </message>
    <message>
        <source>The present state was not run: only what it is can be compared.</source>
        <translation>Der jetzige Stand wurde nicht ausgeführt: Nur sein Inhalt lässt sich vergleichen.</translation>
    </message>
    <message>
        <source>There are no times to compare: a run without them did not come to its end.</source>
        <translation>Es gibt keine Zeiten zum Vergleichen: Ein Lauf ohne Zeiten kam nicht zum Ende.</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Settings: all are equal</source>
        <translation>Einstellungen: alle gleich</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Abweichende Einstellungen</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>see the page Source</source>
        <translation>siehe Seite „Quelltext“</translation>
    </message>
    <message>
        <source>Result and figures: all are equal</source>
        <translation>Ergebnis und Kennzahlen: alle gleich</translation>
    </message>
    <message>
        <source>Result and figures that differ</source>
        <translation>Abweichende Ergebnisse und Kennzahlen</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>%1: equal bytes</source>
        <translation>%1: gleiche Bytes</translation>
    </message>
    <message>
        <source>%1: different bytes</source>
        <translation>%1: andere Bytes</translation>
    </message>
    <message>
        <source>%1: only in one run</source>
        <translation>%1: nur in einem Lauf</translation>
    </message>
    <message>
        <source>Compiling both sources again…</source>
        <translation>Beide Quelltexte werden neu kompiliert…</translation>
    </message>
    <message>
        <source>%1 was compiled by %2, and now by %3.</source>
        <translation>%1 wurde mit %2 kompiliert und jetzt mit %3.</translation>
    </message>
    <message>
        <source>%1 does not compile: %2
Headers that it includes are not kept in the history.</source>
        <translation>%1 lässt sich nicht kompilieren: %2
Eingebundene Header werden nicht im Verlauf aufbewahrt.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CompileOptionsDialog</name>
    <message>
        <source>Compile Options of the Session</source>
        <translation>Kompilieroptionen der Sitzung</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CompileOptionsEditor</name>
    <message>
        <source>Most registers a thread</source>
        <translation>Max. Register je Thread</translation>
    </message>
    <message>
        <source>Fast &amp;math</source>
        <translation>Schnelle &amp;Mathematik</translation>
    </message>
    <message>
        <source>Source &amp;lines in the code</source>
        <translation>Que&amp;lltextzeilen im Code</translation>
    </message>
    <message>
        <source>NVRTC (in the worker, fast)</source>
        <translation>NVRTC (im Arbeitsprozess, schnell)</translation>
    </message>
    <message>
        <source>nvcc (the toolkit&apos;s program)</source>
        <translation>nvcc (das Programm des Toolkits)</translation>
    </message>
    <message>
        <source>The compiler&apos;s own</source>
        <translation>Vorgabe des Compilers</translation>
    </message>
    <message>
        <source>Macros between spaces, each as with -D. A value with spaces goes into quotes.</source>
        <translation>Makros, durch Leerzeichen getrennt, jedes wie bei -D. Ein Wert mit Leerzeichen steht in Anführungszeichen.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <source>Fewer registers let more warps be resident; values that find no register go to local memory (--maxrregcount).</source>
        <translation>Bei weniger Registern können mehr Warps resident sein; Werte, die kein Register finden, kommen in Local Memory (--maxrregcount).</translation>
    </message>
    <message>
        <source>Quick approximations of division, square root and functions such as sinf; denormals become 0 (--use_fast_math).</source>
        <translation>Schnelle Näherungen für Division, Quadratwurzel und Funktionen wie sinf; denormale Zahlen werden 0 (--use_fast_math).</translation>
    </message>
    <message>
        <source>PTX and faults know the line of the source (-lineinfo). It does not make code slower.</source>
        <translation>PTX und Fehler nennen die Zeile des Quelltexts (-lineinfo). Der Code wird dadurch nicht langsamer.</translation>
    </message>
    <message>
        <source>Any other options of the compiler that a session may have, between spaces</source>
        <translation>Weitere Compileroptionen, die eine Sitzung haben darf, durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>Com&amp;piler</source>
        <translation>Com&amp;piler</translation>
    </message>
    <message>
        <source>Language &amp;standard</source>
        <translation>Sprach&amp;standard</translation>
    </message>
    <message>
        <source>&amp;Defines</source>
        <translation>Ma&amp;kros</translation>
    </message>
    <message>
        <source>Most &amp;registers</source>
        <translation>Max. &amp;Register</translation>
    </message>
    <message>
        <source>F&amp;urther options</source>
        <translation>Weitere &amp;Optionen</translation>
    </message>
    <message>
        <source>A thread has at most %1 registers.</source>
        <translation>Ein Thread hat höchstens %1 Register.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CudaEditor</name>
    <message>
        <source>Source of %1</source>
        <translation>Quelltext von %1</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Anmerkung</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DapClient</name>
    <message>
        <source>It sent “%1”, which is no message of the protocol.</source>
        <translation>Er hat „%1“ gesendet, was keine Nachricht des Protokolls ist.</translation>
    </message>
    <message>
        <source>It sent a message that is no JSON object.</source>
        <translation>Er hat eine Nachricht gesendet, die kein JSON-Objekt ist.</translation>
    </message>
    <message>
        <source>Its process was ended or has crashed.</source>
        <translation>Sein Prozess wurde beendet oder ist abgestürzt.</translation>
    </message>
    <message>
        <source>Its process ended with the exit code %1.</source>
        <translation>Sein Prozess endete mit dem Exitcode %1.</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>Er meldete: %1</translation>
    </message>
    <message>
        <source>warplight-cli cannot be started: %1.</source>
        <translation>warplight-cli lässt sich nicht starten: %1.</translation>
    </message>
    <message>
        <source>The debugger refused it and did not say why.</source>
        <translation>Der Debugger hat dies ohne Angabe eines Grundes abgelehnt.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugConsole</name>
    <message>
        <source>What the kernel and the debugger say</source>
        <translation>Ausgaben von Kernel und Debugger</translation>
    </message>
    <message>
        <source>Expression, or lane 7, block 5, last-write x, help</source>
        <translation>Ausdruck oder lane 7, block 5, last-write x, help</translation>
    </message>
    <message>
        <source>Expression or command for the debugger</source>
        <translation>Ausdruck oder Befehl für den Debugger</translation>
    </message>
    <message>
        <source>Nothing stands still: pause the kernel first.</source>
        <translation>Der Kernel ist nicht pausiert. Pausieren Sie ihn zuerst.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugPanel</name>
    <message>
        <source>Breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>First line of the block</source>
        <translation>Erste Zeile des Blocks</translation>
    </message>
    <message>
        <source>First line</source>
        <translation>Erste Zeile</translation>
    </message>
    <message>
        <source>&amp;Start Debugging</source>
        <translation>Debugging &amp;starten</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <source>S&amp;top Debugging</source>
        <translation>Debugging b&amp;eenden</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Step &amp;Over</source>
        <translation>Schritt ü&amp;ber</translation>
    </message>
    <message>
        <source>Step &amp;In</source>
        <translation>Schritt h&amp;inein</translation>
    </message>
    <message>
        <source>Step O&amp;ut</source>
        <translation>Schritt hera&amp;us</translation>
    </message>
    <message>
        <source>Step &amp;Back</source>
        <translation>Schritt &amp;zurück</translation>
    </message>
    <message>
        <source>&amp;Reverse to Breakpoint</source>
        <translation>&amp;Rückwärts zum Haltepunkt</translation>
    </message>
    <message>
        <source>Run to &amp;Line</source>
        <translation>Bis Zei&amp;le ausführen</translation>
    </message>
    <message>
        <source>Toggle Brea&amp;kpoint</source>
        <translation>Haltepun&amp;kt umschalten</translation>
    </message>
    <message>
        <source>Remove &amp;All Breakpoints</source>
        <translation>&amp;Alle Haltepunkte entfernen</translation>
    </message>
    <message>
        <source>Who comes to its next line in a step</source>
        <translation>Wer bei einem Schritt die nächste Zeile erreicht</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>Warp</source>
        <translation>Warp</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Go to a block</source>
        <translation>Zu einem Block gehen</translation>
    </message>
    <message>
        <source>The block that is looked at, counted through the grid. Another number goes to the first line of that block, forwards or back.</source>
        <translation>Der betrachtete Block, fortlaufend im Grid gezählt. Eine andere Nummer führt zur ersten Zeile dieses Blocks, vorwärts oder rückwärts.</translation>
    </message>
    <message>
        <source>Block </source>
        <translation>Block </translation>
    </message>
    <message>
        <source>Where the kernel stands</source>
        <translation>Position des Kernels</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Warps of the block</source>
        <translation>Warps des Blocks</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>Variables and watches</source>
        <translation>Variablen und Überwachungen</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Watches</source>
        <translation>Überwachungen</translation>
    </message>
    <message>
        <source>Lanes, memory and console</source>
        <translation>Lanes, Speicher und Konsole</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Lanes</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>The debugger ended</source>
        <translation>Der Debugger wurde beendet</translation>
    </message>
    <message>
        <source>%1 go on</source>
        <translation>%1 laufend</translation>
    </message>
    <message>
        <source>%1 wait</source>
        <translation>%1 wartend</translation>
    </message>
    <message>
        <source>%1 ended</source>
        <translation>%1 beendet</translation>
    </message>
    <message>
        <source>%1 not begun</source>
        <translation>%1 nicht begonnen</translation>
    </message>
    <message>
        <source>The kernel has ended</source>
        <translation>Der Kernel ist beendet</translation>
    </message>
    <message>
        <source>The kernel has ended, with other results than expected</source>
        <translation>Der Kernel ist beendet, mit anderen Ergebnissen als erwartet</translation>
    </message>
    <message>
        <source>The source does not compile</source>
        <translation>Der Quelltext lässt sich nicht kompilieren</translation>
    </message>
    <message>
        <source>The session cannot be debugged as it is</source>
        <translation>Die Sitzung lässt sich so nicht debuggen</translation>
    </message>
    <message>
        <source>The kernel has failed</source>
        <translation>Der Kernel ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>No kernel is debugged</source>
        <translation>Kein Kernel im Debugger</translation>
    </message>
    <message>
        <source>Click beside a line to set a breakpoint, then start. The kernel runs on the software device, whatever device is chosen, forwards and back.</source>
        <translation>Klicken Sie neben eine Zeile, um einen Haltepunkt zu setzen, und starten Sie dann. Der Kernel läuft auf dem Software-Gerät, gleich welches Gerät gewählt ist, vorwärts und rückwärts.</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>%1 line %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>warp %1, lane %2, thread %3</source>
        <translation>Warp %1, Lane %2, Thread %3</translation>
    </message>
    <message>
        <source>Nothing is debugged</source>
        <translation>Kein Debugging aktiv</translation>
    </message>
    <message>
        <source>Compiling for debugging (--device-debug)</source>
        <translation>Kompilieren für das Debugging (--device-debug)</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>The source was edited. The kernel that runs has the text of before; start again for the new one.</source>
        <translation>Der Quelltext wurde geändert. Der laufende Kernel hat noch den alten Text. Starten Sie neu, um den neuen zu verwenden.</translation>
    </message>
    <message>
        <source>This runs on the software device, not on the chosen GPU.</source>
        <translation>Dies läuft auf dem Software-Gerät, nicht auf der gewählten GPU.</translation>
    </message>
    <message>
        <source>This runs on the software device of this machine, not on %1.</source>
        <translation>Dies läuft auf dem Software-Gerät dieses Rechners, nicht auf %1.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugSession</name>
    <message>
        <source>The line is new. The kernel that runs does not have it.</source>
        <translation>Die Zeile ist neu. Der laufende Kernel enthält sie nicht.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DevicesModel</name>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1: %2
Compute capability %3, %4 of memory</source>
        <translation>%1: %2
Compute Capability %3, %4 Speicher</translation>
    </message>
    <message>
        <source>, %1 free</source>
        <translation>, %1 frei</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1
A double click chooses it.</source>
        <translation>%1
Ein Doppelklick wählt es.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DifferencePicture</name>
    <message>
        <source>Plane </source>
        <translation>Ebene </translation>
    </message>
    <message>
        <source>Plane</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>What is subtracted</source>
        <translation>Was abgezogen wird</translation>
    </message>
    <message>
        <source>Largest of the channels</source>
        <translation>Größter der Kanäle</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>Magnitude of the difference</source>
        <translation>Betrag der Differenz</translation>
    </message>
    <message>
        <source>Real</source>
        <translation>Realteil</translation>
    </message>
    <message>
        <source>Imaginary</source>
        <translation>Imaginärteil</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DifferenceView</name>
    <message>
        <source>Previous change</source>
        <translation>Vorige Änderung</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Nächste Änderung</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Kein Unterschied</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 Änderung</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 Änderungen</translation>
    </message>
    <message>
        <source>1 line removed</source>
        <translation>1 Zeile entfernt</translation>
    </message>
    <message>
        <source>%1 lines removed</source>
        <translation>%1 Zeilen entfernt</translation>
    </message>
    <message>
        <source>1 added</source>
        <translation>1 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 hinzugefügt</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Document</name>
    <message>
        <source>The notes cannot be saved. %1</source>
        <translation>Die Notizen können nicht gespeichert werden. %1</translation>
    </message>
    <message>
        <source>%1 exists already and would be overwritten by the session&apos;s source. Choose another name.</source>
        <translation>%1 existiert bereits und würde vom Quelltext der Sitzung überschrieben. Wählen Sie einen anderen Namen.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::EditorArea</name>
    <message>
        <source>Open sources</source>
        <translation>Geöffnete Quelltexte</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Keep Mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>No source is open. Use File ▸ New or Open, or drop a .cu file here.</source>
        <translation>Kein Quelltext ist geöffnet. Wählen Sie Datei ▸ Neu oder Öffnen oder ziehen Sie eine .cu-Datei hierher.</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>A&amp;usschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Select &amp;All</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>&amp;Suchen…</translation>
    </message>
    <message>
        <source>R&amp;eplace…</source>
        <translation>Erse&amp;tzen…</translation>
    </message>
    <message>
        <source>Find &amp;Next</source>
        <translation>We&amp;itersuchen</translation>
    </message>
    <message>
        <source>Find Pre&amp;vious</source>
        <translation>Rückwärts su&amp;chen</translation>
    </message>
    <message>
        <source>&amp;Go to Line…</source>
        <translation>Zu Zeile &amp;gehen…</translation>
    </message>
    <message>
        <source>Toggle Co&amp;mment</source>
        <translation>Ko&amp;mmentar umschalten</translation>
    </message>
    <message>
        <source>&amp;Duplicate Line</source>
        <translation>Zeile &amp;duplizieren</translation>
    </message>
    <message>
        <source>Move Line U&amp;p</source>
        <translation>Zeile nach &amp;oben</translation>
    </message>
    <message>
        <source>Move Line Do&amp;wn</source>
        <translation>Zeile nach u&amp;nten</translation>
    </message>
    <message>
        <source>C&amp;omplete Word</source>
        <translation>Wort &amp;vervollständigen</translation>
    </message>
    <message>
        <source>&amp;Show Parameters</source>
        <translation>&amp;Parameter anzeigen</translation>
    </message>
    <message>
        <source>PTX and &amp;Report</source>
        <translation>PTX und Be&amp;richt</translation>
    </message>
    <message>
        <source>Show the PTX and the report beside the source (Ctrl+Shift+A)</source>
        <translation>PTX und Bericht neben dem Quelltext anzeigen (Ctrl+Shift+A)</translation>
    </message>
    <message>
        <source>Fold All or &amp;Unfold All</source>
        <translation>Alles ein- oder a&amp;usklappen</translation>
    </message>
    <message>
        <source>&amp;Wrap Long Lines</source>
        <translation>Lan&amp;ge Zeilen umbrechen</translation>
    </message>
    <message>
        <source>&amp;Next Source</source>
        <translation>Nächster &amp;Quelltext</translation>
    </message>
    <message>
        <source>P&amp;revious Source</source>
        <translation>&amp;Voriger Quelltext</translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation> (schreibgeschützt)</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Noch nicht gespeichert</translation>
    </message>
    <message>
        <source>%1 was changed by another program and read again.</source>
        <translation>%1 wurde von einem anderen Programm geändert und neu eingelesen.</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and has changes here that are not saved.</source>
        <translation>%1 wurde von einem anderen Programm geändert und enthält hier Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>Go to Line</source>
        <translation>Zu Zeile gehen</translation>
    </message>
    <message>
        <source>Line (1 to %1):</source>
        <translation>Zeile (1 bis %1):</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::EditorMarks</name>
    <message>
        <source>Condition of a Breakpoint</source>
        <translation>Bedingung eines Haltepunkts</translation>
    </message>
    <message>
        <source>Stop in line %1 only for threads where this is true, such as: i == 77 &amp;&amp; blockIdx.x == 3</source>
        <translation>In Zeile %1 nur bei Threads anhalten, für die dies gilt, zum Beispiel: i == 77 &amp;&amp; blockIdx.x == 3</translation>
    </message>
    <message>
        <source>Remove &amp;Breakpoint</source>
        <translation>&amp;Haltepunkt entfernen</translation>
    </message>
    <message>
        <source>Set &amp;Breakpoint</source>
        <translation>&amp;Haltepunkt setzen</translation>
    </message>
    <message>
        <source>Edit Conditio&amp;n…</source>
        <translation>Bedi&amp;ngung bearbeiten…</translation>
    </message>
    <message>
        <source>Set Breakpoint with Conditio&amp;n…</source>
        <translation>Haltepunkt mit Bedi&amp;ngung setzen…</translation>
    </message>
    <message>
        <source>Disable Breakp&amp;oint</source>
        <translation>Haltepunkt deak&amp;tivieren</translation>
    </message>
    <message>
        <source>Enable Breakp&amp;oint</source>
        <translation>Haltepunkt ak&amp;tivieren</translation>
    </message>
    <message>
        <source>Run to This &amp;Line</source>
        <translation>Bis zu dieser Zei&amp;le ausführen</translation>
    </message>
    <message>
        <source>Lanes and Memor&amp;y of This Line…</source>
        <translation>Lanes und Speicher &amp;dieser Zeile…</translation>
    </message>
    <message>
        <source>1 lane of warp %1 is here</source>
        <translation>1 Lane von Warp %1 ist hier</translation>
    </message>
    <message>
        <source>%1 lanes of warp %2 are here</source>
        <translation>%1 Lanes von Warp %2 sind hier</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>Breakpoint, disabled</source>
        <translation>Haltepunkt, deaktiviert</translation>
    </message>
    <message>
        <source>, where %1</source>
        <translation>, wenn %1</translation>
    </message>
    <message>
        <source>: it is at line %1, the next one with code</source>
        <translation>: liegt in Zeile %1, der nächsten mit Code</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExerciseBox</name>
    <message>
        <source>passes</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>mistakes found</source>
        <translation>Fehler gefunden</translation>
    </message>
    <message>
        <source>breaks a rule</source>
        <translation>verletzt eine Regel</translation>
    </message>
    <message>
        <source>cannot run</source>
        <translation>nicht ausführbar</translation>
    </message>
    <message>
        <source>does not compile</source>
        <translation>nicht kompilierbar</translation>
    </message>
    <message>
        <source>device error</source>
        <translation>Gerätefehler</translation>
    </message>
    <message>
        <source>crashes</source>
        <translation>stürzt ab</translation>
    </message>
    <message>
        <source>too slow</source>
        <translation>zu langsam</translation>
    </message>
    <message>
        <source>too much memory</source>
        <translation>zu viel Speicher</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>Check My Solution</source>
        <translation>Meine Lösung prüfen</translation>
    </message>
    <message>
        <source>Run the kernel on all cases of the exercise</source>
        <translation>Den Kernel mit allen Fällen der Übung ausführen</translation>
    </message>
    <message>
        <source>Cases of the exercise</source>
        <translation>Fälle der Übung</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>Fall</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>%1 (hidden)</source>
        <translation>%1 (verborgen)</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Of a hidden case only passing or failing is shown.</source>
        <translation>Bei einem verborgenen Fall wird nur angezeigt, ob er bestanden ist.</translation>
    </message>
    <message>
        <source>Stop Checking</source>
        <translation>Prüfung anhalten</translation>
    </message>
    <message>
        <source>Show Hint %1 of %2</source>
        <translation>Hinweis %1 von %2 anzeigen</translation>
    </message>
    <message>
        <source>All hints are shown</source>
        <translation>Alle Hinweise werden angezeigt</translation>
    </message>
    <message>
        <source>Hint %1: %2</source>
        <translation>Hinweis %1: %2</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Checking the solution</source>
        <translation>Die Lösung wird geprüft</translation>
    </message>
    <message>
        <source>This case is hidden. Think about what inputs the visible ones leave out.</source>
        <translation>Dieser Fall ist verborgen. Überlegen Sie, welche Eingaben die sichtbaren Fälle auslassen.</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>Hinweis: %1</translation>
    </message>
    <message>
        <source>All %1 cases pass.</source>
        <translation>Alle %1 Fälle bestanden.</translation>
    </message>
    <message>
        <source>%1 of %2 cases pass.</source>
        <translation>%1 von %2 Fällen bestanden.</translation>
    </message>
    <message>
        <source>%1 The source has changed since.</source>
        <translation>%1 Der Quelltext wurde seitdem geändert.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExerciseDialog</name>
    <message>
        <source>&amp;Edit…</source>
        <translation>Bea&amp;rbeiten…</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>Du&amp;plizieren</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>Entfer&amp;nen</translation>
    </message>
    <message>
        <source>U&amp;p</source>
        <translation>Nach ob&amp;en</translation>
    </message>
    <message>
        <source>Do&amp;wn</source>
        <translation>Nach &amp;unten</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>Übung</translation>
    </message>
    <message>
        <source>A hint a line, the vaguest first</source>
        <translation>Ein Hinweis je Zeile, der vagste zuerst</translation>
    </message>
    <message>
        <source>Words that the source must use. Comments and texts do not count.</source>
        <translation>Wörter, die der Quelltext benutzen muss. Kommentare und Texte zählen nicht.</translation>
    </message>
    <message>
        <source>Words that the source must not use</source>
        <translation>Wörter, die der Quelltext nicht benutzen darf</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>How long a case may take. The compilation does not count.</source>
        <translation>Wie lange ein Fall dauern darf. Das Übersetzen zählt nicht.</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>Fälle</translation>
    </message>
    <message>
        <source>&amp;Hints</source>
        <translation>&amp;Hinweise</translation>
    </message>
    <message>
        <source>Re&amp;quired words</source>
        <translation>&amp;Verlangte Wörter</translation>
    </message>
    <message>
        <source>&amp;Forbidden words</source>
        <translation>Ver&amp;botene Wörter</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>Zeit&amp;grenze</translation>
    </message>
    <message>
        <source>Cases of the exercise</source>
        <translation>Fälle der Übung</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>Fall</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>Hin&amp;zufügen…</translation>
    </message>
    <message>
        <source>%1 (hidden)</source>
        <translation>%1 (verborgen)</translation>
    </message>
    <message>
        <source>Without a case the session is no exercise.</source>
        <translation>Ohne einen Fall ist die Sitzung keine Übung.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExplorerPanel</name>
    <message>
        <source>Devices and their attributes</source>
        <translation>Geräte und ihre Attribute</translation>
    </message>
    <message>
        <source>What the attribute means</source>
        <translation>Bedeutung des Attributs</translation>
    </message>
    <message>
        <source>Filter attributes</source>
        <translation>Attribute filtern</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>%1

A click or Enter opens it.</source>
        <translation>%1

Öffnen mit Klick oder Enter.</translation>
    </message>
    <message>
        <source>%1

A click or Enter opens and runs it.</source>
        <translation>%1

Öffnen und ausführen mit Klick oder Enter.</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>NVIDIA GPUs</source>
        <translation>NVIDIA-GPUs</translation>
    </message>
    <message>
        <source>Software device</source>
        <translation>Software-Gerät</translation>
    </message>
    <message>
        <source>Not connected. A double click here connects.</source>
        <translation>Nicht verbunden. Ein Doppelklick hier verbindet.</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>verbindet</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt …</translation>
    </message>
    <message>
        <source>working</source>
        <translation>arbeitet</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Suche nach Geräten …</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>Connection lost %1 s ago. Trying again.</source>
        <translation>Verbindung seit %1 s verloren. Neuer Versuch läuft.</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>&amp;Reconnect</source>
        <translation>&amp;Neu verbinden</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>&amp;Trennen</translation>
    </message>
    <message>
        <source>&amp;Install Warplight There…</source>
        <translation>Warplight dort &amp;installieren …</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>&amp;Add Machine…</source>
        <translation>Rechner &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>&amp;Use This Device</source>
        <translation>Dieses Gerät &amp;benutzen</translation>
    </message>
    <message>
        <source>Add another machine, whose GPUs this window uses over ssh</source>
        <translation>Einen anderen Rechner hinzufügen, dessen GPUs dieses Fenster über ssh benutzt</translation>
    </message>
    <message>
        <source>Add machine</source>
        <translation>Rechner hinzufügen</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExportButton</name>
    <message>
        <source>Copy or save what is shown</source>
        <translation>Angezeigtes kopieren oder speichern</translation>
    </message>
    <message>
        <source>Copy &amp;Values</source>
        <translation>&amp;Werte kopieren</translation>
    </message>
    <message>
        <source>Save Values as &amp;CSV…</source>
        <translation>Werte als &amp;CSV speichern…</translation>
    </message>
    <message>
        <source>Save Values</source>
        <translation>Werte speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Copy &amp;Picture</source>
        <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
        <source>Save Picture as &amp;SVG…</source>
        <translation>Bild als &amp;SVG speichern…</translation>
    </message>
    <message>
        <source>Save Picture as P&amp;NG…</source>
        <translation>Bild als P&amp;NG speichern…</translation>
    </message>
    <message>
        <source>Save Picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Copied the values.</source>
        <translation>Werte kopiert.</translation>
    </message>
    <message>
        <source>There is no picture yet.</source>
        <translation>Es gibt noch kein Bild.</translation>
    </message>
    <message>
        <source>Copied the picture.</source>
        <translation>Bild kopiert.</translation>
    </message>
    <message>
        <source>End the name with %1.</source>
        <translation>Der Name muss auf %1 enden.</translation>
    </message>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>Es gibt noch nichts zu speichern.</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 gespeichert.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExportDialog</name>
    <message>
        <source>Export as a Program</source>
        <translation>Als Programm exportieren</translation>
    </message>
    <message>
        <source>Pro&amp;gram</source>
        <translation>Pro&amp;gramm</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>Aus&amp;wählen…</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Replace files that are there</source>
        <translation>Vo&amp;rhandene Dateien ersetzen</translation>
    </message>
    <message>
        <source>Files of an earlier export that nobody has changed are replaced in any case.</source>
        <translation>Dateien eines früheren Exports, die niemand geändert hat, werden immer ersetzt.</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Show Folder</source>
        <translation>Ordner an&amp;zeigen</translation>
    </message>
    <message>
        <source>Stopped. The folder may have a part of the program; the next export replaces it.</source>
        <translation>Angehalten. Der Ordner enthält vielleicht einen Teil des Programms. Der nächste Export ersetzt ihn.</translation>
    </message>
    <message>
        <source>warplight-cli ended with the exit code %1.</source>
        <translation>warplight-cli endete mit dem Exitcode %1.</translation>
    </message>
    <message>
        <source>warplight-cli, which exports, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, das den Export ausführt, fehlt neben Warplight. Installieren Sie Warplight neu.</translation>
    </message>
    <message>
        <source>Folder of the Program</source>
        <translation>Ordner des Programms</translation>
    </message>
    <message>
        <source>It needs %1.</source>
        <translation>Benötigt %1.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FindBar</name>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß-/Kleinschreibung</translation>
    </message>
    <message>
        <source>Match case (Alt+C)</source>
        <translation>Groß-/Kleinschreibung (Alt+C)</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>Ganze Wörter</translation>
    </message>
    <message>
        <source>Whole words (Alt+W)</source>
        <translation>Ganze Wörter (Alt+W)</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Regular expression (Alt+R)</source>
        <translation>Regulärer Ausdruck (Alt+R)</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Voriger Treffer (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Nächster Treffer (Enter)</translation>
    </message>
    <message>
        <source>Close the search bar</source>
        <translation>Suchleiste schließen</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Number of matches</source>
        <translation>Anzahl der Treffer</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>Ersetzen durch</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace this match (Enter)</source>
        <translation>Diesen Treffer ersetzen (Enter)</translation>
    </message>
    <message>
        <source>Replace All</source>
        <translation>Alle ersetzen</translation>
    </message>
    <message>
        <source>Replace all matches (Alt+A)</source>
        <translation>Alle Treffer ersetzen (Alt+A)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Not valid</source>
        <translation>Ungültig</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 Treffer</translation>
    </message>
    <message>
        <source>%1 replaced</source>
        <translation>%1 ersetzt</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FormulaBar</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Formula, such as 2*x + i</source>
        <translation>Formel, etwa 2*x + i</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the formula</source>
        <translation>Formel schließen</translation>
    </message>
    <message>
        <source>About the formula</source>
        <translation>Über die Formel</translation>
    </message>
    <message>
        <source>Write a formula.</source>
        <translation>Schreiben Sie eine Formel.</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>Geben Sie einen Namen an.</translation>
    </message>
    <message>
        <source>May name %1, and i, n as formulas of a session do.</source>
        <translation>Darf %1 nennen, und i, n wie Formeln einer Sitzung.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FramesPage</name>
    <message>
        <source>Begins again behind the last frame</source>
        <translation>Beginnt nach dem letzten Bild von vorn</translation>
    </message>
    <message>
        <source>Play again and again</source>
        <translation>Endlos abspielen</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source> a second</source>
        <translation> pro Sekunde</translation>
    </message>
    <message>
        <source>Frames a second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>Picture of the frame; plus and minus zoom, 0 shows all</source>
        <translation>Ansicht des Bildes; Plus und Minus zoomen, 0 zeigt alles</translation>
    </message>
    <message>
        <source>Curve of the frame</source>
        <translation>Kurve des Bildes</translation>
    </message>
    <message>
        <source>The frames of %1 have no numbers.</source>
        <translation>Die Bilder von %1 enthalten keine Zahlen.</translation>
    </message>
    <message>
        <source>A pipeline can keep a buffer now and then. Choose one in Launch: Frames.</source>
        <translation>Eine Pipeline kann einen Puffer in Abständen festhalten. Wählen Sie ihn unter „Start“ bei „Bilder“.</translation>
    </message>
    <message>
        <source>Frame %1 of %1, round %2</source>
        <translation>Bild %1 von %1, Runde %2</translation>
    </message>
    <message>
        <source>Stops at this frame</source>
        <translation>Hält bei diesem Bild an</translation>
    </message>
    <message>
        <source>Shows one frame after the other</source>
        <translation>Zeigt ein Bild nach dem anderen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Frame %1 of %2, round %3</source>
        <translation>Bild %1 von %2, Runde %3</translation>
    </message>
    <message>
        <source>The frame cannot be read.</source>
        <translation>Das Bild lässt sich nicht lesen.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FunctionPanel</name>
    <message>
        <source>Registers…</source>
        <translation>Register…</translation>
    </message>
    <message>
        <source>Function attributes</source>
        <translation>Funktionsattribute</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>What limits on the registers do to spills and occupancy</source>
        <translation>Wie sich Registergrenzen auf Spills und Belegung auswirken</translation>
    </message>
    <message>
        <source>No single kernel</source>
        <translation>Kein einzelner Kernel</translation>
    </message>
    <message>
        <source>Timing shows the kernels that a program launched, with their grids and times.</source>
        <translation>„Zeiten“ zeigt die Kernel, die ein Programm gestartet hat, mit ihren Grids und Zeiten.</translation>
    </message>
    <message>
        <source>Nothing known of the kernel yet</source>
        <translation>Über den Kernel ist noch nichts bekannt</translation>
    </message>
    <message>
        <source>Build (%1) for the compiler&apos;s report, run (%2) for the driver&apos;s attributes.</source>
        <translation>Das Kompilieren (%1) liefert den Bericht des Compilers, das Ausführen (%2) die Attribute des Treibers.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::GuideDialog</name>
    <message>
        <source>Guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HexPage</name>
    <message>
        <source>Go to offset</source>
        <translation>Zu Offset gehen</translation>
    </message>
    <message>
        <source>Bytes from the start (4096, 0x1000), or from here (+16, -16)</source>
        <translation>Bytes ab dem Anfang (4096, 0x1000) oder ab hier (+16, -16)</translation>
    </message>
    <message>
        <source>Byte order</source>
        <translation>Byte-Reihenfolge</translation>
    </message>
    <message>
        <source>Little endian</source>
        <translation>Little Endian</translation>
    </message>
    <message>
        <source>Big endian</source>
        <translation>Big Endian</translation>
    </message>
    <message>
        <source>Value at the cursor in each type</source>
        <translation>Wert am Cursor in jedem Typ</translation>
    </message>
    <message>
        <source>There is no offset %1 here.</source>
        <translation>Den Offset %1 gibt es hier nicht.</translation>
    </message>
    <message>
        <source>0x%1 · element %2</source>
        <translation>0x%1 · Element %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HexView</name>
    <message>
        <source>Bytes of the buffer</source>
        <translation>Bytes des Puffers</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistogramPage</name>
    <message>
        <source>All values</source>
        <translation>Alle Werte</translation>
    </message>
    <message>
        <source>1 % to 99 %</source>
        <translation>1 % bis 99 %</translation>
    </message>
    <message>
        <source>0.1 % to 99.9 %</source>
        <translation>0.1 % bis 99.9 %</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Zwischen</translation>
    </message>
    <message>
        <source>Range of values</source>
        <translation>Wertebereich</translation>
    </message>
    <message>
        <source>What the bars cover; drag over the plot to choose a range</source>
        <translation>Bereich der Balken; im Diagramm ziehen, um einen Bereich zu wählen</translation>
    </message>
    <message>
        <source>Least value</source>
        <translation>Kleinster Wert</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>Größter Wert</translation>
    </message>
    <message>
        <source>Bins </source>
        <translation>Klassen </translation>
    </message>
    <message>
        <source>Number of bins</source>
        <translation>Anzahl der Klassen</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>Bars as the logarithm of their counts: rare values can be seen</source>
        <translation>Balken logarithmisch: Auch seltene Werte sind zu sehen</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Zählwerte</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>Zählung</translation>
    </message>
    <message>
        <source>Stop counting</source>
        <translation>Zählung anhalten</translation>
    </message>
    <message>
        <source>Stopped. Choose a range to count again.</source>
        <translation>Angehalten. Wählen Sie einen Bereich, um neu zu zählen.</translation>
    </message>
    <message>
        <source>Histogram; arrow keys move from bar to bar, Home shows all values</source>
        <translation>Histogramm; Pfeiltasten gehen von Balken zu Balken, Home zeigt alle Werte</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Wählen Sie einen Puffer.</translation>
    </message>
    <message>
        <source>%1 has no numbers to count.</source>
        <translation>%1 enthält keine Zahlen zum Zählen.</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 ist leer.</translation>
    </message>
    <message>
        <source>Give two numbers, the smaller one first.</source>
        <translation>Geben Sie zwei Zahlen an, die kleinere zuerst.</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt…</translation>
    </message>
    <message>
        <source>magnitude of %1</source>
        <translation>Betrag von %1</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>min %1</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>max %1</translation>
    </message>
    <message>
        <source>%1 below</source>
        <translation>%1 darunter</translation>
    </message>
    <message>
        <source>%1 above</source>
        <translation>%1 darüber</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 NaN</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 unendlich</translation>
    </message>
    <message>
        <source>%1 to %2: %3 (%4 %)</source>
        <translation>%1 bis %2: %3 (%4 %)</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistoryModel</name>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>not pinned</source>
        <translation>nicht angeheftet</translation>
    </message>
    <message>
        <source>Pinned: it stays when old runs are removed</source>
        <translation>Angeheftet: bleibt erhalten, wenn alte Läufe entfernt werden</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Compile options: %1</source>
        <translation>Compiler-Optionen: %1</translation>
    </message>
    <message>
        <source>One repeat</source>
        <translation>Eine Wiederholung</translation>
    </message>
    <message>
        <source>Median of %1 repeats</source>
        <translation>Median aus %1 Wiederholungen</translation>
    </message>
    <message>
        <source>What differs from the run before of the same session</source>
        <translation>Unterschiede zum vorigen Lauf derselben Sitzung</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Grid × block</source>
        <translation>Grid × Block</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistoryPage</name>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Label…</source>
        <translation>Bezeichnung…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Notiz…</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Export Source…</source>
        <translation>Quelltext exportieren…</translation>
    </message>
    <message>
        <source>Put source, launch, arguments and options of the run into the window</source>
        <translation>Quelltext, Start, Argumente und Optionen des Laufs in das Fenster übernehmen</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>Der ausgewählte Lauf</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>Läufe durchsuchen</translation>
    </message>
    <message>
        <source>Words that stand in title, kernel, device, launch, options, arguments, label or note</source>
        <translation>Wörter aus Titel, Kernel, Gerät, Start, Optionen, Argumenten, Bezeichnung oder Notiz</translation>
    </message>
    <message>
        <source>All sessions</source>
        <translation>Alle Sitzungen</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>Diese Sitzung</translation>
    </message>
    <message>
        <source>Runs of</source>
        <translation>Läufe von</translation>
    </message>
    <message>
        <source>Runs of the history</source>
        <translation>Läufe des Verlaufs</translation>
    </message>
    <message>
        <source>Reading the history…</source>
        <translation>Verlauf wird gelesen…</translation>
    </message>
    <message>
        <source>No run has all these words.</source>
        <translation>Kein Lauf enthält alle diese Wörter.</translation>
    </message>
    <message>
        <source>No run of this session is kept yet.</source>
        <translation>Von dieser Sitzung ist noch kein Lauf gespeichert.</translation>
    </message>
    <message>
        <source>No run is kept yet. Run the kernel (%1): its run appears here, and stays when the window is closed.</source>
        <translation>Noch ist kein Lauf gespeichert. Führen Sie den Kernel aus (%1): Der Lauf erscheint hier und bleibt, wenn das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>Runs are not kept. Settings (Edit menu) can have them kept.</source>
        <translation>Läufe werden nicht gespeichert. In den Einstellungen (Menü Bearbeiten) lässt sich das ändern.</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 of %2 selected</source>
        <translation>%1 ausgewählt (%2)</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Compare the run with the present state of the window</source>
        <translation>Den Lauf mit dem jetzigen Stand des Fensters vergleichen</translation>
    </message>
    <message>
        <source>Compare two selected runs, or one with the present state of the window</source>
        <translation>Zwei ausgewählte Läufe vergleichen, oder einen mit dem jetzigen Stand des Fensters</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Unpin: let it go with the oldest runs</source>
        <translation>Lösen: Der Lauf darf mit den ältesten entfernt werden</translation>
    </message>
    <message>
        <source>Pin: keep it when the oldest runs are removed</source>
        <translation>Anheften: Der Lauf bleibt, wenn die ältesten entfernt werden</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note of run %1:</source>
        <translation>Notiz zu Lauf %1:</translation>
    </message>
    <message>
        <source>Delete from the history</source>
        <translation>Aus dem Verlauf löschen</translation>
    </message>
    <message>
        <source>Delete %1 from the history?</source>
        <translation>%1 aus dem Verlauf löschen?</translation>
    </message>
    <message>
        <source>Delete %1 runs from the history?</source>
        <translation>%1 Läufe aus dem Verlauf löschen?</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>It is pinned. This cannot be undone.</source>
        <translation>Der Lauf ist angeheftet. Das Löschen lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>%1 of them are pinned. This cannot be undone.</source>
        <translation>Davon angeheftet: %1. Das Löschen lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Export Source</source>
        <translation>Quelltext exportieren</translation>
    </message>
    <message>
        <source>run-%1-%2</source>
        <translation>lauf-%1-%2</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.ptx);;All files (*)</source>
        <translation>CUDA und PTX (*.cu *.ptx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Comparing two runs</source>
        <translation>Zwei Läufe werden verglichen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ImageCanvas</name>
    <message>
        <source>Picture of the buffer; arrow keys move the reading point, plus and minus zoom, 0 shows all</source>
        <translation>Bild des Puffers; Pfeiltasten bewegen den Lesepunkt, Plus und Minus zoomen, 0 zeigt alles</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ImagePage</name>
    <message>
        <source>Colour map</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>Fit range</source>
        <translation>Ganzer Bereich</translation>
    </message>
    <message>
        <source>2 % to 98 %</source>
        <translation>2 % bis 98 %</translation>
    </message>
    <message>
        <source>Around 0</source>
        <translation>Um 0</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Zwischen</translation>
    </message>
    <message>
        <source>Range of the colours</source>
        <translation>Bereich der Farben</translation>
    </message>
    <message>
        <source>Colours span the values that are shown, most of them, as much below 0 as above, or yours</source>
        <translation>Die Farben umfassen alle gezeigten Werte, die meisten davon, gleich viel unter wie über 0 oder Ihren eigenen Bereich</translation>
    </message>
    <message>
        <source>Value of the first colour</source>
        <translation>Wert der ersten Farbe</translation>
    </message>
    <message>
        <source>Value of the last colour</source>
        <translation>Wert der letzten Farbe</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>The range of the colours needs two numbers, the smaller one first.</source>
        <translation>Der Bereich der Farben braucht zwei Zahlen, die kleinere zuerst.</translation>
    </message>
    <message>
        <source>%1 has %2: a picture needs a buffer of numbers with two dimensions or more.</source>
        <translation>%1 hat %2: Ein Bild braucht einen Puffer aus Zahlen mit mindestens zwei Dimensionen.</translation>
    </message>
    <message>
        <source>one dimension</source>
        <translation>eine Dimension</translation>
    </message>
    <message>
        <source>no numbers</source>
        <translation>keine Zahlen</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Wählen Sie einen Puffer.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::InspectorModel</name>
    <message>
        <source>binary</source>
        <translation>binär</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>warplight::ui::InstallDialog</name>
    <message>
        <source>Install Warplight on Another Machine</source>
        <translation>Warplight auf einem anderen Rechner installieren</translation>
    </message>
    <message>
        <source>Copies the self-contained build of this version into your folder on %1 and checks it there. It needs no rights of an administrator. A copy that was stopped goes on where it ended.</source>
        <translation>Kopiert diese Version mit allem, was sie braucht, in Ihren Ordner auf %1 und prüft sie dort. Rechte eines Verwalters sind nicht nötig. Eine angehaltene Kopie geht dort weiter, wo sie endete.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Messages of the installation</source>
        <translation>Meldungen der Installation</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>&amp;Installieren</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindung wird hergestellt</translation>
    </message>
    <message>
        <source>Installed on %1.</source>
        <translation>Auf %1 installiert.</translation>
    </message>
    <message>
        <source>Stopped. The next try goes on where it ended.</source>
        <translation>Angehalten. Der nächste Versuch geht dort weiter.</translation>
    </message>
    <message>
        <source>It failed. The messages above say why.</source>
        <translation>Es ist gescheitert. Die Meldungen oben sagen, warum.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
</context>
<context>
    <name>warplight::ui::JobLink</name>
    <message>
        <source>The connection to %1 was lost %2 s ago. Trying again.</source>
        <translation>Die Verbindung mit %1 ist seit %2 s verloren. Neuer Versuch läuft.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::KernelBox</name>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>%1&lt;…&gt;</source>
        <translation>%1&lt;…&gt;</translation>
    </message>
    <message>
        <source>Type the arguments of the template</source>
        <translation>Geben Sie die Argumente des Templates ein</translation>
    </message>
    <message>
        <source>Kernel, or the instance of a template</source>
        <translation>Kernel oder Instanz eines Templates</translation>
    </message>
    <message>
        <source>The kernel to run. Of a template an instance, such as scale&lt;float, 4&gt;: choose or type it.</source>
        <translation>Der auszuführende Kernel. Bei einem Template eine Instanz wie scale&lt;float, 4&gt;: auswählen oder eingeben.</translation>
    </message>
    <message>
        <source>The kernel to run</source>
        <translation>Der auszuführende Kernel</translation>
    </message>
    <message>
        <source>The kernels of the steps are chosen in Launch</source>
        <translation>Die Kernel der Schritte werden unter „Start“ gewählt</translation>
    </message>
    <message>
        <source>Several steps</source>
        <translation>Mehrere Schritte</translation>
    </message>
    <message>
        <source>No kernel</source>
        <translation>Kein Kernel</translation>
    </message>
    <message>
        <source>“%1” is no kernel of the source. It has %2.</source>
        <translation>„%1“ ist kein Kernel des Quelltexts. Er enthält %2.</translation>
    </message>
    <message>
        <source>Choose Kernel</source>
        <translation>Kernel wählen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::KernelMemory</name>
    <message>
        <source>There is no memory at this address.</source>
        <translation>An dieser Adresse ist kein Speicher.</translation>
    </message>
    <message>
        <source>Some of this memory cannot be read.</source>
        <translation>Ein Teil dieses Speichers ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The kernel has gone on.</source>
        <translation>Der Kernel ist weitergelaufen.</translation>
    </message>
    <message>
        <source>Memory of a kernel is no file.</source>
        <translation>Der Speicher eines Kernels ist keine Datei.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands has no plot.</source>
        <translation>Für den Speicher eines angehaltenen Kernels gibt es kein Diagramm.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands is not compared.</source>
        <translation>Der Speicher eines angehaltenen Kernels wird nicht verglichen.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands is not saved.</source>
        <translation>Der Speicher eines angehaltenen Kernels wird nicht gespeichert.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanePicture</name>
    <message>
        <source>A value in all threads</source>
        <translation>Ein Wert in allen Threads</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
    <message>
        <source>lane %1 of warp %2, thread %3</source>
        <translation>Lane %1 von Warp %2, Thread %3</translation>
    </message>
    <message>
        <source>, at another line</source>
        <translation>, in einer anderen Zeile</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesPage</name>
    <message>
        <source>Variable or expression</source>
        <translation>Variable oder Ausdruck</translation>
    </message>
    <message>
        <source>Variable or expression to show in all threads</source>
        <translation>Variable oder Ausdruck, dessen Werte in allen Threads gezeigt werden</translation>
    </message>
    <message>
        <source>Threads to show</source>
        <translation>Anzuzeigende Threads</translation>
    </message>
    <message>
        <source>Warp</source>
        <translation>Warp</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>z = </source>
        <translation>z = </translation>
    </message>
    <message>
        <source>Slice of the block</source>
        <translation>Schnitt des Blocks</translation>
    </message>
    <message>
        <source>Type a variable, or choose Show in All Lanes in Variables.</source>
        <translation>Geben Sie eine Variable ein, oder wählen Sie unter „Variablen“ den Befehl „In allen Lanes zeigen“.</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesPicture</name>
    <message>
        <source>Lanes and memory</source>
        <translation>Lanes und Speicher</translation>
    </message>
    <message>
        <source>word %1</source>
        <translation>Wort %1</translation>
    </message>
    <message>
        <source>Sector at %1: lanes %2</source>
        <translation>Sektor bei %1: Lanes %2</translation>
    </message>
    <message>
        <source>Sector at %1: not fetched</source>
        <translation>Sektor bei %1: nicht geladen</translation>
    </message>
    <message>
        <source>Bank %1 has nothing to do in wavefront %2</source>
        <translation>Bank %1 hat in Wavefront %2 nichts zu tun</translation>
    </message>
    <message>
        <source>Bank %1, wavefront %2: %3, lanes %4</source>
        <translation>Bank %1, Wavefront %2: %3, Lanes %4</translation>
    </message>
    <message>
        <source>Lanes %1</source>
        <translation>Lanes %1</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Lanes</translation>
    </message>
    <message>
        <source>words of the first wavefront, by bank</source>
        <translation>Wörter der ersten Wavefront, nach Bank</translation>
    </message>
    <message>
        <source>further wavefronts: one below the other</source>
        <translation>weitere Wavefronts: untereinander</translation>
    </message>
    <message>
        <source>bytes that lanes ask for</source>
        <translation>Bytes, die Lanes anfordern</translation>
    </message>
    <message>
        <source>rest of a sector that is fetched</source>
        <translation>Rest eines geladenen Sektors</translation>
    </message>
    <message>
        <source>sector of the line that is not fetched</source>
        <translation>nicht geladener Sektor der Cachezeile</translation>
    </message>
    <message>
        <source>lane that takes no part</source>
        <translation>unbeteiligte Lane</translation>
    </message>
    <message>
        <source>Lane %1, thread (%2,%3,%4)</source>
        <translation>Lane %1, Thread (%2,%3,%4)</translation>
    </message>
    <message>
        <source>Lane %1: the block has no such thread</source>
        <translation>Lane %1: Im Block gibt es diesen Thread nicht</translation>
    </message>
    <message>
        <source>%1 takes no part</source>
        <translation>%1 ist nicht beteiligt</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>Byte %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1: %2 bei %3</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesView</name>
    <message>
        <source>Wavefronts %1, ideal %2</source>
        <translation>Wavefronts %1, ideal %2</translation>
    </message>
    <message>
        <source>Sectors %1, ideal %2</source>
        <translation>Sektoren %1, ideal %2</translation>
    </message>
    <message>
        <source>%1-way bank conflict</source>
        <translation>%1-facher Bankkonflikt</translation>
    </message>
    <message>
        <source>no bank conflict</source>
        <translation>kein Bankkonflikt</translation>
    </message>
    <message>
        <source>%1 of 32 lanes active</source>
        <translation>%1 von 32 Lanes aktiv</translation>
    </message>
    <message>
        <source>Lanes and Memory</source>
        <translation>Lanes und Speicher</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruktion</translation>
    </message>
    <message>
        <source>The instruction whose executions are shown</source>
        <translation>Die Instruktion, deren Ausführungen gezeigt werden</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Block</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>&amp;Warp</source>
        <translation>&amp;Warp</translation>
    </message>
    <message>
        <source>Warp of the block</source>
        <translation>Warp des Blocks</translation>
    </message>
    <message>
        <source>Threads 0 to 31 of the block are warp 0</source>
        <translation>Die Threads 0 bis 31 des Blocks sind Warp 0</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>&amp;Aufzeichnen</translation>
    </message>
    <message>
        <source>Runs the session, and once more on the software device to record this warp</source>
        <translation>Führt die Sitzung aus, und einmal mehr auf dem Software-Gerät, um diesen Warp aufzuzeichnen</translation>
    </message>
    <message>
        <source>Execution before (Left)</source>
        <translation>Vorige Ausführung (Pfeil links)</translation>
    </message>
    <message>
        <source>Next execution (Right)</source>
        <translation>Nächste Ausführung (Pfeil rechts)</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>The grid has %1 blocks in %2</source>
        <translation>Das Grid hat %1 Blöcke in %2</translation>
    </message>
    <message>
        <source>A block has one warp</source>
        <translation>Ein Block hat einen Warp</translation>
    </message>
    <message>
        <source>A block has %1 warps</source>
        <translation>Ein Block hat %1 Warps</translation>
    </message>
    <message>
        <source>Warps of a session&apos;s kernel can be recorded, not those of a program.</source>
        <translation>Aufzeichnen lassen sich Warps eines Kernels der Sitzung, nicht die eines Programms.</translation>
    </message>
    <message>
        <source>Nothing is recorded yet. Choose a warp and press Record: the session runs, and once more on the software device. Then this window shows, access by access, which addresses the 32 lanes of the warp touch.</source>
        <translation>Noch ist nichts aufgezeichnet. Wählen Sie einen Warp und klicken Sie auf „Aufzeichnen“: Die Sitzung läuft, und einmal mehr auf dem Software-Gerät. Danach zeigt dieses Fenster Zugriff für Zugriff, welche Adressen die 32 Lanes des Warps berühren.</translation>
    </message>
    <message>
        <source>Warp %1 of block (%2,%3,%4) accessed no memory and took no branch.</source>
        <translation>Warp %1 von Block (%2,%3,%4) hat auf keinen Speicher zugegriffen und sich nicht verzweigt.</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>PTX line %1</source>
        <translation>PTX-Zeile %1</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>Verzweigung</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>leave the function</source>
        <translation>Funktion verlassen</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>The warp did more than could be noted: the end is missing.</source>
        <translation>Der Warp hat mehr getan, als aufgezeichnet werden konnte: Das Ende fehlt.</translation>
    </message>
    <message>
        <source>The source has changed since; Record shows it as it is now.</source>
        <translation>Der Quelltext hat sich seitdem geändert; „Aufzeichnen“ zeigt den jetzigen Stand.</translation>
    </message>
    <message>
        <source>%1 of the first %2; %3 in all</source>
        <translation>%1 von den ersten %2; %3 insgesamt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Step %1 of the warp&apos;s %2</source>
        <translation>Schritt %1 von %2 des Warps</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchForm</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 along %2</source>
        <translation>%1 entlang %2</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grid</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>B&amp;lock</source>
        <translation>B&amp;lock</translation>
    </message>
    <message>
        <source>&amp;Cover</source>
        <translation>Abde&amp;cken</translation>
    </message>
    <message>
        <source>Make the grid large enough for one thread an element of the buffer that the kernel counts along</source>
        <translation>Das Grid so groß machen, dass jedes Element des Puffers, den der Kernel durchläuft, einen Thread bekommt</translation>
    </message>
    <message>
        <source>Cover all elements</source>
        <translation>Alle Elemente abdecken</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Compare block sizes: which one is fastest</source>
        <translation>Blockgrößen vergleichen: welche am schnellsten ist</translation>
    </message>
    <message>
        <source>Compare block sizes</source>
        <translation>Blockgrößen vergleichen</translation>
    </message>
    <message>
        <source>Dynamic shared memory</source>
        <translation>Dynamischer Shared Memory</translation>
    </message>
    <message>
        <source>Dynamic shared memory of a block, in bytes</source>
        <translation>Dynamischer Shared Memory eines Blocks, in Bytes</translation>
    </message>
    <message>
        <source> B</source>
        <translation> B</translation>
    </message>
    <message>
        <source>Cooper&amp;ative</source>
        <translation>&amp;Kooperativ</translation>
    </message>
    <message>
        <source>All blocks are resident at once, so that the grid can wait for all of itself</source>
        <translation>Alle Blöcke sind gleichzeitig auf dem Gerät, sodass sich das ganze Grid synchronisieren kann</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>&amp;Shared</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>Mehr…</translation>
    </message>
    <message>
        <source>Opt&amp;ions</source>
        <translation>Opt&amp;ionen</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Measured runs. Each starts from the same inputs.</source>
        <translation>Gemessene Läufe. Jeder beginnt mit denselben Eingaben.</translation>
    </message>
    <message>
        <source>Warm-up runs</source>
        <translation>Aufwärmläufe</translation>
    </message>
    <message>
        <source>Runs before the measured ones</source>
        <translation>Läufe vor den gemessenen</translation>
    </message>
    <message>
        <source>Warm-&amp;up</source>
        <translation>Auf&amp;wärmen</translation>
    </message>
    <message>
        <source>Chec&amp;k</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Re&amp;peats</source>
        <translation>Wiederholu&amp;ngen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Change Cooperative</source>
        <translation>Kooperativen Start ändern</translation>
    </message>
    <message>
        <source>Change Launch Options</source>
        <translation>Startoptionen ändern</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>%1 is %2; it must be at least %3.</source>
        <translation>%1 ist %2; der Wert muss mindestens %3 sein.</translation>
    </message>
    <message>
        <source>%1 is %2; it can be at most %3.</source>
        <translation>%1 ist %2; der Wert darf höchstens %3 sein.</translation>
    </message>
    <message>
        <source>The block has %1 threads now, and had %2 with this shared memory.</source>
        <translation>Der Block hat jetzt %1 Threads; mit diesem Shared Memory hatte er %2.</translation>
    </message>
    <message>
        <source>Make it %1 B</source>
        <translation>Auf %1 B setzen</translation>
    </message>
    <message>
        <source>The kernel has %1 of shared memory of its own: its source may count on a block of %2 threads.</source>
        <translation>Der Kernel hat selbst %1 Shared Memory: Sein Quelltext setzt vielleicht einen Block mit %2 Threads voraus.</translation>
    </message>
    <message>
        <source>%1 blocks of %2 = %3</source>
        <translation>%1 Blöcke zu %2 = %3</translation>
    </message>
    <message>
        <source>Adapt Shared Memory</source>
        <translation>Shared Memory anpassen</translation>
    </message>
    <message>
        <source>Clusters, preferences of the caches, priority, a cold L2 cache</source>
        <translation>Cluster, Cache-Aufteilung, Priorität, kalter L2-Cache</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchOptionsDialog</name>
    <message>
        <source>More shared memory</source>
        <translation>Mehr Shared Memory</translation>
    </message>
    <message>
        <source>More L1 cache</source>
        <translation>Mehr L1-Cache</translation>
    </message>
    <message>
        <source>As much of both</source>
        <translation>Von beidem gleich viel</translation>
    </message>
    <message>
        <source>As the driver chooses</source>
        <translation>Wahl des Treibers</translation>
    </message>
    <message>
        <source>clusters of %1</source>
        <translation>Cluster zu %1</translation>
    </message>
    <message>
        <source>carve-out %1 %</source>
        <translation>Carve-out %1 %</translation>
    </message>
    <message>
        <source>more shared memory</source>
        <translation>mehr Shared Memory</translation>
    </message>
    <message>
        <source>more L1 cache</source>
        <translation>mehr L1-Cache</translation>
    </message>
    <message>
        <source>as much of both</source>
        <translation>von beidem gleich viel</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>Priorität %1</translation>
    </message>
    <message>
        <source>As the kernel and the driver choose</source>
        <translation>Wahl von Kernel und Treiber</translation>
    </message>
    <message>
        <source>Launch Options of the Session</source>
        <translation>Startoptionen der Sitzung</translation>
    </message>
    <message>
        <source>as declared, or 2, 1, 1</source>
        <translation>wie deklariert, oder 2, 1, 1</translation>
    </message>
    <message>
        <source>Blocks of a cluster along x, y and z. Clusters need compute capability 9.0.</source>
        <translation>Blöcke eines Clusters entlang x, y und z. Cluster brauchen Compute Capability 9.0.</translation>
    </message>
    <message>
        <source>C&amp;luster</source>
        <translation>C&amp;luster</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>How much of a multiprocessor&apos;s L1 cache shared memory should take. The driver takes it as a preference.</source>
        <translation>Wie viel vom L1-Cache eines Multiprozessors der Shared Memory belegen soll. Für den Treiber ist das nur ein Wunsch.</translation>
    </message>
    <message>
        <source>C&amp;arve-out</source>
        <translation>C&amp;arve-out</translation>
    </message>
    <message>
        <source>What the kernel wants more of. The carve-out outdoes it.</source>
        <translation>Wovon der Kernel mehr haben will. Der Carve-out hat Vorrang.</translation>
    </message>
    <message>
        <source>Cac&amp;he</source>
        <translation>Cac&amp;he</translation>
    </message>
    <message>
        <source>Of the stream: a lower number is sooner. A GPU has -5 to 0, for example.</source>
        <translation>Priorität des Streams: Die kleinere Zahl kommt früher dran. Eine GPU hat zum Beispiel -5 bis 0.</translation>
    </message>
    <message>
        <source>&amp;Priority</source>
        <translation>&amp;Priorität</translation>
    </message>
    <message>
        <source>A cluster is one to three numbers of 1 or more: 2, or 2, 1, 1.</source>
        <translation>Ein Cluster besteht aus ein bis drei Zahlen ab 1: 2, oder 2, 1, 1.</translation>
    </message>
    <message>
        <source>cold L2 cache</source>
        <translation>kalter L2-Cache</translation>
    </message>
    <message>
        <source>Col&amp;d before each measured run</source>
        <translation>&amp;Kalt vor jedem gemessenen Lauf</translation>
    </message>
    <message>
        <source>Memory of twice the cache&apos;s size is written before each run, so that the kernel finds none of its data there.</source>
        <translation>Vor jedem Lauf wird Speicher von der doppelten Größe des Caches beschrieben, damit der Kernel dort keine seiner Daten findet.</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>L2-Cache</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchPanel</name>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Edit Argument…</source>
        <translation>Argument bearbeiten…</translation>
    </message>
    <message>
        <source>Take Data from File…</source>
        <translation>Daten aus Datei nehmen…</translation>
    </message>
    <message>
        <source>Add Variable</source>
        <translation>Variable hinzufügen</translation>
    </message>
    <message>
        <source>Fill a __constant__ or __device__ variable before a run, and read it after</source>
        <translation>Eine __constant__- oder __device__-Variable vor dem Lauf füllen und danach lesen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Use the Suggested Block</source>
        <translation>Empfohlenen Block verwenden</translation>
    </message>
    <message>
        <source>Compile &amp;Options…</source>
        <translation>Kompilier&amp;optionen…</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Optionen…</translation>
    </message>
    <message>
        <source>Defines, language standard and other options of this session&apos;s compiler</source>
        <translation>Makros, Sprachstandard und andere Optionen des Compilers dieser Sitzung</translation>
    </message>
    <message>
        <source>C&amp;ompile</source>
        <translation>K&amp;ompilieren</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>What is wrong with the arguments</source>
        <translation>Was an den Argumenten falsch ist</translation>
    </message>
    <message>
        <source>One launch</source>
        <translation>Ein Start</translation>
    </message>
    <message>
        <source>Several steps in order</source>
        <translation>Mehrere Schritte nacheinander</translation>
    </message>
    <message>
        <source>A kernel once, or several kernels, copies and loops on the same arrays</source>
        <translation>Einmal ein Kernel, oder mehrere Kernel, Kopien und Schleifen auf denselben Arrays</translation>
    </message>
    <message>
        <source>What a run does</source>
        <translation>Was ein Lauf tut</translation>
    </message>
    <message>
        <source>Add Array…</source>
        <translation>Array hinzufügen…</translation>
    </message>
    <message>
        <source>Add Number…</source>
        <translation>Zahl hinzufügen…</translation>
    </message>
    <message>
        <source>Add Argument</source>
        <translation>Argument hinzufügen</translation>
    </message>
    <message>
        <source>Arrays and numbers that the steps share</source>
        <translation>Arrays und Zahlen, die die Schritte gemeinsam benutzen</translation>
    </message>
    <message>
        <source>Run Several Steps</source>
        <translation>Mehrere Schritte ausführen</translation>
    </message>
    <message>
        <source>Run One Launch</source>
        <translation>Einen Start ausführen</translation>
    </message>
    <message>
        <source>Add Array</source>
        <translation>Array hinzufügen</translation>
    </message>
    <message>
        <source>Add Number</source>
        <translation>Zahl hinzufügen</translation>
    </message>
    <message>
        <source>Its name, for the steps:</source>
        <translation>Name in den Schritten:</translation>
    </message>
    <message>
        <source>There is an argument %1 already.</source>
        <translation>Ein Argument %1 gibt es schon.</translation>
    </message>
    <message>
        <source>No kernel yet</source>
        <translation>Noch kein Kernel</translation>
    </message>
    <message>
        <source>Write a __global__ function: its parameters appear here as arguments.</source>
        <translation>Schreiben Sie eine __global__-Funktion: Ihre Parameter erscheinen hier als Argumente.</translation>
    </message>
    <message>
        <source>Change Compile Options</source>
        <translation>Kompilieroptionen ändern</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>variable, size</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>The source has no other variable</source>
        <translation>Der Quelltext hat keine weitere Variable</translation>
    </message>
    <message>
        <source>Known after a build (%1)</source>
        <translation>Nach dem Erstellen bekannt (%1)</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Choose Data</source>
        <translation>Daten wählen</translation>
    </message>
    <message>
        <source>No buffer tells how many elements there are.</source>
        <translation>Kein Puffer gibt an, wie viele Elemente es sind.</translation>
    </message>
    <message>
        <source>Cover All Elements</source>
        <translation>Alle Elemente abdecken</translation>
    </message>
    <message>
        <source>The grid covers %1: %2 elements</source>
        <translation>Das Grid deckt %1 ab: %2 Elemente</translation>
    </message>
    <message>
        <source>Shared memory went with the block: %1</source>
        <translation>Shared Memory an den Block angepasst: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is a template. Name the instance to run in the kernel box, such as %1&lt;float&gt;.</source>
        <translation>%1 ist ein Template. Geben Sie im Kernel-Feld die auszuführende Instanz an, etwa %1&lt;float&gt;.</translation>
    </message>
    <message numerus="yes">
        <source>The kernel has %n parameter(s) without an argument.</source>
        <translation>
            <numerusform>Der Kernel hat %n Parameter ohne Argument.</numerusform>
            <numerusform>Der Kernel hat %n Parameter ohne Argument.</numerusform>
        </translation>
    </message>
    <message>
        <source>Known after a build (%1).</source>
        <translation>Nach dem Erstellen bekannt (%1).</translation>
    </message>
    <message>
        <source>The launch is not possible.</source>
        <translation>Der Start ist nicht möglich.</translation>
    </message>
    <message>
        <source>Known when the worker is back.</source>
        <translation>Bekannt, wenn der Arbeitsprozess wieder da ist.</translation>
    </message>
    <message>
        <source>The device does not tell it for this kernel.</source>
        <translation>Das Gerät gibt die Belegung dieses Kernels nicht an.</translation>
    </message>
    <message>
        <source>The driver could not load what was built last, or it has no such kernel. A run says which.</source>
        <translation>Der Treiber konnte das zuletzt Erstellte nicht laden, oder es enthält diesen Kernel nicht. Ein Lauf zeigt, was zutrifft.</translation>
    </message>
    <message>
        <source>%1 %: %2 of %3 warps</source>
        <translation>%1 %: %2 von %3 Warps</translation>
    </message>
    <message>
        <source>, limited by %1</source>
        <translation>, begrenzt durch %1</translation>
    </message>
    <message>
        <source> (estimated: ptxas would know the registers)</source>
        <translation> (geschätzt: ptxas würde die Register kennen)</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>Suggested: %1</source>
        <translation>Empfohlen: %1</translation>
    </message>
    <message>
        <source>Stopped. A build asks again.</source>
        <translation>Angehalten. Beim nächsten Bauen wird neu gefragt.</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Daten (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Known when %1 is connected.</source>
        <translation>Bekannt, wenn %1 verbunden ist.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchSessionDialog</name>
    <message>
        <source>Make a Session of a Launch</source>
        <translation>Eine Sitzung aus einem Start machen</translation>
    </message>
    <message>
        <source>The program runs once more, on the software device, with the same arguments. The session gets the data that the launch read, and expects what it left.</source>
        <translation>Das Programm läuft noch einmal, auf dem Software-Gerät, mit denselben Argumenten. Die Sitzung bekommt die Daten, die der Start gelesen hat, und erwartet, was er hinterlassen hat.</translation>
    </message>
    <message>
        <source>Its standard input is empty then.</source>
        <translation>Seine Standardeingabe ist dabei leer.</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>&amp;Launch of %1</source>
        <translation>&amp;Start von %1</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>Aus&amp;wählen…</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Make Session</source>
        <translation>Sitzung &amp;machen</translation>
    </message>
    <message>
        <source>warplight-cli, which makes the session, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, das die Sitzung macht, fehlt neben Warplight. Installieren Sie es neu.</translation>
    </message>
    <message>
        <source>Folder of the Session</source>
        <translation>Ordner der Sitzung</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The program runs again: %1</source>
        <translation>Das Programm läuft noch einmal: %1</translation>
    </message>
    <message>
        <source>Stopped. There is no session.</source>
        <translation>Angehalten. Es gibt keine Sitzung.</translation>
    </message>
    <message>
        <source>warplight-cli ended with the exit code %1.</source>
        <translation>warplight-cli endete mit dem Exitcode %1.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchesModel</name>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grid</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Starts</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LinkBar</name>
    <message>
        <source>Elements that differ</source>
        <translation>Abweichende Elemente</translation>
    </message>
    <message>
        <source>Previous element that differs</source>
        <translation>Voriges abweichendes Element</translation>
    </message>
    <message>
        <source>Next element that differs</source>
        <translation>Nächstes abweichendes Element</translation>
    </message>
    <message>
        <source>Mark elements that differ</source>
        <translation>Abweichende Elemente markieren</translation>
    </message>
    <message>
        <source>Link cursors: one cursor for all buffers of a shape</source>
        <translation>Cursor verknüpfen: ein Cursor für alle Puffer gleicher Form</translation>
    </message>
    <message>
        <source>%1 differ</source>
        <translation>%1 weichen ab</translation>
    </message>
    <message>
        <source>%1 of %2 elements differ from what they are compared with</source>
        <translation>%1 von %2 Elementen weichen von dem ab, womit sie verglichen werden</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MachineDialog</name>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>&amp;Install Warplight There…</source>
        <translation>Warplight dort &amp;installieren …</translation>
    </message>
    <message>
        <source>Add Machine</source>
        <translation>Rechner hinzufügen</translation>
    </message>
    <message>
        <source>Its GPUs are used over ssh, with your configuration, keys and known hosts. Sessions run there as they run here; a session never chooses a machine by itself.</source>
        <translation>Seine GPUs werden über ssh benutzt, mit Ihrer Konfiguration, Ihren Schlüsseln und bekannten Rechnern. Sitzungen laufen dort wie hier; eine Sitzung wählt nie selbst einen Rechner.</translation>
    </message>
    <message>
        <source>user@host</source>
        <translation>benutzer@rechner</translation>
    </message>
    <message>
        <source>As for ssh: a host, user@host, or a name of ~/.ssh/config</source>
        <translation>Wie für ssh: ein Rechner, benutzer@rechner oder ein Name aus ~/.ssh/config</translation>
    </message>
    <message>
        <source>As configured for ssh</source>
        <translation>Wie für ssh eingestellt</translation>
    </message>
    <message>
        <source>As the address</source>
        <translation>Wie die Adresse</translation>
    </message>
    <message>
        <source>What the machine is called in lists</source>
        <translation>Wie der Rechner in Listen heißt</translation>
    </message>
    <message>
        <source>A&amp;ddress</source>
        <translation>A&amp;dresse</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>&amp;Port</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>What the test has found</source>
        <translation>Was der Test ergeben hat</translation>
    </message>
    <message>
        <source>Connects, and tells what is there</source>
        <translation>Verbindet und sagt, was dort ist</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>%1 is in the list already.</source>
        <translation>%1 steht schon in der Liste.</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindung mit %1 …</translation>
    </message>
    <message>
        <source>Connected. Looking for devices…</source>
        <translation>Verbunden. Suche nach Geräten …</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MachineProbe</name>
    <message>
        <source>%1, compute capability %2, %3</source>
        <translation>%1, Compute Capability %2, %3</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver there has no device.</source>
        <translation>NVIDIAs Treiber dort hat kein Gerät.</translation>
    </message>
    <message>
        <source>Connected in %1.</source>
        <translation>In %1 verbunden.</translation>
    </message>
    <message>
        <source>Connected in %1. Warplight %2 is there.</source>
        <translation>In %1 verbunden. Warplight %2 ist dort.</translation>
    </message>
    <message>
        <source>There is no device.</source>
        <translation>Dort ist kein Gerät.</translation>
    </message>
    <message>
        <source>No GPU: %1</source>
        <translation>Keine GPU: %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Machines</name>
    <message>
        <source>The address has a port already; leave the field below as it is.</source>
        <translation>Die Adresse hat schon einen Port; lassen Sie das Feld darunter, wie es ist.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MainWindow</name>
    <message>
        <source> (read-only)</source>
        <translation> (schreibgeschützt)</translation>
    </message>
    <message>
        <source>%1[*]%2 – Warplight</source>
        <translation>%1[*]%2 – Warplight</translation>
    </message>
    <message>
        <source>nvcc was not found</source>
        <translation>nvcc wurde nicht gefunden</translation>
    </message>
    <message>
        <source>No CUDA compiler was found</source>
        <translation>Kein CUDA-Compiler gefunden</translation>
    </message>
    <message>
        <source>This session compiles with nvcc. Warplight can download it from NVIDIA; an installed CUDA toolkit is found as well, also through CUDA_PATH.</source>
        <translation>Diese Sitzung wird mit nvcc kompiliert. Warplight kann nvcc von NVIDIA herunterladen; ein installiertes CUDA-Toolkit wird auch gefunden, ebenso über CUDA_PATH.</translation>
    </message>
    <message>
        <source>Kernels can be written, but not compiled. Warplight can download NVIDIA&apos;s run-time compiler; an installed CUDA toolkit is found as well, also through CUDA_PATH.</source>
        <translation>Kernel lassen sich schreiben, aber nicht kompilieren. Warplight kann den Laufzeit-Compiler von NVIDIA herunterladen; ein installiertes CUDA-Toolkit wird auch gefunden, ebenso über CUDA_PATH.</translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>Installieren…</translation>
    </message>
    <message>
        <source>&amp;New Session</source>
        <translation>&amp;Neue Sitzung</translation>
    </message>
    <message>
        <source>New &amp;Program</source>
        <translation>Neues &amp;Programm</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save Session &amp;As…</source>
        <translation>Sitzung speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Save Sou&amp;rce As…</source>
        <translation>Quelltext speiche&amp;rn unter…</translation>
    </message>
    <message>
        <source>E&amp;xport as a Program…</source>
        <translation>Als Programm e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Export Repor&amp;t…</source>
        <translation>Berich&amp;t exportieren…</translation>
    </message>
    <message>
        <source>Restore Ori&amp;ginal…</source>
        <translation>Ori&amp;ginal wiederherstellen…</translation>
    </message>
    <message>
        <source>&amp;Close Tab</source>
        <translation>Tab s&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Undo Launch Change</source>
        <translation>Startänderung rückgängig machen</translation>
    </message>
    <message>
        <source>Redo Launch Change</source>
        <translation>Startänderung wiederholen</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>Einste&amp;llungen…</translation>
    </message>
    <message>
        <source>&amp;Command Palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>Zoom &amp;In</source>
        <translation>V&amp;ergrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;Out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Normal Size</source>
        <translation>&amp;Normale Größe</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Build</source>
        <translation>&amp;Erstellen</translation>
    </message>
    <message>
        <source>&amp;Check While Typing</source>
        <translation>Beim Tippen &amp;prüfen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Ausfüh&amp;ren</translation>
    </message>
    <message>
        <source>Source Is a &amp;Program</source>
        <translation>Quelltext ist ein &amp;Programm</translation>
    </message>
    <message>
        <source>Make It a Program</source>
        <translation>Zum Programm machen</translation>
    </message>
    <message>
        <source>Make It a Kernel</source>
        <translation>Zum Kernel machen</translation>
    </message>
    <message>
        <source>Pro&amp;file</source>
        <translation>Pro&amp;filieren</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Do Not Profile</source>
        <translation>Nicht profilieren</translation>
    </message>
    <message>
        <source>Count what each line does, in one more run on the software device</source>
        <translation>In einem weiteren Lauf auf dem Software-Gerät zählen, was jede Zeile tut</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Chec&amp;k My Solution</source>
        <translation>M&amp;eine Lösung prüfen</translation>
    </message>
    <message>
        <source>&amp;Lanes and Memory…</source>
        <translation>&amp;Lanes und Speicher…</translation>
    </message>
    <message>
        <source>Co&amp;mpare Block Sizes</source>
        <translation>Block&amp;größen vergleichen</translation>
    </message>
    <message>
        <source>S&amp;weep…</source>
        <translation>&amp;Messreihe…</translation>
    </message>
    <message>
        <source>&amp;Next Pane</source>
        <translation>&amp;Nächster Bereich</translation>
    </message>
    <message>
        <source>&amp;Previous Pane</source>
        <translation>&amp;Voriger Bereich</translation>
    </message>
    <message>
        <source>&amp;Editor</source>
        <translation>&amp;Editor</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Layout zu&amp;rücksetzen</translation>
    </message>
    <message>
        <source>&amp;Welcome and Examples</source>
        <translation>&amp;Willkommen und Beispiele</translation>
    </message>
    <message>
        <source>User &amp;Guide</source>
        <translation>Benutzer&amp;handbuch</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>Tasten&amp;kürzel</translation>
    </message>
    <message>
        <source>&amp;About Warplight</source>
        <translation>Über W&amp;arplight</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open R&amp;ecent</source>
        <translation>Zuletzt g&amp;eöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>&amp;Debug</source>
        <translation>Deb&amp;uggen</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Show or Hide</source>
        <translation>Ein- oder au&amp;sblenden</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>Rückgängig: „%1“</translation>
    </message>
    <message>
        <source>Redo “%1”</source>
        <translation>Wiederholen: „%1“</translation>
    </message>
    <message>
        <source>Nothing was opened yet</source>
        <translation>Noch nichts geöffnet</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Liste leeren</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Hauptleiste</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Architecture to compile for</source>
        <translation>Architektur, für die kompiliert wird</translation>
    </message>
    <message>
        <source>Repeats of a run</source>
        <translation>Wiederholungen eines Laufs</translation>
    </message>
    <message>
        <source>Kernel and device</source>
        <translation>Kernel und Gerät</translation>
    </message>
    <message>
        <source>Choose Device</source>
        <translation>Gerät wählen</translation>
    </message>
    <message>
        <source>Choose Architecture</source>
        <translation>Architektur wählen</translation>
    </message>
    <message>
        <source>Memory of the selected device</source>
        <translation>Speicher des ausgewählten Geräts</translation>
    </message>
    <message>
        <source>Architecture of the last build</source>
        <translation>Zuletzt für diese Architektur erstellt</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>Change Repeats</source>
        <translation>Wiederholungen ändern</translation>
    </message>
    <message>
        <source>The toolbar has %1 repeats; a run has from 1 to %2.</source>
        <translation>In der Werkzeugleiste stehen %1 Wiederholungen; ein Lauf hat 1 bis %2.</translation>
    </message>
    <message>
        <source>Best device</source>
        <translation>Bestes Gerät</translation>
    </message>
    <message>
        <source>Device&apos;s arch</source>
        <translation>Arch. des Geräts</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Software device</source>
        <translation>Software-Gerät</translation>
    </message>
    <message>
        <source>%1: not started</source>
        <translation>%1: nicht gestartet</translation>
    </message>
    <message>
        <source>%1: starting</source>
        <translation>%1: startet</translation>
    </message>
    <message>
        <source>%1: ready</source>
        <translation>%1: bereit</translation>
    </message>
    <message>
        <source>%1: not available</source>
        <translation>%1: nicht verfügbar</translation>
    </message>
    <message>
        <source>%1: working</source>
        <translation>%1: arbeitet</translation>
    </message>
    <message>
        <source>%1: not running</source>
        <translation>%1: läuft nicht</translation>
    </message>
    <message>
        <source>Debug again</source>
        <translation>Erneut debuggen</translation>
    </message>
    <message>
        <source>The debugged kernel has ended</source>
        <translation>Der Kernel im Debugger ist beendet</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>Probleme anzeigen</translation>
    </message>
    <message>
        <source>The source does not compile, so it cannot be debugged</source>
        <translation>Der Quelltext lässt sich nicht kompilieren und daher nicht debuggen</translation>
    </message>
    <message>
        <source>The session cannot be debugged as it is</source>
        <translation>Die Sitzung lässt sich so nicht debuggen</translation>
    </message>
    <message>
        <source>The debugged kernel has failed</source>
        <translation>Der Kernel im Debugger ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>The debugger ended</source>
        <translation>Der Debugger wurde beendet</translation>
    </message>
    <message>
        <source>%1 The session, its results and the breakpoints are as they were.</source>
        <translation>%1 Sitzung, Ergebnisse und Haltepunkte sind unverändert.</translation>
    </message>
    <message>
        <source>report</source>
        <comment>part of a file&apos;s name</comment>
        <translation>bericht</translation>
    </message>
    <message>
        <source>Export Report of %1</source>
        <translation>Bericht exportieren: %1</translation>
    </message>
    <message>
        <source>Web pages (*.html);;PDF (*.pdf)</source>
        <translation>Webseiten (*.html);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>The report is written</source>
        <translation>Der Bericht ist geschrieben</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The report was not written</source>
        <translation>Der Bericht wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Export as a Program</source>
        <translation>Als Programm exportieren</translation>
    </message>
    <message>
        <source>The session is exported as it is saved. Save it first?</source>
        <translation>Exportiert wird die Sitzung, wie sie gespeichert ist. Vorher speichern?</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>The file was not opened</source>
        <translation>Die Datei wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>%1 wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>The example was not opened</source>
        <translation>Das Beispiel wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>Another window has this session open</source>
        <translation>Diese Sitzung ist in einem anderen Fenster geöffnet</translation>
    </message>
    <message>
        <source>It is read-only here, so that neither overwrites the other. When the other window has saved or is closed, reload it.</source>
        <translation>Hier ist sie schreibgeschützt, damit keines der Fenster das andere überschreibt. Laden Sie sie neu, sobald das andere Fenster gespeichert hat oder geschlossen ist.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Edit anyway</source>
        <translation>Trotzdem bearbeiten</translation>
    </message>
    <message>
        <source>The other window has closed the session; it can be edited here.</source>
        <translation>Das andere Fenster hat die Sitzung geschlossen. Sie kann hier bearbeitet werden.</translation>
    </message>
    <message>
        <source>The session is read-only</source>
        <translation>Die Sitzung ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Another window has it open. Save it under another name.</source>
        <translation>Sie ist in einem anderen Fenster geöffnet. Speichern Sie sie unter einem anderen Namen.</translation>
    </message>
    <message>
        <source>The file was not saved</source>
        <translation>Die Datei wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Save Session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Warplight sessions (*.warplight)</source>
        <translation>Warplight-Sitzungen (*.warplight)</translation>
    </message>
    <message>
        <source>Changed by another window</source>
        <translation>Von einem anderen Fenster geändert</translation>
    </message>
    <message>
        <source>%1 was changed by another window or program after it was opened here.</source>
        <translation>Ein anderes Fenster oder Programm hat %1 geändert, seit hier geöffnet wurde.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>Overwrite with what is here, or reload what is on disk and lose the changes here?</source>
        <translation>Mit dem hiesigen Stand überschreiben oder den Stand von der Festplatte laden und die Änderungen hier verlieren?</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>Ü&amp;berschreiben</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>The session was not saved</source>
        <translation>Die Sitzung wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Save Source</source>
        <translation>Quelltext speichern</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.cuh *.ptx *.h);;All files (*)</source>
        <translation>CUDA und PTX (*.cu *.cuh *.ptx *.h);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save Source As</source>
        <translation>Quelltext speichern unter</translation>
    </message>
    <message>
        <source>Unsaved work could not be kept in %1</source>
        <translation>Nicht gespeicherte Arbeit konnte nicht in %1 gesichert werden</translation>
    </message>
    <message>
        <source>%1, kept %2. The program did not end as it should.</source>
        <translation>%1, gesichert am %2. Das Programm wurde nicht ordnungsgemäß beendet.</translation>
    </message>
    <message>
        <source>There is unsaved work from before</source>
        <translation>Es gibt nicht gespeicherte Arbeit vom letzten Mal</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>The unsaved work cannot be read</source>
        <translation>Die nicht gespeicherte Arbeit kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Start clean</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <source>The run is not in the history</source>
        <translation>Der Lauf steht nicht im Verlauf</translation>
    </message>
    <message>
        <source>Keep no runs</source>
        <translation>Keine Läufe aufbewahren</translation>
    </message>
    <message>
        <source>The history did not do that</source>
        <translation>Die Aktion im Verlauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>Another window has it open. Restore the run there.</source>
        <translation>Sie ist in einem anderen Fenster geöffnet. Stellen Sie den Lauf dort wieder her.</translation>
    </message>
    <message>
        <source>Run %1 is restored, as a session that is not saved</source>
        <translation>Lauf %1 ist wiederhergestellt, als nicht gespeicherte Sitzung</translation>
    </message>
    <message>
        <source>Restore Run %1</source>
        <translation>Lauf %1 wiederherstellen</translation>
    </message>
    <message>
        <source>Run %1 is restored. %2 takes it back.</source>
        <translation>Lauf %1 ist wiederhergestellt. %2 macht das rückgängig.</translation>
    </message>
    <message>
        <source>Text cannot be larger on this screen.</source>
        <translation>Größer kann die Schrift auf diesem Bildschirm nicht werden.</translation>
    </message>
    <message>
        <source>The original cannot be read</source>
        <translation>Das Original kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Nothing differs from the original.</source>
        <translation>Nichts weicht vom Original ab.</translation>
    </message>
    <message>
        <source>your changes of %1</source>
        <translation>Ihre Änderungen an %1</translation>
    </message>
    <message>
        <source>your changes of kernel, arguments and launch</source>
        <translation>Ihre Änderungen an Kernel, Argumenten und Start</translation>
    </message>
    <message>
        <source>your changes of the notes</source>
        <translation>Ihre Änderungen an den Notizen</translation>
    </message>
    <message>
        <source>Restore Original</source>
        <translation>Original wiederherstellen</translation>
    </message>
    <message>
        <source>The original takes the place of %1.</source>
        <translation>Das Original ersetzt %1.</translation>
    </message>
    <message>
        <source>, and of </source>
        <translation>, außerdem </translation>
    </message>
    <message>
        <source>Edit › Undo brings them back until the session is closed. The files on disk change when you save.</source>
        <translation>„Bearbeiten › Rückgängig“ holt sie zurück, bis die Sitzung geschlossen wird. Die Dateien auf der Festplatte ändern sich erst beim Speichern.</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Keep My Source</source>
        <translation>Meinen &amp;Quelltext behalten</translation>
    </message>
    <message>
        <source>The original is restored. Undo brings your version back.</source>
        <translation>Das Original ist wiederhergestellt. „Rückgängig“ holt Ihre Fassung zurück.</translation>
    </message>
    <message>
        <source>Ln %1, Col %2</source>
        <translation>Z. %1, Sp. %2</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von %2 frei</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>no kernel was launched; the program took %1.</source>
        <translation>kein Kernel wurde gestartet. Das Programm dauerte %1.</translation>
    </message>
    <message>
        <source>no launch ended; the program took %1.</source>
        <translation>kein Start wurde beendet. Das Programm dauerte %1.</translation>
    </message>
    <message>
        <source>%1 of %2 took %3, the program %4.</source>
        <translation>%1 von %2 in %3, das Programm in %4.</translation>
    </message>
    <message>
        <source>one launch</source>
        <translation>ein Start</translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 Starts</translation>
    </message>
    <message>
        <source>one kernel</source>
        <translation>einem Kernel</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 Kerneln</translation>
    </message>
    <message>
        <source> The table has the first %1.</source>
        <translation> Die Tabelle enthält die ersten %1.</translation>
    </message>
    <message>
        <source> One launch had not ended when the program did.</source>
        <translation> Ein Start war beim Ende des Programms noch nicht beendet.</translation>
    </message>
    <message>
        <source> %1 launches had not ended when the program did.</source>
        <translation> %1 Starts waren beim Ende des Programms noch nicht beendet.</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source> Copies: %1.</source>
        <translation> Kopien: %1.</translation>
    </message>
    <message>
        <source> Memory: %1 at most.</source>
        <translation> Speicher: höchstens %1.</translation>
    </message>
    <message>
        <source> Memory of device %1: %2 at most.</source>
        <translation> Speicher von Gerät %1: höchstens %2.</translation>
    </message>
    <message>
        <source>illegal instruction</source>
        <translation>ungültige Instruktion</translation>
    </message>
    <message>
        <source>abort() was called, or an assertion failed</source>
        <translation>abort() wurde aufgerufen oder eine Assertion ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>it used memory that is not its own</source>
        <translation>Zugriff auf Speicher, der ihm nicht gehört</translation>
    </message>
    <message>
        <source>arithmetic error, such as a division by zero</source>
        <translation>Rechenfehler, etwa eine Division durch null</translation>
    </message>
    <message>
        <source>it was killed, which the system does where memory is short</source>
        <translation>es wurde vom System beendet, was bei Speichermangel vorkommt</translation>
    </message>
    <message>
        <source>it was asked to end</source>
        <translation>es wurde zum Beenden aufgefordert</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>There is no nvcc</source>
        <translation>nvcc fehlt</translation>
    </message>
    <message>
        <source>The program did not start</source>
        <translation>Das Programm ist nicht gestartet</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>This program may do whatever you may do</source>
        <translation>Dieses Programm darf alles, was Sie dürfen</translation>
    </message>
    <message>
        <source>Kernels of a session are confined; a program with main() is not, and what its compile options start neither. Build and run programs of %1 only if you know where they come from.</source>
        <translation>Kernel einer Sitzung laufen abgeschottet. Für ein Programm mit main() gilt das nicht, auch nicht für das, was seine Kompilieroptionen starten. Erstellen und starten Sie Programme aus %1 nur, wenn Sie wissen, woher sie stammen.</translation>
    </message>
    <message>
        <source>Allow programs of this folder</source>
        <translation>Programme dieses Ordners erlauben</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>Nicht erlauben</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>The program was ended after %1.</source>
        <translation>Das Programm wurde nach %1 beendet.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>%1 crashed: %2</source>
        <translation>%1 ist abgestürzt: %2</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2</source>
        <translation>%1 endete mit Exitcode %2</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1, nach %2</translation>
    </message>
    <message>
        <source>A kernel of the program failed</source>
        <translation>Ein Kernel des Programms ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>The program crashed</source>
        <translation>Das Programm ist abgestürzt</translation>
    </message>
    <message>
        <source>Its own messages are in Output.</source>
        <translation>Seine eigenen Meldungen stehen unter „Ausgabe“.</translation>
    </message>
    <message>
        <source>Show output</source>
        <translation>Ausgabe anzeigen</translation>
    </message>
    <message>
        <source>Ran %1 in %2</source>
        <translation>%1 in %2 ausgeführt</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>No session may use these.</source>
        <translation>Keine Sitzung darf diese verwenden.</translation>
    </message>
    <message>
        <source>Allow this only if you know where the session comes from.</source>
        <translation>Erlauben Sie dies nur, wenn Sie wissen, woher die Sitzung stammt.</translation>
    </message>
    <message>
        <source>Allow for this folder</source>
        <translation>Für diesen Ordner erlauben</translation>
    </message>
    <message>
        <source>Allow for these folders</source>
        <translation>Für diese Ordner erlauben</translation>
    </message>
    <message>
        <source>This session reads files outside of its folder</source>
        <translation>Diese Sitzung liest Dateien außerhalb ihres Ordners</translation>
    </message>
    <message>
        <source>The worker did not answer. It was ended and started again; the session is as it was.</source>
        <translation>Der Arbeitsprozess antwortete nicht. Er wurde beendet und neu gestartet. Die Sitzung ist unverändert.</translation>
    </message>
    <message>
        <source>The session and the last results are as they were.</source>
        <translation>Die Sitzung und die letzten Ergebnisse sind unverändert.</translation>
    </message>
    <message>
        <source>the GPU</source>
        <translation>der GPU</translation>
    </message>
    <message>
        <source>the software device</source>
        <translation>des Software-Geräts</translation>
    </message>
    <message>
        <source>The worker of %1 ended while nothing ran</source>
        <translation>Der Arbeitsprozess %1 endete, ohne dass etwas lief</translation>
    </message>
    <message>
        <source>It %1. Another one is started. The session is as it was, and the last results are kept.</source>
        <translation>Er %1. Ein neuer wird gestartet. Die Sitzung ist unverändert, und die letzten Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
        <source>is gone</source>
        <translation>ist weg</translation>
    </message>
    <message>
        <source>Built in %1%2</source>
        <translation>In %1%2 erstellt</translation>
    </message>
    <message>
        <source> (cached)</source>
        <translation> (Cache)</translation>
    </message>
    <message>
        <source>The worker ended during the run</source>
        <translation>Der Arbeitsprozess endete während des Laufs</translation>
    </message>
    <message>
        <source>The worker ended during the build</source>
        <translation>Der Arbeitsprozess endete während des Builds</translation>
    </message>
    <message>
        <source>The run did not start</source>
        <translation>Der Lauf ist nicht gestartet</translation>
    </message>
    <message>
        <source>The build did not start</source>
        <translation>Der Build ist nicht gestartet</translation>
    </message>
    <message>
        <source>It %1. Another one is started. The session and the last results are as they were.</source>
        <translation>Er %1. Ein neuer wird gestartet. Die Sitzung und die letzten Ergebnisse sind unverändert.</translation>
    </message>
    <message>
        <source>Build again</source>
        <translation>Erneut erstellen</translation>
    </message>
    <message>
        <source>The worker cannot be started</source>
        <translation>Der Arbeitsprozess kann nicht gestartet werden</translation>
    </message>
    <message>
        <source>Something else runs.</source>
        <translation>Etwas anderes läuft gerade.</translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation>GPU wird gesucht</translation>
    </message>
    <message>
        <source>The launch cannot work as it is</source>
        <translation>So ist der Start nicht möglich</translation>
    </message>
    <message>
        <source>Show launch</source>
        <translation>Start anzeigen</translation>
    </message>
    <message>
        <source>Ran %1</source>
        <translation>%1 ausgeführt</translation>
    </message>
    <message>
        <source> in %1 (kernel)</source>
        <translation> in %1 (Kernel)</translation>
    </message>
    <message>
        <source>, results as expected</source>
        <translation>, Ergebnisse wie erwartet</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements differ, the first at %4: %5 instead of %6</source>
        <translation>%1: %2 von %3 Elementen weichen ab, das erste bei %4: %5 statt %6</translation>
    </message>
    <message>
        <source>It ran, but a result is not as expected</source>
        <translation>Ausgeführt, aber ein Ergebnis ist nicht wie erwartet</translation>
    </message>
    <message>
        <source>Show buffers</source>
        <translation>Puffer anzeigen</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>%1 line %2: %3</source>
        <translation>%1, Zeile %2: %3</translation>
    </message>
    <message>
        <source>The results are doubtful: accesses that were wrong were left out.</source>
        <translation>Die Ergebnisse sind zweifelhaft: Fehlerhafte Zugriffe wurden ausgelassen.</translation>
    </message>
    <message>
        <source>The results are doubtful: they may depend on which thread was first.</source>
        <translation>Die Ergebnisse sind zweifelhaft: Sie können davon abhängen, welcher Thread zuerst kam.</translation>
    </message>
    <message>
        <source>It ran, but its checks found mistakes</source>
        <translation>Ausgeführt, aber die Prüfungen fanden Fehler</translation>
    </message>
    <message>
        <source>There is no compiler</source>
        <translation>Es gibt keinen Compiler</translation>
    </message>
    <message>
        <source>The source does not compile</source>
        <translation>Der Quelltext lässt sich nicht kompilieren</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>It ran; a result could not be saved</source>
        <translation>Ausgeführt, aber ein Ergebnis konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>The session cannot be run as it is</source>
        <translation>So kann die Sitzung nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>The kernel failed</source>
        <translation>Der Kernel ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>The kernel did not run</source>
        <translation>Der Kernel wurde nicht ausgeführt</translation>
    </message>
    <message>
        <source>A result would replace a file that this session has not written</source>
        <translation>Ein Ergebnis würde eine Datei ersetzen, die nicht von dieser Sitzung stammt</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>The instructions of a GPU, for any architecture that the compiler knows</source>
        <translation>Die Instruktionen einer GPU, für jede Architektur, die der Compiler kennt</translation>
    </message>
    <message>
        <source>Explorer</source>
        <translation>Explorer</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debugger</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Sessions and sources (*.warplight *.cu *.cuh *.ptx *.h *.hpp);;Data (%1);;All files (*)</source>
        <translation>Sitzungen und Quelltexte (*.warplight *.cu *.cuh *.ptx *.h *.hpp);;Daten (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Session Propert&amp;ies…</source>
        <translation>Sitzungse&amp;igenschaften…</translation>
    </message>
    <message>
        <source>E&amp;dit Exercise…</source>
        <translation>&amp;Übung bearbeiten…</translation>
    </message>
    <message>
        <source>Change Properties</source>
        <translation>Eigenschaften ändern</translation>
    </message>
    <message>
        <source>Change Exercise</source>
        <translation>Übung ändern</translation>
    </message>
    <message>
        <source>Com&amp;pare Source With</source>
        <translation>Quellte&amp;xt vergleichen mit</translation>
    </message>
    <message>
        <source>Starting the debugger</source>
        <translation>Debugger wird gestartet</translation>
    </message>
    <message>
        <source>The debugged kernel runs</source>
        <translation>Der Kernel im Debugger läuft</translation>
    </message>
    <message>
        <source>%1 is open in another tab. Close it there, or choose another name.</source>
        <translation>%1 ist in einem anderen Tab geöffnet. Schließen Sie es dort, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>Arbeitet</translation>
    </message>
    <message>
        <source>New Ta&amp;b</source>
        <translation>Neuer T&amp;ab</translation>
    </message>
    <message>
        <source>New &amp;Window</source>
        <translation>&amp;Weiteres Fenster</translation>
    </message>
    <message>
        <source>Clos&amp;e Session</source>
        <translation>Sit&amp;zung schließen</translation>
    </message>
    <message>
        <source>C&amp;lose Window</source>
        <translation>Fenster sch&amp;ließen</translation>
    </message>
    <message>
        <source>Ne&amp;xt Session</source>
        <translation>Nä&amp;chste Sitzung</translation>
    </message>
    <message>
        <source>Previo&amp;us Session</source>
        <translation>V&amp;orige Sitzung</translation>
    </message>
    <message>
        <source>&amp;Move to New Window</source>
        <translation>In neues &amp;Fenster verschieben</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>The Version on &amp;Disk</source>
        <translation>Die Fassung auf der &amp;Festplatte</translation>
    </message>
    <message>
        <source>Another &amp;File…</source>
        <translation>Andere &amp;Datei…</translation>
    </message>
    <message>
        <source>&amp;End Comparison</source>
        <translation>Verg&amp;leich beenden</translation>
    </message>
    <message>
        <source>Other tabs</source>
        <translation>Andere Tabs</translation>
    </message>
    <message>
        <source>No other session is open</source>
        <translation>Keine andere Sitzung ist geöffnet</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>Läufe dieser Sitzung</translation>
    </message>
    <message>
        <source>Looking for runs</source>
        <translation>Läufe werden gesucht</translation>
    </message>
    <message>
        <source>No run is kept</source>
        <translation>Kein Lauf ist gespeichert</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>%1 on disk</source>
        <translation>%1 auf der Festplatte</translation>
    </message>
    <message>
        <source>There is no version on disk</source>
        <translation>Auf der Festplatte ist keine Fassung</translation>
    </message>
    <message>
        <source>The source was never saved.</source>
        <translation>Der Quelltext wurde nie gespeichert.</translation>
    </message>
    <message>
        <source>Compare With</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.cuh *.ptx *.h *.hpp);;All files (*)</source>
        <translation>CUDA und PTX (*.cu *.cuh *.ptx *.h *.hpp);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tab %1</source>
        <translation>Tab %1</translation>
    </message>
    <message>
        <source>The run cannot be read</source>
        <translation>Der Lauf kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>The source is not saved</source>
        <translation>Die Quelle ist nicht gespeichert</translation>
    </message>
    <message>
        <source>The session gets the source as it is in its file.</source>
        <translation>Die Sitzung bekommt die Quelle, wie sie in ihrer Datei steht.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>The program has changed since this run</source>
        <translation>Das Programm hat sich seit diesem Lauf geändert</translation>
    </message>
    <message>
        <source>Run it again, and choose the launch in its new run.</source>
        <translation>Führen Sie es noch einmal aus, und wählen Sie den Start im neuen Lauf.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>A session of the launch</source>
        <translation>Eine Sitzung des Starts</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Stopped waiting</source>
        <translation>Warten beendet</translation>
    </message>
    <message>
        <source>Waiting for “%1”, which runs in another tab</source>
        <translation>Warten auf „%1“, das in einem anderen Tab läuft</translation>
    </message>
    <message>
        <source>Add Machi&amp;ne…</source>
        <translation>Rec&amp;hner hinzufügen …</translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation>Mit %1 verbinden</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU on %1</source>
        <translation>GPU auf %1</translation>
    </message>
    <message>
        <source>Software device on %1</source>
        <translation>Software-Gerät auf %1</translation>
    </message>
    <message>
        <source>%1: not connected</source>
        <translation>%1: nicht verbunden</translation>
    </message>
    <message>
        <source>%1: connecting</source>
        <translation>%1: verbindet</translation>
    </message>
    <message>
        <source>%1: connection lost</source>
        <translation>%1: Verbindung verloren</translation>
    </message>
    <message>
        <source>Lost %1 s ago. Trying again.</source>
        <translation>Seit %1 s verloren. Neuer Versuch läuft.</translation>
    </message>
    <message>
        <source>Remove Machine</source>
        <translation>Rechner entfernen</translation>
    </message>
    <message>
        <source>Remove %1 from the list?</source>
        <translation>%1 aus der Liste entfernen?</translation>
    </message>
    <message>
        <source>It is disconnected. What is installed and stored there stays; “warplight-cli remote clean” and “remote uninstall” remove it.</source>
        <translation>Die Verbindung wird getrennt. Was dort installiert und gespeichert ist, bleibt; „warplight-cli remote clean“ und „remote uninstall“ entfernen es.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>The machine was not removed</source>
        <translation>Der Rechner wurde nicht entfernt</translation>
    </message>
    <message>
        <source>The connection to %1 is lost</source>
        <translation>Die Verbindung mit %1 ist verloren</translation>
    </message>
    <message>
        <source>The run goes on there, and its results are taken when the connection is back. Warplight keeps trying.</source>
        <translation>Der Lauf geht dort weiter, und seine Ergebnisse werden geholt, sobald die Verbindung wieder da ist. Warplight versucht es weiter.</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Lauf anhalten</translation>
    </message>
    <message>
        <source>Connected to %1 again</source>
        <translation>Wieder mit %1 verbunden</translation>
    </message>
    <message>
        <source>The run on %1 is lost</source>
        <translation>Der Lauf auf %1 ist verloren</translation>
    </message>
    <message>
        <source>The build on %1 is lost</source>
        <translation>Der Bau auf %1 ist verloren</translation>
    </message>
    <message>
        <source>The run did not start: %1 cannot be reached</source>
        <translation>Der Lauf hat nicht begonnen: %1 ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The build did not start: %1 cannot be reached</source>
        <translation>Der Bau hat nicht begonnen: %1 ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Install there…</source>
        <translation>Dort installieren …</translation>
    </message>
    <message>
        <source>Rename Machine</source>
        <translation>Rechner umbenennen</translation>
    </message>
    <message>
        <source>Name of %1; without one it is called by its address:</source>
        <translation>Name von %1; ohne Namen heißt der Rechner wie seine Adresse:</translation>
    </message>
    <message>
        <source>What runs there goes on, and the next run begins when the connection is back. Warplight keeps trying.</source>
        <translation>Was dort läuft, geht weiter, und der nächste Lauf beginnt, sobald die Verbindung wieder da ist. Warplight versucht es weiter.</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>Messreihe anhalten</translation>
    </message>
    <message>
        <source>Stop checking</source>
        <translation>Prüfung anhalten</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>%1 ist nicht erreichbar</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MemberBox</name>
    <message>
        <source>the only array</source>
        <translation>das einzige Array</translation>
    </message>
    <message>
        <source>choose one</source>
        <translation>eines wählen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MemoryPage</name>
    <message>
        <source>Pointer, array or address</source>
        <translation>Zeiger, Array oder Adresse</translation>
    </message>
    <message>
        <source>Memory to show</source>
        <translation>Anzuzeigender Speicher</translation>
    </message>
    <message>
        <source>Type of the elements</source>
        <translation>Typ der Elemente</translation>
    </message>
    <message>
        <source>Number of elements</source>
        <translation>Anzahl der Elemente</translation>
    </message>
    <message>
        <source>Ways to look at the memory</source>
        <translation>Ansichten des Speichers</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>Hex</translation>
    </message>
    <message>
        <source>Choose Show Memory of a pointer or an array in Variables, or type one above.</source>
        <translation>Wählen Sie unter „Variablen“ bei einem Zeiger oder Array „Speicher zeigen“, oder geben Sie oben selbst etwas ein.</translation>
    </message>
    <message>
        <source>%1 is not in memory.</source>
        <translation>%1 liegt nicht im Speicher.</translation>
    </message>
    <message>
        <source>There is not enough memory for an element.</source>
        <translation>Der Speicher reicht nicht für ein Element.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MismatchModel</name>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Actual</source>
        <translation>Tatsächlich</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>Absoluter Fehler</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>Relativer Fehler</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
</context>
<context>
    <name>warplight::ui::NotesPanel</name>
    <message>
        <source>Restore Original…</source>
        <translation>Original wiederherstellen…</translation>
    </message>
    <message>
        <source>Write notes</source>
        <translation>Notizen schreiben</translation>
    </message>
    <message>
        <source>Notes in Markdown</source>
        <translation>Notizen in Markdown</translation>
    </message>
    <message>
        <source>Markdown: # Heading, **bold**, `code`, - list</source>
        <translation>Markdown: # Überschrift, **fett**, `Code`, - Liste</translation>
    </message>
    <message>
        <source>Bring source, session and notes back to how they came with Warplight</source>
        <translation>Quelltext, Sitzung und Notizen so wiederherstellen, wie Warplight sie mitbringt</translation>
    </message>
    <message>
        <source>The notes are not shown: their file lies outside of the session&apos;s folder. Move it there.</source>
        <translation>Die Notizen werden nicht angezeigt: Ihre Datei liegt außerhalb des Sitzungsordners. Verschieben Sie sie dorthin.</translation>
    </message>
    <message>
        <source>The notes cannot be read. %1</source>
        <translation>Die Notizen können nicht gelesen werden. %1</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Edit Notes</source>
        <translation>Notizen bearbeiten</translation>
    </message>
    <message>
        <source>No notes</source>
        <translation>Keine Notizen</translation>
    </message>
    <message>
        <source>Notes explain a session: what it shows, what to try, how to solve it.</source>
        <translation>Notizen erklären eine Sitzung: was sie zeigt, was man ausprobieren kann, wie man sie löst.</translation>
    </message>
    <message>
        <source>The link leads out of the session&apos;s folder, so it is not opened.</source>
        <translation>Der Link führt aus dem Sitzungsordner hinaus und wird daher nicht geöffnet.</translation>
    </message>
    <message>
        <source>Only links to web pages and to files of the session are opened.</source>
        <translation>Nur Links zu Webseiten und zu Dateien der Sitzung werden geöffnet.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::NotesView</name>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::OutputPanel</name>
    <message>
        <source>What to show</source>
        <translation>Was angezeigt wird</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Printed</source>
        <translation>Ausgegeben</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Arbeitsprozess</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Show when each line came</source>
        <translation>Zeigen, wann jede Zeile kam</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Keep the last line in view</source>
        <translation>Die letzte Zeile im Blick behalten</translation>
    </message>
    <message>
        <source>&amp;Clear Output</source>
        <translation>Ausgabe &amp;leeren</translation>
    </message>
    <message>
        <source>&amp;Save Output…</source>
        <translation>Ausgabe &amp;speichern…</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Input for the program; Enter sends it</source>
        <translation>Eingabe für das Programm. Enter sendet sie</translation>
    </message>
    <message>
        <source>Input for the program</source>
        <translation>Eingabe für das Programm</translation>
    </message>
    <message>
        <source>End of Input</source>
        <translation>Ende der Eingabe</translation>
    </message>
    <message>
        <source>The program reads the end of its standard input (Ctrl+D)</source>
        <translation>Das Programm liest das Ende seiner Standardeingabe (Ctrl+D)</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Build failed</source>
        <translation>Build fehlgeschlagen</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>aus dem Cache</translation>
    </message>
    <message>
        <source>No output yet</source>
        <translation>Noch keine Ausgabe</translation>
    </message>
    <message>
        <source>What kernels and programs print, and the log of each build, appears here.</source>
        <translation>Was Kernel und Programme ausgeben und das Protokoll jedes Builds erscheint hier.</translation>
    </message>
    <message>
        <source>The output could not be written to %1: %2.</source>
        <translation>Die Ausgabe konnte nicht in %1 geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>Save Output</source>
        <translation>Ausgabe speichern</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PipelinePage</name>
    <message>
        <source>Launch a &amp;Kernel</source>
        <translation>&amp;Kernel starten</translation>
    </message>
    <message>
        <source>&amp;Copy an Array</source>
        <translation>Array ko&amp;pieren</translation>
    </message>
    <message>
        <source>&amp;Fill an Array</source>
        <translation>Array &amp;füllen</translation>
    </message>
    <message>
        <source>&amp;Swap Two Arrays</source>
        <translation>Zwei Arrays &amp;tauschen</translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation>&amp;Schleife</translation>
    </message>
    <message>
        <source>Edit Step…</source>
        <translation>Schritt bearbeiten…</translation>
    </message>
    <message>
        <source>Duplicate Step</source>
        <translation>Schritt duplizieren</translation>
    </message>
    <message>
        <source>Remove Step</source>
        <translation>Schritt entfernen</translation>
    </message>
    <message>
        <source>Move Step Up</source>
        <translation>Schritt nach oben</translation>
    </message>
    <message>
        <source>Move Step Down</source>
        <translation>Schritt nach unten</translation>
    </message>
    <message>
        <source>Before the step above it, out of a loop, or into the one above (Alt+Up)</source>
        <translation>Vor den Schritt darüber, aus einer Schleife heraus oder in die darüber hinein (Alt+Up)</translation>
    </message>
    <message>
        <source>Behind the step below it, out of a loop, or into the one below (Alt+Down)</source>
        <translation>Hinter den Schritt darunter, aus einer Schleife heraus oder in die darunter hinein (Alt+Down)</translation>
    </message>
    <message>
        <source>Add Step</source>
        <translation>Schritt hinzufügen</translation>
    </message>
    <message>
        <source>Behind the selected step, or into the selected loop</source>
        <translation>Hinter dem gewählten Schritt oder in der gewählten Schleife</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>What it is given</source>
        <translation>Was er erhält</translation>
    </message>
    <message>
        <source>Steps of the pipeline</source>
        <translation>Schritte der Pipeline</translation>
    </message>
    <message>
        <source>One launch after the other</source>
        <translation>Einzelne Starts nacheinander</translation>
    </message>
    <message>
        <source>A CUDA graph</source>
        <translation>CUDA-Graph</translation>
    </message>
    <message>
        <source>A graph saves the host&apos;s work for each launch. Results are the same.</source>
        <translation>Ein Graph erspart dem Host die Arbeit für jeden einzelnen Start. Die Ergebnisse sind dieselben.</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Ausführen als</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Move Step</source>
        <translation>Schritt verschieben</translation>
    </message>
    <message>
        <source>Change How Steps Run</source>
        <translation>Ausführung der Schritte ändern</translation>
    </message>
    <message>
        <source>Array that is kept as frames</source>
        <translation>Array, das als Bilder aufbewahrt wird</translation>
    </message>
    <message>
        <source>Keeps the array now and then. Buffers plays what was kept.</source>
        <translation>Bewahrt das Array von Zeit zu Zeit auf. „Puffer“ spielt das Aufbewahrte ab.</translation>
    </message>
    <message>
        <source>every </source>
        <translation>alle </translation>
    </message>
    <message>
        <source>Rounds from one frame to the next</source>
        <translation>Runden von einem Bild zum nächsten</translation>
    </message>
    <message>
        <source>at most </source>
        <translation>höchstens </translation>
    </message>
    <message>
        <source>Most frames that are kept</source>
        <translation>Höchstzahl aufbewahrter Bilder</translation>
    </message>
    <message>
        <source>Measured runs. Each starts from the same inputs.</source>
        <translation>Gemessene Läufe. Jeder beginnt mit denselben Eingaben.</translation>
    </message>
    <message>
        <source>warm-up </source>
        <translation>Aufwärmen </translation>
    </message>
    <message>
        <source>Warm-up runs</source>
        <translation>Aufwärmläufe</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Change Repeats</source>
        <translation>Wiederholungen ändern</translation>
    </message>
    <message>
        <source>Change Warm-up</source>
        <translation>Aufwärmen ändern</translation>
    </message>
    <message>
        <source>Edit Step</source>
        <translation>Schritt bearbeiten</translation>
    </message>
    <message>
        <source>Change Frames</source>
        <translation>Bilder ändern</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Cold L2</source>
        <translation>L2 kalt</translation>
    </message>
    <message>
        <source>Memory of twice the L2 cache&apos;s size is written before each run, so that the pipeline finds none of its data there.</source>
        <translation>Vor jedem Lauf wird Speicher von der doppelten Größe des L2-Caches beschrieben, damit die Pipeline dort keine ihrer Daten findet.</translation>
    </message>
    <message>
        <source>Change Cold L2</source>
        <translation>Kalten L2 ändern</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PlaneBox</name>
    <message>
        <source>Plane</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>The faces of the cubemap: +x, -x, +y, -y, +z, -z</source>
        <translation>Die Flächen der Cubemap: +x, -x, +y, -y, +z, -z</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Face</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>Face +x</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Cube %1, %2</source>
        <comment>Cube 2, +x</comment>
        <translation>Würfel %1, %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PlotPage</name>
    <message>
        <source>Show All</source>
        <translation>Alles anzeigen</translation>
    </message>
    <message>
        <source>Show the whole buffer (Home)</source>
        <translation>Den ganzen Puffer anzeigen (Home)</translation>
    </message>
    <message>
        <source>Select several buffers in the list to see them together.</source>
        <translation>Wählen Sie mehrere Puffer in der Liste, um sie gemeinsam zu sehen.</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>diagramm</translation>
    </message>
    <message>
        <source>Not shown, no numbers: %1</source>
        <translation>Nicht dargestellt, keine Zahlen: %1</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>from index</source>
        <translation>von Index</translation>
    </message>
    <message>
        <source>to index</source>
        <translation>bis Index</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 max</source>
        <translation>%1 max</translation>
    </message>
    <message>
        <source>Plot of the buffer; arrow keys move the reading line, Enter chooses its element, plus and minus zoom</source>
        <translation>Kurve des Puffers; Pfeiltasten bewegen die Leselinie, Eingabe wählt ihr Element, Plus und Minus zoomen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProblemsModel</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Quelle</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProblemsPanel</name>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>Show or hide: %1</source>
        <translation>Ein- oder ausblenden: %1</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Show or hide what the two threads of a finding did</source>
        <translation>Ein- oder ausblenden, was die beiden Threads eines Befunds taten</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter problems</source>
        <translation>Probleme filtern</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>&amp;Copy Message</source>
        <translation>Meldung &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Next Problem</source>
        <translation>&amp;Nächstes Problem</translation>
    </message>
    <message>
        <source>&amp;Previous Problem</source>
        <translation>&amp;Voriges Problem</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Anmerkung</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Anmerkungen</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>The last build and run had nothing to report.</source>
        <translation>Beim letzten Build und Lauf gab es nichts zu melden.</translation>
    </message>
    <message>
        <source>Nothing built yet</source>
        <translation>Noch nichts erstellt</translation>
    </message>
    <message>
        <source>Open an example or a kernel, or begin a new one: what the compiler says of it appears here.</source>
        <translation>Öffnen Sie ein Beispiel oder einen Kernel, oder beginnen Sie einen neuen. Was der Compiler dazu sagt, erscheint hier.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see what the compiler says of it.</source>
        <translation>Erstellen Sie den Kernel (%1), um zu sehen, was der Compiler dazu sagt.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProfileModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>The line of the source that the instructions were written in.</source>
        <translation>Die Zeile des Quelltexts, aus der die Instruktionen stammen.</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruktion</translation>
    </message>
    <message>
        <source>The line of the PTX, and the instruction there.</source>
        <translation>Die Zeile des PTX und die Instruktion darin.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>The line as it was when the kernel ran.</source>
        <translation>Die Zeile, wie sie beim Lauf des Kernels war.</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Share of the kernel&apos;s executions, sectors and wavefronts; a sector or a wavefront counts as %1 executions. This is work, not time.</source>
        <translation>Anteil an den Ausführungen, Sektoren und Wavefronts des Kernels. Ein Sektor oder eine Wavefront zählt wie %1 Ausführungen. Das ist Arbeit, nicht Zeit.</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Ausführungen</translation>
    </message>
    <message>
        <source>Times that a warp executed an instruction of the line.</source>
        <translation>Wie oft ein Warp eine Instruktion der Zeile ausführte.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads of a warp that took part, on average. At most 32.</source>
        <translation>Threads eines Warps, die im Mittel beteiligt waren. Höchstens 32.</translation>
    </message>
    <message>
        <source>Divergent</source>
        <translation>Divergent</translation>
    </message>
    <message>
        <source>Executions of a branch from which the threads of a warp went two ways.</source>
        <translation>Ausführungen einer Verzweigung, nach der die Threads eines Warps zwei Wege gingen.</translation>
    </message>
    <message>
        <source>Sectors</source>
        <translation>Sektoren</translation>
    </message>
    <message>
        <source>32-byte sectors of global memory that an access of a warp touches / the fewest possible.</source>
        <translation>Sektoren zu 32 Byte im Global Memory, die ein Zugriff eines Warps berührt / die kleinstmögliche Zahl.</translation>
    </message>
    <message>
        <source>Wavefronts</source>
        <translation>Wavefronts</translation>
    </message>
    <message>
        <source>Passes through the banks of shared memory that an access of a warp takes / the fewest possible.</source>
        <translation>Durchgänge durch die Bänke des Shared Memory, die ein Zugriff eines Warps braucht / die kleinstmögliche Zahl.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Bytes that threads asked global memory for.</source>
        <translation>Bytes, die Threads vom Global Memory anforderten.</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Arithmetic operations of all threads, of floating point and of integers. A fused multiply-add is two.</source>
        <translation>Rechenoperationen aller Threads, mit Gleitkomma- und ganzen Zahlen. Ein Fused Multiply-Add zählt als zwei.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProfilePanel</name>
    <message>
        <source>Lines</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>PTX instructions</source>
        <translation>PTX-Instruktionen</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>Colour lines in the editor by</source>
        <translation>Zeilen im Editor färben nach</translation>
    </message>
    <message>
        <source>What the colours beside the lines in the editor stand for</source>
        <translation>Wofür die Farben neben den Zeilen im Editor stehen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>Totals of the kernel</source>
        <translation>Summen des Kernels</translation>
    </message>
    <message>
        <source>Profile by line</source>
        <translation>Profil nach Zeilen</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>GPU to compare with</source>
        <translation>GPU zum Vergleich</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Profile the Kernel</source>
        <translation>Kernel profilieren</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>&amp;Lanes and Memory…</source>
        <translation>&amp;Lanes und Speicher…</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>Kein Profil</translation>
    </message>
    <message>
        <source>Kernels of sessions are profiled, and programs are not.</source>
        <translation>Kernel von Sitzungen werden profiliert, Programme nicht.</translation>
    </message>
    <message>
        <source>No profile yet</source>
        <translation>Noch kein Profil</translation>
    </message>
    <message>
        <source>A profile tells how often each line is executed, with how many threads, and how well it uses memory. It is counted on the software device, whatever device runs the kernel.</source>
        <translation>Ein Profil zeigt, wie oft jede Zeile ausgeführt wird, mit wie vielen Threads und wie gut sie den Speicher nutzt. Gezählt wird auf dem Software-Gerät, gleich auf welchem Gerät der Kernel läuft.</translation>
    </message>
    <message>
        <source>The last run failed before its kernel could be profiled.</source>
        <translation>Der letzte Lauf schlug fehl, bevor sein Kernel profiliert werden konnte.</translation>
    </message>
    <message>
        <source>The last run was not profiled</source>
        <translation>Der letzte Lauf wurde nicht profiliert</translation>
    </message>
    <message>
        <source>Run it with Profile to see what each line does. It is counted on the software device, whatever device runs the kernel.</source>
        <translation>Führen Sie ihn mit „Profil“ aus, um zu sehen, was jede Zeile tut. Gezählt wird auf dem Software-Gerät, gleich auf welchem Gerät der Kernel läuft.</translation>
    </message>
    <message>
        <source>%1 executions by %2 warps</source>
        <translation>%1 Ausführungen durch %2 Warps</translation>
    </message>
    <message>
        <source>%1 of 32 threads</source>
        <translation>%1 von 32 Threads</translation>
    </message>
    <message>
        <source>%1B of memory by threads, %2B by sectors</source>
        <translation>%1B Speicher nach Threads, %2B nach Sektoren</translation>
    </message>
    <message>
        <source>%1FLOP, %2 a byte</source>
        <translation>%1FLOP, %2 je Byte</translation>
    </message>
    <message>
        <source>%1FLOP</source>
        <translation>%1FLOP</translation>
    </message>
    <message>
        <source>%1B/s and %2FLOP/s measured</source>
        <translation>%1B/s und %2FLOP/s gemessen</translation>
    </message>
    <message>
        <source>Counts are those of the software device. The speed is that of %1, by the median of the measured runs.</source>
        <translation>Gezählt wurde auf dem Software-Gerät. Die Geschwindigkeit ist die von %1, nach dem Median der gemessenen Läufe.</translation>
    </message>
    <message>
        <source>%1 blocks are missing: their threads did more than could be kept.</source>
        <translation>%1 Blöcke fehlen: Ihre Threads taten mehr, als aufbewahrt werden konnte.</translation>
    </message>
    <message>
        <source>The source has changed since this run. Lines and their numbers are those of the run.</source>
        <translation>Der Quelltext hat sich seit diesem Lauf geändert. Die Zeilen und ihre Nummern sind die des Laufs.</translation>
    </message>
    <message>
        <source>Hints (%1)</source>
        <translation>Hinweise (%1)</translation>
    </message>
    <message>
        <source>Line %1 of the PTX</source>
        <translation>Zeile %1 des PTX</translation>
    </message>
    <message>
        <source>The kernel</source>
        <translation>Der Kernel</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>up to %1 % of the cost</source>
        <translation>bis zu %1 % der Kosten</translation>
    </message>
    <message>
        <source>How to mend it</source>
        <translation>So lässt es sich beheben</translation>
    </message>
    <message>
        <source>See the lanes</source>
        <translation>Lanes ansehen</translation>
    </message>
    <message>
        <source>No hints: nothing that the profile shows costs much.</source>
        <translation>Keine Hinweise: Nichts, was das Profil zeigt, kostet viel.</translation>
    </message>
    <message>
        <source>The line was edited since the run.</source>
        <translation>Die Zeile wurde seit dem Lauf bearbeitet.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProgramPage</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>What main() gets as argv[1] and so on. An argument with blanks stands in quotes.</source>
        <translation>Was main() als argv[1] usw. erhält. Ein Argument mit Leerzeichen steht in Anführungszeichen.</translation>
    </message>
    <message>
        <source>the session&apos;s folder</source>
        <translation>der Ordner der Sitzung</translation>
    </message>
    <message>
        <source>typed in Output</source>
        <translation>in „Ausgabe“ getippt</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Ar&amp;guments</source>
        <translation>Ar&amp;gumente</translation>
    </message>
    <message>
        <source>Working fol&amp;der</source>
        <translation>Arbeitsor&amp;dner</translation>
    </message>
    <message>
        <source>Choose the folder that the program runs in</source>
        <translation>Ordner wählen, in dem das Programm läuft</translation>
    </message>
    <message>
        <source>Standard &amp;input</source>
        <translation>Standarde&amp;ingabe</translation>
    </message>
    <message>
        <source>Choose the file that the program reads</source>
        <translation>Datei wählen, die das Programm liest</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Optionen…</translation>
    </message>
    <message>
        <source>Defines, language standard and other options of nvcc</source>
        <translation>Makros, Sprachstandard und andere Optionen von nvcc</translation>
    </message>
    <message>
        <source>C&amp;ompile</source>
        <translation>K&amp;ompilieren</translation>
    </message>
    <message>
        <source>A program is built by nvcc and runs as any other of your programs: nothing confines it.</source>
        <translation>Ein Programm wird mit nvcc erstellt und läuft wie jedes andere Ihrer Programme: Nichts schränkt es ein.</translation>
    </message>
    <message>
        <source>Change Arguments</source>
        <translation>Argumente ändern</translation>
    </message>
    <message>
        <source>Change Working Folder</source>
        <translation>Arbeitsordner ändern</translation>
    </message>
    <message>
        <source>Change Standard Input</source>
        <translation>Standardeingabe ändern</translation>
    </message>
    <message>
        <source>Working Folder</source>
        <translation>Arbeitsordner</translation>
    </message>
    <message>
        <source>Standard Input</source>
        <translation>Standardeingabe</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProgramRunner</name>
    <message>
        <source>There is no place for the program: %1. Make room in the folder for temporary files.</source>
        <translation>Für das Programm ist kein Platz: %1. Schaffen Sie Platz im Ordner für temporäre Dateien.</translation>
    </message>
    <message>
        <source>warplight-cli, which builds and runs programs, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, das Programme erstellt und ausführt, fehlt neben Warplight. Installieren Sie Warplight neu.</translation>
    </message>
    <message>
        <source>The folder %1, in which the program is to run, does not exist. Choose another one in Launch.</source>
        <translation>Der Ordner %1, in dem das Programm laufen soll, existiert nicht. Wählen Sie unter „Start“ einen anderen.</translation>
    </message>
    <message>
        <source>The file %1, which the program is to read, cannot be read. Choose another one in Launch.</source>
        <translation>Die Datei %1, die das Programm lesen soll, ist nicht lesbar. Wählen Sie unter „Start“ eine andere.</translation>
    </message>
    <message>
        <source>warplight-cli cannot be started: %1</source>
        <translation>warplight-cli lässt sich nicht starten: %1</translation>
    </message>
    <message>
        <source>The source cannot be written to %1: %2</source>
        <translation>Der Quelltext kann nicht nach %1 geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Building with nvcc</source>
        <translation>Wird mit nvcc erstellt</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>Whole programs run on this machine only, and %1 is chosen. Choose a device of this machine in the toolbar.</source>
        <translation>Ganze Programme laufen nur auf diesem Rechner, und %1 ist gewählt. Wählen Sie in der Werkzeugleiste ein Gerät dieses Rechners.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PtxLexer</name>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Directive</source>
        <translation>Direktive</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruktion</translation>
    </message>
    <message>
        <source>Modifier</source>
        <translation>Modifikator</translation>
    </message>
    <message>
        <source>Register</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Special register</source>
        <translation>Spezialregister</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>String</source>
        <translation>Zeichenkette</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Sprungmarke</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PtxView</name>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RawDialog</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>all, or as 1024, 768</source>
        <translation>alles oder etwa 1024, 768</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Typ</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>&amp;Form</translation>
    </message>
    <message>
        <source>Bytes to s&amp;kip</source>
        <translation>Bytes über&amp;springen</translation>
    </message>
    <message>
        <source>The file has %1.</source>
        <translation>Die Datei hat %1.</translation>
    </message>
    <message>
        <source>Give the shape as lengths: 1024, 768.</source>
        <translation>Geben Sie die Form als Längen an: 1024, 768.</translation>
    </message>
    <message>
        <source>The shape is too large.</source>
        <translation>Die Form ist zu groß.</translation>
    </message>
    <message>
        <source>The shape needs %1, the file has %2 there.</source>
        <translation>Die Form braucht %1, die Datei hat dort %2.</translation>
    </message>
    <message>
        <source>There is not one element there.</source>
        <translation>Dort ist kein einziges Element.</translation>
    </message>
    <message>
        <source>%1 elements, %2</source>
        <translation>%1 Elemente, %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RegisterDialog</name>
    <message>
        <source>registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>Shared Memory</translation>
    </message>
    <message>
        <source>block size</source>
        <translation>Blockgröße</translation>
    </message>
    <message>
        <source>blocks per multiprocessor</source>
        <translation>Blöcke je Multiprozessor</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Registers and Occupancy</source>
        <translation>Register und Belegung</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>As built</source>
        <translation>Wie erstellt</translation>
    </message>
    <message>
        <source>Limits on the registers of a thread</source>
        <translation>Grenzen für die Register eines Threads</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Spills</source>
        <translation>Spills</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>Blocks/SM</source>
        <translation>Blöcke/SM</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>Use This Limit</source>
        <translation>Diese Grenze verwenden</translation>
    </message>
    <message>
        <source>Put the limit into the compile options of the session</source>
        <translation>Trägt die Grenze in die Kompilieroptionen der Sitzung ein</translation>
    </message>
    <message>
        <source>The kernel is compiled once for each limit…</source>
        <translation>Der Kernel wird für jede Grenze einmal kompiliert…</translation>
    </message>
    <message>
        <source>There is no table: %1.</source>
        <translation>Es gibt keine Tabelle: %1.</translation>
    </message>
    <message>
        <source>%1 for %2, blocks of %3 threads with %4 of shared memory</source>
        <translation>%1 für %2, Blöcke mit %3 Threads und %4 Shared Memory</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 (in use)</source>
        <translation>%1 (aktiv)</translation>
    </message>
    <message>
        <source>__launch_bounds__(%1, %2): at most %3 registers a thread, so that %4 blocks are resident.</source>
        <translation>__launch_bounds__(%1, %2): höchstens %3 Register je Thread, damit %4 Blöcke resident sind.</translation>
    </message>
    <message>
        <source>__launch_bounds__(%1): at most %2 registers a thread, so that one block is resident.</source>
        <translation>__launch_bounds__(%1): höchstens %2 Register je Thread, damit ein Block resident ist.</translation>
    </message>
    <message>
        <source>ptxas prefers this bound to a limit in the options.</source>
        <translation>Diese Angabe hat bei ptxas Vorrang vor einer Grenze in den Optionen.</translation>
    </message>
    <message>
        <source>The block of the launch has more threads than this bound allows, so it cannot be launched.</source>
        <translation>Der Block des Starts hat mehr Threads, als diese Angabe erlaubt. Er kann so nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Occupancy follows from the limits of this architecture. Spills are code that moves registers to local memory.</source>
        <translation>Die Belegung folgt aus den Grenzen dieser Architektur. Spills sind Code, der Register in den Local Memory auslagert.</translation>
    </message>
    <message>
        <source>Remove the Register Limit</source>
        <translation>Registergrenze entfernen</translation>
    </message>
    <message>
        <source>Limit Registers</source>
        <translation>Register begrenzen</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>es wurde angehalten</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ReportJob</name>
    <message>
        <source>%1 cannot be written: %2. Choose another place.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>There is not enough memory for the report.</source>
        <translation>Der Speicher reicht nicht für den Bericht.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ReportModel</name>
    <message>
        <source>Registers did not suffice: %1 go through local memory. Fewer live values, a smaller block or __launch_bounds__ help.</source>
        <translation>Die Register reichten nicht: %1 laufen über den Local Memory. Weniger lebende Werte, ein kleinerer Block oder __launch_bounds__ helfen.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Spill stores</source>
        <translation>Spill-Stores</translation>
    </message>
    <message>
        <source>Spill loads</source>
        <translation>Spill-Loads</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Shared</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstant</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation>Barrieren</translation>
    </message>
    <message>
        <source>Registers a thread</source>
        <translation>Register je Thread</translation>
    </message>
    <message>
        <source>Bytes a thread that did not fit into registers</source>
        <translation>Bytes je Thread, die nicht in die Register passten</translation>
    </message>
    <message>
        <source>Static shared memory a block</source>
        <translation>Statischer Shared Memory je Block</translation>
    </message>
    <message>
        <source>Constant memory: the kernel&apos;s parameters</source>
        <translation>Constant Memory: die Parameter des Kernels</translation>
    </message>
    <message>
        <source>Stack frame of a thread</source>
        <translation>Stackframe eines Threads</translation>
    </message>
    <message>
        <source>Hardware barriers a block</source>
        <translation>Hardware-Barrieren je Block</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ResultRows</name>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Raw numbers, whatever its name says</source>
        <translation>Rohe Zahlen, was auch der Name sagt</translation>
    </message>
    <message>
        <source>Hz; that of the .wav files that are read</source>
        <translation>Hz; die der gelesenen .wav-Dateien</translation>
    </message>
    <message>
        <source>not saved; or a file below the session&apos;s folder</source>
        <translation>wird nicht gespeichert; oder eine Datei im Ordner der Sitzung</translation>
    </message>
    <message>
        <source>nothing; a file with the right result; or = and a formula</source>
        <translation>nichts; eine Datei mit dem richtigen Ergebnis; oder = und eine Formel</translation>
    </message>
    <message>
        <source>An array&apos;s file, = and a formula, or a session (.warplight) whose saved result is right</source>
        <translation>Die Datei eines Arrays, = und eine Formel, oder eine Sitzung (.warplight), deren gespeichertes Ergebnis richtig ist</translation>
    </message>
    <message>
        <source>Sa&amp;ve as</source>
        <translation>&amp;Speichern unter</translation>
    </message>
    <message>
        <source>Rate (Hz)</source>
        <translation>Abtastrate (Hz)</translation>
    </message>
    <message>
        <source>E&amp;xpected</source>
        <translation>&amp;Erwartet</translation>
    </message>
    <message>
        <source>Array in t&amp;hat</source>
        <translation>&amp;Array daraus</translation>
    </message>
    <message>
        <source>Its ar&amp;gument</source>
        <translation>Sein Ar&amp;gument</translation>
    </message>
    <message>
        <source>&amp;Relative tolerance</source>
        <translation>Relative Toleran&amp;z</translation>
    </message>
    <message>
        <source>A&amp;bsolute tolerance</source>
        <translation>A&amp;bsolute Toleranz</translation>
    </message>
    <message>
        <source>Choose the Expected Result</source>
        <translation>Erwartetes Ergebnis wählen</translation>
    </message>
    <message>
        <source>Arrays and sessions (%1 *.warplight);;All files (*)</source>
        <translation>Arrays und Sitzungen (%1 *.warplight);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The sampling rate is in Hz, from 1 to %1, such as 48000. Empty, it is that of the input.</source>
        <translation>Die Abtastrate ist in Hz, von 1 bis %1, zum Beispiel 48000. Leer ist sie die der Eingabe.</translation>
    </message>
    <message>
        <source>Tolerances are numbers from 0 on, such as 1e-5.</source>
        <translation>Toleranzen sind Zahlen ab 0, zum Beispiel 1e-5.</translation>
    </message>
    <message>
        <source>A digest has 64 hexadecimal digits, as warplight-cli exercise --digests writes them.</source>
        <translation>Ein Hashwert hat 64 hexadezimale Ziffern, wie warplight-cli exercise --digests sie schreibt.</translation>
    </message>
    <message>
        <source>A digest is of an exact result. Leave the tolerances empty.</source>
        <translation>Ein Hashwert gehört zu einem genauen Ergebnis. Lassen Sie die Toleranzen leer.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RooflinePlot</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Operations a byte</source>
        <translation>Operationen je Byte</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>der Speicher</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>die Arithmetik</translation>
    </message>
    <message>
        <source>A model of %1: at %2 operations a byte %3 is the limit, with %4FLOP/s at most.</source>
        <translation>Modell für %1: Bei %2 Operationen je Byte ist %3 die Grenze, mit höchstens %4FLOP/s.</translation>
    </message>
    <message>
        <source>No roofline: the kernel has no operations of floating point.</source>
        <translation>Keine Roofline: Der Kernel hat keine Gleitkommaoperationen.</translation>
    </message>
    <message>
        <source>No roofline: the kernel does not use global memory.</source>
        <translation>Keine Roofline: Der Kernel nutzt keinen Global Memory.</translation>
    </message>
    <message>
        <source>No roofline: the peak of %1 for this kind of operations is not known.</source>
        <translation>Keine Roofline: Die Spitzenleistung von %1 für diese Art von Operationen ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The line is the roof, the disc what the kernel could reach under it, and the square what it reached.</source>
        <translation>Die Linie ist das Dach, die Scheibe zeigt, was der Kernel darunter erreichen könnte, das Quadrat, was er erreicht hat.</translation>
    </message>
    <message>
        <source>The line is the roof, and the disc what the kernel could reach under it.</source>
        <translation>Die Linie ist das Dach, die Scheibe zeigt, was der Kernel darunter erreichen könnte.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunController</name>
    <message>
        <source>Reading data</source>
        <translation>Daten werden gelesen</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Loading the kernel</source>
        <translation>Kernel wird geladen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Wird verglichen</translation>
    </message>
    <message>
        <source>Saving results</source>
        <translation>Ergebnisse werden gesichert</translation>
    </message>
    <message>
        <source>Checking on the software device</source>
        <translation>Wird auf dem Software-Gerät geprüft</translation>
    </message>
    <message>
        <source>Profiling on the software device</source>
        <translation>Profil wird auf dem Software-Gerät erstellt</translation>
    </message>
    <message>
        <source>Recording the warp</source>
        <translation>Warp wird aufgezeichnet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Wird gestartet</translation>
    </message>
    <message>
        <source>The last run was stopped.</source>
        <translation>Der letzte Lauf wurde angehalten.</translation>
    </message>
    <message>
        <source>The last run lost its worker.</source>
        <translation>Der letzte Lauf hat seinen Arbeitsprozess verloren.</translation>
    </message>
    <message>
        <source>The last run did not start.</source>
        <translation>Der letzte Lauf ist nicht gestartet.</translation>
    </message>
    <message>
        <source>The worker&apos;s report cannot be read: %1</source>
        <translation>Der Bericht des Arbeitsprozesses ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>The worker ended during the run.</source>
        <translation>Der Arbeitsprozess endete während des Laufs.</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Wird gesendet</translation>
    </message>
    <message>
        <source>Fetching results</source>
        <translation>Ergebnisse werden geholt</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>Verbindung mit %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunHistory</name>
    <message>
        <source>Writing the history</source>
        <translation>Verlauf wird geschrieben</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>Verlauf wird gelesen</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>Es wurde angehalten.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunsModel</name>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>im Cache</translation>
    </message>
    <message>
        <source>Median of the kernel&apos;s event times</source>
        <translation>Median der mit Events gemessenen Zeiten des Kernels</translation>
    </message>
    <message>
        <source>95 % of the repeats took no longer</source>
        <translation>95 % der Wiederholungen dauerten nicht länger</translation>
    </message>
    <message>
        <source>Median time of copying inputs to the device</source>
        <translation>Medianzeit zum Kopieren der Eingaben auf das Gerät</translation>
    </message>
    <message>
        <source>Median time of copying results back</source>
        <translation>Medianzeit zum Zurückkopieren der Ergebnisse</translation>
    </message>
    <message>
        <source>Time to compile, or that the result was in the cache</source>
        <translation>Zeit zum Kompilieren, oder dass das Ergebnis im Cache war</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Host → device</source>
        <translation>Host → Gerät</translation>
    </message>
    <message>
        <source>Device → host</source>
        <translation>Gerät → Host</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SassPane</name>
    <message>
        <source>1 instruction</source>
        <translation>1 Instruktion</translation>
    </message>
    <message>
        <source>%1 instructions</source>
        <translation>%1 Instruktionen</translation>
    </message>
    <message>
        <source>Architecture of the SASS</source>
        <translation>SASS-Architektur</translation>
    </message>
    <message>
        <source>Go to a function</source>
        <translation>Zu einer Funktion gehen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Follow the branch (Enter)</source>
        <translation>Dem Sprung folgen (Enter)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the branch (Backspace)</source>
        <translation>Zurück zum Sprung (Backspace)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in SASS</source>
        <translation>In SASS suchen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all SASS</source>
        <translation>Ganzes SASS kopieren</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare with another architecture or other options</source>
        <translation>Mit einer anderen Architektur oder anderen Optionen vergleichen</translation>
    </message>
    <message>
        <source>Architecture to compare with</source>
        <translation>Architektur für den Vergleich</translation>
    </message>
    <message>
        <source>Compile options to compare with</source>
        <translation>Kompilieroptionen für den Vergleich</translation>
    </message>
    <message>
        <source>Compile options to compare with, with spaces between them</source>
        <translation>Kompilieroptionen für den Vergleich, durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>Options as in the session</source>
        <translation>Optionen wie in der Sitzung</translation>
    </message>
    <message>
        <source>with</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>The source has errors. This is the SASS of the last source without.</source>
        <translation>Der Quelltext hat Fehler. Dies ist das SASS des letzten Quelltexts ohne Fehler.</translation>
    </message>
    <message>
        <source>Number of instructions</source>
        <translation>Zahl der Instruktionen</translation>
    </message>
    <message>
        <source>As built</source>
        <translation>Wie erstellt</translation>
    </message>
    <message>
        <source>No SASS yet</source>
        <translation>Noch kein SASS</translation>
    </message>
    <message>
        <source>Of programs the instructions are not shown.</source>
        <translation>Für Programme werden die Instruktionen nicht angezeigt.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see the instructions of a GPU. No GPU is needed.</source>
        <translation>Erstellen Sie den Kernel (%1), um die Instruktionen einer GPU zu sehen. Eine GPU ist nicht nötig.</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>Disassembling…</source>
        <translation>Wird disassembliert…</translation>
    </message>
    <message>
        <source>The kernel is compiled for this architecture.</source>
        <translation>Der Kernel wird für diese Architektur kompiliert.</translation>
    </message>
    <message>
        <source>No SASS</source>
        <translation>Kein SASS</translation>
    </message>
    <message>
        <source>The disassembler is missing</source>
        <translation>Der Disassembler fehlt</translation>
    </message>
    <message>
        <source>Install Toolkit…</source>
        <translation>Toolkit installieren…</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>The kernel is compiled for the other side.</source>
        <translation>Der Kernel wird für die andere Seite kompiliert.</translation>
    </message>
    <message>
        <source>%1 → %2 instructions</source>
        <translation>%1 → %2 Instruktionen</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Line %1: </source>
        <translation>Zeile %1: </translation>
    </message>
    <message>
        <source>Lines %1 to %2: </source>
        <translation>Zeilen %1 bis %2: </translation>
    </message>
</context>
<context>
    <name>warplight::ui::SassView</name>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ScatterPage</name>
    <message>
        <source>Values along x</source>
        <translation>Werte entlang x</translation>
    </message>
    <message>
        <source>Values along y</source>
        <translation>Werte entlang y</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>Alles anzeigen</translation>
    </message>
    <message>
        <source>Show all pairs (a double click)</source>
        <translation>Alle Paare anzeigen (Doppelklick)</translation>
    </message>
    <message>
        <source>Pairs of values</source>
        <translation>Wertepaare</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Wählen Sie einen Puffer.</translation>
    </message>
    <message>
        <source>%1 has no numbers.</source>
        <translation>%1 hat keine Zahlen.</translation>
    </message>
    <message>
        <source>Pairs need a second buffer with %1 elements, or a formula of this one.</source>
        <translation>Paare brauchen einen zweiten Puffer mit %1 Elementen oder eine Formel von diesem.</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 Paare</translation>
    </message>
    <message>
        <source>%1 outside</source>
        <translation>%1 außerhalb</translation>
    </message>
    <message>
        <source>%1 with NaN or infinity</source>
        <translation>%1 mit NaN oder unendlich</translation>
    </message>
    <message>
        <source>zoom in to see single ones</source>
        <translation>vergrößern, um einzelne zu sehen</translation>
    </message>
    <message>
        <source>%1 pairs here</source>
        <translation>%1 Paare hier</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SessionDialog</name>
    <message>
        <source>Session Properties</source>
        <translation>Eigenschaften der Sitzung</translation>
    </message>
    <message>
        <source>Stands in the window&apos;s title, in reports and in the history</source>
        <translation>Steht im Titel des Fensters, in Berichten und im Verlauf</translation>
    </message>
    <message>
        <source>A few sentences. Notes shows them where a session has no notes.</source>
        <translation>Ein paar Sätze. „Notizen“ zeigt sie, wo eine Sitzung keine Notizen hat.</translation>
    </message>
    <message>
        <source>in the session itself</source>
        <translation>in der Sitzung selbst</translation>
    </message>
    <message>
        <source>A Markdown file in the session&apos;s folder, such as notes.md. A new one gets the notes that there are.</source>
        <translation>Eine Markdown-Datei im Ordner der Sitzung, etwa notes.md. Eine neue bekommt die Notizen, die es schon gibt.</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>&amp;Description</source>
        <translation>&amp;Beschreibung</translation>
    </message>
    <message>
        <source>&amp;Notes are in</source>
        <translation>&amp;Notizen stehen in</translation>
    </message>
    <message>
        <source>Choose Notes</source>
        <translation>Notizen wählen</translation>
    </message>
    <message>
        <source>Markdown (*.md);;All files (*)</source>
        <translation>Markdown (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Notes lie in the session&apos;s folder, so that they go with it.</source>
        <translation>Notizen liegen im Ordner der Sitzung, damit sie mit ihr gehen.</translation>
    </message>
    <message>
        <source>There is a file %1 with another text, and the session has notes. Name a new file, or remove the notes of one of them.</source>
        <translation>Es gibt eine Datei %1 mit einem anderen Text, und die Sitzung hat Notizen. Nennen Sie eine neue Datei, oder entfernen Sie eine der beiden Notizen.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SettingsDialog</name>
    <message>
        <source>&amp;Keep unsaved work every 30 seconds</source>
        <translation>Nicht gespeicherte Arbeit alle 30 Se&amp;kunden sichern</translation>
    </message>
    <message>
        <source>C&amp;heck the source while typing</source>
        <translation>&amp;Quelltext beim Tippen prüfen</translation>
    </message>
    <message>
        <source>Keep each ru&amp;n</source>
        <translation>Jede&amp;n Lauf behalten</translation>
    </message>
    <message>
        <source>Forg&amp;et</source>
        <translation>V&amp;ergessen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Messages of the compilers, drivers and the engine are in English</source>
        <translation>Meldungen der Compiler, der Treiber und der Engine sind auf Englisch</translation>
    </message>
    <message>
        <source>Counts from the next start of the program.</source>
        <translation>Gilt ab dem nächsten Start des Programms.</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>What was not used for longest is removed first. Counts from the next start of a worker.</source>
        <translation>Was am längsten unbenutzt ist, wird zuerst entfernt. Gilt ab dem nächsten Start eines Arbeitsprozesses.</translation>
    </message>
    <message>
        <source>Offered again should the program not end as it should</source>
        <translation>Wird wieder angeboten, falls das Programm nicht regulär endet</translation>
    </message>
    <message>
        <source>With its source, launch, arguments, times and results’ digests; Timing › History has them</source>
        <translation>Mit Quelltext, Start, Argumenten, Zeiten und Prüfsummen der Ergebnisse; zu finden unter Zeiten › Verlauf</translation>
    </message>
    <message>
        <source> runs</source>
        <translation> Läufe</translation>
    </message>
    <message>
        <source>The oldest go first, but none that is pinned. 10,000 runs take about 12 MiB.</source>
        <translation>Die ältesten werden zuerst entfernt, angeheftete nie. 10.000 Läufe belegen etwa 12 MiB.</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Design</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>Sp&amp;rache</translation>
    </message>
    <message>
        <source>Code &amp;font</source>
        <translation>Code-Schri&amp;ft</translation>
    </message>
    <message>
        <source>Font si&amp;ze</source>
        <translation>&amp;Schriftgröße</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>C&amp;ache</source>
        <translation>C&amp;ache</translation>
    </message>
    <message>
        <source>New sessions</source>
        <translation>Neue Sitzungen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>History of runs</source>
        <translation>Verlauf der Läufe</translation>
    </message>
    <message>
        <source>L&amp;imit</source>
        <translation>L&amp;imit</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Files outside of session folders</source>
        <translation>Dateien außerhalb der Sitzungsordner</translation>
    </message>
    <message>
        <source>Folders and files that sessions may use</source>
        <translation>Ordner und Dateien, die Sitzungen nutzen dürfen</translation>
    </message>
    <message>
        <source>Sessions in the first folder may use the second</source>
        <translation>Sitzungen im Ordner links dürfen nutzen, was rechts steht</translation>
    </message>
    <message>
        <source>%1: programs may run</source>
        <translation>%1: Programme dürfen laufen</translation>
    </message>
    <message>
        <source>Open &amp;what was open last time</source>
        <translation>&amp;Zuletzt Geöffnetes wieder öffnen</translation>
    </message>
    <message>
        <source>In the tabs and windows where they were. Sessions that were never saved are not.</source>
        <translation>In denselben Tabs und Fenstern. Sitzungen, die nie gespeichert wurden, werden nicht geöffnet.</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>While the connection to another machine is lost. Then the run there is ended, and nothing is left of it. Counts from the next connection.</source>
        <translation>Während die Verbindung mit einem anderen Rechner verloren ist. Dann wird der Lauf dort beendet, und nichts bleibt von ihm. Gilt ab der nächsten Verbindung.</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Rechner</translation>
    </message>
    <message>
        <source>Runs sur&amp;vive for</source>
        <translation>Läufe ü&amp;berleben</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ShortcutsDialog</name>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Find a command or keys</source>
        <translation>Befehl oder Tasten suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Press the keys that the command is to have</source>
        <translation>Drücken Sie die Tasten, die der Befehl erhalten soll</translation>
    </message>
    <message>
        <source>&amp;Set</source>
        <translation>Zuwei&amp;sen</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>Gives the command the keys that it came with</source>
        <translation>Gibt dem Befehl seine ursprünglichen Tasten zurück</translation>
    </message>
    <message>
        <source>New &amp;keys</source>
        <translation>Neue &amp;Tasten</translation>
    </message>
    <message>
        <source>Restore &amp;All</source>
        <translation>&amp;Alle zurücksetzen</translation>
    </message>
    <message>
        <source>%1 has these keys, or keys that begin like them. It loses them.</source>
        <translation>%1 hat diese Tasten oder Tasten, die so beginnen. Dieser Befehl verliert sie.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SlurmDialog</name>
    <message>
        <source>&amp;Keep the points of a finished sweep in the history</source>
        <translation>Punkte einer fertigen Messreihe im &amp;Verlauf behalten</translation>
    </message>
    <message>
        <source>Sweeps on Slurm</source>
        <translation>Messreihen auf Slurm</translation>
    </message>
    <message>
        <source>The points of a sweep run as an array of jobs. These settings are yours, and no part of a session.</source>
        <translation>Die Punkte einer Messreihe laufen als Array von Jobs. Diese Einstellungen gehören Ihnen und sind kein Teil einer Sitzung.</translation>
    </message>
    <message>
        <source>The cluster&apos;s default</source>
        <translation>Die Vorgabe des Clusters</translation>
    </message>
    <message>
        <source>Passed to sbatch as --partition. “sinfo -s” lists them.</source>
        <translation>Wird sbatch als --partition übergeben. „sinfo -s“ zählt sie auf.</translation>
    </message>
    <message>
        <source>What a task needs, passed to sbatch as --gres. A task with several GPUs uses all of them.</source>
        <translation>Was ein Job braucht; wird sbatch als --gres übergeben. Ein Job mit mehreren GPUs nutzt sie alle.</translation>
    </message>
    <message>
        <source>The limit of a job&apos;s time, passed to sbatch as --time: minutes, or D-HH:MM:SS</source>
        <translation>Die Zeitgrenze eines Jobs; wird sbatch als --time übergeben: Minuten oder D-HH:MM:SS</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
    <message>
        <source>Passed to sbatch as --container-image</source>
        <translation>Wird sbatch als --container-image übergeben</translation>
    </message>
    <message>
        <source>Further options of sbatch, separated by blanks: each as --sbatch-option of the command line</source>
        <translation>Weitere Optionen von sbatch, durch Leerzeichen getrennt: jede wie --sbatch-option der Befehlszeile</translation>
    </message>
    <message>
        <source>This machine, or ssh://user@login</source>
        <translation>Dieser Rechner, oder ssh://benutzer@login</translation>
    </message>
    <message>
        <source>The login node of the cluster (--cluster), which ssh reaches with your configuration</source>
        <translation>Der Login-Knoten des Clusters (--cluster), den ssh mit Ihrer Konfiguration erreicht</translation>
    </message>
    <message>
        <source>Beside the session</source>
        <translation>Neben der Sitzung</translation>
    </message>
    <message>
        <source>A folder that all nodes see under the same path. Each sweep makes a folder of its own in it (--work-folder).</source>
        <translation>Ein Ordner, den alle Knoten unter demselben Pfad sehen. Jede Messreihe legt darin einen eigenen an (--work-folder).</translation>
    </message>
    <message>
        <source>The one of this window</source>
        <translation>Das dieses Fensters</translation>
    </message>
    <message>
        <source>The path of warplight-cli as the nodes see it (--program)</source>
        <translation>Der Pfad von warplight-cli, wie die Knoten ihn sehen (--program)</translation>
    </message>
    <message>
        <source>So that each takes about 5 min</source>
        <translation>So dass jeder etwa 5 min dauert</translation>
    </message>
    <message>
        <source>How many jobs the array has, but not more than points (--array-size)</source>
        <translation>Wie viele Jobs das Array hat, höchstens so viele wie Punkte (--array-size)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>As needed, every 3 to 45 s</source>
        <translation>Nach Bedarf, alle 3 bis 45 s</translation>
    </message>
    <message>
        <source>How often squeue tells what the jobs do. Results are looked for more often.</source>
        <translation>Wie oft squeue sagt, was die Jobs tun. Nach Ergebnissen wird öfter gesehen.</translation>
    </message>
    <message>
        <source>At most the 1000 fastest, each with its node and GPU</source>
        <translation>Höchstens die 1000 schnellsten, jeder mit Knoten und GPU</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>&amp;Partition</translation>
    </message>
    <message>
        <source>&amp;Devices of a job</source>
        <translation>&amp;Geräte eines Jobs</translation>
    </message>
    <message>
        <source>&amp;Time of a job</source>
        <translation>&amp;Zeit eines Jobs</translation>
    </message>
    <message>
        <source>&amp;Number of jobs</source>
        <translation>Anza&amp;hl der Jobs</translation>
    </message>
    <message>
        <source>Container &amp;image</source>
        <translation>Container-&amp;Image</translation>
    </message>
    <message>
        <source>Other option&amp;s</source>
        <translation>Weitere Optione&amp;n</translation>
    </message>
    <message>
        <source>C&amp;luster</source>
        <translation>C&amp;luster</translation>
    </message>
    <message>
        <source>&amp;Work folder</source>
        <translation>A&amp;rbeitsordner</translation>
    </message>
    <message>
        <source>P&amp;rogram</source>
        <translation>Progra&amp;mm</translation>
    </message>
    <message>
        <source>&amp;Ask squeue every</source>
        <translation>s&amp;queue fragen alle</translation>
    </message>
    <message>
        <source>warplight-campaigns in your home folder there</source>
        <translation>warplight-campaigns in Ihrem Home-Ordner dort</translation>
    </message>
    <message>
        <source>As it is found there</source>
        <translation>Wie es dort gefunden wird</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SourceFile</name>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::StepDialog</name>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Launch a Kernel</source>
        <translation>Kernel starten</translation>
    </message>
    <message>
        <source>A kernel of the source, or an instance of a template, such as scale&lt;float&gt;</source>
        <translation>Ein Kernel des Quelltexts oder eine Instanz eines Templates, etwa scale&lt;float&gt;</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grid</translation>
    </message>
    <message>
        <source>Blocks: numbers, or formulas of scalars and the block (bx, by, bz), such as ceil(width/bx), ceil(height/by)</source>
        <translation>Blöcke: Zahlen oder Formeln aus Skalaren und dem Block (bx, by, bz), etwa ceil(width/bx), ceil(height/by)</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Block</translation>
    </message>
    <message>
        <source>Threads of a block: x, y, z</source>
        <translation>Threads eines Blocks: x, y, z</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>&amp;Shared</translation>
    </message>
    <message>
        <source>Dynamic shared memory, in bytes</source>
        <translation>Dynamischer Shared Memory, in Bytes</translation>
    </message>
    <message>
        <source>All blocks are resident at once, so that the grid can wait for all of itself</source>
        <translation>Alle Blöcke sind gleichzeitig auf dem Gerät, sodass sich das ganze Grid synchronisieren kann</translation>
    </message>
    <message>
        <source>&amp;More…</source>
        <translation>&amp;Mehr…</translation>
    </message>
    <message>
        <source>Clusters, preferences of the caches, priority</source>
        <translation>Cluster, Cache-Aufteilung, Priorität</translation>
    </message>
    <message>
        <source>The name of a scalar, a number, or a formula of scalars and the round: = 2*round</source>
        <translation>Der Name eines Skalars, eine Zahl oder eine Formel aus Skalaren und der Runde: = 2*round</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>The kernel has none.</source>
        <translation>Der Kernel hat keine.</translation>
    </message>
    <message>
        <source>Copy an Array</source>
        <translation>Array kopieren</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>From &amp;element</source>
        <translation>Von &amp;Element</translation>
    </message>
    <message>
        <source>Elements to skip, in C order</source>
        <translation>Zu überspringende Elemente, in C-Reihenfolge</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Nach</translation>
    </message>
    <message>
        <source>To e&amp;lement</source>
        <translation>Nach E&amp;lement</translation>
    </message>
    <message>
        <source>Of elements; all where it is empty</source>
        <translation>Zahl der Elemente; leer heißt alle</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Fill an Array</source>
        <translation>Array füllen</translation>
    </message>
    <message>
        <source>&amp;Array</source>
        <translation>&amp;Array</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>A number, nan, inf or -inf</source>
        <translation>Eine Zahl, nan, inf oder -inf</translation>
    </message>
    <message>
        <source>Swap Two Arrays</source>
        <translation>Zwei Arrays tauschen</translation>
    </message>
    <message>
        <source>&amp;First</source>
        <translation>&amp;Erstes</translation>
    </message>
    <message>
        <source>&amp;Second</source>
        <translation>&amp;Zweites</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>A number of rounds</source>
        <translation>Nach einer Anzahl Runden</translation>
    </message>
    <message>
        <source>Until a condition holds</source>
        <translation>Sobald eine Bedingung gilt</translation>
    </message>
    <message>
        <source>E&amp;nds behind</source>
        <translation>E&amp;ndet</translation>
    </message>
    <message>
        <source>&amp;Rounds</source>
        <translation>&amp;Runden</translation>
    </message>
    <message>
        <source>How often the steps are done</source>
        <translation>Wie oft die Schritte ausgeführt werden</translation>
    </message>
    <message>
        <source>&amp;Until</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>A formula of scalars, elements of arrays, and round: error[0] &lt; 1e-6</source>
        <translation>Eine Formel aus Skalaren, Elementen von Arrays und round: error[0] &lt; 1e-6</translation>
    </message>
    <message>
        <source>As&amp;ked every</source>
        <translation>&amp;Prüfen alle</translation>
    </message>
    <message>
        <source>Rounds between two looks at the condition</source>
        <translation>Runden zwischen zwei Prüfungen der Bedingung</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>&amp;Maximal</translation>
    </message>
    <message>
        <source>Rounds, where the condition never holds</source>
        <translation>Runden, falls die Bedingung nie gilt</translation>
    </message>
    <message>
        <source>The argument %1 is missing.</source>
        <translation>Das Argument %1 fehlt.</translation>
    </message>
    <message>
        <source>%1 is no argument of the session, and %2 takes no plain number.</source>
        <translation>%1 ist kein Argument der Sitzung, und %2 nimmt keine einfache Zahl.</translation>
    </message>
    <message>
        <source>The formula of %1 is missing.</source>
        <translation>Die Formel von %1 fehlt.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no argument of the session, no number, and no formula, which begins with =.</source>
        <translation>&quot;%1&quot; ist kein Argument der Sitzung, keine Zahl und keine Formel. Eine Formel beginnt mit =.</translation>
    </message>
    <message>
        <source>Choose a kernel.</source>
        <translation>Wählen Sie einen Kernel.</translation>
    </message>
    <message>
        <source>A block is one to three numbers of 1 or more: 256, or 32, 8.</source>
        <translation>Ein Block besteht aus einer bis drei Zahlen ab 1: 256 oder 32, 8.</translation>
    </message>
    <message>
        <source>A grid is one to three numbers or formulas.</source>
        <translation>Ein Grid besteht aus einer bis drei Zahlen oder Formeln.</translation>
    </message>
    <message>
        <source>Shared memory is a whole number of bytes.</source>
        <translation>Shared Memory ist eine ganze Zahl von Bytes.</translation>
    </message>
    <message>
        <source>Elements are whole numbers from 0 on.</source>
        <translation>Elemente sind ganze Zahlen ab 0.</translation>
    </message>
    <message>
        <source>Choose an array. Arrays are arguments of the session.</source>
        <translation>Wählen Sie ein Array. Arrays sind Argumente der Sitzung.</translation>
    </message>
    <message>
        <source>Choose two arrays.</source>
        <translation>Wählen Sie zwei Arrays.</translation>
    </message>
    <message>
        <source>The value is a number, nan, inf or -inf.</source>
        <translation>Der Wert ist eine Zahl, nan, inf oder -inf.</translation>
    </message>
    <message>
        <source>Choose two different arrays.</source>
        <translation>Wählen Sie zwei verschiedene Arrays.</translation>
    </message>
    <message>
        <source>Rounds are a whole number, at most a thousand million.</source>
        <translation>Runden sind eine ganze Zahl, höchstens eine Milliarde.</translation>
    </message>
    <message>
        <source>Write a condition, such as error[0] &lt; 1e-6.</source>
        <translation>Schreiben Sie eine Bedingung, etwa error[0] &lt; 1e-6.</translation>
    </message>
    <message>
        <source>Coope&amp;rative</source>
        <translation>Koo&amp;perativ</translation>
    </message>
    <message>
        <source>Co&amp;unt</source>
        <translation>An&amp;zahl</translation>
    </message>
</context>
<context>
    <name>warplight::ui::StepsTable</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Times of the steps</source>
        <translation>Zeiten der Schritte</translation>
    </message>
    <message>
        <source>%1 (never held)</source>
        <translation>%1 (nie erfüllt)</translation>
    </message>
    <message>
        <source>The loop ended behind its most rounds: its condition never held.</source>
        <translation>Die Schleife endete nach der Höchstzahl von Runden: Ihre Bedingung war nie erfüllt.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>warplight::ui::StructDialog</name>
    <message numerus="yes">
        <source>%1, %n bits</source>
        <translation>
            <numerusform>%1, %n Bit</numerusform>
            <numerusform>%1, %n Bit</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at byte %2</source>
        <comment>type</comment>
        <translation>%1 bei Byte %2</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n bytes. An empty value is 0.</source>
        <translation>
            <numerusform>%1, %n Byte. Ein leerer Wert ist 0.</numerusform>
            <numerusform>%1, %n Bytes. Ein leerer Wert ist 0.</numerusform>
        </translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>An address in the device&apos;s memory is not known before the run. Give the kernel the array as a parameter of its own.</source>
        <translation>Eine Adresse im Speicher des Geräts ist vor dem Lauf nicht bekannt. Übergeben Sie dem Kernel das Array als eigenen Parameter.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepChart</name>
    <message>
        <source>Figure</source>
        <translation>Kenngröße</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>The best over the other axes</source>
        <translation>Der beste Wert über die anderen Achsen</translation>
    </message>
    <message>
        <source>Median (%1)</source>
        <translation>Median (%1)</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepHeatMap</name>
    <message>
        <source>Across</source>
        <translation>Waagerecht</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Senkrecht</translation>
    </message>
    <message>
        <source>Heat map of the sweep</source>
        <translation>Heatmap der Messreihe</translation>
    </message>
    <message>
        <source>Brighter is better, and the framed cell is the best point. A click selects a point in the table.</source>
        <translation>Heller ist besser, und die umrahmte Zelle ist der beste Punkt. Ein Klick wählt einen Punkt in der Tabelle aus.</translation>
    </message>
    <message>
        <source>A heat map needs two axes</source>
        <translation>Eine Heatmap braucht zwei Achsen</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Es wurde nichts gemessen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepLines</name>
    <message>
        <source>Along</source>
        <translation>Entlang</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>Line chart of the sweep</source>
        <translation>Liniendiagramm der Messreihe</translation>
    </message>
    <message>
        <source>A click on a point selects it in the table. Bars show where the median lies with 95 % confidence, and the star is the best point.</source>
        <translation>Ein Klick auf einen Punkt wählt ihn in der Tabelle aus. Balken zeigen, wo der Median mit 95 % Konfidenz liegt, und der Stern ist der beste Punkt.</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Es wurde nichts gemessen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepModel</name>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Median of the kernel&apos;s times, of all rounds</source>
        <translation>Median der Zeiten des Kernels, aus allen Runden</translation>
    </message>
    <message>
        <source>95 % of it</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Where the median lies, with 95 % confidence</source>
        <translation>Wo der Median mit 95 % Konfidenz liegt</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>Of the best</source>
        <translation>Zum besten</translation>
    </message>
    <message>
        <source>The time as a multiple of the best one&apos;s: the mean of the rounds&apos; ratios</source>
        <translation>Die Zeit als Vielfaches der Zeit des besten: Mittel der Verhältnisse aller Runden</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Bytes of a launch in the median time</source>
        <translation>Bytes eines Starts, geteilt durch die Medianzeit</translation>
    </message>
    <message>
        <source>Of peak</source>
        <translation>Vom Spitzenwert</translation>
    </message>
    <message>
        <source>Part of the peak of memory of %1</source>
        <translation>Anteil an der Spitzenbandbreite des Speichers von %1</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>Operations of a launch in the median time</source>
        <translation>Operationen eines Starts, geteilt durch die Medianzeit</translation>
    </message>
    <message>
        <source>Part of the peak of arithmetic of %1</source>
        <translation>Anteil an der Spitzenrechenleistung von %1</translation>
    </message>
    <message>
        <source>Waves</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>Blocks by the blocks that fit the device at once</source>
        <translation>Blöcke, geteilt durch die Zahl der Blöcke, die gleichzeitig auf das Gerät passen</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>Leer am Ende</translation>
    </message>
    <message>
        <source>Part of the places for blocks that stays empty in the last wave</source>
        <translation>Anteil der Blockplätze, der in der letzten Welle leer bleibt</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Register</translation>
    </message>
    <message>
        <source>Of a thread</source>
        <translation>Je Thread</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>That were measured</source>
        <translation>Gemessene Läufe</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <source>Runs far from the others. They are counted, not removed.</source>
        <translation>Läufe weitab von den anderen. Sie werden gezählt, nicht entfernt.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>The best point, how others compare with it, and why a point has no time</source>
        <translation>Der beste Punkt, der Vergleich der anderen mit ihm und warum ein Punkt keine Zeit hat</translation>
    </message>
    <message>
        <source>An empty launch takes %1.</source>
        <translation>Ein leerer Start braucht %1.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The machine that a task has measured it on</source>
        <translation>Der Rechner, auf dem ein Job ihn gemessen hat</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepPage</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>End the sweep and keep what was measured</source>
        <translation>Messreihe beenden und das Gemessene behalten</translation>
    </message>
    <message>
        <source>Compare Block Sizes</source>
        <translation>Blockgrößen vergleichen</translation>
    </message>
    <message>
        <source>Vary the block around that of Launch. The grid follows.</source>
        <translation>Den Block um den in „Start“ eingestellten Wert variieren. Das Grid folgt.</translation>
    </message>
    <message>
        <source>State of the sweep</source>
        <translation>Stand der Messreihe</translation>
    </message>
    <message>
        <source>Say what is varied, and start. Each point is run and timed in turn with the others, and those that cannot be told apart from the best one are marked.</source>
        <translation>Legen Sie fest, was variiert wird, und starten Sie. Alle Punkte werden abwechselnd ausgeführt und gemessen. Punkte, die sich vom besten nicht unterscheiden lassen, werden markiert.</translation>
    </message>
    <message>
        <source>Use in Launch</source>
        <translation>In Start übernehmen</translation>
    </message>
    <message>
        <source>Put the values of the selected point into Launch (double-click, Enter)</source>
        <translation>Werte des ausgewählten Punkts in „Start“ übernehmen (Doppelklick, Enter)</translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the results as text. Held down, it also has CSV.</source>
        <translation>Ergebnisse als Text kopieren. Gedrückt halten: auch als CSV.</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>Write the results as CSV or JSON</source>
        <translation>Ergebnisse als CSV oder JSON schreiben</translation>
    </message>
    <message>
        <source>Points of the sweep</source>
        <translation>Punkte der Messreihe</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>Heat Map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Result of the sweep</source>
        <translation>Ergebnis der Messreihe</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird angehalten</translation>
    </message>
    <message>
        <source>Starting the sweep</source>
        <translation>Messreihe wird gestartet</translation>
    </message>
    <message>
        <source>Sweep: about %1 left</source>
        <translation>Messreihe: noch etwa %1</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>Messreihe: %1</translation>
    </message>
    <message>
        <source>The sweep runs.</source>
        <translation>Die Messreihe läuft.</translation>
    </message>
    <message>
        <source>There is no kernel yet.</source>
        <translation>Es gibt noch keinen Kernel.</translation>
    </message>
    <message>
        <source>Up to %1 points</source>
        <translation>Bis zu %1 Punkte</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 Punkt</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>. Their time is known after a run (%1).</source>
        <translation>. Ihre Dauer ist nach einem Lauf (%1) bekannt.</translation>
    </message>
    <message>
        <source>, about %1 by the last run</source>
        <translation>, nach dem letzten Lauf etwa %1</translation>
    </message>
    <message>
        <source>Run all points in turn</source>
        <translation>Alle Punkte abwechselnd ausführen</translation>
    </message>
    <message>
        <source>The sweep was stopped</source>
        <translation>Die Messreihe wurde angehalten</translation>
    </message>
    <message>
        <source>The sweep is done</source>
        <translation>Die Messreihe ist fertig</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>The sweep has %1 points.</source>
        <translation>Die Messreihe hat %1 Punkte.</translation>
    </message>
    <message>
        <source>They take about %1, without compilations.</source>
        <translation>Sie dauern etwa %1, ohne das Kompilieren.</translation>
    </message>
    <message>
        <source>How long they take is not known: the first one did not run.</source>
        <translation>Ihre Dauer ist nicht bekannt: Der erste ist nicht gelaufen.</translation>
    </message>
    <message>
        <source>A number at Points takes some of them, by chance.</source>
        <translation>Eine Zahl bei „Punkte“ wählt einige davon zufällig aus.</translation>
    </message>
    <message>
        <source>&amp;Run All</source>
        <translation>Alle ausfüh&amp;ren</translation>
    </message>
    <message>
        <source>&amp;Do Not Run</source>
        <translation>&amp;Nicht ausführen</translation>
    </message>
    <message>
        <source>Use Point of the Sweep</source>
        <translation>Punkt der Messreihe übernehmen</translation>
    </message>
    <message>
        <source>Launch has %1</source>
        <translation>In Start eingetragen: %1</translation>
    </message>
    <message>
        <source>The point does not fit the session any more: %1</source>
        <translation>Der Punkt passt nicht mehr zur Sitzung: %1</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Save Sweep</source>
        <translation>Messreihe speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv);;JSON (*.json)</source>
        <translation>Kommagetrennte Werte (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU whose points are shown</source>
        <translation>GPU, deren Punkte gezeigt werden</translation>
    </message>
    <message>
        <source>Points of different GPUs are never compared with each other</source>
        <translation>Punkte verschiedener GPUs werden nie miteinander verglichen</translation>
    </message>
    <message>
        <source>, as jobs of Slurm</source>
        <translation>, als Jobs von Slurm</translation>
    </message>
    <message>
        <source>. They use the software device, as the session says</source>
        <translation>. Sie nutzen das Software-Gerät, wie es die Sitzung sagt</translation>
    </message>
    <message>
        <source>Ending the jobs. Those that run finish what they can.</source>
        <translation>Jobs werden beendet. Die laufenden stellen fertig, was sie können.</translation>
    </message>
    <message>
        <source>Sweep on Slurm</source>
        <translation>Messreihe auf Slurm</translation>
    </message>
    <message>
        <source>Sweep on Slurm: %1 of %2 points</source>
        <translation>Messreihe auf Slurm: %1 von %2 Punkten</translation>
    </message>
    <message>
        <source>Points of the sweep have no result</source>
        <translation>Punkte der Messreihe haben kein Ergebnis</translation>
    </message>
    <message>
        <source>On one device like that of the last run they take about %1.</source>
        <translation>Auf einem Gerät wie dem des letzten Laufs dauern sie etwa %1.</translation>
    </message>
    <message>
        <source>How long they take is not known: there was no run yet.</source>
        <translation>Ihre Dauer ist nicht bekannt: Es gab noch keinen Lauf.</translation>
    </message>
    <message>
        <source>Resuming the sweep</source>
        <translation>Messreihe wird fortgesetzt</translation>
    </message>
    <message>
        <source>Submitting the jobs</source>
        <translation>Jobs werden eingereicht</translation>
    </message>
    <message>
        <source>The jobs of the sweep go on. Resume takes their results.</source>
        <translation>Die Jobs der Messreihe laufen weiter. „Fortsetzen“ holt ihre Ergebnisse.</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>keine GPU</translation>
    </message>
    <message>
        <source>The points are not in the history: %1</source>
        <translation>Die Punkte sind nicht im Verlauf: %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepPlace</name>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Diesem Rechner</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Where the sweep runs</source>
        <translation>Wo die Messreihe läuft</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Partition, devices and time of a job, and where the cluster is</source>
        <translation>Partition, Geräte und Zeit eines Jobs, und wo der Cluster ist</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Go on with a sweep of this session on Slurm, and show the results that are there. Points that have a result do not run again.</source>
        <translation>Mit einer Messreihe dieser Sitzung auf Slurm weitermachen und die vorhandenen Ergebnisse zeigen. Punkte mit einem Ergebnis laufen nicht noch einmal.</translation>
    </message>
    <message>
        <source>Save the session first: what its jobs need is copied to a folder beside it.</source>
        <translation>Speichern Sie zuerst die Sitzung: Was ihre Jobs brauchen, wird in einen Ordner daneben kopiert.</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 Punkt</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 – %2, %3</source>
        <comment>folder, points, time</comment>
        <translation>%1 – %2, %3</translation>
    </message>
    <message>
        <source>No sweep of this session is in %1</source>
        <translation>In %1 ist keine Messreihe dieser Sitzung</translation>
    </message>
    <message>
        <source>The machine in the device box, or jobs of a cluster, which share the points</source>
        <translation>Der Rechner im Gerätefeld, oder Jobs eines Clusters, die sich die Punkte teilen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepRow</name>
    <message>
        <source>What is varied</source>
        <translation>Was variiert wird</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Was folgt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Formulas</source>
        <translation>Formeln</translation>
    </message>
    <message>
        <source>Values between commas. A range is 1..8, 64..512+64 or 32..1024*2. A value in quotation marks may have commas.</source>
        <translation>Werte durch Kommas getrennt. Ein Bereich ist 1..8, 64..512+64 oder 32..1024*2. Ein Wert in Anführungszeichen darf Kommas enthalten.</translation>
    </message>
    <message>
        <source>A formula for each axis, between commas. bx, by, bz are the block, gx, gy, gz the grid, threads is the product of the block; scalars and macros have their names.</source>
        <translation>Eine Formel je Achse, durch Kommas getrennt. bx, by, bz sind der Block, gx, gy, gz das Grid, threads ist das Produkt des Blocks; Skalare und Makros stehen unter ihrem Namen.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>The step of the pipeline</source>
        <translation>Der Schritt der Pipeline</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepSetup</name>
    <message>
        <source>Zip: the first values together, then the second</source>
        <translation>Zip: erst die ersten Werte zusammen, dann die zweiten</translation>
    </message>
    <message>
        <source>Points by chance</source>
        <translation>Zufällige Punkte</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Vary something else, too</source>
        <translation>Eine weitere Größe variieren</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Compute grid, block, shared memory, a scalar or a size at each point</source>
        <translation>Grid, Block, Shared Memory, einen Skalar oder eine Größe an jedem Punkt berechnen</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Variieren</translation>
    </message>
    <message>
        <source>Value i of all axes makes point i. Otherwise each value meets each.</source>
        <translation>Wert i aller Achsen ergibt Punkt i. Sonst wird jeder Wert mit jedem kombiniert.</translation>
    </message>
    <message>
        <source>Follows by a formula</source>
        <translation>Folgt aus einer Formel</translation>
    </message>
    <message>
        <source>Only points at which this formula is not 0</source>
        <translation>Nur Punkte, an denen diese Formel nicht 0 ist</translation>
    </message>
    <message>
        <source>Only where</source>
        <translation>Nur wenn</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>So many of the points, chosen by chance; 0 takes all</source>
        <translation>So viele der Punkte, zufällig gewählt; 0 nimmt alle</translation>
    </message>
    <message>
        <source>Each round visits all points, in another order. Fewer than 6 cannot show a difference.</source>
        <translation>Jede Runde besucht alle Punkte in anderer Reihenfolge. Weniger als 6 Runden können keinen Unterschied zeigen.</translation>
    </message>
    <message>
        <source>Stop slower points</source>
        <translation>Langsamere Punkte abbrechen</translation>
    </message>
    <message>
        <source>A point that takes so many times as long as the best is not measured on</source>
        <translation>Ein Punkt, der um diesen Faktor länger braucht als der beste, wird nicht weiter gemessen</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source> × the best</source>
        <translation> × der beste</translation>
    </message>
    <message>
        <source>Bytes of a launch</source>
        <translation>Bytes eines Starts</translation>
    </message>
    <message>
        <source>A formula of the bytes that a launch moves, for GB/s. With Profile they are counted.</source>
        <translation>Eine Formel für die Bytes, die ein Start bewegt, für GB/s. Mit „Profil“ werden sie gezählt.</translation>
    </message>
    <message>
        <source>Operations of a launch</source>
        <translation>Operationen eines Starts</translation>
    </message>
    <message>
        <source>A formula of the operations of a launch, for GFLOP/s. With Profile they are counted.</source>
        <translation>Eine Formel für die Operationen eines Starts, für GFLOP/s. Mit „Profil“ werden sie gezählt.</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>Abbruch ab</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Change Sweep</source>
        <translation>Messreihe ändern</translation>
    </message>
    <message>
        <source>A row has no values yet.</source>
        <translation>Eine Zeile hat noch keine Werte.</translation>
    </message>
    <message>
        <source>This is there twice. One row takes all its values.</source>
        <translation>Das kommt zweimal vor. Eine Zeile nimmt alle Werte auf.</translation>
    </message>
    <message>
        <source>There can be 1 to 1000000 rounds.</source>
        <translation>Es sind 1 bis 1000000 Runden möglich.</translation>
    </message>
    <message>
        <source>A program with main() launches its kernels itself. Sweeps vary the launch of a session.</source>
        <translation>Ein Programm mit main() startet seine Kernel selbst. Messreihen variieren den Start einer Sitzung.</translation>
    </message>
    <message>
        <source>Nothing is varied yet.</source>
        <translation>Noch wird nichts variiert.</translation>
    </message>
    <message>
        <source>%1, all launches</source>
        <translation>%1, alle Starts</translation>
    </message>
    <message>
        <source>Time of</source>
        <translation>Zeit von</translation>
    </message>
    <message>
        <source>The time of a point is that of the whole pipeline, or of one step in all its rounds</source>
        <translation>Die Zeit eines Punktes ist die der ganzen Pipeline, oder die eines Schrittes in allen seinen Runden</translation>
    </message>
    <message>
        <source>the whole pipeline</source>
        <translation>die ganze Pipeline</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TabWindow</name>
    <message>
        <source>Open sessions</source>
        <translation>Geöffnete Sitzungen</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>Neuer Tab</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Noch nicht gespeichert</translation>
    </message>
    <message>
        <source>%1
It runs.</source>
        <translation>%1
Sie läuft.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close &amp;Others</source>
        <translation>&amp;Andere schließen</translation>
    </message>
    <message>
        <source>&amp;Move to New Window</source>
        <translation>In neues &amp;Fenster verschieben</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TablePage</name>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Decimal</source>
        <translation>Dezimal</translation>
    </message>
    <message>
        <source>Scientific</source>
        <translation>Wissenschaftlich</translation>
    </message>
    <message>
        <source>Hexadecimal</source>
        <translation>Hexadezimal</translation>
    </message>
    <message>
        <source>Digits </source>
        <translation>Stellen </translation>
    </message>
    <message>
        <source>Significant digits</source>
        <translation>Signifikante Stellen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns a row</source>
        <translation>Spalten je Zeile</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Wärme</translation>
    </message>
    <message>
        <source>Colour cells by value</source>
        <translation>Zellen nach Wert färben</translation>
    </message>
    <message>
        <source>Go to index</source>
        <translation>Zum Index gehen</translation>
    </message>
    <message>
        <source>An index (1234), or one for each axis (3, 17)</source>
        <translation>Ein Index (1234) oder einer je Achse (3, 17)</translation>
    </message>
    <message>
        <source>What to find</source>
        <translation>Gesuchtes</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinity</source>
        <translation>Unendlich</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN oder unendlich</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Outside of range</source>
        <translation>Außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>Not zero</source>
        <translation>Nicht null</translation>
    </message>
    <message>
        <source>Value to find</source>
        <translation>Gesuchter Wert</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>Vorheriges suchen</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>Nächstes suchen</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Compute statistics</source>
        <translation>Statistik berechnen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>There is no index %1 here.</source>
        <translation>Einen Index %1 gibt es hier nicht.</translation>
    </message>
    <message>
        <source>low … high, as 0, 1</source>
        <translation>von … bis, etwa 0, 1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Nothing found from here on.</source>
        <translation>Ab hier nichts gefunden.</translation>
    </message>
    <message>
        <source>Colour cells by value (needs the statistics)</source>
        <translation>Zellen nach Wert färben (braucht die Statistik)</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>Achse %1: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index auf Achse %1</translation>
    </message>
    <message>
        <source>Give the range as two numbers: 0, 1.</source>
        <translation>Geben Sie den Bereich als zwei Zahlen an: 0, 1.</translation>
    </message>
    <message>
        <source>Give a number to find.</source>
        <translation>Geben Sie eine Suchzahl an.</translation>
    </message>
    <message>
        <source>Computing statistics…</source>
        <translation>Statistik wird berechnet…</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>min %1</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>max %1</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittel %1</translation>
    </message>
    <message>
        <source>NaN %1</source>
        <translation>NaN %1</translation>
    </message>
    <message>
        <source>Inf %1</source>
        <translation>Inf %1</translation>
    </message>
    <message>
        <source>Add a column from a formula</source>
        <translation>Spalte aus einer Formel hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Edit Column…</source>
        <translation>Spalte &amp;bearbeiten…</translation>
    </message>
    <message>
        <source>&amp;Remove Column</source>
        <translation>Spalte &amp;entfernen</translation>
    </message>
    <message>
        <source>Show Field &amp;Alone</source>
        <translation>Feld &amp;allein anzeigen</translation>
    </message>
    <message>
        <source>Add Column</source>
        <translation>Spalte hinzufügen</translation>
    </message>
    <message>
        <source>Change Column</source>
        <translation>Spalte ändern</translation>
    </message>
    <message>
        <source>There is a column %1 already. Give another name.</source>
        <translation>Es gibt schon eine Spalte %1. Geben Sie einen anderen Namen an.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TextureRows</name>
    <message>
        <source>1D</source>
        <translation>1D</translation>
    </message>
    <message>
        <source>2D</source>
        <translation>2D</translation>
    </message>
    <message>
        <source>3D</source>
        <translation>3D</translation>
    </message>
    <message>
        <source>1D layered</source>
        <translation>1D-Schichten</translation>
    </message>
    <message>
        <source>2D layered</source>
        <translation>2D-Schichten</translation>
    </message>
    <message>
        <source>cubemap</source>
        <translation>Cubemap</translation>
    </message>
    <message>
        <source>layered cubemap</source>
        <translation>Cubemap-Schichten</translation>
    </message>
    <message>
        <source>1D: width</source>
        <translation>1D: Breite</translation>
    </message>
    <message>
        <source>2D: height, width</source>
        <translation>2D: Höhe, Breite</translation>
    </message>
    <message>
        <source>3D: depth, height, width</source>
        <translation>3D: Tiefe, Höhe, Breite</translation>
    </message>
    <message>
        <source>1D layered: layers, width</source>
        <translation>1D-Schichten: Schichten, Breite</translation>
    </message>
    <message>
        <source>2D layered: layers, height, width</source>
        <translation>2D-Schichten: Schichten, Höhe, Breite</translation>
    </message>
    <message>
        <source>Cubemap: 6, width, width</source>
        <translation>Cubemap: 6, Breite, Breite</translation>
    </message>
    <message>
        <source>Layered cubemap: cubemaps, 6, width, width</source>
        <translation>Cubemap-Schichten: Cubemaps, 6, Breite, Breite</translation>
    </message>
    <message>
        <source>%1 texture and surface</source>
        <translation>%1-Textur und -Surface</translation>
    </message>
    <message>
        <source>%1 texture</source>
        <translation>%1-Textur</translation>
    </message>
    <message>
        <source>%1 surface</source>
        <translation>%1-Surface</translation>
    </message>
    <message>
        <source>The variable</source>
        <translation>Die Variable</translation>
    </message>
    <message>
        <source>Texture reference</source>
        <translation>Texturreferenz</translation>
    </message>
    <message>
        <source>Surface reference</source>
        <translation>Surfacereferenz</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Texture</source>
        <translation>Textur</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Surface</translation>
    </message>
    <message>
        <source>Texture and surface</source>
        <translation>Textur und Surface</translation>
    </message>
    <message>
        <source>What the kernel gets. Textures are read with filters and address modes, and surfaces are read and written by coordinates.</source>
        <translation>Was der Kernel bekommt. Texturen werden mit Filtern und Adressmodi gelesen, Surfaces über Koordinaten gelesen und geschrieben.</translation>
    </message>
    <message>
        <source>The axes of the data. One more axis has the 1, 2 or 4 components of an element.</source>
        <translation>Die Achsen der Daten. Eine weitere Achse hat die 1, 2 oder 4 Komponenten eines Elements.</translation>
    </message>
    <message>
        <source>An array</source>
        <translation>Einem Array</translation>
    </message>
    <message>
        <source>Linear memory, for tex1Dfetch</source>
        <translation>Linearem Speicher, für tex1Dfetch</translation>
    </message>
    <message>
        <source>Rows of memory</source>
        <translation>Zeilen im Speicher</translation>
    </message>
    <message>
        <source>The nearest element</source>
        <translation>Das nächste Element</translation>
    </message>
    <message>
        <source>Between elements (linear)</source>
        <translation>Zwischen Elementen (linear)</translation>
    </message>
    <message>
        <source>As they are</source>
        <translation>Wie sie sind</translation>
    </message>
    <message>
        <source>As floats up to 1 (normalised)</source>
        <translation>Als Gleitkommazahlen bis 1 (normiert)</translation>
    </message>
    <message>
        <source>In elements</source>
        <translation>In Elementen</translation>
    </message>
    <message>
        <source>From 0 to 1 (normalised)</source>
        <translation>Von 0 bis 1 (normiert)</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Clamp</source>
        <translation>Festhalten</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Border</source>
        <translation>Rand</translation>
    </message>
    <message>
        <source>Outside along %1</source>
        <translation>Außerhalb entlang %1</translation>
    </message>
    <message>
        <source>none; 255 for a picture of three components</source>
        <translation>keine; 255 für ein Bild mit drei Komponenten</translation>
    </message>
    <message>
        <source>Elements have 1, 2 or 4 components. Data of three get this as their fourth.</source>
        <translation>Elemente haben 1, 2 oder 4 Komponenten. Daten mit dreien bekommen dies als vierte.</translation>
    </message>
    <message>
        <source>sRGB</source>
        <translation>sRGB</translation>
    </message>
    <message>
        <source>Bytes are sRGB, and are read as linear values.</source>
        <translation>Die Bytes sind sRGB und werden als lineare Werte gelesen.</translation>
    </message>
    <message>
        <source>Seamless</source>
        <translation>Nahtlos</translation>
    </message>
    <message>
        <source>A filter takes elements of the next face across an edge of the cubemap.</source>
        <translation>Ein Filter nimmt über eine Kante der Cubemap hinweg Elemente der nächsten Seite.</translation>
    </message>
    <message>
        <source>For tex2Dgather</source>
        <translation>Für tex2Dgather</translation>
    </message>
    <message>
        <source>&amp;Given as</source>
        <translation>Über&amp;geben als</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Art</translation>
    </message>
    <message>
        <source>Lies in</source>
        <translation>Liegt in</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>&amp;Coordinates</source>
        <translation>Koord&amp;inaten</translation>
    </message>
    <message>
        <source>&amp;Outside</source>
        <translation>Außer&amp;halb</translation>
    </message>
    <message>
        <source>Border colour</source>
        <translation>Farbe des Rands</translation>
    </message>
    <message>
        <source>Fourth component</source>
        <translation>Vierte Komponente</translation>
    </message>
    <message>
        <source>The border&apos;s colour is one to four numbers, such as “0, 0, 0, 1”.</source>
        <translation>Die Farbe des Rands besteht aus einer bis vier Zahlen, wie „0, 0, 0, 1“.</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TimingPanel</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Host → device</source>
        <translation>Host → Gerät</translation>
    </message>
    <message>
        <source>Device → host</source>
        <translation>Gerät → Host</translation>
    </message>
    <message>
        <source>Which times</source>
        <translation>Welche Zeiten</translation>
    </message>
    <message>
        <source>Compare with run</source>
        <translation>Vergleichen mit Lauf</translation>
    </message>
    <message>
        <source>Export Timings…</source>
        <translation>Zeiten exportieren…</translation>
    </message>
    <message>
        <source>Clear Run History</source>
        <translation>Laufverlauf leeren</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Time of each repeat</source>
        <translation>Zeit jeder Wiederholung</translation>
    </message>
    <message>
        <source>Histogram of the times</source>
        <translation>Histogramm der Zeiten</translation>
    </message>
    <message>
        <source>Each repeat&apos;s time. Drag to pan, turn the wheel to zoom, double-click to see all.</source>
        <translation>Die Zeit jeder Wiederholung. Ziehen verschiebt, das Mausrad zoomt, ein Doppelklick zeigt alles.</translation>
    </message>
    <message>
        <source>How often each time occurred.</source>
        <translation>Wie oft jede Zeit vorkam.</translation>
    </message>
    <message>
        <source>Kernels that the program launched</source>
        <translation>Vom Programm gestartete Kernel</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Messreihe</translation>
    </message>
    <message>
        <source>Export Timings</source>
        <translation>Zeiten exportieren</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Lauf</translation>
    </message>
    <message>
        <source>Run the kernel (%1). Its event times, repeat by repeat, appear here.</source>
        <translation>Führen Sie den Kernel aus (%1). Seine Event-Zeiten erscheinen hier, Wiederholung für Wiederholung.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>run %1 (%2)</source>
        <translation>Lauf %1 (%2)</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>Zeit (%1)</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Es wurde nichts gemessen</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Run %1 measured nothing: it ended with an error.</source>
        <translation>Lauf %1 hat nichts gemessen: Er endete mit einem Fehler.</translation>
    </message>
    <message>
        <source>Run %1: median %2, mean %3 ± %4, min %5, p95 %6, max %7; %8 measured.</source>
        <translation>Lauf %1: Median %2, Mittel %3 ± %4, Min. %5, p95 %6, Max. %7; %8 gemessen.</translation>
    </message>
    <message>
        <source>one repeat</source>
        <translation>eine Wiederholung</translation>
    </message>
    <message>
        <source>%1 repeats</source>
        <translation>%1 Wiederholungen</translation>
    </message>
    <message>
        <source>%1 times as fast as run %2.</source>
        <translation>%1-mal so schnell wie Lauf %2.</translation>
    </message>
    <message>
        <source>%1 times as slow as run %2.</source>
        <translation>%1-mal so langsam wie Lauf %2.</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. The disk may be full.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Vielleicht ist der Datenträger voll.</translation>
    </message>
    <message>
        <source>Make a Session of This Launch…</source>
        <translation>Aus diesem Start eine Sitzung machen…</translation>
    </message>
    <message>
        <source>Run the program again, and make a session of the kernel with the data that it was given</source>
        <translation>Das Programm noch einmal ausführen, und aus dem Kernel mit seinen Daten eine Sitzung machen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ToolkitDialog</name>
    <message>
        <source>Install the CUDA Compiler</source>
        <translation>CUDA-Compiler installieren</translation>
    </message>
    <message>
        <source>Kernels are compiled by NVIDIA&apos;s run-time compiler NVRTC, which is not on this machine. Warplight can download it.</source>
        <translation>Kernel werden mit NVRTC kompiliert, dem Laufzeit-Compiler von NVIDIA. Er fehlt auf diesem Rechner. Warplight kann ihn herunterladen.</translation>
    </message>
    <message>
        <source>This session is compiled by NVIDIA&apos;s nvcc, which is not on this machine. Warplight can download it.</source>
        <translation>Diese Sitzung wird mit NVIDIAs nvcc kompiliert. Er fehlt auf diesem Rechner. Warplight kann ihn herunterladen.</translation>
    </message>
    <message>
        <source>SASS is read by NVIDIA&apos;s nvdisasm, which is not on this machine. Warplight can download it, together with nvcc.</source>
        <translation>SASS wird mit NVIDIAs nvdisasm gelesen. Es fehlt auf diesem Rechner. Warplight kann es zusammen mit nvcc herunterladen.</translation>
    </message>
    <message>
        <source>Also &amp;nvcc, ptxas and nvdisasm, for sessions that compile with nvcc and for SASS</source>
        <translation>Auch &amp;nvcc, ptxas und nvdisasm, für Sitzungen, die mit nvcc kompilieren, und für SASS</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>&amp;Accept the licence and install</source>
        <translation>Lizenz &amp;akzeptieren und installieren</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Wird gestartet</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was installed.</source>
        <translation>Abgebrochen. Es wurde nichts installiert.</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>Wird abgebrochen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TwoThreads</name>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>PTX line %1</source>
        <translation>PTX-Zeile %1</translation>
    </message>
    <message>
        <source>Two threads</source>
        <translation>Zwei Threads</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>atomic operation</source>
        <translation>atomare Operation</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>schreibt %1</translation>
    </message>
    <message>
        <source>No barrier of the block in between</source>
        <translation>Keine Barriere des Blocks dazwischen</translation>
    </message>
    <message>
        <source>Nothing in between: the lanes of a warp need not run in step</source>
        <translation>Nichts dazwischen: Die Lanes eines Warps müssen nicht im Gleichschritt laufen</translation>
    </message>
    <message>
        <source>A write in three steps, and a write in between</source>
        <translation>Ein Schreibzugriff in drei Schritten und ein anderer dazwischen</translation>
    </message>
    <message>
        <source>One is atomic, the other is not: that orders nothing</source>
        <translation>Der eine ist atomar, der andere nicht: Das ordnet nichts</translation>
    </message>
    <message>
        <source>Two blocks: nothing orders them</source>
        <translation>Zwei Blöcke: Nichts ordnet sie</translation>
    </message>
    <message>
        <source>Two blocks of a cluster: nothing orders them</source>
        <translation>Zwei Blöcke eines Clusters: Nichts ordnet sie</translation>
    </message>
    <message>
        <source>A fence, but of one block only</source>
        <translation>Eine Speicherbarriere, aber nur für einen Block</translation>
    </message>
    <message>
        <source>Both are strong, but the scope of one does not reach the other</source>
        <translation>Beide sind stark (strong), aber der Geltungsbereich des einen erreicht den anderen nicht</translation>
    </message>
    <message>
        <source>Both are strong, but of different sizes</source>
        <translation>Beide sind stark (strong), aber verschieden groß</translation>
    </message>
    <message>
        <source>The copy goes on by itself: nobody has waited for it</source>
        <translation>Die Kopie läuft für sich weiter: Niemand hat auf sie gewartet</translation>
    </message>
    <message>
        <source>They wait at different barriers</source>
        <translation>Sie warten an verschiedenen Barrieren</translation>
    </message>
    <message>
        <source>More arrive at the barrier object than it counts on</source>
        <translation>Am Barrierenobjekt kommen mehr an, als es erwartet</translation>
    </message>
    <message>
        <source>A texture or surface need not show what its own launch writes</source>
        <translation>Eine Textur oder Surface muss nicht zeigen, was ihr eigener Start schreibt</translation>
    </message>
    <message>
        <source>A kernel, and one that it launches: nothing orders them</source>
        <translation>Ein Kernel und einer, den er startet: Nichts ordnet sie</translation>
    </message>
    <message>
        <source>Work of two streams: nothing orders it</source>
        <translation>Arbeit zweier Streams: Nichts ordnet sie</translation>
    </message>
    <message>
        <source>They meet in one operation, but at different places</source>
        <translation>Sie treffen sich in einer Operation, aber an verschiedenen Stellen</translation>
    </message>
    <message>
        <source>Each waits for the other, and neither goes on</source>
        <translation>Jeder wartet auf den anderen, und keiner läuft weiter</translation>
    </message>
    <message>
        <source>%1 between the two accesses of %2</source>
        <translation>%1 zwischen den beiden Zugriffen von %2</translation>
    </message>
    <message>
        <source>%1 between %2 and %3</source>
        <translation>%1 zwischen %2 und %3</translation>
    </message>
    <message>
        <source>__syncwarp() or __syncthreads()</source>
        <translation>__syncwarp() oder __syncthreads()</translation>
    </message>
    <message>
        <source>atomicAdd() or the like in place of the plain %1 (%2)</source>
        <translation>atomicAdd() oder Ähnliches statt des einfachen Zugriffs %1 (%2)</translation>
    </message>
    <message>
        <source>atomic operations, or __threadfence() and an atomic flag</source>
        <translation>atomare Operationen, oder __threadfence() und ein atomares Flag</translation>
    </message>
    <message>
        <source>__threadfence() in place of __threadfence_block()</source>
        <translation>__threadfence() statt __threadfence_block()</translation>
    </message>
    <message>
        <source>the operation for the whole device: atomicAdd() in place of atomicAdd_block()</source>
        <translation>die Operation für das ganze Gerät: atomicAdd() statt atomicAdd_block()</translation>
    </message>
    <message>
        <source>accesses of one size</source>
        <translation>gleich große Zugriffe</translation>
    </message>
    <message>
        <source>a wait for the copy, and then __syncthreads()</source>
        <translation>auf die Kopie warten, danach __syncthreads()</translation>
    </message>
    <message>
        <source>one __syncthreads() outside of the branch, to which both come</source>
        <translation>ein __syncthreads() außerhalb der Verzweigung, zu dem beide kommen</translation>
    </message>
    <message>
        <source>the number of threads that arrive, in the object&apos;s init()</source>
        <translation>die Zahl der ankommenden Threads in init() des Objekts</translation>
    </message>
    <message>
        <source>a read by a pointer, other memory for the result, or two launches</source>
        <translation>über einen Zeiger lesen, anderer Speicher für das Ergebnis oder zwei Starts</translation>
    </message>
    <message>
        <source>a launch behind the access, or into cudaStreamTailLaunch</source>
        <translation>ein Start nach dem Zugriff oder in cudaStreamTailLaunch</translation>
    </message>
    <message>
        <source>an event of the first stream, which the second waits for: cudaStreamWaitEvent()</source>
        <translation>ein Event des ersten Streams, auf das der zweite wartet: cudaStreamWaitEvent()</translation>
    </message>
    <message>
        <source>a barrier to which all come that it counts on</source>
        <translation>eine Barriere, zu der alle kommen, die sie erwartet</translation>
    </message>
    <message>
        <source>Would let both go on: %1</source>
        <translation>So laufen beide weiter: %1</translation>
    </message>
    <message>
        <source>Would order them: %1</source>
        <translation>So sind sie geordnet: %1</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>Thread %1</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>Drawn in the order of the text: which comes first is chance.</source>
        <translation>Gezeichnet in der Reihenfolge des Quelltexts: Wer zuerst kommt, ist Zufall.</translation>
    </message>
    <message>
        <source>%1
A click goes there</source>
        <translation>%1
Ein Klick führt dorthin</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VariablesModel</name>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
    <message>
        <source>and %1 more: look at the memory</source>
        <translation>und %1 weitere: im Speicher nachsehen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VariablesView</name>
    <message>
        <source>Show in All &amp;Lanes</source>
        <translation>In allen &amp;Lanes zeigen</translation>
    </message>
    <message>
        <source>Show &amp;Memory</source>
        <translation>&amp;Speicher zeigen</translation>
    </message>
    <message>
        <source>Go &amp;Back to Last Write</source>
        <translation>&amp;Zurück zum letzten Schreibzugriff</translation>
    </message>
    <message>
        <source>&amp;Edit Watch</source>
        <translation>Überwachung b&amp;earbeiten</translation>
    </message>
    <message>
        <source>&amp;Remove Watch</source>
        <translation>Überwachung entfe&amp;rnen</translation>
    </message>
    <message>
        <source>Add &amp;Watch</source>
        <translation>Über&amp;wachen</translation>
    </message>
    <message>
        <source>&amp;Copy Value</source>
        <translation>Wert &amp;kopieren</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VersionView</name>
    <message>
        <source>Take this change over into the editor</source>
        <translation>Diese Änderung in den Editor übernehmen</translation>
    </message>
    <message>
        <source>Take Over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Take All</source>
        <translation>Alle übernehmen</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>Vorige Änderung</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Nächste Änderung</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Vergleich schließen</translation>
    </message>
    <message>
        <source>Put the other version&apos;s lines of the change at the caret into the editor</source>
        <translation>Die Zeilen der anderen Fassung für die Änderung an der Schreibmarke in den Editor übernehmen</translation>
    </message>
    <message>
        <source>Put the other version into the editor</source>
        <translation>Die andere Fassung in den Editor übernehmen</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>The other version</source>
        <translation>Die andere Fassung</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Kein Unterschied</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 Änderung</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 Änderungen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ViewBar</name>
    <message>
        <source>Part of complex numbers</source>
        <translation>Teil der komplexen Zahlen</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Show two axes at one index of each other axis, on Table, Plot, Histogram and Image alike</source>
        <translation>Zwei Achsen bei je einem Index der übrigen Achsen zeigen, in Tabelle, Diagramm, Histogramm und Bild gleichermaßen</translation>
    </message>
    <message>
        <source>Axis of the rows</source>
        <translation>Achse der Zeilen</translation>
    </message>
    <message>
        <source>Axis of the columns</source>
        <translation>Achse der Spalten</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Save what is shown here</source>
        <translation>Das hier Gezeigte speichern</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>re + im i</source>
        <translation>re + im i</translation>
    </message>
    <message>
        <source>Real</source>
        <translation>Realteil</translation>
    </message>
    <message>
        <source>Imaginary</source>
        <translation>Imaginärteil</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>Betrag</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>axis %1 (%2)</source>
        <translation>Achse %1 (%2)</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>Achse %1: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index auf Achse %1</translation>
    </message>
    <message>
        <source>Field of structs</source>
        <translation>Feld von Structs</translation>
    </message>
    <message>
        <source>Show all fields, or one of them as numbers of its own</source>
        <translation>Alle Felder anzeigen, oder eines davon als eigene Zahlen</translation>
    </message>
    <message>
        <source>Keep what is shown here as a buffer of its own</source>
        <translation>Was hier gezeigt wird, als eigenen Puffer behalten</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>Alle Felder</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WatchesPage</name>
    <message>
        <source>Watches</source>
        <translation>Überwachungen</translation>
    </message>
    <message>
        <source>Add an expression to watch</source>
        <translation>Ausdruck zum Überwachen hinzufügen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WelcomePage</name>
    <message>
        <source>Open this exercise</source>
        <translation>Diese Übung öffnen</translation>
    </message>
    <message>
        <source>Open and run this example</source>
        <translation>Dieses Beispiel öffnen und ausführen</translation>
    </message>
    <message>
        <source>Warplight</source>
        <translation>Warplight</translation>
    </message>
    <message>
        <source>Write a kernel, give it data, run it, and see what it did.</source>
        <translation>Schreiben Sie einen Kernel, geben Sie ihm Daten, führen Sie ihn aus und sehen Sie, was er getan hat.</translation>
    </message>
    <message>
        <source>&amp;New kernel</source>
        <translation>&amp;Neuer Kernel</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Start from an empty kernel</source>
        <translation>Mit einem leeren Kernel beginnen</translation>
    </message>
    <message>
        <source>Open a session, a kernel or an array</source>
        <translation>Eine Sitzung, einen Kernel oder ein Array öffnen</translation>
    </message>
    <message>
        <source>No examples are installed.</source>
        <translation>Es sind keine Beispiele installiert.</translation>
    </message>
    <message>
        <source>Examples: one click runs them</source>
        <translation>Beispiele: Ein Klick führt sie aus</translation>
    </message>
    <message>
        <source>Lessons: see what is wrong, and how to mend it</source>
        <translation>Lektionen: sehen, was falsch ist und wie man es behebt</translation>
    </message>
    <message>
        <source>Exercises: write the kernel, and check it</source>
        <translation>Übungen: den Kernel schreiben und prüfen</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Windows</name>
    <message>
        <source>Unsaved changes</source>
        <translation>Nicht gespeicherte Änderungen</translation>
    </message>
    <message>
        <source>%1 sessions have changes that are not saved.</source>
        <translation>%1 Sitzungen haben Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>&amp;Discard All</source>
        <translation>Alle &amp;verwerfen</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Workbench</name>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 wurde nicht geöffnet.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WorkerBufferSource</name>
    <message>
        <source>The buffer cannot be saved there: %1.</source>
        <translation>Der Puffer kann dort nicht gespeichert werden: %1.</translation>
    </message>
    <message>
        <source>The worker could not answer.</source>
        <translation>Der Arbeitsprozess konnte nicht antworten.</translation>
    </message>
    <message>
        <source>The worker&apos;s answer is not what was expected: %1</source>
        <translation>Die Antwort des Arbeitsprozesses ist nicht wie erwartet: %1</translation>
    </message>
    <message>
        <source>What was computed went with its worker. Choose the buffer again.</source>
        <translation>Das Berechnete ging mit seinem Arbeitsprozess verloren. Wählen Sie den Puffer erneut.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WorkerConnection</name>
    <message>
        <source>The driver has no device.</source>
        <translation>Der Treiber hat kein Gerät.</translation>
    </message>
    <message>
        <source>was stopped</source>
        <translation>wurde angehalten</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>Compiling in the background</source>
        <translation>Wird im Hintergrund kompiliert</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Looking for kernels</source>
        <translation>Kernel werden gesucht</translation>
    </message>
    <message>
        <source>Reading the layout of structs</source>
        <translation>Aufbau der Strukturen wird gelesen</translation>
    </message>
    <message>
        <source>Computing the occupancy</source>
        <translation>Belegung wird berechnet</translation>
    </message>
    <message>
        <source>Disassembling</source>
        <translation>Wird disassembliert</translation>
    </message>
    <message>
        <source>Compiling for limits of registers</source>
        <translation>Wird für Registergrenzen kompiliert</translation>
    </message>
    <message>
        <source>Looking for compilers</source>
        <translation>Compiler werden gesucht</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>Geräte werden gesucht</translation>
    </message>
    <message>
        <source>Opening a file</source>
        <translation>Datei wird geöffnet</translation>
    </message>
    <message>
        <source>Reading a buffer for its statistics</source>
        <translation>Puffer wird für die Statistik gelesen</translation>
    </message>
    <message>
        <source>Reading a buffer for its plot</source>
        <translation>Puffer wird für das Diagramm gelesen</translation>
    </message>
    <message>
        <source>Reading a buffer for its picture</source>
        <translation>Puffer wird für das Bild gelesen</translation>
    </message>
    <message>
        <source>Comparing buffers</source>
        <translation>Puffer werden verglichen</translation>
    </message>
    <message>
        <source>Saving a buffer</source>
        <translation>Puffer wird gespeichert</translation>
    </message>
    <message>
        <source>Counting for a histogram</source>
        <translation>Wird für ein Histogramm gezählt</translation>
    </message>
    <message>
        <source>Counting for a scatter plot</source>
        <translation>Wird für ein Streudiagramm gezählt</translation>
    </message>
    <message>
        <source>Computing a buffer</source>
        <translation>Puffer wird berechnet</translation>
    </message>
    <message>
        <source>Reading a buffer</source>
        <translation>Puffer wird gelesen</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>%1 is not connected.</source>
        <translation>%1 ist nicht verbunden.</translation>
    </message>
    <message>
        <source>%1 was disconnected.</source>
        <translation>%1 wurde getrennt.</translation>
    </message>
</context>
</TS>
