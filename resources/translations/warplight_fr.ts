<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
<context>
    <name>AttributesModel</name>
    <message>
        <source>Registers a thread</source>
        <translation>Registres par thread</translation>
    </message>
    <message>
        <source>32-bit registers of a thread. Fewer let more warps be resident; the software device estimates them from the PTX.</source>
        <translation>Registres 32 bits d’un thread. S’il y en a moins, davantage de warps peuvent être résidents&#x202f;; le périphérique logiciel les estime d’après le PTX.</translation>
    </message>
    <message>
        <source>Static shared memory</source>
        <translation>Mémoire partagée statique</translation>
    </message>
    <message>
        <source>What the __shared__ variables of a block take; the launch&apos;s dynamic shared memory comes on top.</source>
        <translation>Ce qu’occupent les variables __shared__ d’un bloc&#x202f;; la mémoire partagée dynamique du lancement s’y ajoute.</translation>
    </message>
    <message>
        <source>Constant memory</source>
        <translation>Mémoire constante</translation>
    </message>
    <message>
        <source>What the __constant__ variables of the module take.</source>
        <translation>Ce qu’occupent les variables __constant__ du module.</translation>
    </message>
    <message>
        <source>Local memory a thread</source>
        <translation>Mémoire locale par thread</translation>
    </message>
    <message>
        <source>Memory of each thread for arrays and for registers that did not suffice.</source>
        <translation>Mémoire de chaque thread pour les tableaux et pour les registres qui ont manqué.</translation>
    </message>
    <message>
        <source>Most threads a block</source>
        <translation>Threads max. par bloc</translation>
    </message>
    <message>
        <source>The largest block that this kernel can be launched with: registers or __launch_bounds__ limit it.</source>
        <translation>Le plus grand bloc avec lequel ce kernel peut être lancé&#x202f;: les registres ou __launch_bounds__ le limitent.</translation>
    </message>
    <message>
        <source>Most dynamic shared memory</source>
        <translation>Mémoire partagée dynamique max.</translation>
    </message>
    <message>
        <source>What a launch of this kernel may ask for at present; a run raises it as needed.</source>
        <translation>Ce qu’un lancement de ce kernel peut demander actuellement&#x202f;; une exécution l’augmente au besoin.</translation>
    </message>
    <message>
        <source>PTX compiled for</source>
        <translation>PTX compilé pour</translation>
    </message>
    <message>
        <source>The virtual architecture (compute capability) that the PTX was made for.</source>
        <translation>L’architecture virtuelle (compute capability) pour laquelle le PTX a été produit.</translation>
    </message>
    <message>
        <source>Binary compiled for</source>
        <translation>Binaire compilé pour</translation>
    </message>
    <message>
        <source>The architecture (compute capability) that the machine code was made for.</source>
        <translation>L’architecture (compute capability) pour laquelle le code machine a été produit.</translation>
    </message>
    <message>
        <source>Preferred shared memory</source>
        <translation>Mémoire partagée préférée</translation>
    </message>
    <message>
        <source>How much of the memory that L1 cache and shared memory have together is to be shared memory.</source>
        <translation>Quelle part de la mémoire commune au cache L1 et à la mémoire partagée doit servir de mémoire partagée.</translation>
    </message>
    <message>
        <source>Caches global loads in L1</source>
        <translation>Lectures globales en cache L1</translation>
    </message>
    <message>
        <source>Whether it was compiled with -Xptxas --dlcm=ca.</source>
        <translation>Si la compilation a utilisé -Xptxas --dlcm=ca.</translation>
    </message>
    <message>
        <source>Needs a cluster size</source>
        <translation>Exige une taille de cluster</translation>
    </message>
    <message>
        <source>Whether each launch must say how many blocks make a cluster.</source>
        <translation>Si chaque lancement doit indiquer combien de blocs forment un cluster.</translation>
    </message>
    <message>
        <source>Required cluster width</source>
        <translation>Largeur de cluster requise</translation>
    </message>
    <message>
        <source>Blocks of a cluster along x that the kernel was compiled for.</source>
        <translation>Blocs d’un cluster selon x pour lesquels le kernel a été compilé.</translation>
    </message>
    <message>
        <source>Required cluster height</source>
        <translation>Hauteur de cluster requise</translation>
    </message>
    <message>
        <source>Blocks of a cluster along y that the kernel was compiled for.</source>
        <translation>Blocs d’un cluster selon y pour lesquels le kernel a été compilé.</translation>
    </message>
    <message>
        <source>Required cluster depth</source>
        <translation>Profondeur de cluster requise</translation>
    </message>
    <message>
        <source>Blocks of a cluster along z that the kernel was compiled for.</source>
        <translation>Blocs d’un cluster selon z pour lesquels le kernel a été compilé.</translation>
    </message>
    <message>
        <source>Large clusters allowed</source>
        <translation>Grands clusters autorisés</translation>
    </message>
    <message>
        <source>Whether clusters of more than 8 blocks may be launched, which not every device can.</source>
        <translation>Si des clusters de plus de 8 blocs peuvent être lancés. Tous les périphériques n’en sont pas capables.</translation>
    </message>
    <message>
        <source>Cluster scheduling</source>
        <translation>Ordonnancement des clusters</translation>
    </message>
    <message>
        <source>How the blocks of a cluster are given to multiprocessors.</source>
        <translation>Comment les blocs d’un cluster sont répartis sur les multiprocesseurs.</translation>
    </message>
</context>
<context>
    <name>BufferInfo</name>
    <message>
        <source>single</source>
        <translation>valeur seule</translation>
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
        <translation>attendu</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>formule</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>images</translation>
    </message>
    <message>
        <source>file</source>
        <translation>fichier</translation>
    </message>
    <message>
        <source>view</source>
        <translation>vue</translation>
    </message>
</context>
<context>
    <name>ColourMap</name>
    <message>
        <source>Grey</source>
        <translation>Gris</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Chaleur</translation>
    </message>
    <message>
        <source>Diverging</source>
        <translation>Divergente</translation>
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
        <translation>%1, un nombre</translation>
    </message>
</context>
<context>
    <name>DeviceAttributes</name>
    <message>
        <source>anybody</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>un thread</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>personne</translation>
    </message>
    <message>
        <source>one process</source>
        <translation>un processus</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>le périphérique</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>tous les périphériques</translation>
    </message>
    <message>
        <source>no node</source>
        <translation>aucun nœud</translation>
    </message>
    <message>
        <source>a node</source>
        <translation>un nœud</translation>
    </message>
</context>
<context>
    <name>DeviceId</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>Examples</name>
    <message>
        <source>Cannot make the folder %1 for the example. Check that it may be written, or open the example&apos;s file instead.</source>
        <translation>Impossible de créer le dossier %1 pour l’exemple. Vérifiez les droits d’écriture ou ouvrez plutôt le fichier de l’exemple.</translation>
    </message>
    <message>
        <source>Cannot copy %1 to %2. The disk may be full.</source>
        <translation>Impossible de copier %1 vers %2. Le disque est peut-être plein.</translation>
    </message>
    <message>
        <source>Cannot write %1. The disk may be full.</source>
        <translation>Impossible d’écrire %1. Le disque est peut-être plein.</translation>
    </message>
</context>
<context>
    <name>InputFile</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>Impossible de lire %1&#x202f;: %2.</translation>
    </message>
</context>
<context>
    <name>Launch</name>
    <message>
        <source>Expected result: %1</source>
        <translation>Résultat attendu&#x202f;: %1</translation>
    </message>
    <message>
        <source>What was built last has no such variable. The Delete key removes this row.</source>
        <translation>La dernière compilation ne contient pas cette variable. La touche Suppr retire cette ligne.</translation>
    </message>
    <message>
        <source>No kernel can change a __constant__ variable: choose In.</source>
        <translation>Aucun kernel ne peut modifier une variable __constant__&#x202f;: choisissez In.</translation>
    </message>
</context>
<context>
    <name>MachineLink</name>
    <message>
        <source>The connection has ended.</source>
        <translation>La connexion est terminée.</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>Connexion à %1</translation>
    </message>
    <message>
        <source>Sending %1</source>
        <translation>Envoi de %1</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>Récupération de %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Lecture de %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>sizes</comment>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>%1 crashed: %2</source>
        <translation>%1 a planté&#x202f;: %2</translation>
    </message>
</context>
<context>
    <name>OpenedSession</name>
    <message>
        <source> (at %1)</source>
        <translation> (à %1)</translation>
    </message>
</context>
<context>
    <name>PresentState</name>
    <message>
        <source>the present state</source>
        <translation>l’état actuel</translation>
    </message>
</context>
<context>
    <name>ProfileText</name>
    <message>
        <source>No colours</source>
        <translation>Sans couleurs</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Coût</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Exécutions</translation>
    </message>
    <message>
        <source>Divergence</source>
        <translation>Divergence</translation>
    </message>
    <message>
        <source>Sectors</source>
        <translation>Secteurs</translation>
    </message>
    <message>
        <source>Excess sectors</source>
        <translation>Secteurs en trop</translation>
    </message>
    <message>
        <source>Wavefronts</source>
        <translation>Wavefronts</translation>
    </message>
    <message>
        <source>Excess wavefronts</source>
        <translation>Wavefronts en trop</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Opérations</translation>
    </message>
    <message>
        <source>%1 executions by warps, with %2 of 32 threads on average</source>
        <translation>%1 exécutions par des warps, avec %2 threads sur 32 en moyenne</translation>
    </message>
    <message>
        <source>%1 branches from which the threads of a warp went two ways</source>
        <translation>%1 branchements où les threads d’un warp se sont séparés</translation>
    </message>
    <message>
        <source>Global memory: %1 requests, %2 sectors (%3 would do), %4</source>
        <translation>Mémoire globale&#x202f;: %1 requêtes, %2 secteurs (%3 suffiraient), %4</translation>
    </message>
    <message>
        <source>Shared memory: %1 requests, %2 wavefronts (%3 would do), %4</source>
        <translation>Mémoire partagée&#x202f;: %1 requêtes, %2 wavefronts (%3 suffiraient), %4</translation>
    </message>
    <message>
        <source>Local memory: %1 requests, %2 sectors, %3</source>
        <translation>Mémoire locale&#x202f;: %1 requêtes, %2 secteurs, %3</translation>
    </message>
    <message>
        <source>Atomic operations of %1 threads on %2 addresses</source>
        <translation>Opérations atomiques de %1 threads sur %2 adresses</translation>
    </message>
    <message>
        <source>Operations: %1</source>
        <translation>Opérations&#x202f;: %1</translation>
    </message>
</context>
<context>
    <name>RunResults</name>
    <message>
        <source>Run %1, %2</source>
        <translation>Exécution %1, %2</translation>
    </message>
    <message>
        <source>%1 (%2) went with its worker: it was too large to be kept on the disk. Run again to have it.</source>
        <translation>%1 (%2) a disparu avec son processus de travail&#x202f;: trop volumineux pour être conservé sur le disque. Relancez l’exécution pour l’obtenir.</translation>
    </message>
    <message>
        <source>%1 (%2) went with its worker, before it could be kept on the disk. Run again to have it.</source>
        <translation>%1 (%2) a disparu avec son processus de travail, avant d’avoir pu être conservé sur le disque. Relancez l’exécution pour l’obtenir.</translation>
    </message>
    <message>
        <source>Run %1, %2, on %3</source>
        <translation>Exécution %1, %2, sur %3</translation>
    </message>
</context>
<context>
    <name>RunText</name>
    <message>
        <source>passed</source>
        <translation>réussi</translation>
    </message>
    <message>
        <source>It ran, and results that are expected are as expected</source>
        <translation>Elle a eu lieu, et les résultats attendus sont conformes</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>It ran, but a result is not as expected</source>
        <translation>Exécuté, mais un résultat n’est pas conforme</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>constats</translation>
    </message>
    <message>
        <source>It ran, but its checks found mistakes</source>
        <translation>Exécuté, mais les vérifications ont trouvé des erreurs</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>faute</translation>
    </message>
    <message>
        <source>The kernel failed, or could not be launched</source>
        <translation>Le kernel a échoué ou n’a pas pu être lancé</translation>
    </message>
    <message>
        <source>no build</source>
        <translation>non compilé</translation>
    </message>
    <message>
        <source>The source did not compile</source>
        <translation>Le source n’a pas pu être compilé</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>non exécuté</translation>
    </message>
    <message>
        <source>The session could not be run as it was</source>
        <translation>La session n’a pas pu être exécutée telle quelle</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>limite</translation>
    </message>
    <message>
        <source>It reached a limit of time or memory</source>
        <translation>Elle a atteint une limite de temps ou de mémoire</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêté</translation>
    </message>
    <message>
        <source>It was stopped</source>
        <translation>Elle a été arrêtée</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>exécution %1</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>%1 is for typing and moving. Take Ctrl, Alt or a function key.</source>
        <translation>%1 sert à saisir et à se déplacer. Utilisez Ctrl, Alt ou une touche de fonction.</translation>
    </message>
</context>
<context>
    <name>Slurm</name>
    <message>
        <source>The login node of a cluster is written ssh://user@host.</source>
        <translation>Le nœud de connexion d’un cluster s’écrit ssh://utilisateur@hôte.</translation>
    </message>
    <message>
        <source>The work folder has no whole path. It is one that all nodes see, such as /home/me/sweeps.</source>
        <translation>Le dossier de travail n’a pas de chemin complet. Tous les nœuds doivent le voir, par exemple /home/moi/balayages.</translation>
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
        <translation>%1 jours</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grille</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Bloc %1</translation>
    </message>
    <message>
        <source>Grid %1</source>
        <translation>Grille %1</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Mémoire partagée</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compilateur</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>Taille de %1</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(aucune)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>axis, value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Compiled %1 of %2</source>
        <translation>%1 sur %2 compilés</translation>
    </message>
    <message>
        <source>Trial: %1 of %2 points</source>
        <translation>Essai&#x202f;: %1 points sur %2</translation>
    </message>
    <message>
        <source>Round %1 of %2: %3 of %4 points</source>
        <translation>Tour %1 sur %2&#x202f;: %3 points sur %4</translation>
    </message>
    <message>
        <source>, about %1 left</source>
        <translation>, reste environ %1</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>échec&#x202f;: %1</translation>
    </message>
    <message>
        <source>wrong: %1</source>
        <translation>faux&#x202f;: %1</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>non exécuté</translation>
    </message>
    <message>
        <source>best of one run each</source>
        <translation>meilleur, avec une exécution par point</translation>
    </message>
    <message>
        <source>one run only</source>
        <translation>une seule exécution</translation>
    </message>
    <message>
        <source>best</source>
        <translation>meilleur</translation>
    </message>
    <message>
        <source>no difference from the best seen</source>
        <translation>aucune différence visible avec le meilleur</translation>
    </message>
    <message>
        <source>too few rounds for a test</source>
        <translation>trop peu de tours pour un test</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>plus lent</translation>
    </message>
    <message>
        <source>far slower, not measured on</source>
        <translation>bien plus lent, mesure abandonnée</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>mesuré</translation>
    </message>
    <message>
        <source>Best: %1, %2</source>
        <translation>Meilleur&#x202f;: %1, %2</translation>
    </message>
    <message>
        <source> (95 %: %1 … %2)</source>
        <translation> (95 %&#x202f;: %1 … %2)</translation>
    </message>
    <message>
        <source>, of one run each</source>
        <translation>, avec une exécution par point</translation>
    </message>
    <message>
        <source>. No difference seen from %1</source>
        <translation>. Aucune différence visible avec %1</translation>
    </message>
    <message>
        <source>. No difference seen from %1 others</source>
        <translation>. Aucune différence visible avec %1 autres</translation>
    </message>
    <message>
        <source>No point was measured.</source>
        <translation>Aucun point n’a été mesuré.</translation>
    </message>
    <message>
        <source>%1 of %2 points measured</source>
        <translation>%1 points mesurés sur %2</translation>
    </message>
    <message>
        <source>%1 far slower</source>
        <translation>%1 bien plus lents</translation>
    </message>
    <message>
        <source>%1 wrong</source>
        <translation>%1 faux</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 en échec</translation>
    </message>
    <message>
        <source>%1 tried once</source>
        <translation>%1 essayés une fois</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>%1 non exécutés</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêté</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cooperative</source>
        <translation>Coopératif</translation>
    </message>
    <message>
        <source>Carve-out</source>
        <translation>Part de la mémoire partagée</translation>
    </message>
    <message>
        <source>Cache preference</source>
        <translation>Préférence de cache</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorité</translation>
    </message>
    <message>
        <source>Template argument %1</source>
        <translation>Argument de template %1</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Exécuter comme</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Tours</translation>
    </message>
    <message>
        <source>Rounds between questions</source>
        <translation>Tours entre deux questions</translation>
    </message>
    <message>
        <source>Most rounds</source>
        <translation>Tours au plus</translation>
    </message>
    <message>
        <source>Value %1</source>
        <translation>Valeur %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>block, of a step</comment>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>Cache L2</translation>
    </message>
    <message>
        <source>, throttled</source>
        <translation>, bridé</translation>
    </message>
    <message>
        <source>, clock changed</source>
        <translation>, fréquence modifiée</translation>
    </message>
    <message>
        <source>, mostly its launch</source>
        <translation>, surtout le lancement</translation>
    </message>
    <message>
        <source>Jobs: %1 of %2 done, %3 running, %4 waiting. Points: %5 of %6</source>
        <translation>Jobs&#x202f;: %1 sur %2 terminés, %3 en cours, %4 en attente. Points&#x202f;: %5 sur %6</translation>
    </message>
    <message>
        <source>%1 of %2 points have no result. Resume runs them.</source>
        <translation>%1 points sur %2 n’ont pas de résultat. «&#x202f;Reprendre&#x202f;» les exécute.</translation>
    </message>
</context>
<context>
    <name>SweepRow</name>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grille</translation>
    </message>
    <message>
        <source>Block x</source>
        <translation>Bloc x</translation>
    </message>
    <message>
        <source>Block y</source>
        <translation>Bloc y</translation>
    </message>
    <message>
        <source>Block z</source>
        <translation>Bloc z</translation>
    </message>
    <message>
        <source>Grid x</source>
        <translation>Grille x</translation>
    </message>
    <message>
        <source>Grid y</source>
        <translation>Grille y</translation>
    </message>
    <message>
        <source>Grid z</source>
        <translation>Grille z</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Mémoire partagée</translation>
    </message>
    <message>
        <source>Macro</source>
        <translation>Macro</translation>
    </message>
    <message>
        <source>Compile option</source>
        <translation>Option de compilation</translation>
    </message>
    <message>
        <source>Kernel, template</source>
        <translation>Kernel, template</translation>
    </message>
    <message>
        <source>Scalar</source>
        <translation>Scalaire</translation>
    </message>
    <message>
        <source>Data size</source>
        <translation>Taille des données</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compilateur</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cooperative</source>
        <translation>Coopératif</translation>
    </message>
    <message>
        <source>Carve-out</source>
        <translation>Part de la mémoire partagée</translation>
    </message>
    <message>
        <source>Cache preference</source>
        <translation>Préférence de cache</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorité</translation>
    </message>
    <message>
        <source>Rounds of a loop</source>
        <translation>Tours d’une boucle</translation>
    </message>
    <message>
        <source>Rounds between questions</source>
        <translation>Tours entre deux questions</translation>
    </message>
    <message>
        <source>Most rounds</source>
        <translation>Tours au plus</translation>
    </message>
    <message>
        <source>Value of a launch</source>
        <translation>Valeur d’un lancement</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Exécuter comme</translation>
    </message>
    <message>
        <source>Template argument</source>
        <translation>Argument de template</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>Cache L2</translation>
    </message>
</context>
<context>
    <name>TimingWords</name>
    <message>
        <source>clocks that were set for applications</source>
        <translation>les fréquences réglées pour les applications</translation>
    </message>
    <message>
        <source>the power cap</source>
        <translation>la limite de puissance</translation>
    </message>
    <message>
        <source>a slowdown by the hardware</source>
        <translation>un ralentissement du matériel</translation>
    </message>
    <message>
        <source>other GPUs of its group</source>
        <translation>d’autres GPU du groupe</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>la chaleur</translation>
    </message>
    <message>
        <source>heat, by the hardware</source>
        <translation>la chaleur, par le matériel</translation>
    </message>
    <message>
        <source>the machine&apos;s power supply</source>
        <translation>l’alimentation de la machine</translation>
    </message>
    <message>
        <source>clocks that were set for the display</source>
        <translation>les fréquences réglées pour l’affichage</translation>
    </message>
    <message>
        <source>Throttled: the clocks were held down by %1.</source>
        <translation>Bridé. Les fréquences ont été limitées par&#x202f;: %1.</translation>
    </message>
    <message>
        <source>%1 of %2 MHz</source>
        <translation>%1 sur %2 MHz</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>The SM clock changed by %1 % while the runs were measured.</source>
        <translation>La fréquence des SM a varié de %1&#x202f;% pendant la mesure.</translation>
    </message>
    <message>
        <source>The SM clock changed while the runs were measured.</source>
        <translation>La fréquence des SM a varié pendant la mesure.</translation>
    </message>
    <message>
        <source>SM clock %1</source>
        <translation>Fréquence des SM %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>mémoire %1</translation>
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
        <translation>de tout le GPU, qui est partagé</translation>
    </message>
    <message>
        <source>The L2 cache was cold.</source>
        <translation>Le cache L2 était froid.</translation>
    </message>
    <message>
        <source>An empty graph takes %1.</source>
        <translation>Un graphe vide prend %1.</translation>
    </message>
    <message>
        <source>An empty launch takes %1.</source>
        <translation>Un lancement vide prend %1.</translation>
    </message>
    <message>
        <source>Most of the kernel&apos;s time is its launch.</source>
        <translation>Le temps du kernel est surtout celui de son lancement.</translation>
    </message>
    <message>
        <source>The clocks are held by %1.</source>
        <translation>Les fréquences sont fixées par&#x202f;: %1.</translation>
    </message>
</context>
<context>
    <name>warplight::ui</name>
    <message>
        <source>%1 threads</source>
        <translation>%1 threads</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 blocs</translation>
    </message>
    <message>
        <source>%1 registers</source>
        <translation>%1 registres</translation>
    </message>
    <message>
        <source>%1 texels</source>
        <translation>%1 texels</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 couches</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 bits</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>oui</translation>
    </message>
    <message>
        <source>no</source>
        <translation>non</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>the driver&apos;s choice</source>
        <translation>au choix du pilote</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>répartis</translation>
    </message>
    <message>
        <source>balanced load</source>
        <translation>charge équilibrée</translation>
    </message>
    <message>
        <source>length of axis %1 of %2</source>
        <translation>longueur de l’axe %1 de %2</translation>
    </message>
    <message>
        <source>size of %1</source>
        <translation>taille de %1</translation>
    </message>
    <message>
        <source>all fields 0</source>
        <translation>tous les champs à 0</translation>
    </message>
    <message>
        <source>true</source>
        <translation>vrai</translation>
    </message>
    <message>
        <source>false</source>
        <translation>faux</translation>
    </message>
    <message>
        <source>zeros, %1</source>
        <translation>zéros, %1</translation>
    </message>
    <message>
        <source>all %1, %2</source>
        <translation>tout à %1, %2</translation>
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
        <translation>aléatoire normal, %1</translation>
    </message>
    <message>
        <source>random, %1</source>
        <translation>aléatoire, %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>The kernel takes a pointer here: choose a buffer.</source>
        <translation>Le kernel attend ici un pointeur&#x202f;: choisissez un tampon.</translation>
    </message>
    <message>
        <source>The kernel takes %1, and no struct.</source>
        <translation>Le kernel attend %1, pas une structure.</translation>
    </message>
    <message>
        <source>“%1” is not a type.</source>
        <translation>«&#x202f;%1&#x202f;» n’est pas un type.</translation>
    </message>
    <message>
        <source>The kernel takes %1 (%2 bytes); this is %3.</source>
        <translation>Le kernel attend %1 (%2 octets)&#x202f;; ceci est %3.</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>une valeur</translation>
    </message>
    <message>
        <source>There is no buffer “%1”.</source>
        <translation>Il n’y a pas de tampon «&#x202f;%1&#x202f;».</translation>
    </message>
    <message>
        <source>The kernel takes a value here: %1.</source>
        <translation>Le kernel attend ici une valeur&#x202f;: %1.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 octets</translation>
    </message>
    <message>
        <source>No file is chosen.</source>
        <translation>Aucun fichier n’est choisi.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Il n’y a pas de fichier %1.</translation>
    </message>
    <message>
        <source>The shape has no elements.</source>
        <translation>La forme n’a aucun élément.</translation>
    </message>
    <message>
        <source>The kernel takes %1, which needs %2; the buffer holds %3.</source>
        <translation>Le kernel attend %1, qui exige %2&#x202f;; le tampon contient %3.</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>un périphérique</translation>
    </message>
    <message>
        <source>%1 is %2; %3 allows at most %4.</source>
        <translation>%1 vaut %2&#x202f;; %3 permet au plus %4.</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grille</translation>
    </message>
    <message>
        <source>A grid needs at least one block.</source>
        <translation>Une grille a besoin d’au moins un bloc.</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>A block needs at least one thread.</source>
        <translation>Un bloc a besoin d’au moins un thread.</translation>
    </message>
    <message>
        <source>A block of %1 threads is too large: %2 allows at most %3.</source>
        <translation>Un bloc de %1 threads est trop grand&#x202f;: %2 en permet au plus %3.</translation>
    </message>
    <message>
        <source>A block of %1 threads is too large for this kernel: its registers or its __launch_bounds__ allow at most %2.</source>
        <translation>Un bloc de %1 threads est trop grand pour ce kernel&#x202f;: ses registres ou ses __launch_bounds__ en permettent au plus %2.</translation>
    </message>
    <message>
        <source>%1 of shared memory and the %2 of the kernel itself are too much: %3 allows at most %4 a block.</source>
        <translation>%1 de mémoire partagée, plus les %2 du kernel lui-même, c’est trop&#x202f;: %3 permet au plus %4 par bloc.</translation>
    </message>
    <message>
        <source>%1 of shared memory is too much: %2 allows at most %3 (%4) a block.</source>
        <translation>%1 de mémoire partagée, c’est trop&#x202f;: %2 permet au plus %3 (%4) par bloc.</translation>
    </message>
    <message>
        <source>There is no argument &quot;%1&quot;.</source>
        <translation>Il n’y a pas d’argument &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a variable: no kernel is given it.</source>
        <translation>&quot;%1&quot; est une variable&#x202f;: aucun kernel ne la reçoit.</translation>
    </message>
    <message>
        <source>The source has no kernel &quot;%1&quot;.</source>
        <translation>La source n’a pas de kernel &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>%1 is a template. Name the instance, such as %1&lt;float&gt;.</source>
        <translation>%1 est un template. Indiquez l’instance, par exemple %1&lt;float&gt;.</translation>
    </message>
    <message>
        <source>%1 takes %2 arguments, and is given %3.</source>
        <translation>%1 attend %2 arguments et en reçoit %3.</translation>
    </message>
    <message>
        <source>The parameter %1 needs an array.</source>
        <translation>Le paramètre %1 a besoin d’un tableau.</translation>
    </message>
    <message>
        <source>The parameter %1 is a number.</source>
        <translation>Le paramètre %1 est un nombre.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a number, and an array is needed.</source>
        <translation>&quot;%1&quot; est un nombre, et il faut un tableau.</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>le kernel</translation>
    </message>
    <message>
        <source>Copy %1 to %2</source>
        <translation>Copier %1 vers %2</translation>
    </message>
    <message>
        <source>Fill %1 with %2</source>
        <translation>Remplir %1 avec %2</translation>
    </message>
    <message>
        <source>Swap %1 and %2</source>
        <translation>Échanger %1 et %2</translation>
    </message>
    <message>
        <source>Loop, %1 rounds</source>
        <translation>Boucle, %1 tours</translation>
    </message>
    <message>
        <source>Loop until %1</source>
        <translation>Boucle jusqu’à %1</translation>
    </message>
    <message>
        <source>(%1), %2 blocks of %3</source>
        <translation>(%1), %2 blocs de %3</translation>
    </message>
    <message>
        <source>all elements</source>
        <translation>tous les éléments</translation>
    </message>
    <message>
        <source>%1 elements from %2, to %3</source>
        <translation>éléments&#x202f;: %1, de %2 vers %3</translation>
    </message>
    <message>
        <source>all</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>%1 elements from %2</source>
        <translation>éléments&#x202f;: %1, dès %2</translation>
    </message>
    <message>
        <source>asked every %1, at most %2 rounds</source>
        <translation>test tous les %1, au plus %2 tours</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Étape %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>No step launches a kernel. Add one.</source>
        <translation>Aucune étape ne lance de kernel. Ajoutez-en une.</translation>
    </message>
    <message>
        <source>Frames: %1</source>
        <translation>Images&#x202f;: %1</translation>
    </message>
    <message>
        <source>error</source>
        <translation>erreur</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>avertissement</translation>
    </message>
    <message>
        <source>note</source>
        <translation>note</translation>
    </message>
    <message>
        <source>check of %1</source>
        <translation>vérification&#x202f;: %1</translation>
    </message>
    <message>
        <source>block %1, thread %2</source>
        <translation>bloc %1, thread %2</translation>
    </message>
    <message>
        <source>, and %1 more times</source>
        <translation>, et encore %1 fois</translation>
    </message>
    <message>
        <source>inlined here</source>
        <translation>intégré ici (inline)</translation>
    </message>
    <message>
        <source>%1 here: block %2, thread %3</source>
        <translation>%1 ici&#x202f;: bloc %2, thread %3</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>en attente</translation>
    </message>
    <message>
        <source>compiler</source>
        <translation>compilateur</translation>
    </message>
    <message>
        <source>run</source>
        <translation>exécution</translation>
    </message>
    <message>
        <source>Threads came %1 more times to places that are not listed. Mend those above first.</source>
        <translation>Des threads sont passés encore %1 fois par des endroits non listés. Corrigez d’abord les constats ci-dessus.</translation>
    </message>
    <message>
        <source>checks</source>
        <translation>vérifications</translation>
    </message>
    <message>
        <source>expectation</source>
        <translation>attendu</translation>
    </message>
    <message>
        <source>%1 could not be compared: %2</source>
        <translation>%1 n’a pas pu être comparé&#x202f;: %2</translation>
    </message>
    <message>
        <source>%1 is not as expected: %2 of %3 elements differ, the first at %4 is %5 instead of %6</source>
        <translation>%1 n’est pas comme attendu&#x202f;: %2 éléments sur %3 diffèrent, le premier en %4 vaut %5 au lieu de %6</translation>
    </message>
    <message>
        <source>fast math</source>
        <translation>maths rapides</translation>
    </message>
    <message>
        <source>at most %1 registers</source>
        <translation>au plus %1 registres</translation>
    </message>
    <message>
        <source>no source lines</source>
        <translation>sans lignes source</translation>
    </message>
    <message>
        <source>Run as graphs: %1 with %2 nodes.</source>
        <translation>Exécuté comme graphes&#x202f;: %1 avec %2 nœuds.</translation>
    </message>
    <message>
        <source>The steps were timed in one more run, one by one.</source>
        <translation>Les étapes ont été chronométrées une par une dans une exécution de plus.</translation>
    </message>
    <message>
        <source>The kernel takes a texture here: choose “Given as: Texture”.</source>
        <translation>Le noyau prend ici une texture : choisissez « Transmis comme : Texture ».</translation>
    </message>
    <message>
        <source>The kernel takes a surface here: choose “Given as: Surface”.</source>
        <translation>Le noyau prend ici une surface : choisissez « Transmis comme : Surface ».</translation>
    </message>
    <message>
        <source>The kernel takes an address here: choose “Given as: Address”.</source>
        <translation>Le noyau prend ici une adresse : choisissez « Transmis comme : Adresse ».</translation>
    </message>
    <message>
        <source>The source has several kernels. Choose one.</source>
        <translation>La source a plusieurs kernels. Choisissez-en un.</translation>
    </message>
    <message>
        <source>The loop has no steps. Add one, or remove the loop.</source>
        <translation>La boucle n’a aucune étape. Ajoutez-en une, ou supprimez la boucle.</translation>
    </message>
    <message>
        <source>English</source>
        <comment>the name of the translation&apos;s language, in that language</comment>
        <translation>Français</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AboutDialog</name>
    <message>
        <source>About Warplight</source>
        <translation>À propos de Warplight</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Warplight %1&lt;/h3&gt;</source>
        <translation>&lt;h3&gt;Warplight %1&lt;/h3&gt;</translation>
    </message>
    <message>
        <source>A workbench for GPU kernels: write a CUDA kernel, give it data, run it, and see what it did.</source>
        <translation>Un atelier pour kernels GPU&#x202f;: écrire un kernel CUDA, lui donner des données, l’exécuter et voir ce qu’il a fait.</translation>
    </message>
    <message>
        <source>The workbench is free software under the GNU General Public License, version 3 or later; its core library is under the Apache License 2.0. Qt %1.</source>
        <translation>L’application est un logiciel libre sous licence GNU General Public License, version 3 ou ultérieure&#x202f;; sa bibliothèque centrale est sous licence Apache 2.0. Qt %1.</translation>
    </message>
    <message>
        <source>Walls around sessions and kernels</source>
        <translation>Isolation des sessions et des kernels</translation>
    </message>
    <message>
        <source>The worker has not told yet which walls stand. Open this again in a moment.</source>
        <translation>Le processus de travail n’a pas encore indiqué ses protections. Rouvrez cette fenêtre dans un instant.</translation>
    </message>
    <message>
        <source>Sessions and kernels run in a worker process. On this system all of its walls stand.</source>
        <translation>Les sessions et les kernels s’exécutent dans un processus de travail. Sur ce système, toutes ses protections sont actives.</translation>
    </message>
    <message>
        <source>Sessions and kernels run in a worker process. On this system some of its walls are missing: open sessions from strangers with care.</source>
        <translation>Les sessions et les kernels s’exécutent dans un processus de travail. Sur ce système, certaines de ses protections manquent&#x202f;: ouvrez avec prudence les sessions d’inconnus.</translation>
    </message>
    <message>
        <source>stands</source>
        <translation>active</translation>
    </message>
    <message>
        <source>stands in part</source>
        <translation>active en partie</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>absente</translation>
    </message>
    <message>
        <source>
On this system it %1: %2.</source>
        <translation>
Sur ce système, %1&#x202f;: %2.</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>absente</translation>
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
        <translation>%1&#x202f;: arrêt en cours</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Elapsed time</source>
        <translation>Temps écoulé</translation>
    </message>
    <message>
        <source>For how long it has lasted</source>
        <translation>Depuis combien de temps cela dure</translation>
    </message>
    <message>
        <source>Stop (%1)</source>
        <translation>Arrêter (%1)</translation>
    </message>
    <message>
        <source>Stop what lasts</source>
        <translation>Arrêter ce qui dure</translation>
    </message>
    <message>
        <source>%1, and %2 more</source>
        <translation>%1, et %2 autres</translation>
    </message>
    <message>
        <source>Stop “%1” (%2)</source>
        <translation>Arrêter «&#x202f;%1&#x202f;» (%2)</translation>
    </message>
    <message>
        <source>Stop &amp;All</source>
        <translation>&amp;Tout arrêter</translation>
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
        <translation>taille d’un tampon</translation>
    </message>
    <message>
        <source>all elements; or an axis: 0, 1, …</source>
        <translation>tous les éléments&#x202f;; ou un axe&#x202f;: 0, 1, …</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Type</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Valeur</translation>
    </message>
    <message>
        <source>&amp;Buffer</source>
        <translation>Ta&amp;mpon</translation>
    </message>
    <message>
        <source>&amp;Axis</source>
        <translation>&amp;Axe</translation>
    </message>
    <message>
        <source>{&quot;x&quot;: 1, &quot;v&quot;: [1, 2]}, or the bytes: 0x…</source>
        <translation>{&quot;x&quot;: 1, &quot;v&quot;: [1, 2]}, ou les octets&#x202f;: 0x…</translation>
    </message>
    <message numerus="yes">
        <source>%n numbers: 1, 2, …</source>
        <translation>
            <numerusform>%n nombre&#x202f;: 1, 2, …</numerusform>
            <numerusform>%n nombres&#x202f;: 1, 2, …</numerusform>
        </translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true ou false</translation>
    </message>
    <message>
        <source>a number; 0x… is hexadecimal</source>
        <translation>un nombre&#x202f;; 0x… est hexadécimal</translation>
    </message>
    <message>
        <source>In: copied to the device before each run</source>
        <translation>In&#x202f;: copié vers le périphérique avant chaque exécution</translation>
    </message>
    <message>
        <source>Out: copied back after the run</source>
        <translation>Out&#x202f;: recopié après l’exécution</translation>
    </message>
    <message>
        <source>InOut: both</source>
        <translation>InOut&#x202f;: les deux</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Zéros</translation>
    </message>
    <message>
        <source>One value</source>
        <translation>Une valeur</translation>
    </message>
    <message>
        <source>Counting up</source>
        <translation>Suite à pas fixe</translation>
    </message>
    <message>
        <source>Evenly spaced</source>
        <translation>Espacement régulier</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Aléatoire</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formule</translation>
    </message>
    <message>
        <source>Formulas of fields</source>
        <translation>Formules par champ</translation>
    </message>
    <message>
        <source>Choose Data</source>
        <translation>Choisir les données</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Choisir un fichier</translation>
    </message>
    <message>
        <source>1024, 768</source>
        <translation>1024, 768</translation>
    </message>
    <message>
        <source>bytes to skip; raw files only</source>
        <translation>octets à sauter&#x202f;; fichiers bruts seulement</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>uniforme</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>normale</translation>
    </message>
    <message>
        <source>&amp;Direction</source>
        <translation>&amp;Direction</translation>
    </message>
    <message>
        <source>Data fro&amp;m</source>
        <translation>Do&amp;nnées</translation>
    </message>
    <message>
        <source>&amp;Path</source>
        <translation>&amp;Chemin</translation>
    </message>
    <message>
        <source>Element t&amp;ype</source>
        <translation>T&amp;ype d’élément</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>&amp;Forme</translation>
    </message>
    <message>
        <source>O&amp;ffset</source>
        <translation>Déca&amp;lage</translation>
    </message>
    <message>
        <source>D&amp;istribution</source>
        <translation>D&amp;istribution</translation>
    </message>
    <message>
        <source>Form&amp;ula</source>
        <translation>Form&amp;ule</translation>
    </message>
    <message>
        <source>From</source>
        <translation>De</translation>
    </message>
    <message>
        <source>To</source>
        <translation>À</translation>
    </message>
    <message>
        <source>S&amp;eed</source>
        <translation>&amp;Graine</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>comme le fichier</translation>
    </message>
    <message>
        <source>Val&amp;ue</source>
        <translation>&amp;Valeur</translation>
    </message>
    <message>
        <source>Mea&amp;n</source>
        <translation>&amp;Moyenne</translation>
    </message>
    <message>
        <source>&amp;Lowest</source>
        <translation>&amp;Minimum</translation>
    </message>
    <message>
        <source>St&amp;art</source>
        <translation>Débu&amp;t</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>&amp;Pas</translation>
    </message>
    <message>
        <source>Devia&amp;tion</source>
        <translation>Écar&amp;t type</translation>
    </message>
    <message>
        <source>Belo&amp;w</source>
        <translation>Inféri&amp;eur à</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>F&amp;in</translation>
    </message>
    <message>
        <source>i is the element, n their number; x, y, z or i0, i1, … its place, n0, n1, … the shape. Other arguments have their names: a*x + y[i - 1]. Arrays have their contents before the run.</source>
        <translation>i est l’élément, n le nombre d’éléments&#x202f;; x, y, z ou i0, i1, … sa position, n0, n1, … la forme. Les autres arguments portent leur nom&#x202f;: a*x + y[i - 1]. Les tableaux ont leur contenu d’avant l’exécution.</translation>
    </message>
    <message>
        <source>The axis is a number from 0 on, or nothing for all elements.</source>
        <translation>L’axe est un nombre à partir de 0, ou rien pour tous les éléments.</translation>
    </message>
    <message numerus="yes">
        <source>“%1” has no %n numbers, such as 1, 2.5.</source>
        <translation>
            <numerusform>«&#x202f;%1&#x202f;» ne contient pas %n nombre, par exemple 2.5.</numerusform>
            <numerusform>«&#x202f;%1&#x202f;» ne contient pas %n nombres, par exemple 1, 2.5.</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>«&#x202f;%1&#x202f;» n’est pas un nombre.</translation>
    </message>
    <message>
        <source>The shape is one or more lengths, such as “1024, 768”.</source>
        <translation>La forme se compose d’une ou de plusieurs longueurs, par exemple «&#x202f;1024, 768&#x202f;».</translation>
    </message>
    <message>
        <source>Structs come from a file, are zeros, or have formulas for their fields.</source>
        <translation>Les structures viennent d’un fichier, valent zéro ou ont des formules pour leurs champs.</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>Choisissez un fichier.</translation>
    </message>
    <message>
        <source>A file of raw numbers needs an element type.</source>
        <translation>Un fichier de nombres bruts demande un type d’élément.</translation>
    </message>
    <message>
        <source>The offset is a number of bytes.</source>
        <translation>Le décalage est un nombre d’octets.</translation>
    </message>
    <message>
        <source>Write a formula for each field, such as “mass = 1; pos.x = sin(i)”.</source>
        <translation>Écrivez une formule pour chaque champ, par exemple «&#x202f;mass = 1; pos.x = sin(i)&#x202f;».</translation>
    </message>
    <message>
        <source>The seed is a whole number from 0 on.</source>
        <translation>La graine est un nombre entier à partir de 0.</translation>
    </message>
    <message>
        <source>.npy, .npz, HDF5, .csv, .txt, .wav, an image, or raw numbers</source>
        <translation>.npy, .npz, HDF5, .csv, .txt, .wav, une image ou des nombres bruts</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Données (%1);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>&amp;Array in it</source>
        <translation>Tabl&amp;eau du fichier</translation>
    </message>
    <message>
        <source>The file has several arrays: choose one.</source>
        <translation>Le fichier a plusieurs tableaux&#x202f;: choisissez-en un.</translation>
    </message>
    <message>
        <source>all that is there</source>
        <translation>tout ce qu’il y a</translation>
    </message>
    <message>
        <source>Raw numbers, whatever its name says</source>
        <translation>Nombres bruts, quoi que dise le nom</translation>
    </message>
    <message>
        <source>as in the file: %1</source>
        <translation>comme dans le fichier : %1</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>un seul nombre</translation>
    </message>
    <message>
        <source>One of %1, or a number</source>
        <translation>L’un de %1, ou un nombre</translation>
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
        <translation>Valeur</translation>
    </message>
    <message numerus="yes">
        <source>The kernel has only %n parameter(s). The Delete key removes this argument.</source>
        <translation>
            <numerusform>Le kernel n’a que %n paramètre. La touche Suppr retire cet argument.</numerusform>
            <numerusform>Le kernel n’a que %n paramètres. La touche Suppr retire cet argument.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (variable)</source>
        <translation>%1 (variable)</translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>supposé</translation>
    </message>
    <message>
        <source>good</source>
        <translation>correct</translation>
    </message>
    <message>
        <source>Guessed from the signature. Double-click or Enter to choose.</source>
        <translation>Supposé d’après la signature. Double-clic ou Entrée pour choisir.</translation>
    </message>
    <message>
        <source>%1
Double-click or Enter to change.</source>
        <translation>%1
Double-clic ou Entrée pour modifier.</translation>
    </message>
    <message>
        <source>%1
Double-click or Enter to change, or drop a file here.</source>
        <translation>%1
Double-clic ou Entrée pour modifier, ou déposez un fichier ici.</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Modifier %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Direction</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Attendu</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>a digest</source>
        <translation>une empreinte</translation>
    </message>
    <message>
        <source>The name is that of the variable in the source.</source>
        <translation>Le nom est celui de la variable dans la source.</translation>
    </message>
    <message>
        <source>The name is that of the kernel&apos;s parameter. Rename it in the source: what refers to it follows.</source>
        <translation>Le nom est celui du paramètre du kernel. Renommez-le dans la source&#x202f;: ce qui s’y réfère suit.</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>Renommer %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AskpassDialog</name>
    <message>
        <source>Is This the Right Machine?</source>
        <translation>Est-ce la bonne machine ?</translation>
    </message>
    <message>
        <source>Question of ssh</source>
        <translation>Question de ssh</translation>
    </message>
    <message>
        <source>Compare the fingerprint with one that you got another way, from whom runs the machine. Connect remembers the key; a later change of it is refused.</source>
        <translation>Comparez l’empreinte avec celle que vous avez obtenue autrement, de la personne qui gère la machine. « Se connecter » retient la clé ; une autre clé sera refusée plus tard.</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>Se c&amp;onnecter</translation>
    </message>
    <message>
        <source>&amp;Allow</source>
        <translation>A&amp;utoriser</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AssemblyView</name>
    <message>
        <source>Build</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Compiler products</source>
        <translation>Produits du compilateur</translation>
    </message>
    <message>
        <source>Function to show</source>
        <translation>Fonction à afficher</translation>
    </message>
    <message>
        <source>Show one function or all</source>
        <translation>Afficher une fonction ou toutes</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Find in PTX</source>
        <translation>Rechercher dans le PTX</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy all PTX</source>
        <translation>Copier tout le PTX</translation>
    </message>
    <message>
        <source>The source has changed since this was compiled.</source>
        <translation>La source a changé depuis la compilation.</translation>
    </message>
    <message>
        <source>No PTX yet</source>
        <translation>Pas encore de PTX</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Resources of each kernel</source>
        <translation>Ressources de chaque kernel</translation>
    </message>
    <message>
        <source>No report yet</source>
        <translation>Pas encore de rapport</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapport</translation>
    </message>
    <message>
        <source>What ptxas says of each kernel</source>
        <translation>Ce que ptxas dit de chaque kernel</translation>
    </message>
    <message>
        <source>All functions</source>
        <translation>Toutes les fonctions</translation>
    </message>
    <message>
        <source>%1 (device)</source>
        <translation>%1 (périphérique)</translation>
    </message>
    <message>
        <source>The source does not compile. This is the PTX of the last source that did.</source>
        <translation>La source ne se compile pas. Voici le PTX de la dernière source qui se compilait.</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>depuis le cache</translation>
    </message>
    <message>
        <source>compiled in %1</source>
        <translation>compilé en %1</translation>
    </message>
    <message>
        <source>registers spill to local memory ⚠</source>
        <translation>registres déversés en mémoire locale ⚠</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see the instructions of each line. Of programs they are not shown.</source>
        <translation>Compilez le kernel (%1) pour voir les instructions de chaque ligne. Elles ne sont pas affichées pour les programmes.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see its registers, spills and shared memory.</source>
        <translation>Compilez le kernel (%1) pour voir ses registres, ses déversements et sa mémoire partagée.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::AttributesModel</name>
    <message>
        <source>Function on %1</source>
        <translation>Fonction sur %1</translation>
    </message>
    <message>
        <source>%1 (estimated)</source>
        <translation>%1 (estimé)</translation>
    </message>
    <message>
        <source>An attribute of a newer driver.</source>
        <translation>Un attribut d’un pilote plus récent.</translation>
    </message>
    <message>
        <source>Occupancy of the launch</source>
        <translation>Occupation du lancement</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Occupation</translation>
    </message>
    <message>
        <source>The share of the warps that a multiprocessor can hold that this launch makes resident.</source>
        <translation>La part des warps qu’un multiprocesseur peut accueillir que ce lancement rend résidents.</translation>
    </message>
    <message>
        <source>Warps a multiprocessor</source>
        <translation>Warps par multiprocesseur</translation>
    </message>
    <message>
        <source>%1 of %2 warps</source>
        <translation>%1 warps sur %2</translation>
    </message>
    <message>
        <source>Warps of this launch that are resident on a multiprocessor at once.</source>
        <translation>Warps de ce lancement qui résident en même temps sur un multiprocesseur.</translation>
    </message>
    <message>
        <source>Blocks a multiprocessor</source>
        <translation>Blocs par multiprocesseur</translation>
    </message>
    <message>
        <source>%1 blocks</source>
        <translation>%1 blocs</translation>
    </message>
    <message>
        <source>Blocks of this launch that are resident on a multiprocessor at once.</source>
        <translation>Blocs de ce lancement qui résident en même temps sur un multiprocesseur.</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>Limité par</translation>
    </message>
    <message>
        <source>What would have to shrink for more blocks to be resident.</source>
        <translation>Ce qu’il faudrait réduire pour que davantage de blocs soient résidents.</translation>
    </message>
    <message>
        <source>Suggested block</source>
        <translation>Bloc suggéré</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 threads</translation>
    </message>
    <message>
        <source>The smallest block with the highest occupancy.</source>
        <translation>Le plus petit bloc dont l’occupation est la plus haute.</translation>
    </message>
    <message>
        <source>ptxas</source>
        <translation>ptxas</translation>
    </message>
    <message>
        <source>ptxas for %1</source>
        <translation>ptxas pour %1</translation>
    </message>
    <message>
        <source>Registers a thread</source>
        <translation>Registres par thread</translation>
    </message>
    <message>
        <source>%1 registers</source>
        <translation>%1 registres</translation>
    </message>
    <message>
        <source>32-bit registers of a thread, as ptxas gives them out for this architecture.</source>
        <translation>Registres 32 bits d’un thread, tels que ptxas les attribue pour cette architecture.</translation>
    </message>
    <message>
        <source>Spill stores</source>
        <translation>Écritures de spill</translation>
    </message>
    <message>
        <source>Registers did not suffice: values are written to local memory.</source>
        <translation>Les registres n’ont pas suffi&#x202f;: des valeurs sont écrites en mémoire locale.</translation>
    </message>
    <message>
        <source>Code that writes registers to local memory because they did not suffice.</source>
        <translation>Code qui écrit des registres en mémoire locale parce qu’ils n’ont pas suffi.</translation>
    </message>
    <message>
        <source>Spill loads</source>
        <translation>Lectures de spill</translation>
    </message>
    <message>
        <source>Code that reads such values back.</source>
        <translation>Code qui relit ces valeurs.</translation>
    </message>
    <message>
        <source>Stack frame</source>
        <translation>Cadre de pile</translation>
    </message>
    <message>
        <source>Local memory of a thread for calls and arrays.</source>
        <translation>Mémoire locale d’un thread pour les appels et les tableaux.</translation>
    </message>
    <message>
        <source>Static shared memory</source>
        <translation>Mémoire partagée statique</translation>
    </message>
    <message>
        <source>What the __shared__ variables of a block take.</source>
        <translation>Ce qu’occupent les variables __shared__ d’un bloc.</translation>
    </message>
    <message>
        <source>Constant bank 0</source>
        <translation>Banc de constantes 0</translation>
    </message>
    <message>
        <source>The parameters of the kernel and of its launch.</source>
        <translation>Les paramètres du kernel et de son lancement.</translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation>Barrières</translation>
    </message>
    <message>
        <source>%1 of 16</source>
        <translation>%1 sur 16</translation>
    </message>
    <message>
        <source>Barriers for __syncthreads() and its kin that the kernel uses.</source>
        <translation>Barrières pour __syncthreads() et ses variantes que le kernel utilise.</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>Mémoire du périphérique</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Arguments</translation>
    </message>
    <message>
        <source>Allocated for the buffers of this run.</source>
        <translation>Allouée pour les tampons de cette exécution.</translation>
    </message>
    <message>
        <source>Free before</source>
        <translation>Libre avant</translation>
    </message>
    <message>
        <source>Memory of the device that was free before the buffers were allocated.</source>
        <translation>Mémoire du périphérique qui était libre avant l’allocation des tampons.</translation>
    </message>
    <message>
        <source>Free after</source>
        <translation>Libre après</translation>
    </message>
    <message>
        <source>Memory of the device that was free when they were gone again.</source>
        <translation>Mémoire du périphérique qui était libre une fois les tampons libérés.</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>Memory of the device altogether.</source>
        <translation>Mémoire totale du périphérique.</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Signification</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BannerStack</name>
    <message>
        <source>Dismiss</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferGrid</name>
    <message>
        <source>Buffer values</source>
        <translation>Valeurs du tampon</translation>
    </message>
    <message>
        <source>Rows of the buffer</source>
        <translation>Lignes du tampon</translation>
    </message>
    <message>
        <source>%1 cells copied.</source>
        <translation>%1 cellules copiées.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copier</translation>
    </message>
    <message>
        <source>&amp;Save Selection As…</source>
        <translation>&amp;Enregistrer la sélection sous…</translation>
    </message>
    <message>
        <source>Select cells first.</source>
        <translation>Sélectionnez d’abord des cellules.</translation>
    </message>
    <message>
        <source>At most %1 cells can be copied or saved at once.</source>
        <translation>Au plus %1 cellules peuvent être copiées ou enregistrées à la fois.</translation>
    </message>
    <message>
        <source>Save Selection</source>
        <translation>Enregistrer la sélection</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>Tableau NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Valeurs séparées par des virgules (*.csv)</translation>
    </message>
    <message>
        <source>End the name with .npy or .csv.</source>
        <translation>Terminez le nom par .npy ou .csv.</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 n’a pas pu être écrit : %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferListModel</name>
    <message>
        <source>Buffer</source>
        <translation>Tampon</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>Direction</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Forme</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Exécution</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferRegistry</name>
    <message>
        <source>The buffer went with its worker. Run again to have it.</source>
        <translation>Le tampon a disparu avec son processus de travail. Exécutez à nouveau pour l’obtenir.</translation>
    </message>
    <message>
        <source>The buffer is not there any more.</source>
        <translation>Le tampon n’existe plus.</translation>
    </message>
    <message>
        <source>These buffers lie on different machines. Save one to a file and open that, to have it beside the other.</source>
        <translation>Ces tampons se trouvent sur des machines différentes. Enregistrez-en un dans un fichier et ouvrez-le, pour l’avoir à côté de l’autre.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferSaver</name>
    <message>
        <source>Saving</source>
        <translation>Enregistrement</translation>
    </message>
    <message>
        <source>Cancel saving; the file stays as it was</source>
        <translation>Annuler l’enregistrement&#x202f;; le fichier reste tel quel</translation>
    </message>
    <message>
        <source>Cancel saving</source>
        <translation>Annuler l’enregistrement</translation>
    </message>
    <message>
        <source>A buffer is being saved. Wait for it, or cancel it.</source>
        <translation>Un tampon est en cours d’enregistrement. Attendez la fin ou annulez.</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>Tableau NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Valeurs séparées par des virgules (*.csv)</translation>
    </message>
    <message>
        <source>Raw bytes (*.bin)</source>
        <translation>Octets bruts (*.bin)</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>Enregistrer %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>Enregistrement de %1</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>Impossible d’écrire %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Not saved: cancelled.</source>
        <translation>Non enregistré&#x202f;: annulé.</translation>
    </message>
    <message>
        <source>NumPy archive (*.npz)</source>
        <translation>Archive NumPy (*.npz)</translation>
    </message>
    <message>
        <source>HDF5 (*.h5)</source>
        <translation>HDF5 (*.h5)</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>Image PNG (*.png)</translation>
    </message>
    <message>
        <source>Sound (*.wav)</source>
        <translation>Son (*.wav)</translation>
    </message>
    <message>
        <source>Samples a second, in Hz</source>
        <translation>Échantillons par seconde, en Hz</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferScan</name>
    <message>
        <source>The buffer is shorter than it said.</source>
        <translation>Le tampon est plus court qu’annoncé.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferSource</name>
    <message>
        <source>Only data of a worker can be looked at in this way.</source>
        <translation>Seules les données d’un processus de travail peuvent être vues ainsi.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BufferTableModel</name>
    <message>
        <source>(differs)</source>
        <translation>(diffère)</translation>
    </message>
    <message>
        <source>Differs from what it is compared with</source>
        <translation>Diffère de ce à quoi il est comparé</translation>
    </message>
    <message>
        <source>%1: %2, byte %3 of the struct</source>
        <translation>%1 : %2, octet %3 de la structure</translation>
    </message>
</context>
<context>
    <name>warplight::ui::BuffersPanel</name>
    <message>
        <source>&amp;Open Data…</source>
        <translation>&amp;Ouvrir des données…</translation>
    </message>
    <message>
        <source>&amp;Save Buffer As…</source>
        <translation>Enregistrer le tampon &amp;sous…</translation>
    </message>
    <message>
        <source>&amp;Close Buffer</source>
        <translation>&amp;Fermer le tampon</translation>
    </message>
    <message>
        <source>Write the buffer to a file</source>
        <translation>Écrire le tampon dans un fichier</translation>
    </message>
    <message>
        <source>Take the opened file from the list</source>
        <translation>Retirer de la liste le fichier ouvert</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Exécuter</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Tampons</translation>
    </message>
    <message>
        <source>Ways to look at the buffer</source>
        <translation>Vues du tampon</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Table</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>Hexa</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Courbe</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramme</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Images</translation>
    </message>
    <message>
        <source>No data of programs</source>
        <translation>Pas de données pour les programmes</translation>
    </message>
    <message>
        <source>A program keeps its arrays to itself. Open a .npy, .csv or raw file that it wrote.</source>
        <translation>Un programme garde ses tableaux pour lui. Ouvrez un fichier .npy, .csv ou brut qu’il a écrit.</translation>
    </message>
    <message>
        <source>No data yet</source>
        <translation>Pas encore de données</translation>
    </message>
    <message>
        <source>Run the kernel (%1) to look at its inputs and outputs, or drop a .npy file here.</source>
        <translation>Exécutez le kernel (%1) pour voir ses entrées et ses sorties, ou déposez ici un fichier .npy.</translation>
    </message>
    <message>
        <source>%1 failed. It has inputs and no results.</source>
        <translation>%1&#x202f;: échec. Il y a des entrées, mais pas de résultats.</translation>
    </message>
    <message>
        <source>%1 failed before it had data.</source>
        <translation>%1&#x202f;: échec avant d’avoir des données.</translation>
    </message>
    <message>
        <source>The results are those of %1.</source>
        <translation>Les résultats viennent de&#x202f;: %1.</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>Impossible d’ouvrir %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Open Data</source>
        <translation>Ouvrir des données</translation>
    </message>
    <message>
        <source>Look at an array of a file: .npy, .npz, HDF5, text, image, sound, raw</source>
        <translation>Regarder un tableau d’un fichier&#x202f;: .npy, .npz, HDF5, texte, image, son, brut</translation>
    </message>
    <message>
        <source>%1 has no array that can be read.</source>
        <translation>%1 n’a aucun tableau lisible.</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Ouvrir %1</translation>
    </message>
    <message>
        <source>Array</source>
        <translation>Tableau</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Données (%1);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Nuage</translation>
    </message>
    <message>
        <source>&amp;New Buffer from Formula…</source>
        <translation>&amp;Nouveau tampon par formule…</translation>
    </message>
    <message>
        <source>New buffer from a formula over this one and others of its size</source>
        <translation>Nouveau tampon par une formule sur celui-ci et d’autres de sa taille</translation>
    </message>
    <message>
        <source>The expected result of %1 cannot be opened: %2</source>
        <translation>Le résultat attendu de %1 ne peut pas être ouvert : %2</translation>
    </message>
    <message>
        <source>Make Buffer</source>
        <translation>Créer le tampon</translation>
    </message>
    <message>
        <source>Made %1 = %2.</source>
        <translation>%1 = %2 créé.</translation>
    </message>
    <message>
        <source>Stay with Its &amp;Run</source>
        <translation>&amp;Rester avec son exécution</translation>
    </message>
    <message>
        <source>Buffers that are made of others follow the next run, unless they stay</source>
        <translation>Les tampons faits à partir d’autres suivent l’exécution suivante, sauf s’ils restent</translation>
    </message>
    <message>
        <source>there is no buffer %1</source>
        <translation>il n’y a pas de tampon %1</translation>
    </message>
    <message>
        <source>%1 is still of %2: %3</source>
        <translation>%1 provient encore de %2 : %3</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CaseDialog</name>
    <message>
        <source>Hi&amp;dden: only passing or failing is shown</source>
        <translation>&amp;Masqué : seule la réussite est indiquée</translation>
    </message>
    <message>
        <source>Chec&amp;ks of its own</source>
        <translation>Ses propres contrô&amp;les</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>Modifi&amp;er…</translation>
    </message>
    <message>
        <source>As in the Sess&amp;ion</source>
        <translation>Comme dans la sess&amp;ion</translation>
    </message>
    <message>
        <source>Case of the Exercise</source>
        <translation>Cas de l’exercice</translation>
    </message>
    <message>
        <source>none; for who fails here</source>
        <translation>aucun ; pour qui échoue ici</translation>
    </message>
    <message>
        <source>the exercise&apos;s</source>
        <translation>celle de l’exercice</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Nom</translation>
    </message>
    <message>
        <source>&amp;Points</source>
        <translation>&amp;Points</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>Durée limi&amp;te</translation>
    </message>
    <message>
        <source>&amp;Hint</source>
        <translation>In&amp;dice</translation>
    </message>
    <message>
        <source>Dynamic shared memory of a block, in bytes</source>
        <translation>Mémoire partagée dynamique d’un bloc, en octets</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grille</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Bloc</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>Mém. p&amp;artagée</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Arguments</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Attendu</translation>
    </message>
    <message>
        <source>What is written bold differs from the session.</source>
        <translation>Ce qui est en gras diffère de la session.</translation>
    </message>
    <message>
        <source>Give the case a name: results are told by the names of cases.</source>
        <translation>Donnez un nom au cas : les résultats sont indiqués par les noms des cas.</translation>
    </message>
    <message>
        <source>Another case has the name “%1”.</source>
        <translation>Un autre cas s’appelle déjà « %1 ».</translation>
    </message>
    <message>
        <source>Grid and block are one to three numbers of 1 or more: 8, or 32, 8.</source>
        <translation>La grille et le bloc sont un à trois nombres à partir de 1 : 8, ou 32, 8.</translation>
    </message>
    <message>
        <source>Shared memory is a whole number of bytes.</source>
        <translation>La mémoire partagée est un nombre entier d’octets.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ChecksBox</name>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Mémoire</translation>
    </message>
    <message>
        <source>&amp;Values that nothing wrote</source>
        <translation>&amp;Valeurs jamais écrites</translation>
    </message>
    <message>
        <source>&amp;Races</source>
        <translation>&amp;Courses</translation>
    </message>
    <message>
        <source>&amp;Barriers</source>
        <translation>&amp;Barrières</translation>
    </message>
    <message>
        <source>&amp;Arithmetic</source>
        <translation>&amp;Arithmétique</translation>
    </message>
    <message>
        <source>&amp;Leaks</source>
        <translation>&amp;Fuites</translation>
    </message>
    <message>
        <source>Check the running kernel</source>
        <translation>Vérifier le noyau pendant qu’il tourne</translation>
    </message>
    <message>
        <source>Change Checks</source>
        <translation>Modifier les contrôles</translation>
    </message>
    <message>
        <source>Look for wrong accesses to memory, races and misused barriers while the kernel runs, on the software device. Problems has what is found. The kernel takes longer, so its times say little.</source>
        <translation>Chercher les accès mémoire incorrects, les accès concurrents et les barrières mal utilisées pendant que le kernel s’exécute sur le périphérique logiciel. Les constats figurent dans Problèmes. Le kernel est plus lent, ses temps disent donc peu de chose.</translation>
    </message>
    <message>
        <source>%1
Chosen: %2</source>
        <comment>checks</comment>
        <translation>%1
Choisis : %2</translation>
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
        <translation>Choisir les contrôles</translation>
    </message>
    <message>
        <source>Choose what is looked for</source>
        <translation>Choisir ce qui est cherché</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Palette de commandes</translation>
    </message>
    <message>
        <source>Type the name of a command</source>
        <translation>Saisissez le nom d’une commande</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ComparePage</name>
    <message>
        <source>Compare with</source>
        <translation>Comparer avec</translation>
    </message>
    <message>
        <source>with</source>
        <translation>avec</translation>
    </message>
    <message>
        <source>Equal means |actual − expected| ≤ atol + rtol · |expected|</source>
        <translation>Égal signifie |obtenu − attendu| ≤ atol + rtol · |attendu|</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>Tolérance relative</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>Tolérance absolue</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Previous mismatch</source>
        <translation>Écart précédent</translation>
    </message>
    <message>
        <source>Next mismatch</source>
        <translation>Écart suivant</translation>
    </message>
    <message>
        <source>Result of the comparison</source>
        <translation>Résultat de la comparaison</translation>
    </message>
    <message>
        <source>Elements that differ</source>
        <translation>Éléments qui diffèrent</translation>
    </message>
    <message>
        <source>Choose a buffer in the list.</source>
        <translation>Choisissez un tampon dans la liste.</translation>
    </message>
    <message>
        <source>There is nothing to compare with: open a file, or give the argument an expectation in Launch.</source>
        <translation>Il n’y a rien à comparer&#x202f;: ouvrez un fichier ou donnez à l’argument un résultat attendu dans «&#x202f;Lancement&#x202f;».</translation>
    </message>
    <message>
        <source>Choose what to compare %1 with.</source>
        <translation>Choisissez à quoi comparer %1.</translation>
    </message>
    <message>
        <source>The tolerances must be numbers of 0 or more, such as 1e-5.</source>
        <translation>Les tolérances doivent être des nombres à partir de 0, par exemple 1e-5.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Comparaison…</translation>
    </message>
    <message>
        <source>Cannot be compared: %1</source>
        <translation>Comparaison impossible&#x202f;: %1</translation>
    </message>
    <message>
        <source>All %1 elements match.</source>
        <translation>Les %1 éléments concordent tous.</translation>
    </message>
    <message>
        <source>Largest error %1 at %2.</source>
        <translation>Plus grande erreur %1 en %2.</translation>
    </message>
    <message>
        <source>%1 of %2 elements differ. First at %3: %4 instead of %5. Largest error %6 at %7; relative %8.</source>
        <translation>%1 éléments sur %2 diffèrent. Premier en %3&#x202f;: %4 au lieu de %5. Plus grande erreur %6 en %7&#x202f;; relative %8.</translation>
    </message>
    <message>
        <source>The list has the first %1.</source>
        <translation>La liste contient les %1 premiers.</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>Stopped. The list is not complete.</source>
        <translation>Arrêté. La liste est incomplète.</translation>
    </message>
    <message>
        <source>Difference over the index</source>
        <translation>Différence selon l’indice</translation>
    </message>
    <message>
        <source>Difference as a picture</source>
        <translation>Différence en image</translation>
    </message>
    <message>
        <source>How differences are shown</source>
        <translation>Affichage des différences</translation>
    </message>
    <message>
        <source>Largest differences of both signs over the index</source>
        <translation>Plus grandes différences des deux signes selon l’indice</translation>
    </message>
    <message>
        <source>actual − expected</source>
        <translation>obtenu − attendu</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ComparisonView</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 et %2</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Différences</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Élément</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Vue d’ensemble</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapport</translation>
    </message>
    <message>
        <source>The present state was not run. Run it (%1), and compare again.</source>
        <translation>L’état actuel n’a pas été exécuté. Exécutez-le (%1), puis comparez à nouveau.</translation>
    </message>
    <message>
        <source>The present state was not run: only what it is can be compared.</source>
        <translation>L’état actuel n’a pas été exécuté&#x202f;: seul son contenu peut être comparé.</translation>
    </message>
    <message>
        <source>There are no times to compare: a run without them did not come to its end.</source>
        <translation>Il n’y a pas de temps à comparer&#x202f;: une exécution sans temps n’est pas allée à son terme.</translation>
    </message>
    <message>
        <source>median</source>
        <translation>médiane</translation>
    </message>
    <message>
        <source>repeats</source>
        <translation>répétitions</translation>
    </message>
    <message>
        <source>Settings: all are equal</source>
        <translation>Réglages&#x202f;: tous identiques</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Réglages qui diffèrent</translation>
    </message>
    <message>
        <source>source</source>
        <translation>source</translation>
    </message>
    <message>
        <source>see the page Source</source>
        <translation>voir la page «&#x202f;Source&#x202f;»</translation>
    </message>
    <message>
        <source>Result and figures: all are equal</source>
        <translation>Résultat et chiffres&#x202f;: tous identiques</translation>
    </message>
    <message>
        <source>Result and figures that differ</source>
        <translation>Résultat et chiffres qui diffèrent</translation>
    </message>
    <message>
        <source>result</source>
        <translation>résultat</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Sorties</translation>
    </message>
    <message>
        <source>%1: equal bytes</source>
        <translation>%1&#x202f;: octets identiques</translation>
    </message>
    <message>
        <source>%1: different bytes</source>
        <translation>%1&#x202f;: octets différents</translation>
    </message>
    <message>
        <source>%1: only in one run</source>
        <translation>%1&#x202f;: dans une seule exécution</translation>
    </message>
    <message>
        <source>Compiling both sources again…</source>
        <translation>Recompilation des deux sources…</translation>
    </message>
    <message>
        <source>%1 was compiled by %2, and now by %3.</source>
        <translation>%1&#x202f;: compilé par %2, et maintenant par %3.</translation>
    </message>
    <message>
        <source>%1 does not compile: %2
Headers that it includes are not kept in the history.</source>
        <translation>%1 ne se compile pas&#x202f;: %2
Les en-têtes inclus ne sont pas conservés dans l’historique.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CompileOptionsDialog</name>
    <message>
        <source>Compile Options of the Session</source>
        <translation>Options de compilation de la session</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CompileOptionsEditor</name>
    <message>
        <source>Most registers a thread</source>
        <translation>Registres max. par thread</translation>
    </message>
    <message>
        <source>Fast &amp;math</source>
        <translation>&amp;Maths rapides</translation>
    </message>
    <message>
        <source>Source &amp;lines in the code</source>
        <translation>&amp;Lignes source dans le code</translation>
    </message>
    <message>
        <source>NVRTC (in the worker, fast)</source>
        <translation>NVRTC (dans le processus de travail, rapide)</translation>
    </message>
    <message>
        <source>nvcc (the toolkit&apos;s program)</source>
        <translation>nvcc (le programme du toolkit)</translation>
    </message>
    <message>
        <source>The compiler&apos;s own</source>
        <translation>Celui du compilateur</translation>
    </message>
    <message>
        <source>Macros between spaces, each as with -D. A value with spaces goes into quotes.</source>
        <translation>Macros séparées par des espaces, chacune comme avec -D. Une valeur avec des espaces se met entre guillemets.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>sans limite</translation>
    </message>
    <message>
        <source>Fewer registers let more warps be resident; values that find no register go to local memory (--maxrregcount).</source>
        <translation>S’il y a moins de registres, davantage de warps peuvent être résidents&#x202f;; les valeurs sans registre vont en mémoire locale (--maxrregcount).</translation>
    </message>
    <message>
        <source>Quick approximations of division, square root and functions such as sinf; denormals become 0 (--use_fast_math).</source>
        <translation>Approximations rapides de la division, de la racine carrée et de fonctions comme sinf&#x202f;; les nombres dénormalisés deviennent 0 (--use_fast_math).</translation>
    </message>
    <message>
        <source>PTX and faults know the line of the source (-lineinfo). It does not make code slower.</source>
        <translation>Le PTX et les erreurs indiquent la ligne de la source (-lineinfo). Le code n’en est pas ralenti.</translation>
    </message>
    <message>
        <source>Any other options of the compiler that a session may have, between spaces</source>
        <translation>Autres options du compilateur qu’une session peut avoir, séparées par des espaces</translation>
    </message>
    <message>
        <source>Com&amp;piler</source>
        <translation>Com&amp;pilateur</translation>
    </message>
    <message>
        <source>Language &amp;standard</source>
        <translation>&amp;Standard du langage</translation>
    </message>
    <message>
        <source>&amp;Defines</source>
        <translation>&amp;Définitions</translation>
    </message>
    <message>
        <source>Most &amp;registers</source>
        <translation>&amp;Registres max.</translation>
    </message>
    <message>
        <source>F&amp;urther options</source>
        <translation>A&amp;utres options</translation>
    </message>
    <message>
        <source>A thread has at most %1 registers.</source>
        <translation>Un thread a au plus %1 registres.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::CudaEditor</name>
    <message>
        <source>Source of %1</source>
        <translation>Source de %1</translation>
    </message>
    <message>
        <source>error</source>
        <translation>erreur</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>avertissement</translation>
    </message>
    <message>
        <source>note</source>
        <translation>note</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DapClient</name>
    <message>
        <source>It sent “%1”, which is no message of the protocol.</source>
        <translation>Il a envoyé «&#x202f;%1&#x202f;», qui n’est pas un message du protocole.</translation>
    </message>
    <message>
        <source>It sent a message that is no JSON object.</source>
        <translation>Il a envoyé un message qui n’est pas un objet JSON.</translation>
    </message>
    <message>
        <source>Its process was ended or has crashed.</source>
        <translation>Son processus a été arrêté ou a planté.</translation>
    </message>
    <message>
        <source>Its process ended with the exit code %1.</source>
        <translation>Son processus s’est terminé avec le code de sortie %1.</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>Il a indiqué&#x202f;: %1</translation>
    </message>
    <message>
        <source>warplight-cli cannot be started: %1.</source>
        <translation>Impossible de lancer warplight-cli&#x202f;: %1.</translation>
    </message>
    <message>
        <source>The debugger refused it and did not say why.</source>
        <translation>Le débogueur a refusé sans dire pourquoi.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugConsole</name>
    <message>
        <source>What the kernel and the debugger say</source>
        <translation>Messages du kernel et du débogueur</translation>
    </message>
    <message>
        <source>Expression, or lane 7, block 5, last-write x, help</source>
        <translation>Expression, ou lane 7, block 5, last-write x, help</translation>
    </message>
    <message>
        <source>Expression or command for the debugger</source>
        <translation>Expression ou commande pour le débogueur</translation>
    </message>
    <message>
        <source>Nothing stands still: pause the kernel first.</source>
        <translation>Le kernel n’est pas suspendu. Suspendez-le d’abord.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugPanel</name>
    <message>
        <source>Breakpoint</source>
        <translation>Point d’arrêt</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Pas</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Suspendu</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Écriture</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>Erreur</translation>
    </message>
    <message>
        <source>First line of the block</source>
        <translation>Première ligne du bloc</translation>
    </message>
    <message>
        <source>First line</source>
        <translation>Première ligne</translation>
    </message>
    <message>
        <source>&amp;Start Debugging</source>
        <translation>&amp;Démarrer le débogage</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>Sus&amp;pendre</translation>
    </message>
    <message>
        <source>S&amp;top Debugging</source>
        <translation>Arrê&amp;ter le débogage</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Arrêté</translation>
    </message>
    <message>
        <source>Step &amp;Over</source>
        <translation>Pas pri&amp;ncipal</translation>
    </message>
    <message>
        <source>Step &amp;In</source>
        <translation>Pas déta&amp;illé</translation>
    </message>
    <message>
        <source>Step O&amp;ut</source>
        <translation>Pas &amp;sortant</translation>
    </message>
    <message>
        <source>Step &amp;Back</source>
        <translation>Pas &amp;en arrière</translation>
    </message>
    <message>
        <source>&amp;Reverse to Breakpoint</source>
        <translation>&amp;Reculer jusqu’au point d’arrêt</translation>
    </message>
    <message>
        <source>Run to &amp;Line</source>
        <translation>Aller jusqu’à la &amp;ligne</translation>
    </message>
    <message>
        <source>Toggle Brea&amp;kpoint</source>
        <translation>&amp;Basculer le point d’arrêt</translation>
    </message>
    <message>
        <source>Remove &amp;All Breakpoints</source>
        <translation>Supprimer tous les points d’&amp;arrêt</translation>
    </message>
    <message>
        <source>Who comes to its next line in a step</source>
        <translation>Qui atteint sa ligne suivante lors d’un pas</translation>
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
        <translation>Bloc</translation>
    </message>
    <message>
        <source>Go to a block</source>
        <translation>Aller à un bloc</translation>
    </message>
    <message>
        <source>The block that is looked at, counted through the grid. Another number goes to the first line of that block, forwards or back.</source>
        <translation>Le bloc examiné, numéroté à travers la grille. Un autre numéro mène à la première ligne de ce bloc, en avant ou en arrière.</translation>
    </message>
    <message>
        <source>Block </source>
        <translation>Bloc </translation>
    </message>
    <message>
        <source>Where the kernel stands</source>
        <translation>Position du kernel</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Pile</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Fonction</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Ligne</translation>
    </message>
    <message>
        <source>Warps of the block</source>
        <translation>Warps du bloc</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>State</source>
        <translation>État</translation>
    </message>
    <message>
        <source>Warps</source>
        <translation>Warps</translation>
    </message>
    <message>
        <source>Variables and watches</source>
        <translation>Variables et expressions surveillées</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variables</translation>
    </message>
    <message>
        <source>Watches</source>
        <translation>Surveillance</translation>
    </message>
    <message>
        <source>Lanes, memory and console</source>
        <translation>Voies, mémoire et console</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Voies</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Mémoire</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Console</translation>
    </message>
    <message>
        <source>The debugger ended</source>
        <translation>Le débogueur s’est arrêté</translation>
    </message>
    <message>
        <source>%1 go on</source>
        <translation>%1 en cours</translation>
    </message>
    <message>
        <source>%1 wait</source>
        <translation>%1 en attente</translation>
    </message>
    <message>
        <source>%1 ended</source>
        <translation>%1 terminé(s)</translation>
    </message>
    <message>
        <source>%1 not begun</source>
        <translation>%1 non démarré(s)</translation>
    </message>
    <message>
        <source>The kernel has ended</source>
        <translation>Le kernel est terminé</translation>
    </message>
    <message>
        <source>The kernel has ended, with other results than expected</source>
        <translation>Le kernel est terminé, avec d’autres résultats qu’attendu</translation>
    </message>
    <message>
        <source>The source does not compile</source>
        <translation>La source ne compile pas</translation>
    </message>
    <message>
        <source>The session cannot be debugged as it is</source>
        <translation>La session ne peut pas être déboguée en l’état</translation>
    </message>
    <message>
        <source>The kernel has failed</source>
        <translation>Le kernel a échoué</translation>
    </message>
    <message>
        <source>No kernel is debugged</source>
        <translation>Aucun kernel en débogage</translation>
    </message>
    <message>
        <source>Click beside a line to set a breakpoint, then start. The kernel runs on the software device, whatever device is chosen, forwards and back.</source>
        <translation>Cliquez à côté d’une ligne pour placer un point d’arrêt, puis démarrez. Le kernel s’exécute sur le périphérique logiciel, quel que soit le périphérique choisi, en avant et en arrière.</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Continuer</translation>
    </message>
    <message>
        <source>%1 line %2</source>
        <translation>%1, ligne %2</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>bloc %1</translation>
    </message>
    <message>
        <source>warp %1, lane %2, thread %3</source>
        <translation>warp %1, voie %2, thread %3</translation>
    </message>
    <message>
        <source>Nothing is debugged</source>
        <translation>Aucun débogage en cours</translation>
    </message>
    <message>
        <source>Compiling for debugging (--device-debug)</source>
        <translation>Compilation pour le débogage (--device-debug)</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>En cours</translation>
    </message>
    <message>
        <source>The source was edited. The kernel that runs has the text of before; start again for the new one.</source>
        <translation>La source a été modifiée. Le kernel en cours a encore l’ancien texte. Redémarrez pour prendre le nouveau.</translation>
    </message>
    <message>
        <source>This runs on the software device, not on the chosen GPU.</source>
        <translation>L’exécution a lieu sur le périphérique logiciel, pas sur le GPU choisi.</translation>
    </message>
    <message>
        <source>This runs on the software device of this machine, not on %1.</source>
        <translation>Ceci s’exécute sur le périphérique logiciel de cette machine, pas sur %1.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DebugSession</name>
    <message>
        <source>The line is new. The kernel that runs does not have it.</source>
        <translation>La ligne est nouvelle. Le kernel en cours ne la contient pas.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DevicesModel</name>
    <message>
        <source>%1 free</source>
        <translation>%1 libres</translation>
    </message>
    <message>
        <source>%1: %2
Compute capability %3, %4 of memory</source>
        <translation>%1&#x202f;: %2
Capacité de calcul %3, %4 de mémoire</translation>
    </message>
    <message>
        <source>, %1 free</source>
        <translation>, %1 libres</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>%1
A double click chooses it.</source>
        <translation>%1
Un double-clic le choisit.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::DifferencePicture</name>
    <message>
        <source>Plane </source>
        <translation>Plan </translation>
    </message>
    <message>
        <source>Plane</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>Échelle des couleurs</translation>
    </message>
    <message>
        <source>What is subtracted</source>
        <translation>Ce qui est soustrait</translation>
    </message>
    <message>
        <source>Largest of the channels</source>
        <translation>Le plus grand des canaux</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>Rouge</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Vert</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Bleu</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Tel que stocké</translation>
    </message>
    <message>
        <source>Magnitude of the difference</source>
        <translation>Module de la différence</translation>
    </message>
    <message>
        <source>Real</source>
        <translation>Réel</translation>
    </message>
    <message>
        <source>Imaginary</source>
        <translation>Imaginaire</translation>
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
        <translation>Modification précédente</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Modification suivante</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Différences</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Avant</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Après</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Aucune différence</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1&#x202f;: %2, %3</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 modification</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 modifications</translation>
    </message>
    <message>
        <source>1 line removed</source>
        <translation>1 ligne supprimée</translation>
    </message>
    <message>
        <source>%1 lines removed</source>
        <translation>%1 lignes supprimées</translation>
    </message>
    <message>
        <source>1 added</source>
        <translation>1 ajoutée</translation>
    </message>
    <message>
        <source>%1 added</source>
        <translation>%1 ajoutées</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Document</name>
    <message>
        <source>The notes cannot be saved. %1</source>
        <translation>Les notes ne peuvent pas être enregistrées. %1</translation>
    </message>
    <message>
        <source>%1 exists already and would be overwritten by the session&apos;s source. Choose another name.</source>
        <translation>%1 existe déjà et serait écrasé par la source de la session. Choisissez un autre nom.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::EditorArea</name>
    <message>
        <source>Open sources</source>
        <translation>Sources ouvertes</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Recharger</translation>
    </message>
    <message>
        <source>Keep Mine</source>
        <translation>Garder la mienne</translation>
    </message>
    <message>
        <source>No source is open. Use File ▸ New or Open, or drop a .cu file here.</source>
        <translation>Aucune source n’est ouverte. Utilisez Fichier ▸ Nouveau ou Ouvrir, ou déposez un fichier .cu ici.</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rétablir</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>Co&amp;uper</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Copier</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>Co&amp;ller</translation>
    </message>
    <message>
        <source>Select &amp;All</source>
        <translation>Tout &amp;sélectionner</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>Rec&amp;hercher…</translation>
    </message>
    <message>
        <source>R&amp;eplace…</source>
        <translation>R&amp;emplacer…</translation>
    </message>
    <message>
        <source>Find &amp;Next</source>
        <translation>Rechercher le sui&amp;vant</translation>
    </message>
    <message>
        <source>Find Pre&amp;vious</source>
        <translation>Rechercher le &amp;précédent</translation>
    </message>
    <message>
        <source>&amp;Go to Line…</source>
        <translation>Aller à la lig&amp;ne…</translation>
    </message>
    <message>
        <source>Toggle Co&amp;mment</source>
        <translation>Co&amp;mmenter ou décommenter</translation>
    </message>
    <message>
        <source>&amp;Duplicate Line</source>
        <translation>&amp;Dupliquer la ligne</translation>
    </message>
    <message>
        <source>Move Line U&amp;p</source>
        <translation>Mon&amp;ter la ligne</translation>
    </message>
    <message>
        <source>Move Line Do&amp;wn</source>
        <translation>Descendre la l&amp;igne</translation>
    </message>
    <message>
        <source>C&amp;omplete Word</source>
        <translation>C&amp;ompléter le mot</translation>
    </message>
    <message>
        <source>&amp;Show Parameters</source>
        <translation>A&amp;fficher les paramètres</translation>
    </message>
    <message>
        <source>PTX and &amp;Report</source>
        <translation>PTX et &amp;rapport</translation>
    </message>
    <message>
        <source>Show the PTX and the report beside the source (Ctrl+Shift+A)</source>
        <translation>Afficher le PTX et le rapport à côté de la source (Ctrl+Shift+A)</translation>
    </message>
    <message>
        <source>Fold All or &amp;Unfold All</source>
        <translation>To&amp;ut plier ou déplier</translation>
    </message>
    <message>
        <source>&amp;Wrap Long Lines</source>
        <translation>Retour à la &amp;ligne automatique</translation>
    </message>
    <message>
        <source>&amp;Next Source</source>
        <translation>Source su&amp;ivante</translation>
    </message>
    <message>
        <source>P&amp;revious Source</source>
        <translation>Source &amp;précédente</translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation> (lecture seule)</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Pas encore enregistrée</translation>
    </message>
    <message>
        <source>%1 was changed by another program and read again.</source>
        <translation>%1 a été modifié par un autre programme et relu.</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and has changes here that are not saved.</source>
        <translation>%1 a été modifié par un autre programme et contient ici des modifications non enregistrées.</translation>
    </message>
    <message>
        <source>Go to Line</source>
        <translation>Aller à la ligne</translation>
    </message>
    <message>
        <source>Line (1 to %1):</source>
        <translation>Ligne (1 à %1)&#x202f;:</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Lecture de %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::EditorMarks</name>
    <message>
        <source>Condition of a Breakpoint</source>
        <translation>Condition d’un point d’arrêt</translation>
    </message>
    <message>
        <source>Stop in line %1 only for threads where this is true, such as: i == 77 &amp;&amp; blockIdx.x == 3</source>
        <translation>S’arrêter à la ligne %1 seulement pour les threads où ceci est vrai, par exemple&#x202f;: i == 77 &amp;&amp; blockIdx.x == 3</translation>
    </message>
    <message>
        <source>Remove &amp;Breakpoint</source>
        <translation>&amp;Supprimer le point d’arrêt</translation>
    </message>
    <message>
        <source>Set &amp;Breakpoint</source>
        <translation>&amp;Placer un point d’arrêt</translation>
    </message>
    <message>
        <source>Edit Conditio&amp;n…</source>
        <translation>Modifier la conditio&amp;n…</translation>
    </message>
    <message>
        <source>Set Breakpoint with Conditio&amp;n…</source>
        <translation>Placer un point d’arrêt conditio&amp;nnel…</translation>
    </message>
    <message>
        <source>Disable Breakp&amp;oint</source>
        <translation>Désactiver le p&amp;oint d’arrêt</translation>
    </message>
    <message>
        <source>Enable Breakp&amp;oint</source>
        <translation>Activer le p&amp;oint d’arrêt</translation>
    </message>
    <message>
        <source>Run to This &amp;Line</source>
        <translation>Aller jusqu’à cette &amp;ligne</translation>
    </message>
    <message>
        <source>Lanes and Memor&amp;y of This Line…</source>
        <translation>&amp;Voies et mémoire de cette ligne…</translation>
    </message>
    <message>
        <source>1 lane of warp %1 is here</source>
        <translation>1 voie du warp %1 est ici</translation>
    </message>
    <message>
        <source>%1 lanes of warp %2 are here</source>
        <translation>%1 voies du warp %2 sont ici</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Point d’arrêt</translation>
    </message>
    <message>
        <source>Breakpoint, disabled</source>
        <translation>Point d’arrêt, désactivé</translation>
    </message>
    <message>
        <source>, where %1</source>
        <translation>, si %1</translation>
    </message>
    <message>
        <source>: it is at line %1, the next one with code</source>
        <translation>, placé à la ligne %1, la prochaine avec du code</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExerciseBox</name>
    <message>
        <source>passes</source>
        <translation>réussi</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>échoué</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>résultat faux</translation>
    </message>
    <message>
        <source>mistakes found</source>
        <translation>erreurs trouvées</translation>
    </message>
    <message>
        <source>breaks a rule</source>
        <translation>enfreint une règle</translation>
    </message>
    <message>
        <source>cannot run</source>
        <translation>non exécutable</translation>
    </message>
    <message>
        <source>does not compile</source>
        <translation>ne compile pas</translation>
    </message>
    <message>
        <source>device error</source>
        <translation>erreur du périphérique</translation>
    </message>
    <message>
        <source>crashes</source>
        <translation>plante</translation>
    </message>
    <message>
        <source>too slow</source>
        <translation>trop lent</translation>
    </message>
    <message>
        <source>too much memory</source>
        <translation>trop de mémoire</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêté</translation>
    </message>
    <message>
        <source>Check My Solution</source>
        <translation>Vérifier ma solution</translation>
    </message>
    <message>
        <source>Run the kernel on all cases of the exercise</source>
        <translation>Exécuter le kernel sur tous les cas de l’exercice</translation>
    </message>
    <message>
        <source>Cases of the exercise</source>
        <translation>Cas de l’exercice</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>Cas</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>%1 (hidden)</source>
        <translation>%1 (masqué)</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>non vérifié</translation>
    </message>
    <message>
        <source>Of a hidden case only passing or failing is shown.</source>
        <translation>Pour un cas masqué, seul le succès ou l’échec est affiché.</translation>
    </message>
    <message>
        <source>Stop Checking</source>
        <translation>Arrêter la vérification</translation>
    </message>
    <message>
        <source>Show Hint %1 of %2</source>
        <translation>Afficher l’indice %1 sur %2</translation>
    </message>
    <message>
        <source>All hints are shown</source>
        <translation>Tous les indices sont affichés</translation>
    </message>
    <message>
        <source>Hint %1: %2</source>
        <translation>Indice %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>en attente</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Vérification…</translation>
    </message>
    <message>
        <source>Checking the solution</source>
        <translation>Vérification de la solution</translation>
    </message>
    <message>
        <source>This case is hidden. Think about what inputs the visible ones leave out.</source>
        <translation>Ce cas est masqué. Cherchez quelles entrées les cas visibles laissent de côté.</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>Indice&#x202f;: %1</translation>
    </message>
    <message>
        <source>All %1 cases pass.</source>
        <translation>Les %1 cas sont réussis.</translation>
    </message>
    <message>
        <source>%1 of %2 cases pass.</source>
        <translation>Cas réussis&#x202f;: %1 sur %2.</translation>
    </message>
    <message>
        <source>%1 The source has changed since.</source>
        <translation>%1 La source a changé depuis.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExerciseDialog</name>
    <message>
        <source>&amp;Edit…</source>
        <translation>Modifi&amp;er…</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>D&amp;upliquer</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>Supprime&amp;r</translation>
    </message>
    <message>
        <source>U&amp;p</source>
        <translation>&amp;Monter</translation>
    </message>
    <message>
        <source>Do&amp;wn</source>
        <translation>Des&amp;cendre</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>Exercice</translation>
    </message>
    <message>
        <source>A hint a line, the vaguest first</source>
        <translation>Un indice par ligne, le plus vague d’abord</translation>
    </message>
    <message>
        <source>Words that the source must use. Comments and texts do not count.</source>
        <translation>Mots que la source doit utiliser. Les commentaires et les textes ne comptent pas.</translation>
    </message>
    <message>
        <source>Words that the source must not use</source>
        <translation>Mots que la source ne doit pas utiliser</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>How long a case may take. The compilation does not count.</source>
        <translation>Le temps qu’un cas peut prendre. La compilation ne compte pas.</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>Cas</translation>
    </message>
    <message>
        <source>&amp;Hints</source>
        <translation>&amp;Indices</translation>
    </message>
    <message>
        <source>Re&amp;quired words</source>
        <translation>Mots e&amp;xigés</translation>
    </message>
    <message>
        <source>&amp;Forbidden words</source>
        <translation>Mots inter&amp;dits</translation>
    </message>
    <message>
        <source>&amp;Time limit</source>
        <translation>Durée limi&amp;te</translation>
    </message>
    <message>
        <source>Cases of the exercise</source>
        <translation>Cas de l’exercice</translation>
    </message>
    <message>
        <source>Case</source>
        <translation>Cas</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Points</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>&amp;Ajouter…</translation>
    </message>
    <message>
        <source>%1 (hidden)</source>
        <translation>%1 (masqué)</translation>
    </message>
    <message>
        <source>Without a case the session is no exercise.</source>
        <translation>Sans cas, la session n’est pas un exercice.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExplorerPanel</name>
    <message>
        <source>Devices and their attributes</source>
        <translation>Périphériques et leurs attributs</translation>
    </message>
    <message>
        <source>What the attribute means</source>
        <translation>Signification de l’attribut</translation>
    </message>
    <message>
        <source>Filter attributes</source>
        <translation>Filtrer les attributs</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>%1

A click or Enter opens it.</source>
        <translation>%1

Un clic ou Enter l’ouvre.</translation>
    </message>
    <message>
        <source>%1

A click or Enter opens and runs it.</source>
        <translation>%1

Un clic ou Enter l’ouvre et l’exécute.</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Périphériques</translation>
    </message>
    <message>
        <source>NVIDIA GPUs</source>
        <translation>GPU NVIDIA</translation>
    </message>
    <message>
        <source>Software device</source>
        <translation>Périphérique logiciel</translation>
    </message>
    <message>
        <source>Not connected. A double click here connects.</source>
        <translation>Non connectée. Un double-clic ici connecte.</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>connexion</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Connexion…</translation>
    </message>
    <message>
        <source>working</source>
        <translation>occupée</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>prête</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Recherche de périphériques…</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>perdue</translation>
    </message>
    <message>
        <source>Connection lost %1 s ago. Trying again.</source>
        <translation>Connexion perdue depuis %1 s. Nouvel essai en cours.</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>&amp;Reconnect</source>
        <translation>&amp;Reconnecter</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Connecter</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>&amp;Déconnecter</translation>
    </message>
    <message>
        <source>&amp;Install Warplight There…</source>
        <translation>&amp;Installer Warplight là-bas…</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Su&amp;pprimer</translation>
    </message>
    <message>
        <source>&amp;Add Machine…</source>
        <translation>&amp;Ajouter une machine…</translation>
    </message>
    <message>
        <source>&amp;Use This Device</source>
        <translation>&amp;Utiliser ce périphérique</translation>
    </message>
    <message>
        <source>Add another machine, whose GPUs this window uses over ssh</source>
        <translation>Ajouter une autre machine, dont cette fenêtre utilise les GPU par ssh</translation>
    </message>
    <message>
        <source>Add machine</source>
        <translation>Ajouter une machine</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>Reno&amp;mmer…</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExportButton</name>
    <message>
        <source>Copy or save what is shown</source>
        <translation>Copier ou enregistrer ce qui est affiché</translation>
    </message>
    <message>
        <source>Copy &amp;Values</source>
        <translation>Copier les &amp;valeurs</translation>
    </message>
    <message>
        <source>Save Values as &amp;CSV…</source>
        <translation>Enregistrer les valeurs en &amp;CSV…</translation>
    </message>
    <message>
        <source>Save Values</source>
        <translation>Enregistrer les valeurs</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Valeurs séparées par des virgules (*.csv)</translation>
    </message>
    <message>
        <source>Copy &amp;Picture</source>
        <translation>Copier l’&amp;image</translation>
    </message>
    <message>
        <source>Save Picture as &amp;SVG…</source>
        <translation>Enregistrer l’image en &amp;SVG…</translation>
    </message>
    <message>
        <source>Save Picture as P&amp;NG…</source>
        <translation>Enregistrer l’image en P&amp;NG…</translation>
    </message>
    <message>
        <source>Save Picture</source>
        <translation>Enregistrer l’image</translation>
    </message>
    <message>
        <source>Copied the values.</source>
        <translation>Valeurs copiées.</translation>
    </message>
    <message>
        <source>There is no picture yet.</source>
        <translation>Il n’y a pas encore d’image.</translation>
    </message>
    <message>
        <source>Copied the picture.</source>
        <translation>Image copiée.</translation>
    </message>
    <message>
        <source>End the name with %1.</source>
        <translation>Le nom doit se terminer par %1.</translation>
    </message>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>Il n’y a encore rien à enregistrer.</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>Impossible d’écrire %1&#x202f;: %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ExportDialog</name>
    <message>
        <source>Export as a Program</source>
        <translation>Exporter en programme</translation>
    </message>
    <message>
        <source>Pro&amp;gram</source>
        <translation>Pro&amp;gramme</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Choisir…</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>D&amp;ossier</translation>
    </message>
    <message>
        <source>&amp;Replace files that are there</source>
        <translation>&amp;Remplacer les fichiers existants</translation>
    </message>
    <message>
        <source>Files of an earlier export that nobody has changed are replaced in any case.</source>
        <translation>Les fichiers d’un export précédent que personne n’a modifiés sont toujours remplacés.</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exporter</translation>
    </message>
    <message>
        <source>&amp;Show Folder</source>
        <translation>Afficher le do&amp;ssier</translation>
    </message>
    <message>
        <source>Stopped. The folder may have a part of the program; the next export replaces it.</source>
        <translation>Arrêté. Le dossier contient peut-être une partie du programme&#x202f;; le prochain export la remplacera.</translation>
    </message>
    <message>
        <source>warplight-cli ended with the exit code %1.</source>
        <translation>warplight-cli s’est terminé avec le code de sortie %1.</translation>
    </message>
    <message>
        <source>warplight-cli, which exports, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, qui effectue l’export, est absent du dossier de Warplight. Réinstallez Warplight.</translation>
    </message>
    <message>
        <source>Folder of the Program</source>
        <translation>Dossier du programme</translation>
    </message>
    <message>
        <source>It needs %1.</source>
        <translation>Nécessite %1.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FindBar</name>
    <message>
        <source>Find</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Respecter la casse</translation>
    </message>
    <message>
        <source>Match case (Alt+C)</source>
        <translation>Respecter la casse (Alt+C)</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>Mots entiers</translation>
    </message>
    <message>
        <source>Whole words (Alt+W)</source>
        <translation>Mots entiers (Alt+W)</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Expression régulière</translation>
    </message>
    <message>
        <source>Regular expression (Alt+R)</source>
        <translation>Expression régulière (Alt+R)</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Occurrence précédente</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Occurrence précédente (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Occurrence suivante</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Occurrence suivante (Enter)</translation>
    </message>
    <message>
        <source>Close the search bar</source>
        <translation>Fermer la barre de recherche</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Fermer (Esc)</translation>
    </message>
    <message>
        <source>Number of matches</source>
        <translation>Nombre d’occurrences</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>Remplacer par</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Remplacer</translation>
    </message>
    <message>
        <source>Replace this match (Enter)</source>
        <translation>Remplacer cette occurrence (Enter)</translation>
    </message>
    <message>
        <source>Replace All</source>
        <translation>Tout remplacer</translation>
    </message>
    <message>
        <source>Replace all matches (Alt+A)</source>
        <translation>Remplacer toutes les occurrences (Alt+A)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>Not valid</source>
        <translation>Non valide</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Aucune occurrence</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 occurrence</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 occurrences</translation>
    </message>
    <message>
        <source>%1 replaced</source>
        <translation>Remplacements&#x202f;: %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FormulaBar</name>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Formula, such as 2*x + i</source>
        <translation>Formule, par exemple 2*x + i</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formule</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Fermer (Échap)</translation>
    </message>
    <message>
        <source>Close the formula</source>
        <translation>Fermer la formule</translation>
    </message>
    <message>
        <source>About the formula</source>
        <translation>À propos de la formule</translation>
    </message>
    <message>
        <source>Write a formula.</source>
        <translation>Écrivez une formule.</translation>
    </message>
    <message>
        <source>Give it a name.</source>
        <translation>Donnez-lui un nom.</translation>
    </message>
    <message>
        <source>May name %1, and i, n as formulas of a session do.</source>
        <translation>Peut nommer %1, et i, n comme les formules d’une session.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FramesPage</name>
    <message>
        <source>Begins again behind the last frame</source>
        <translation>Recommence après la dernière image</translation>
    </message>
    <message>
        <source>Play again and again</source>
        <translation>Lire en boucle</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Image</translation>
    </message>
    <message>
        <source> a second</source>
        <translation> par seconde</translation>
    </message>
    <message>
        <source>Frames a second</source>
        <translation>Images par seconde</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Palette de couleurs</translation>
    </message>
    <message>
        <source>Picture of the frame; plus and minus zoom, 0 shows all</source>
        <translation>Vue de l’image&#x202f;; plus et moins pour zoomer, 0 pour tout afficher</translation>
    </message>
    <message>
        <source>Curve of the frame</source>
        <translation>Courbe de l’image</translation>
    </message>
    <message>
        <source>The frames of %1 have no numbers.</source>
        <translation>Les images de %1 ne contiennent pas de nombres.</translation>
    </message>
    <message>
        <source>A pipeline can keep a buffer now and then. Choose one in Launch: Frames.</source>
        <translation>Un pipeline peut conserver un tampon de temps en temps. Choisissez-le dans «&#x202f;Lancement&#x202f;», «&#x202f;Images&#x202f;».</translation>
    </message>
    <message>
        <source>Frame %1 of %1, round %2</source>
        <translation>Image %1 sur %1, tour %2</translation>
    </message>
    <message>
        <source>Stops at this frame</source>
        <translation>S’arrête sur cette image</translation>
    </message>
    <message>
        <source>Shows one frame after the other</source>
        <translation>Affiche les images l’une après l’autre</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Lire</translation>
    </message>
    <message>
        <source>Frame %1 of %2, round %3</source>
        <translation>Image %1 sur %2, tour %3</translation>
    </message>
    <message>
        <source>The frame cannot be read.</source>
        <translation>Impossible de lire l’image.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::FunctionPanel</name>
    <message>
        <source>Registers…</source>
        <translation>Registres…</translation>
    </message>
    <message>
        <source>Function attributes</source>
        <translation>Attributs de la fonction</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>What limits on the registers do to spills and occupancy</source>
        <translation>Effet des limites de registres sur les débordements et l’occupation</translation>
    </message>
    <message>
        <source>No single kernel</source>
        <translation>Pas de kernel unique</translation>
    </message>
    <message>
        <source>Timing shows the kernels that a program launched, with their grids and times.</source>
        <translation>«&#x202f;Temps&#x202f;» affiche les kernels lancés par un programme, avec leurs grilles et leurs temps.</translation>
    </message>
    <message>
        <source>Nothing known of the kernel yet</source>
        <translation>Rien n’est encore connu du kernel</translation>
    </message>
    <message>
        <source>Build (%1) for the compiler&apos;s report, run (%2) for the driver&apos;s attributes.</source>
        <translation>La compilation (%1) donne le rapport du compilateur, l’exécution (%2) les attributs du pilote.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::GuideDialog</name>
    <message>
        <source>Guide</source>
        <translation>Guide</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Sections</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HexPage</name>
    <message>
        <source>Go to offset</source>
        <translation>Aller à l’offset</translation>
    </message>
    <message>
        <source>Bytes from the start (4096, 0x1000), or from here (+16, -16)</source>
        <translation>Octets depuis le début (4096, 0x1000) ou depuis ici (+16, -16)</translation>
    </message>
    <message>
        <source>Byte order</source>
        <translation>Ordre des octets</translation>
    </message>
    <message>
        <source>Little endian</source>
        <translation>Petit-boutiste</translation>
    </message>
    <message>
        <source>Big endian</source>
        <translation>Gros-boutiste</translation>
    </message>
    <message>
        <source>Value at the cursor in each type</source>
        <translation>Valeur au curseur dans chaque type</translation>
    </message>
    <message>
        <source>There is no offset %1 here.</source>
        <translation>Il n’y a pas d’offset %1 ici.</translation>
    </message>
    <message>
        <source>0x%1 · element %2</source>
        <translation>0x%1 · élément %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HexView</name>
    <message>
        <source>Bytes of the buffer</source>
        <translation>Octets du tampon</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistogramPage</name>
    <message>
        <source>All values</source>
        <translation>Toutes les valeurs</translation>
    </message>
    <message>
        <source>1 % to 99 %</source>
        <translation>1 % à 99 %</translation>
    </message>
    <message>
        <source>0.1 % to 99.9 %</source>
        <translation>0.1 % à 99.9 %</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Entre</translation>
    </message>
    <message>
        <source>Range of values</source>
        <translation>Plage de valeurs</translation>
    </message>
    <message>
        <source>What the bars cover; drag over the plot to choose a range</source>
        <translation>Plage couverte par les barres&#x202f;; faites glisser sur le graphique pour en choisir une</translation>
    </message>
    <message>
        <source>Least value</source>
        <translation>Plus petite valeur</translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation>Plus grande valeur</translation>
    </message>
    <message>
        <source>Bins </source>
        <translation>Classes </translation>
    </message>
    <message>
        <source>Number of bins</source>
        <translation>Nombre de classes</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>Échelle log</translation>
    </message>
    <message>
        <source>Bars as the logarithm of their counts: rare values can be seen</source>
        <translation>Barres en échelle logarithmique&#x202f;: les valeurs rares restent visibles</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Décomptes</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>Comptage</translation>
    </message>
    <message>
        <source>Stop counting</source>
        <translation>Arrêter le comptage</translation>
    </message>
    <message>
        <source>Stopped. Choose a range to count again.</source>
        <translation>Arrêté. Choisissez une plage pour compter à nouveau.</translation>
    </message>
    <message>
        <source>Histogram; arrow keys move from bar to bar, Home shows all values</source>
        <translation>Histogramme&#x202f;; les flèches passent d’une barre à l’autre, Home affiche toutes les valeurs</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Choisissez un tampon.</translation>
    </message>
    <message>
        <source>%1 has no numbers to count.</source>
        <translation>%1 ne contient pas de nombres à compter.</translation>
    </message>
    <message>
        <source>%1 is empty.</source>
        <translation>%1 est vide.</translation>
    </message>
    <message>
        <source>Give two numbers, the smaller one first.</source>
        <translation>Indiquez deux nombres, le plus petit d’abord.</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Comptage…</translation>
    </message>
    <message>
        <source>magnitude of %1</source>
        <translation>module de %1</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>éléments</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 éléments</translation>
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
        <translation>%1 en dessous</translation>
    </message>
    <message>
        <source>%1 above</source>
        <translation>%1 au-dessus</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 NaN</translation>
    </message>
    <message>
        <source>%1 infinite</source>
        <translation>%1 infini(s)</translation>
    </message>
    <message>
        <source>%1 to %2: %3 (%4 %)</source>
        <translation>%1 à %2&#x202f;: %3 (%4 %)</translation>
    </message>
    <message>
        <source>from</source>
        <translation>de</translation>
    </message>
    <message>
        <source>to</source>
        <translation>à</translation>
    </message>
    <message>
        <source>count</source>
        <translation>nombre</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistoryModel</name>
    <message>
        <source>pinned</source>
        <translation>épinglée</translation>
    </message>
    <message>
        <source>not pinned</source>
        <translation>non épinglée</translation>
    </message>
    <message>
        <source>Pinned: it stays when old runs are removed</source>
        <translation>Épinglée&#x202f;: elle reste quand les anciennes exécutions sont supprimées</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Exécution %1</translation>
    </message>
    <message>
        <source>Compile options: %1</source>
        <translation>Options de compilation&#x202f;: %1</translation>
    </message>
    <message>
        <source>One repeat</source>
        <translation>Une répétition</translation>
    </message>
    <message>
        <source>Median of %1 repeats</source>
        <translation>Médiane de %1 répétitions</translation>
    </message>
    <message>
        <source>What differs from the run before of the same session</source>
        <translation>Différences avec l’exécution précédente de la même session</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Épinglée</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Heure</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Étiquette</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Grid × block</source>
        <translation>Grille × bloc</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Modifié</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
</context>
<context>
    <name>warplight::ui::HistoryPage</name>
    <message>
        <source>Restore</source>
        <translation>Restaurer</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Label…</source>
        <translation>Étiquette…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Note…</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Épingler</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Supprimer…</translation>
    </message>
    <message>
        <source>Export Source…</source>
        <translation>Exporter la source…</translation>
    </message>
    <message>
        <source>Put source, launch, arguments and options of the run into the window</source>
        <translation>Reprendre dans la fenêtre la source, le lancement, les arguments et les options de l’exécution</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>L’exécution sélectionnée</translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation>Chercher une exécution</translation>
    </message>
    <message>
        <source>Words that stand in title, kernel, device, launch, options, arguments, label or note</source>
        <translation>Mots du titre, du kernel, du périphérique, du lancement, des options, des arguments, de l’étiquette ou de la note</translation>
    </message>
    <message>
        <source>All sessions</source>
        <translation>Toutes les sessions</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>Cette session</translation>
    </message>
    <message>
        <source>Runs of</source>
        <translation>Exécutions de</translation>
    </message>
    <message>
        <source>Runs of the history</source>
        <translation>Exécutions de l’historique</translation>
    </message>
    <message>
        <source>Reading the history…</source>
        <translation>Lecture de l’historique…</translation>
    </message>
    <message>
        <source>No run has all these words.</source>
        <translation>Aucune exécution ne contient tous ces mots.</translation>
    </message>
    <message>
        <source>No run of this session is kept yet.</source>
        <translation>Aucune exécution de cette session n’est encore conservée.</translation>
    </message>
    <message>
        <source>No run is kept yet. Run the kernel (%1): its run appears here, and stays when the window is closed.</source>
        <translation>Aucune exécution n’est encore conservée. Exécutez le kernel (%1)&#x202f;: son exécution apparaît ici et reste après la fermeture de la fenêtre.</translation>
    </message>
    <message>
        <source>Runs are not kept. Settings (Edit menu) can have them kept.</source>
        <translation>Les exécutions ne sont pas conservées. Les réglages (menu Édition) permettent de changer cela.</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 exécution</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 exécutions</translation>
    </message>
    <message>
        <source>%1 of %2 selected</source>
        <translation>%1 sélectionnées sur %2</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Exécution %1</translation>
    </message>
    <message>
        <source>Compare the run with the present state of the window</source>
        <translation>Comparer l’exécution avec l’état actuel de la fenêtre</translation>
    </message>
    <message>
        <source>Compare two selected runs, or one with the present state of the window</source>
        <translation>Comparer deux exécutions sélectionnées, ou une seule avec l’état actuel de la fenêtre</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Désépingler</translation>
    </message>
    <message>
        <source>Unpin: let it go with the oldest runs</source>
        <translation>Désépingler&#x202f;: elle pourra être supprimée avec les plus anciennes</translation>
    </message>
    <message>
        <source>Pin: keep it when the oldest runs are removed</source>
        <translation>Épingler&#x202f;: elle reste quand les plus anciennes sont supprimées</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>Note of run %1:</source>
        <translation>Note de l’exécution %1&#x202f;:</translation>
    </message>
    <message>
        <source>Delete from the history</source>
        <translation>Supprimer de l’historique</translation>
    </message>
    <message>
        <source>Delete %1 from the history?</source>
        <translation>Supprimer %1 de l’historique&#x202f;?</translation>
    </message>
    <message>
        <source>Delete %1 runs from the history?</source>
        <translation>Supprimer %1 exécutions de l’historique&#x202f;?</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>Cette action est irréversible.</translation>
    </message>
    <message>
        <source>It is pinned. This cannot be undone.</source>
        <translation>L’exécution est épinglée. Cette action est irréversible.</translation>
    </message>
    <message>
        <source>%1 of them are pinned. This cannot be undone.</source>
        <translation>Parmi elles, %1 sont épinglées. Cette action est irréversible.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Supprimer</translation>
    </message>
    <message>
        <source>Export Source</source>
        <translation>Exporter la source</translation>
    </message>
    <message>
        <source>run-%1-%2</source>
        <translation>execution-%1-%2</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.ptx);;All files (*)</source>
        <translation>CUDA et PTX (*.cu *.ptx);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2. Choisissez un autre dossier.</translation>
    </message>
    <message>
        <source>Comparing two runs</source>
        <translation>Comparaison de deux exécutions</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ImageCanvas</name>
    <message>
        <source>Picture of the buffer; arrow keys move the reading point, plus and minus zoom, 0 shows all</source>
        <translation>Image du tampon&#x202f;; les flèches déplacent le point de lecture, plus et moins zooment, 0 affiche tout</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ImagePage</name>
    <message>
        <source>Colour map</source>
        <translation>Palette de couleurs</translation>
    </message>
    <message>
        <source>Fit range</source>
        <translation>Plage entière</translation>
    </message>
    <message>
        <source>2 % to 98 %</source>
        <translation>2 % à 98 %</translation>
    </message>
    <message>
        <source>Around 0</source>
        <translation>Autour de 0</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Entre</translation>
    </message>
    <message>
        <source>Range of the colours</source>
        <translation>Plage des couleurs</translation>
    </message>
    <message>
        <source>Colours span the values that are shown, most of them, as much below 0 as above, or yours</source>
        <translation>Les couleurs couvrent les valeurs affichées, la plupart d’entre elles, autant sous 0 qu’au-dessus, ou votre plage</translation>
    </message>
    <message>
        <source>Value of the first colour</source>
        <translation>Valeur de la première couleur</translation>
    </message>
    <message>
        <source>Value of the last colour</source>
        <translation>Valeur de la dernière couleur</translation>
    </message>
    <message>
        <source>Colour scale</source>
        <translation>Échelle des couleurs</translation>
    </message>
    <message>
        <source>The range of the colours needs two numbers, the smaller one first.</source>
        <translation>La plage des couleurs demande deux nombres, le plus petit en premier.</translation>
    </message>
    <message>
        <source>%1 has %2: a picture needs a buffer of numbers with two dimensions or more.</source>
        <translation>%1&#x202f;: %2. Une image demande un tampon de nombres à deux dimensions ou plus.</translation>
    </message>
    <message>
        <source>one dimension</source>
        <translation>une seule dimension</translation>
    </message>
    <message>
        <source>no numbers</source>
        <translation>pas de nombres</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Choisissez un tampon.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::InspectorModel</name>
    <message>
        <source>binary</source>
        <translation>binaire</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
</context>
<context>
    <name>warplight::ui::InstallDialog</name>
    <message>
        <source>Install Warplight on Another Machine</source>
        <translation>Installer Warplight sur une autre machine</translation>
    </message>
    <message>
        <source>Copies the self-contained build of this version into your folder on %1 and checks it there. It needs no rights of an administrator. A copy that was stopped goes on where it ended.</source>
        <translation>Copie cette version, avec tout ce qu’il lui faut, dans votre dossier sur %1 et l’y vérifie. Aucun droit d’administrateur n’est nécessaire. Une copie arrêtée reprend là où elle s’est arrêtée.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>Messages of the installation</source>
        <translation>Messages de l’installation</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>&amp;Installer</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 ne peut pas être lancé : %2</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Connexion</translation>
    </message>
    <message>
        <source>Installed on %1.</source>
        <translation>Installé sur %1.</translation>
    </message>
    <message>
        <source>Stopped. The next try goes on where it ended.</source>
        <translation>Arrêté. Le prochain essai reprendra là.</translation>
    </message>
    <message>
        <source>It failed. The messages above say why.</source>
        <translation>Échec. Les messages ci-dessus disent pourquoi.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Arrêter</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Arrêt en cours</translation>
    </message>
</context>
<context>
    <name>warplight::ui::JobLink</name>
    <message>
        <source>The connection to %1 was lost %2 s ago. Trying again.</source>
        <translation>La connexion à %1 est perdue depuis %2 s. Nouvel essai en cours.</translation>
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
        <translation>Saisissez les arguments du template</translation>
    </message>
    <message>
        <source>Kernel, or the instance of a template</source>
        <translation>Kernel, ou instance d’un template</translation>
    </message>
    <message>
        <source>The kernel to run. Of a template an instance, such as scale&lt;float, 4&gt;: choose or type it.</source>
        <translation>Le kernel à exécuter. Pour un template, une instance comme scale&lt;float, 4&gt;&#x202f;: choisissez-la ou saisissez-la.</translation>
    </message>
    <message>
        <source>The kernel to run</source>
        <translation>Le kernel à exécuter</translation>
    </message>
    <message>
        <source>The kernels of the steps are chosen in Launch</source>
        <translation>Les kernels des étapes se choisissent dans Lancement</translation>
    </message>
    <message>
        <source>Several steps</source>
        <translation>Plusieurs étapes</translation>
    </message>
    <message>
        <source>No kernel</source>
        <translation>Aucun kernel</translation>
    </message>
    <message>
        <source>“%1” is no kernel of the source. It has %2.</source>
        <translation>«&#x202f;%1&#x202f;» n’est pas un kernel de la source. Elle contient %2.</translation>
    </message>
    <message>
        <source>Choose Kernel</source>
        <translation>Choisir le kernel</translation>
    </message>
</context>
<context>
    <name>warplight::ui::KernelMemory</name>
    <message>
        <source>There is no memory at this address.</source>
        <translation>Il n’y a pas de mémoire à cette adresse.</translation>
    </message>
    <message>
        <source>Some of this memory cannot be read.</source>
        <translation>Une partie de cette mémoire est illisible.</translation>
    </message>
    <message>
        <source>The kernel has gone on.</source>
        <translation>Le kernel a repris son exécution.</translation>
    </message>
    <message>
        <source>Memory of a kernel is no file.</source>
        <translation>La mémoire d’un kernel n’est pas un fichier.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands has no plot.</source>
        <translation>La mémoire d’un kernel arrêté n’a pas de courbe.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands is not compared.</source>
        <translation>La mémoire d’un kernel arrêté n’est pas comparée.</translation>
    </message>
    <message>
        <source>Memory of a kernel that stands is not saved.</source>
        <translation>La mémoire d’un kernel arrêté n’est pas enregistrée.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanePicture</name>
    <message>
        <source>A value in all threads</source>
        <translation>Une valeur dans tous les threads</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
    <message>
        <source>lane %1 of warp %2, thread %3</source>
        <translation>voie %1 du warp %2, thread %3</translation>
    </message>
    <message>
        <source>, at another line</source>
        <translation>, à une autre ligne</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesPage</name>
    <message>
        <source>Variable or expression</source>
        <translation>Variable ou expression</translation>
    </message>
    <message>
        <source>Variable or expression to show in all threads</source>
        <translation>Variable ou expression à afficher dans tous les threads</translation>
    </message>
    <message>
        <source>Threads to show</source>
        <translation>Threads à afficher</translation>
    </message>
    <message>
        <source>Warp</source>
        <translation>Warp</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Couleurs</translation>
    </message>
    <message>
        <source>z = </source>
        <translation>z = </translation>
    </message>
    <message>
        <source>Slice of the block</source>
        <translation>Coupe du bloc</translation>
    </message>
    <message>
        <source>Type a variable, or choose Show in All Lanes in Variables.</source>
        <translation>Saisissez une variable, ou choisissez «&#x202f;Voir dans toutes les voies&#x202f;» dans Variables.</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> sur %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesPicture</name>
    <message>
        <source>Lanes and memory</source>
        <translation>Voies et mémoire</translation>
    </message>
    <message>
        <source>word %1</source>
        <translation>mot %1</translation>
    </message>
    <message>
        <source>Sector at %1: lanes %2</source>
        <translation>Secteur à %1&#x202f;: voies %2</translation>
    </message>
    <message>
        <source>Sector at %1: not fetched</source>
        <translation>Secteur à %1&#x202f;: non chargé</translation>
    </message>
    <message>
        <source>Bank %1 has nothing to do in wavefront %2</source>
        <translation>Le banc %1 n’a rien à faire dans le wavefront %2</translation>
    </message>
    <message>
        <source>Bank %1, wavefront %2: %3, lanes %4</source>
        <translation>Banc %1, wavefront %2&#x202f;: %3, voies %4</translation>
    </message>
    <message>
        <source>Lanes %1</source>
        <translation>Voies %1</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Voies</translation>
    </message>
    <message>
        <source>words of the first wavefront, by bank</source>
        <translation>mots du premier wavefront, par banc</translation>
    </message>
    <message>
        <source>further wavefronts: one below the other</source>
        <translation>autres wavefronts&#x202f;: l’un sous l’autre</translation>
    </message>
    <message>
        <source>bytes that lanes ask for</source>
        <translation>octets demandés par des voies</translation>
    </message>
    <message>
        <source>rest of a sector that is fetched</source>
        <translation>reste d’un secteur chargé</translation>
    </message>
    <message>
        <source>sector of the line that is not fetched</source>
        <translation>secteur non chargé de la ligne de cache</translation>
    </message>
    <message>
        <source>lane that takes no part</source>
        <translation>voie qui ne participe pas</translation>
    </message>
    <message>
        <source>Lane %1, thread (%2,%3,%4)</source>
        <translation>Voie %1, thread (%2,%3,%4)</translation>
    </message>
    <message>
        <source>Lane %1: the block has no such thread</source>
        <translation>Voie %1&#x202f;: ce thread n’existe pas dans le bloc</translation>
    </message>
    <message>
        <source>%1 takes no part</source>
        <translation>%1 ne participe pas</translation>
    </message>
    <message>
        <source>byte %1</source>
        <translation>octet %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1&#x202f;: %2</translation>
    </message>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1&#x202f;: %2 à %3</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LanesView</name>
    <message>
        <source>Wavefronts %1, ideal %2</source>
        <translation>Wavefronts %1, idéal %2</translation>
    </message>
    <message>
        <source>Sectors %1, ideal %2</source>
        <translation>Secteurs %1, idéal %2</translation>
    </message>
    <message>
        <source>%1-way bank conflict</source>
        <translation>conflit de bancs d’ordre %1</translation>
    </message>
    <message>
        <source>no bank conflict</source>
        <translation>aucun conflit de bancs</translation>
    </message>
    <message>
        <source>%1 of 32 lanes active</source>
        <translation>%1 voies actives sur 32</translation>
    </message>
    <message>
        <source>Lanes and Memory</source>
        <translation>Voies et mémoire</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruction</translation>
    </message>
    <message>
        <source>The instruction whose executions are shown</source>
        <translation>L’instruction dont les exécutions sont affichées</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Bloc</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Bloc %1</translation>
    </message>
    <message>
        <source>&amp;Warp</source>
        <translation>&amp;Warp</translation>
    </message>
    <message>
        <source>Warp of the block</source>
        <translation>Warp du bloc</translation>
    </message>
    <message>
        <source>Threads 0 to 31 of the block are warp 0</source>
        <translation>Les threads 0 à 31 du bloc forment le warp 0</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>En&amp;registrer</translation>
    </message>
    <message>
        <source>Runs the session, and once more on the software device to record this warp</source>
        <translation>Exécute la session, puis une fois de plus sur le périphérique logiciel pour enregistrer ce warp</translation>
    </message>
    <message>
        <source>Execution before (Left)</source>
        <translation>Exécution précédente (flèche gauche)</translation>
    </message>
    <message>
        <source>Next execution (Right)</source>
        <translation>Exécution suivante (flèche droite)</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Exécution</translation>
    </message>
    <message>
        <source>The grid has %1 blocks in %2</source>
        <translation>La grille a %1 blocs en %2</translation>
    </message>
    <message>
        <source>A block has one warp</source>
        <translation>Un bloc a un warp</translation>
    </message>
    <message>
        <source>A block has %1 warps</source>
        <translation>Un bloc a %1 warps</translation>
    </message>
    <message>
        <source>Warps of a session&apos;s kernel can be recorded, not those of a program.</source>
        <translation>On peut enregistrer les warps du kernel d’une session, pas ceux d’un programme.</translation>
    </message>
    <message>
        <source>Nothing is recorded yet. Choose a warp and press Record: the session runs, and once more on the software device. Then this window shows, access by access, which addresses the 32 lanes of the warp touch.</source>
        <translation>Rien n’est encore enregistré. Choisissez un warp et cliquez sur Enregistrer&#x202f;: la session s’exécute, puis une fois de plus sur le périphérique logiciel. Cette fenêtre montre ensuite, accès par accès, les adresses que touchent les 32 voies du warp.</translation>
    </message>
    <message>
        <source>Warp %1 of block (%2,%3,%4) accessed no memory and took no branch.</source>
        <translation>Le warp %1 du bloc (%2,%3,%4) n’a accédé à aucune mémoire et n’a pris aucun branchement.</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Ligne %1</translation>
    </message>
    <message>
        <source>PTX line %1</source>
        <translation>Ligne PTX %1</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>branchement</translation>
    </message>
    <message>
        <source>once</source>
        <translation>une fois</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1 fois</translation>
    </message>
    <message>
        <source>leave the function</source>
        <translation>quitter la fonction</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>ligne %1</translation>
    </message>
    <message>
        <source>The warp did more than could be noted: the end is missing.</source>
        <translation>Le warp a fait plus que ce qui a pu être noté&#x202f;: la fin manque.</translation>
    </message>
    <message>
        <source>The source has changed since; Record shows it as it is now.</source>
        <translation>La source a changé depuis&#x202f;; Enregistrer montre son état actuel.</translation>
    </message>
    <message>
        <source>%1 of the first %2; %3 in all</source>
        <translation>%1 sur les %2 premières&#x202f;; %3 en tout</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>Step %1 of the warp&apos;s %2</source>
        <translation>Étape %1 sur les %2 du warp</translation>
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
        <translation>%1 selon %2</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grille</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grille</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>B&amp;lock</source>
        <translation>B&amp;loc</translation>
    </message>
    <message>
        <source>&amp;Cover</source>
        <translation>&amp;Couvrir</translation>
    </message>
    <message>
        <source>Make the grid large enough for one thread an element of the buffer that the kernel counts along</source>
        <translation>Agrandir la grille pour avoir un thread par élément du tampon que le kernel parcourt</translation>
    </message>
    <message>
        <source>Cover all elements</source>
        <translation>Couvrir tous les éléments</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Balayage</translation>
    </message>
    <message>
        <source>Compare block sizes: which one is fastest</source>
        <translation>Comparer les tailles de bloc&#x202f;: laquelle est la plus rapide</translation>
    </message>
    <message>
        <source>Compare block sizes</source>
        <translation>Comparer les tailles de bloc</translation>
    </message>
    <message>
        <source>Dynamic shared memory</source>
        <translation>Mémoire partagée dynamique</translation>
    </message>
    <message>
        <source>Dynamic shared memory of a block, in bytes</source>
        <translation>Mémoire partagée dynamique d’un bloc, en octets</translation>
    </message>
    <message>
        <source> B</source>
        <translation> B</translation>
    </message>
    <message>
        <source>Cooper&amp;ative</source>
        <translation>Coopéra&amp;tif</translation>
    </message>
    <message>
        <source>All blocks are resident at once, so that the grid can wait for all of itself</source>
        <translation>Tous les blocs sont résidents en même temps, la grille entière peut donc se synchroniser</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>&amp;Mém. partagée</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>Plus…</translation>
    </message>
    <message>
        <source>Opt&amp;ions</source>
        <translation>Opt&amp;ions</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Répétitions</translation>
    </message>
    <message>
        <source>Measured runs. Each starts from the same inputs.</source>
        <translation>Exécutions mesurées. Chacune part des mêmes entrées.</translation>
    </message>
    <message>
        <source>Warm-up runs</source>
        <translation>Exéc. de préchauffage</translation>
    </message>
    <message>
        <source>Runs before the measured ones</source>
        <translation>Exécutions avant les mesures</translation>
    </message>
    <message>
        <source>Warm-&amp;up</source>
        <translation>Précha&amp;uffage</translation>
    </message>
    <message>
        <source>Chec&amp;k</source>
        <translation>&amp;Vérifier</translation>
    </message>
    <message>
        <source>Re&amp;peats</source>
        <translation>Répétition&amp;s</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Change Cooperative</source>
        <translation>Changer le mode coopératif</translation>
    </message>
    <message>
        <source>Change Launch Options</source>
        <translation>Changer les options de lancement</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>Modifier %1</translation>
    </message>
    <message>
        <source>%1 is %2; it must be at least %3.</source>
        <translation>%1 vaut %2&#x202f;; la valeur doit être au moins %3.</translation>
    </message>
    <message>
        <source>%1 is %2; it can be at most %3.</source>
        <translation>%1 vaut %2&#x202f;; la valeur peut être au plus %3.</translation>
    </message>
    <message>
        <source>The block has %1 threads now, and had %2 with this shared memory.</source>
        <translation>Le bloc a maintenant %1 threads&#x202f;; avec cette mémoire partagée, il en avait %2.</translation>
    </message>
    <message>
        <source>Make it %1 B</source>
        <translation>Passer à %1 B</translation>
    </message>
    <message>
        <source>The kernel has %1 of shared memory of its own: its source may count on a block of %2 threads.</source>
        <translation>Le kernel a lui-même %1 de mémoire partagée&#x202f;: sa source suppose peut-être un bloc de %2 threads.</translation>
    </message>
    <message>
        <source>%1 blocks of %2 = %3</source>
        <translation>%1 blocs de %2 = %3</translation>
    </message>
    <message>
        <source>Adapt Shared Memory</source>
        <translation>Adapter la mémoire partagée</translation>
    </message>
    <message>
        <source>Clusters, preferences of the caches, priority, a cold L2 cache</source>
        <translation>Clusters, préférences de cache, priorité, cache L2 froid</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchOptionsDialog</name>
    <message>
        <source>More shared memory</source>
        <translation>Plus de mémoire partagée</translation>
    </message>
    <message>
        <source>More L1 cache</source>
        <translation>Plus de cache L1</translation>
    </message>
    <message>
        <source>As much of both</source>
        <translation>Autant des deux</translation>
    </message>
    <message>
        <source>As the driver chooses</source>
        <translation>Au choix du pilote</translation>
    </message>
    <message>
        <source>clusters of %1</source>
        <translation>clusters de %1</translation>
    </message>
    <message>
        <source>carve-out %1 %</source>
        <translation>carve-out %1 %</translation>
    </message>
    <message>
        <source>more shared memory</source>
        <translation>plus de mémoire partagée</translation>
    </message>
    <message>
        <source>more L1 cache</source>
        <translation>plus de cache L1</translation>
    </message>
    <message>
        <source>as much of both</source>
        <translation>autant des deux</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>priorité %1</translation>
    </message>
    <message>
        <source>As the kernel and the driver choose</source>
        <translation>Au choix du kernel et du pilote</translation>
    </message>
    <message>
        <source>Launch Options of the Session</source>
        <translation>Options de lancement de la session</translation>
    </message>
    <message>
        <source>as declared, or 2, 1, 1</source>
        <translation>comme déclaré, ou 2, 1, 1</translation>
    </message>
    <message>
        <source>Blocks of a cluster along x, y and z. Clusters need compute capability 9.0.</source>
        <translation>Blocs d’un cluster selon x, y et z. Les clusters exigent la compute capability 9.0.</translation>
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
        <translation>Part du cache L1 d’un multiprocesseur que doit prendre la mémoire partagée. Pour le pilote, ce n’est qu’une préférence.</translation>
    </message>
    <message>
        <source>C&amp;arve-out</source>
        <translation>C&amp;arve-out</translation>
    </message>
    <message>
        <source>What the kernel wants more of. The carve-out outdoes it.</source>
        <translation>Ce dont le kernel veut davantage. Le carve-out l’emporte.</translation>
    </message>
    <message>
        <source>Cac&amp;he</source>
        <translation>Cac&amp;he</translation>
    </message>
    <message>
        <source>Of the stream: a lower number is sooner. A GPU has -5 to 0, for example.</source>
        <translation>Priorité du flux&#x202f;: un nombre plus petit passe plus tôt. Un GPU va par exemple de -5 à 0.</translation>
    </message>
    <message>
        <source>&amp;Priority</source>
        <translation>&amp;Priorité</translation>
    </message>
    <message>
        <source>A cluster is one to three numbers of 1 or more: 2, or 2, 1, 1.</source>
        <translation>Un cluster se compose d’un à trois nombres supérieurs ou égaux à 1&#x202f;: 2, ou 2, 1, 1.</translation>
    </message>
    <message>
        <source>cold L2 cache</source>
        <translation>cache L2 froid</translation>
    </message>
    <message>
        <source>Col&amp;d before each measured run</source>
        <translation>&amp;Froid avant chaque exécution mesurée</translation>
    </message>
    <message>
        <source>Memory of twice the cache&apos;s size is written before each run, so that the kernel finds none of its data there.</source>
        <translation>Avant chaque exécution, une mémoire deux fois plus grande que le cache est écrite, pour que le kernel n’y trouve aucune de ses données.</translation>
    </message>
    <message>
        <source>L2 cache</source>
        <translation>Cache L2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchPanel</name>
    <message>
        <source>Arguments</source>
        <translation>Arguments</translation>
    </message>
    <message>
        <source>Edit Argument…</source>
        <translation>Modifier l’argument…</translation>
    </message>
    <message>
        <source>Take Data from File…</source>
        <translation>Prendre les données d’un fichier…</translation>
    </message>
    <message>
        <source>Add Variable</source>
        <translation>Ajouter une variable</translation>
    </message>
    <message>
        <source>Fill a __constant__ or __device__ variable before a run, and read it after</source>
        <translation>Remplir une variable __constant__ ou __device__ avant une exécution et la lire après</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Use the Suggested Block</source>
        <translation>Utiliser le bloc suggéré</translation>
    </message>
    <message>
        <source>Compile &amp;Options…</source>
        <translation>&amp;Options de compilation…</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Options…</translation>
    </message>
    <message>
        <source>Defines, language standard and other options of this session&apos;s compiler</source>
        <translation>Macros, norme du langage et autres options du compilateur de cette session</translation>
    </message>
    <message>
        <source>C&amp;ompile</source>
        <translation>C&amp;ompilation</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Occupation</translation>
    </message>
    <message>
        <source>What is wrong with the arguments</source>
        <translation>Ce qui ne va pas dans les arguments</translation>
    </message>
    <message>
        <source>One launch</source>
        <translation>Un lancement</translation>
    </message>
    <message>
        <source>Several steps in order</source>
        <translation>Plusieurs étapes à la suite</translation>
    </message>
    <message>
        <source>A kernel once, or several kernels, copies and loops on the same arrays</source>
        <translation>Un kernel une fois, ou plusieurs kernels, copies et boucles sur les mêmes tableaux</translation>
    </message>
    <message>
        <source>What a run does</source>
        <translation>Ce que fait une exécution</translation>
    </message>
    <message>
        <source>Add Array…</source>
        <translation>Ajouter un tableau…</translation>
    </message>
    <message>
        <source>Add Number…</source>
        <translation>Ajouter un nombre…</translation>
    </message>
    <message>
        <source>Add Argument</source>
        <translation>Ajouter un argument</translation>
    </message>
    <message>
        <source>Arrays and numbers that the steps share</source>
        <translation>Tableaux et nombres que les étapes partagent</translation>
    </message>
    <message>
        <source>Run Several Steps</source>
        <translation>Exécuter plusieurs étapes</translation>
    </message>
    <message>
        <source>Run One Launch</source>
        <translation>Exécuter un lancement</translation>
    </message>
    <message>
        <source>Add Array</source>
        <translation>Ajouter un tableau</translation>
    </message>
    <message>
        <source>Add Number</source>
        <translation>Ajouter un nombre</translation>
    </message>
    <message>
        <source>Its name, for the steps:</source>
        <translation>Son nom dans les étapes&#x202f;:</translation>
    </message>
    <message>
        <source>There is an argument %1 already.</source>
        <translation>Il existe déjà un argument %1.</translation>
    </message>
    <message>
        <source>No kernel yet</source>
        <translation>Pas encore de kernel</translation>
    </message>
    <message>
        <source>Write a __global__ function: its parameters appear here as arguments.</source>
        <translation>Écrivez une fonction __global__&#x202f;: ses paramètres apparaissent ici comme arguments.</translation>
    </message>
    <message>
        <source>Change Compile Options</source>
        <translation>Changer les options de compilation</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>variable, size</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>The source has no other variable</source>
        <translation>La source n’a pas d’autre variable</translation>
    </message>
    <message>
        <source>Known after a build (%1)</source>
        <translation>Connues après une compilation (%1)</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>Ajouter %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Retirer %1</translation>
    </message>
    <message>
        <source>Choose Data</source>
        <translation>Choisir les données</translation>
    </message>
    <message>
        <source>No buffer tells how many elements there are.</source>
        <translation>Aucun tampon n’indique combien d’éléments il y a.</translation>
    </message>
    <message>
        <source>Cover All Elements</source>
        <translation>Couvrir tous les éléments</translation>
    </message>
    <message>
        <source>The grid covers %1: %2 elements</source>
        <translation>La grille couvre %1&#x202f;: %2 éléments</translation>
    </message>
    <message>
        <source>Shared memory went with the block: %1</source>
        <translation>La mémoire partagée a suivi le bloc&#x202f;: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1&#x202f;: %2</translation>
    </message>
    <message>
        <source>%1 is a template. Name the instance to run in the kernel box, such as %1&lt;float&gt;.</source>
        <translation>%1 est un template. Indiquez l’instance à exécuter dans le champ du kernel, par exemple %1&lt;float&gt;.</translation>
    </message>
    <message numerus="yes">
        <source>The kernel has %n parameter(s) without an argument.</source>
        <translation>
            <numerusform>Le kernel a %n paramètre sans argument.</numerusform>
            <numerusform>Le kernel a %n paramètres sans argument.</numerusform>
        </translation>
    </message>
    <message>
        <source>Known after a build (%1).</source>
        <translation>Connue après une compilation (%1).</translation>
    </message>
    <message>
        <source>The launch is not possible.</source>
        <translation>Le lancement est impossible.</translation>
    </message>
    <message>
        <source>Known when the worker is back.</source>
        <translation>Connue quand le processus de travail sera de retour.</translation>
    </message>
    <message>
        <source>The device does not tell it for this kernel.</source>
        <translation>Le périphérique n’indique pas l’occupation de ce kernel.</translation>
    </message>
    <message>
        <source>The driver could not load what was built last, or it has no such kernel. A run says which.</source>
        <translation>Le pilote n’a pas pu charger la dernière compilation, ou elle ne contient pas ce kernel. Une exécution dira lequel des deux.</translation>
    </message>
    <message>
        <source>%1 %: %2 of %3 warps</source>
        <translation>%1 %&#x202f;: %2 warps sur %3</translation>
    </message>
    <message>
        <source>, limited by %1</source>
        <translation>, limitée par %1</translation>
    </message>
    <message>
        <source> (estimated: ptxas would know the registers)</source>
        <translation> (estimée&#x202f;: ptxas connaîtrait les registres)</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 threads</translation>
    </message>
    <message>
        <source>Suggested: %1</source>
        <translation>Suggéré&#x202f;: %1</translation>
    </message>
    <message>
        <source>Stopped. A build asks again.</source>
        <translation>Arrêté. Une compilation le redemande.</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>Données (%1);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renommer</translation>
    </message>
    <message>
        <source>Known when %1 is connected.</source>
        <translation>Connue quand %1 est connectée.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LaunchSessionDialog</name>
    <message>
        <source>Make a Session of a Launch</source>
        <translation>Faire une session d’un lancement</translation>
    </message>
    <message>
        <source>The program runs once more, on the software device, with the same arguments. The session gets the data that the launch read, and expects what it left.</source>
        <translation>Le programme s’exécute encore une fois, sur le périphérique logiciel, avec les mêmes arguments. La session reçoit les données que le lancement a lues, et attend ce qu’il a laissé.</translation>
    </message>
    <message>
        <source>Its standard input is empty then.</source>
        <translation>Son entrée standard est alors vide.</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> sur %1</translation>
    </message>
    <message>
        <source>&amp;Launch of %1</source>
        <translation>&amp;Lancement de %1</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Choisir…</translation>
    </message>
    <message>
        <source>F&amp;older</source>
        <translation>D&amp;ossier</translation>
    </message>
    <message>
        <source>&amp;Make Session</source>
        <translation>Créer la se&amp;ssion</translation>
    </message>
    <message>
        <source>warplight-cli, which makes the session, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, qui fait la session, manque à côté de Warplight. Réinstallez-le.</translation>
    </message>
    <message>
        <source>Folder of the Session</source>
        <translation>Dossier de la session</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>The program runs again: %1</source>
        <translation>Le programme s’exécute à nouveau&#x202f;: %1</translation>
    </message>
    <message>
        <source>Stopped. There is no session.</source>
        <translation>Arrêté. Il n’y a pas de session.</translation>
    </message>
    <message>
        <source>warplight-cli ended with the exit code %1.</source>
        <translation>warplight-cli s’est terminé avec le code %1.</translation>
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
        <translation>Grille</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Bloc</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>Lancements</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Total</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
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
        <translation>Périphérique</translation>
    </message>
</context>
<context>
    <name>warplight::ui::LinkBar</name>
    <message>
        <source>Elements that differ</source>
        <translation>Éléments qui diffèrent</translation>
    </message>
    <message>
        <source>Previous element that differs</source>
        <translation>Élément différent précédent</translation>
    </message>
    <message>
        <source>Next element that differs</source>
        <translation>Élément différent suivant</translation>
    </message>
    <message>
        <source>Mark elements that differ</source>
        <translation>Marquer les éléments qui diffèrent</translation>
    </message>
    <message>
        <source>Link cursors: one cursor for all buffers of a shape</source>
        <translation>Lier les curseurs : un seul curseur pour tous les tampons de même forme</translation>
    </message>
    <message>
        <source>%1 differ</source>
        <translation>%1 diffèrent</translation>
    </message>
    <message>
        <source>%1 of %2 elements differ from what they are compared with</source>
        <translation>%1 éléments sur %2 diffèrent de ceux auxquels ils sont comparés</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MachineDialog</name>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Tester</translation>
    </message>
    <message>
        <source>&amp;Install Warplight There…</source>
        <translation>&amp;Installer Warplight là-bas…</translation>
    </message>
    <message>
        <source>Add Machine</source>
        <translation>Ajouter une machine</translation>
    </message>
    <message>
        <source>Its GPUs are used over ssh, with your configuration, keys and known hosts. Sessions run there as they run here; a session never chooses a machine by itself.</source>
        <translation>Ses GPU sont utilisés par ssh, avec votre configuration, vos clés et vos hôtes connus. Les sessions s’y exécutent comme ici ; une session ne choisit jamais elle-même une machine.</translation>
    </message>
    <message>
        <source>user@host</source>
        <translation>utilisateur@hôte</translation>
    </message>
    <message>
        <source>As for ssh: a host, user@host, or a name of ~/.ssh/config</source>
        <translation>Comme pour ssh : un hôte, utilisateur@hôte ou un nom de ~/.ssh/config</translation>
    </message>
    <message>
        <source>As configured for ssh</source>
        <translation>Comme configuré pour ssh</translation>
    </message>
    <message>
        <source>As the address</source>
        <translation>Comme l’adresse</translation>
    </message>
    <message>
        <source>What the machine is called in lists</source>
        <translation>Le nom de la machine dans les listes</translation>
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
        <translation>&amp;Nom</translation>
    </message>
    <message>
        <source>What the test has found</source>
        <translation>Ce que le test a trouvé</translation>
    </message>
    <message>
        <source>Connects, and tells what is there</source>
        <translation>Se connecte et dit ce qui s’y trouve</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>A&amp;jouter</translation>
    </message>
    <message>
        <source>%1 is in the list already.</source>
        <translation>%1 est déjà dans la liste.</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Connexion à %1…</translation>
    </message>
    <message>
        <source>Connected. Looking for devices…</source>
        <translation>Connecté. Recherche de périphériques…</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MachineProbe</name>
    <message>
        <source>%1, compute capability %2, %3</source>
        <translation>%1, capacité de calcul %2, %3</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s driver there has no device.</source>
        <translation>Le pilote de NVIDIA n’y a aucun périphérique.</translation>
    </message>
    <message>
        <source>Connected in %1.</source>
        <translation>Connecté en %1.</translation>
    </message>
    <message>
        <source>Connected in %1. Warplight %2 is there.</source>
        <translation>Connecté en %1. Warplight %2 s’y trouve.</translation>
    </message>
    <message>
        <source>There is no device.</source>
        <translation>Il n’y a aucun périphérique.</translation>
    </message>
    <message>
        <source>No GPU: %1</source>
        <translation>Pas de GPU : %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Machines</name>
    <message>
        <source>The address has a port already; leave the field below as it is.</source>
        <translation>L’adresse a déjà un port ; laissez le champ ci-dessous tel quel.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MainWindow</name>
    <message>
        <source> (read-only)</source>
        <translation> (lecture seule)</translation>
    </message>
    <message>
        <source>%1[*]%2 – Warplight</source>
        <translation>%1[*]%2 – Warplight</translation>
    </message>
    <message>
        <source>nvcc was not found</source>
        <translation>nvcc est introuvable</translation>
    </message>
    <message>
        <source>No CUDA compiler was found</source>
        <translation>Aucun compilateur CUDA trouvé</translation>
    </message>
    <message>
        <source>This session compiles with nvcc. Warplight can download it from NVIDIA; an installed CUDA toolkit is found as well, also through CUDA_PATH.</source>
        <translation>Cette session se compile avec nvcc. Warplight peut le télécharger chez NVIDIA&#x202f;; un toolkit CUDA installé est trouvé aussi, y compris par CUDA_PATH.</translation>
    </message>
    <message>
        <source>Kernels can be written, but not compiled. Warplight can download NVIDIA&apos;s run-time compiler; an installed CUDA toolkit is found as well, also through CUDA_PATH.</source>
        <translation>On peut écrire des kernels, mais pas les compiler. Warplight peut télécharger le compilateur runtime de NVIDIA&#x202f;; un toolkit CUDA installé est trouvé aussi, y compris par CUDA_PATH.</translation>
    </message>
    <message>
        <source>Install…</source>
        <translation>Installer…</translation>
    </message>
    <message>
        <source>&amp;New Session</source>
        <translation>&amp;Nouvelle session</translation>
    </message>
    <message>
        <source>New &amp;Program</source>
        <translation>Nouveau &amp;programme</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Ouvrir…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>Enregi&amp;strer</translation>
    </message>
    <message>
        <source>Save Session &amp;As…</source>
        <translation>Enregistrer l&amp;a session sous…</translation>
    </message>
    <message>
        <source>Save Sou&amp;rce As…</source>
        <translation>Enregistrer la sou&amp;rce sous…</translation>
    </message>
    <message>
        <source>E&amp;xport as a Program…</source>
        <translation>E&amp;xporter comme programme…</translation>
    </message>
    <message>
        <source>Export Repor&amp;t…</source>
        <translation>Exporter le rappor&amp;t…</translation>
    </message>
    <message>
        <source>Restore Ori&amp;ginal…</source>
        <translation>Restaurer l’ori&amp;ginal…</translation>
    </message>
    <message>
        <source>&amp;Close Tab</source>
        <translation>&amp;Fermer l’onglet</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>Undo Launch Change</source>
        <translation>Annuler la modif. du lancement</translation>
    </message>
    <message>
        <source>Redo Launch Change</source>
        <translation>Rétablir la modif. du lancement</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>Ré&amp;glages…</translation>
    </message>
    <message>
        <source>&amp;Command Palette…</source>
        <translation>Palette de &amp;commandes…</translation>
    </message>
    <message>
        <source>Zoom &amp;In</source>
        <translation>Zoom &amp;avant</translation>
    </message>
    <message>
        <source>Zoom &amp;Out</source>
        <translation>Z&amp;oom arrière</translation>
    </message>
    <message>
        <source>&amp;Normal Size</source>
        <translation>Taille &amp;normale</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>Comme le &amp;système</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>C&amp;lair</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>S&amp;ombre</translation>
    </message>
    <message>
        <source>&amp;Build</source>
        <translation>Com&amp;piler</translation>
    </message>
    <message>
        <source>&amp;Check While Typing</source>
        <translation>&amp;Vérifier pendant la saisie</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Exécute&amp;r</translation>
    </message>
    <message>
        <source>Source Is a &amp;Program</source>
        <translation>La source est un &amp;programme</translation>
    </message>
    <message>
        <source>Make It a Program</source>
        <translation>En faire un programme</translation>
    </message>
    <message>
        <source>Make It a Kernel</source>
        <translation>En faire un kernel</translation>
    </message>
    <message>
        <source>Pro&amp;file</source>
        <translation>Pro&amp;filer</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Do Not Profile</source>
        <translation>Ne pas profiler</translation>
    </message>
    <message>
        <source>Count what each line does, in one more run on the software device</source>
        <translation>Compter ce que fait chaque ligne, dans une exécution de plus sur le périphérique logiciel</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Arrêter</translation>
    </message>
    <message>
        <source>Chec&amp;k My Solution</source>
        <translation>&amp;Vérifier ma solution</translation>
    </message>
    <message>
        <source>&amp;Lanes and Memory…</source>
        <translation>V&amp;oies et mémoire…</translation>
    </message>
    <message>
        <source>Co&amp;mpare Block Sizes</source>
        <translation>Co&amp;mparer les tailles de bloc</translation>
    </message>
    <message>
        <source>S&amp;weep…</source>
        <translation>&amp;Balayage…</translation>
    </message>
    <message>
        <source>&amp;Next Pane</source>
        <translation>Volet suiva&amp;nt</translation>
    </message>
    <message>
        <source>&amp;Previous Pane</source>
        <translation>Volet &amp;précédent</translation>
    </message>
    <message>
        <source>&amp;Editor</source>
        <translation>Édit&amp;eur</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>&amp;Rétablir la disposition</translation>
    </message>
    <message>
        <source>&amp;Welcome and Examples</source>
        <translation>&amp;Bienvenue et exemples</translation>
    </message>
    <message>
        <source>User &amp;Guide</source>
        <translation>&amp;Guide d’utilisation</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts</source>
        <translation>&amp;Raccourcis clavier</translation>
    </message>
    <message>
        <source>&amp;About Warplight</source>
        <translation>À propos de W&amp;arplight</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Fichier</translation>
    </message>
    <message>
        <source>Open R&amp;ecent</source>
        <translation>Fichi&amp;ers récents</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Édition</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Affichage</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thème</translation>
    </message>
    <message>
        <source>&amp;Debug</source>
        <translation>&amp;Débogage</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>Fe&amp;nêtre</translation>
    </message>
    <message>
        <source>&amp;Show or Hide</source>
        <translation>Afficher ou ma&amp;squer</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Aid&amp;e</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>Annuler «&#x202f;%1&#x202f;»</translation>
    </message>
    <message>
        <source>Redo “%1”</source>
        <translation>Rétablir «&#x202f;%1&#x202f;»</translation>
    </message>
    <message>
        <source>Nothing was opened yet</source>
        <translation>Rien n’a encore été ouvert</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Vider la liste</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Principale</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
    <message>
        <source>Architecture to compile for</source>
        <translation>Architecture cible de la compilation</translation>
    </message>
    <message>
        <source>Repeats of a run</source>
        <translation>Répétitions d’une exécution</translation>
    </message>
    <message>
        <source>Kernel and device</source>
        <translation>Kernel et périphérique</translation>
    </message>
    <message>
        <source>Choose Device</source>
        <translation>Choisir le périphérique</translation>
    </message>
    <message>
        <source>Choose Architecture</source>
        <translation>Choisir l’architecture</translation>
    </message>
    <message>
        <source>Memory of the selected device</source>
        <translation>Mémoire du périphérique sélectionné</translation>
    </message>
    <message>
        <source>Architecture of the last build</source>
        <translation>Architecture de la dernière compilation</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Aucun problème</translation>
    </message>
    <message>
        <source>Change Repeats</source>
        <translation>Changer les répétitions</translation>
    </message>
    <message>
        <source>The toolbar has %1 repeats; a run has from 1 to %2.</source>
        <translation>La barre d’outils indique %1 répétitions&#x202f;; une exécution en a de 1 à %2.</translation>
    </message>
    <message>
        <source>Best device</source>
        <translation>Meilleur périphérique</translation>
    </message>
    <message>
        <source>Device&apos;s arch</source>
        <translation>Arch. du périphérique</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Software device</source>
        <translation>Périphérique logiciel</translation>
    </message>
    <message>
        <source>%1: not started</source>
        <translation>%1&#x202f;: non démarré</translation>
    </message>
    <message>
        <source>%1: starting</source>
        <translation>%1&#x202f;: démarrage</translation>
    </message>
    <message>
        <source>%1: ready</source>
        <translation>%1&#x202f;: prêt</translation>
    </message>
    <message>
        <source>%1: not available</source>
        <translation>%1&#x202f;: indisponible</translation>
    </message>
    <message>
        <source>%1: working</source>
        <translation>%1&#x202f;: occupé</translation>
    </message>
    <message>
        <source>%1: not running</source>
        <translation>%1&#x202f;: arrêté</translation>
    </message>
    <message>
        <source>Debug again</source>
        <translation>Déboguer à nouveau</translation>
    </message>
    <message>
        <source>The debugged kernel has ended</source>
        <translation>Le kernel débogué est terminé</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>Voir les problèmes</translation>
    </message>
    <message>
        <source>The source does not compile, so it cannot be debugged</source>
        <translation>La source ne se compile pas, elle ne peut donc pas être déboguée</translation>
    </message>
    <message>
        <source>The session cannot be debugged as it is</source>
        <translation>La session ne peut pas être déboguée en l’état</translation>
    </message>
    <message>
        <source>The debugged kernel has failed</source>
        <translation>Le kernel débogué a échoué</translation>
    </message>
    <message>
        <source>The debugger ended</source>
        <translation>Le débogueur s’est arrêté</translation>
    </message>
    <message>
        <source>%1 The session, its results and the breakpoints are as they were.</source>
        <translation>%1 La session, ses résultats et les points d’arrêt sont inchangés.</translation>
    </message>
    <message>
        <source>report</source>
        <comment>part of a file&apos;s name</comment>
        <translation>rapport</translation>
    </message>
    <message>
        <source>Export Report of %1</source>
        <translation>Exporter le rapport&#x202f;: %1</translation>
    </message>
    <message>
        <source>Web pages (*.html);;PDF (*.pdf)</source>
        <translation>Pages web (*.html);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>The report is written</source>
        <translation>Le rapport est écrit</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>The report was not written</source>
        <translation>Le rapport n’a pas été écrit</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>Écriture du rapport</translation>
    </message>
    <message>
        <source>Export as a Program</source>
        <translation>Exporter en programme</translation>
    </message>
    <message>
        <source>The session is exported as it is saved. Save it first?</source>
        <translation>La session est exportée telle qu’elle est enregistrée. L’enregistrer d’abord&#x202f;?</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Modifications non enregistrées</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 contient des modifications non enregistrées.</translation>
    </message>
    <message>
        <source>The file was not opened</source>
        <translation>Le fichier n’a pas été ouvert</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>%1 n’a pas été ouvert</translation>
    </message>
    <message>
        <source>The example was not opened</source>
        <translation>L’exemple n’a pas été ouvert</translation>
    </message>
    <message>
        <source>Another window has this session open</source>
        <translation>Cette session est ouverte dans une autre fenêtre</translation>
    </message>
    <message>
        <source>It is read-only here, so that neither overwrites the other. When the other window has saved or is closed, reload it.</source>
        <translation>Elle est ici en lecture seule, pour qu’aucune des deux fenêtres n’écrase l’autre. Quand l’autre fenêtre l’aura enregistrée ou sera fermée, rechargez-la.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Recharger</translation>
    </message>
    <message>
        <source>Edit anyway</source>
        <translation>Modifier quand même</translation>
    </message>
    <message>
        <source>The other window has closed the session; it can be edited here.</source>
        <translation>L’autre fenêtre a fermé la session. Elle peut être modifiée ici.</translation>
    </message>
    <message>
        <source>The session is read-only</source>
        <translation>La session est en lecture seule</translation>
    </message>
    <message>
        <source>Another window has it open. Save it under another name.</source>
        <translation>Elle est ouverte dans une autre fenêtre. Enregistrez-la sous un autre nom.</translation>
    </message>
    <message>
        <source>The file was not saved</source>
        <translation>Le fichier n’a pas été enregistré</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 enregistré</translation>
    </message>
    <message>
        <source>Save Session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>Warplight sessions (*.warplight)</source>
        <translation>Sessions Warplight (*.warplight)</translation>
    </message>
    <message>
        <source>Changed by another window</source>
        <translation>Modification par une autre fenêtre</translation>
    </message>
    <message>
        <source>%1 was changed by another window or program after it was opened here.</source>
        <translation>Une autre fenêtre ou un autre programme a modifié %1 depuis l’ouverture ici.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> et </translation>
    </message>
    <message>
        <source>Overwrite with what is here, or reload what is on disk and lose the changes here?</source>
        <translation>Écraser avec ce qui est ici, ou recharger ce qui est sur le disque et perdre les modifications faites ici&#x202f;?</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>É&amp;craser</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>&amp;Recharger</translation>
    </message>
    <message>
        <source>The session was not saved</source>
        <translation>La session n’a pas été enregistrée</translation>
    </message>
    <message>
        <source>Save Source</source>
        <translation>Enregistrer la source</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.cuh *.ptx *.h);;All files (*)</source>
        <translation>CUDA et PTX (*.cu *.cuh *.ptx *.h);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Save Source As</source>
        <translation>Enregistrer la source sous</translation>
    </message>
    <message>
        <source>Unsaved work could not be kept in %1</source>
        <translation>Le travail non enregistré n’a pas pu être conservé dans %1</translation>
    </message>
    <message>
        <source>%1, kept %2. The program did not end as it should.</source>
        <translation>%1, conservé le %2. Le programme ne s’est pas terminé normalement.</translation>
    </message>
    <message>
        <source>There is unsaved work from before</source>
        <translation>Il reste du travail non enregistré de la dernière fois</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Restaurer</translation>
    </message>
    <message>
        <source>The unsaved work cannot be read</source>
        <translation>Le travail non enregistré est illisible</translation>
    </message>
    <message>
        <source>Start clean</source>
        <translation>Repartir de zéro</translation>
    </message>
    <message>
        <source>The run is not in the history</source>
        <translation>L’exécution n’est pas dans l’historique</translation>
    </message>
    <message>
        <source>Keep no runs</source>
        <translation>Ne plus rien conserver</translation>
    </message>
    <message>
        <source>The history did not do that</source>
        <translation>L’action sur l’historique a échoué</translation>
    </message>
    <message>
        <source>Another window has it open. Restore the run there.</source>
        <translation>Elle est ouverte dans une autre fenêtre. Restaurez-y l’exécution.</translation>
    </message>
    <message>
        <source>Run %1 is restored, as a session that is not saved</source>
        <translation>L’exécution %1 est restaurée dans une session non enregistrée</translation>
    </message>
    <message>
        <source>Restore Run %1</source>
        <translation>Restaurer l’exécution %1</translation>
    </message>
    <message>
        <source>Run %1 is restored. %2 takes it back.</source>
        <translation>L’exécution %1 est restaurée. %2 annule l’opération.</translation>
    </message>
    <message>
        <source>Text cannot be larger on this screen.</source>
        <translation>Le texte ne peut pas être plus grand sur cet écran.</translation>
    </message>
    <message>
        <source>The original cannot be read</source>
        <translation>L’original est illisible</translation>
    </message>
    <message>
        <source>Nothing differs from the original.</source>
        <translation>Rien ne diffère de l’original.</translation>
    </message>
    <message>
        <source>your changes of %1</source>
        <translation>vos modifications de %1</translation>
    </message>
    <message>
        <source>your changes of kernel, arguments and launch</source>
        <translation>vos modifications du kernel, des arguments et du lancement</translation>
    </message>
    <message>
        <source>your changes of the notes</source>
        <translation>vos modifications des notes</translation>
    </message>
    <message>
        <source>Restore Original</source>
        <translation>Restaurer l’original</translation>
    </message>
    <message>
        <source>The original takes the place of %1.</source>
        <translation>L’original remplace %1.</translation>
    </message>
    <message>
        <source>, and of </source>
        <translation>, ainsi que </translation>
    </message>
    <message>
        <source>Edit › Undo brings them back until the session is closed. The files on disk change when you save.</source>
        <translation>«&#x202f;Édition › Annuler&#x202f;» les ramène tant que la session n’est pas fermée. Les fichiers sur le disque ne changent qu’à l’enregistrement.</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Restaurer</translation>
    </message>
    <message>
        <source>&amp;Keep My Source</source>
        <translation>&amp;Garder ma source</translation>
    </message>
    <message>
        <source>The original is restored. Undo brings your version back.</source>
        <translation>L’original est restauré. «&#x202f;Annuler&#x202f;» ramène votre version.</translation>
    </message>
    <message>
        <source>Ln %1, Col %2</source>
        <translation>L %1, col. %2</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 libres sur %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 erreur</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 erreurs</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 avertissement</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 avertissements</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>no kernel was launched; the program took %1.</source>
        <translation>aucun kernel n’a été lancé. Le programme a duré %1.</translation>
    </message>
    <message>
        <source>no launch ended; the program took %1.</source>
        <translation>aucun lancement ne s’est terminé. Le programme a duré %1.</translation>
    </message>
    <message>
        <source>%1 of %2 took %3, the program %4.</source>
        <translation>%1 de %2 en %3, le programme en %4.</translation>
    </message>
    <message>
        <source>one launch</source>
        <translation>un lancement</translation>
    </message>
    <message>
        <source>%1 launches</source>
        <translation>%1 lancements</translation>
    </message>
    <message>
        <source>one kernel</source>
        <translation>un kernel</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 kernels</translation>
    </message>
    <message>
        <source> The table has the first %1.</source>
        <translation> La table contient les %1 premiers.</translation>
    </message>
    <message>
        <source> One launch had not ended when the program did.</source>
        <translation> Un lancement n’était pas terminé à la fin du programme.</translation>
    </message>
    <message>
        <source> %1 launches had not ended when the program did.</source>
        <translation> %1 lancements n’étaient pas terminés à la fin du programme.</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source> Copies: %1.</source>
        <translation> Copies&#x202f;: %1.</translation>
    </message>
    <message>
        <source> Memory: %1 at most.</source>
        <translation> Mémoire&#x202f;: %1 au plus.</translation>
    </message>
    <message>
        <source> Memory of device %1: %2 at most.</source>
        <translation> Mémoire du périphérique %1&#x202f;: %2 au plus.</translation>
    </message>
    <message>
        <source>illegal instruction</source>
        <translation>instruction illégale</translation>
    </message>
    <message>
        <source>abort() was called, or an assertion failed</source>
        <translation>abort() a été appelé ou une assertion a échoué</translation>
    </message>
    <message>
        <source>it used memory that is not its own</source>
        <translation>accès à une mémoire qui n’est pas la sienne</translation>
    </message>
    <message>
        <source>arithmetic error, such as a division by zero</source>
        <translation>erreur de calcul, par exemple une division par zéro</translation>
    </message>
    <message>
        <source>it was killed, which the system does where memory is short</source>
        <translation>il a été tué, ce que le système fait quand la mémoire manque</translation>
    </message>
    <message>
        <source>it was asked to end</source>
        <translation>il lui a été demandé de se terminer</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>signal %1</translation>
    </message>
    <message>
        <source>There is no nvcc</source>
        <translation>nvcc est introuvable</translation>
    </message>
    <message>
        <source>The program did not start</source>
        <translation>Le programme n’a pas démarré</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>This program may do whatever you may do</source>
        <translation>Ce programme a les mêmes droits que vous</translation>
    </message>
    <message>
        <source>Kernels of a session are confined; a program with main() is not, and what its compile options start neither. Build and run programs of %1 only if you know where they come from.</source>
        <translation>Les kernels d’une session sont confinés. Un programme avec main() ne l’est pas, ni ce que lancent ses options de compilation. Ne compilez et n’exécutez les programmes de %1 que si vous savez d’où ils viennent.</translation>
    </message>
    <message>
        <source>Allow programs of this folder</source>
        <translation>Autoriser les programmes de ce dossier</translation>
    </message>
    <message>
        <source>Don&apos;t allow</source>
        <translation>Ne pas autoriser</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Arrêté</translation>
    </message>
    <message>
        <source>The program was ended after %1.</source>
        <translation>Le programme a été arrêté après %1.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Exécuter à nouveau</translation>
    </message>
    <message>
        <source>%1 crashed: %2</source>
        <translation>%1 a planté&#x202f;: %2</translation>
    </message>
    <message>
        <source>%1 ended with exit code %2</source>
        <translation>%1 s’est terminé avec le code de sortie %2</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%1, après %2</translation>
    </message>
    <message>
        <source>A kernel of the program failed</source>
        <translation>Un kernel du programme a échoué</translation>
    </message>
    <message>
        <source>The program crashed</source>
        <translation>Le programme a planté</translation>
    </message>
    <message>
        <source>Its own messages are in Output.</source>
        <translation>Ses propres messages sont dans «&#x202f;Sortie&#x202f;».</translation>
    </message>
    <message>
        <source>Show output</source>
        <translation>Voir la sortie</translation>
    </message>
    <message>
        <source>Ran %1 in %2</source>
        <translation>%1 exécuté en %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>et %1 de plus</translation>
    </message>
    <message>
        <source>No session may use these.</source>
        <translation>Aucune session ne peut les utiliser.</translation>
    </message>
    <message>
        <source>Allow this only if you know where the session comes from.</source>
        <translation>Ne l’autorisez que si vous savez d’où vient la session.</translation>
    </message>
    <message>
        <source>Allow for this folder</source>
        <translation>Autoriser pour ce dossier</translation>
    </message>
    <message>
        <source>Allow for these folders</source>
        <translation>Autoriser pour ces dossiers</translation>
    </message>
    <message>
        <source>This session reads files outside of its folder</source>
        <translation>Cette session lit des fichiers hors de son dossier</translation>
    </message>
    <message>
        <source>The worker did not answer. It was ended and started again; the session is as it was.</source>
        <translation>Le processus de travail ne répondait pas. Il a été arrêté et relancé. La session est inchangée.</translation>
    </message>
    <message>
        <source>The session and the last results are as they were.</source>
        <translation>La session et les derniers résultats sont inchangés.</translation>
    </message>
    <message>
        <source>the GPU</source>
        <translation>du GPU</translation>
    </message>
    <message>
        <source>the software device</source>
        <translation>du périphérique logiciel</translation>
    </message>
    <message>
        <source>The worker of %1 ended while nothing ran</source>
        <translation>Le processus de travail %1 s’est terminé alors que rien ne s’exécutait</translation>
    </message>
    <message>
        <source>It %1. Another one is started. The session is as it was, and the last results are kept.</source>
        <translation>Il %1. Un autre est lancé. La session est inchangée et les derniers résultats sont conservés.</translation>
    </message>
    <message>
        <source>is gone</source>
        <translation>a disparu</translation>
    </message>
    <message>
        <source>Built in %1%2</source>
        <translation>Compilé en %1%2</translation>
    </message>
    <message>
        <source> (cached)</source>
        <translation> (cache)</translation>
    </message>
    <message>
        <source>The worker ended during the run</source>
        <translation>Le processus de travail s’est terminé pendant l’exécution</translation>
    </message>
    <message>
        <source>The worker ended during the build</source>
        <translation>Le processus de travail s’est terminé pendant la compilation</translation>
    </message>
    <message>
        <source>The run did not start</source>
        <translation>L’exécution n’a pas démarré</translation>
    </message>
    <message>
        <source>The build did not start</source>
        <translation>La compilation n’a pas démarré</translation>
    </message>
    <message>
        <source>It %1. Another one is started. The session and the last results are as they were.</source>
        <translation>Il %1. Un autre est lancé. La session et les derniers résultats sont inchangés.</translation>
    </message>
    <message>
        <source>Build again</source>
        <translation>Recompiler</translation>
    </message>
    <message>
        <source>The worker cannot be started</source>
        <translation>Le processus de travail ne peut pas être lancé</translation>
    </message>
    <message>
        <source>Something else runs.</source>
        <translation>Une autre tâche est en cours.</translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation>Recherche d’un GPU</translation>
    </message>
    <message>
        <source>The launch cannot work as it is</source>
        <translation>Le lancement est impossible en l’état</translation>
    </message>
    <message>
        <source>Show launch</source>
        <translation>Voir le lancement</translation>
    </message>
    <message>
        <source>Ran %1</source>
        <translation>%1 exécuté</translation>
    </message>
    <message>
        <source> in %1 (kernel)</source>
        <translation> en %1 (kernel)</translation>
    </message>
    <message>
        <source>, results as expected</source>
        <translation>, résultats conformes</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements differ, the first at %4: %5 instead of %6</source>
        <translation>%1&#x202f;: %2 éléments sur %3 diffèrent, le premier à %4&#x202f;: %5 au lieu de %6</translation>
    </message>
    <message>
        <source>It ran, but a result is not as expected</source>
        <translation>Exécuté, mais un résultat n’est pas conforme</translation>
    </message>
    <message>
        <source>Show buffers</source>
        <translation>Voir les tampons</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>%1 line %2: %3</source>
        <translation>%1, ligne %2&#x202f;: %3</translation>
    </message>
    <message>
        <source>The results are doubtful: accesses that were wrong were left out.</source>
        <translation>Les résultats sont douteux&#x202f;: les accès erronés ont été omis.</translation>
    </message>
    <message>
        <source>The results are doubtful: they may depend on which thread was first.</source>
        <translation>Les résultats sont douteux&#x202f;: ils peuvent dépendre du thread arrivé en premier.</translation>
    </message>
    <message>
        <source>It ran, but its checks found mistakes</source>
        <translation>Exécuté, mais les vérifications ont trouvé des erreurs</translation>
    </message>
    <message>
        <source>There is no compiler</source>
        <translation>Aucun compilateur</translation>
    </message>
    <message>
        <source>The source does not compile</source>
        <translation>La source ne compile pas</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Annulé</translation>
    </message>
    <message>
        <source>It ran; a result could not be saved</source>
        <translation>Exécuté, mais un résultat n’a pas pu être enregistré</translation>
    </message>
    <message>
        <source>The session cannot be run as it is</source>
        <translation>La session ne peut pas être exécutée en l’état</translation>
    </message>
    <message>
        <source>The kernel failed</source>
        <translation>Le kernel a échoué</translation>
    </message>
    <message>
        <source>The kernel did not run</source>
        <translation>Le kernel n’a pas été exécuté</translation>
    </message>
    <message>
        <source>A result would replace a file that this session has not written</source>
        <translation>Un résultat remplacerait un fichier que cette session n’a pas écrit</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Le remplacer</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Le garder</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>The instructions of a GPU, for any architecture that the compiler knows</source>
        <translation>Les instructions d’un GPU, pour toute architecture que le compilateur connaît</translation>
    </message>
    <message>
        <source>Explorer</source>
        <translation>Explorateur</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Lancement</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problèmes</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Tampons</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Fonction</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Débogage</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notes</translation>
    </message>
    <message>
        <source>Sessions and sources (*.warplight *.cu *.cuh *.ptx *.h *.hpp);;Data (%1);;All files (*)</source>
        <translation>Sessions et sources (*.warplight *.cu *.cuh *.ptx *.h *.hpp);;Données (%1);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Session Propert&amp;ies…</source>
        <translation>Propr&amp;iétés de la session…</translation>
    </message>
    <message>
        <source>E&amp;dit Exercise…</source>
        <translation>Mo&amp;difier l’exercice…</translation>
    </message>
    <message>
        <source>Change Properties</source>
        <translation>Modifier les propriétés</translation>
    </message>
    <message>
        <source>Change Exercise</source>
        <translation>Modifier l’exercice</translation>
    </message>
    <message>
        <source>Com&amp;pare Source With</source>
        <translation>Comparer la &amp;source avec</translation>
    </message>
    <message>
        <source>Starting the debugger</source>
        <translation>Démarrage du débogueur</translation>
    </message>
    <message>
        <source>The debugged kernel runs</source>
        <translation>Le kernel débogué s’exécute</translation>
    </message>
    <message>
        <source>%1 is open in another tab. Close it there, or choose another name.</source>
        <translation>%1 est ouvert dans un autre onglet. Fermez-le là-bas, ou choisissez un autre nom.</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>En cours</translation>
    </message>
    <message>
        <source>New Ta&amp;b</source>
        <translation>Nou&amp;vel onglet</translation>
    </message>
    <message>
        <source>New &amp;Window</source>
        <translation>No&amp;uvelle fenêtre</translation>
    </message>
    <message>
        <source>Clos&amp;e Session</source>
        <translation>Fer&amp;mer la session</translation>
    </message>
    <message>
        <source>C&amp;lose Window</source>
        <translation>Fermer &amp;la fenêtre</translation>
    </message>
    <message>
        <source>Ne&amp;xt Session</source>
        <translation>Session suivan&amp;te</translation>
    </message>
    <message>
        <source>Previo&amp;us Session</source>
        <translation>Session pré&amp;cédente</translation>
    </message>
    <message>
        <source>&amp;Move to New Window</source>
        <translation>&amp;Déplacer vers une nouvelle fenêtre</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Bienvenue</translation>
    </message>
    <message>
        <source>The Version on &amp;Disk</source>
        <translation>La version sur le &amp;disque</translation>
    </message>
    <message>
        <source>Another &amp;File…</source>
        <translation>Un autre &amp;fichier…</translation>
    </message>
    <message>
        <source>&amp;End Comparison</source>
        <translation>Terminer la co&amp;mparaison</translation>
    </message>
    <message>
        <source>Other tabs</source>
        <translation>Autres onglets</translation>
    </message>
    <message>
        <source>No other session is open</source>
        <translation>Aucune autre session n’est ouverte</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>Exécutions de cette session</translation>
    </message>
    <message>
        <source>Looking for runs</source>
        <translation>Recherche des exécutions</translation>
    </message>
    <message>
        <source>No run is kept</source>
        <translation>Aucune exécution n’est conservée</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2&#x202f;: %3</translation>
    </message>
    <message>
        <source>%1 on disk</source>
        <translation>%1 sur le disque</translation>
    </message>
    <message>
        <source>There is no version on disk</source>
        <translation>Il n’y a pas de version sur le disque</translation>
    </message>
    <message>
        <source>The source was never saved.</source>
        <translation>La source n’a jamais été enregistrée.</translation>
    </message>
    <message>
        <source>Compare With</source>
        <translation>Comparer avec</translation>
    </message>
    <message>
        <source>CUDA and PTX (*.cu *.cuh *.ptx *.h *.hpp);;All files (*)</source>
        <translation>CUDA et PTX (*.cu *.cuh *.ptx *.h *.hpp);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Tab %1</source>
        <translation>Onglet %1</translation>
    </message>
    <message>
        <source>The run cannot be read</source>
        <translation>L’exécution ne peut pas être lue</translation>
    </message>
    <message>
        <source>The source is not saved</source>
        <translation>La source n’est pas enregistrée</translation>
    </message>
    <message>
        <source>The session gets the source as it is in its file.</source>
        <translation>La session reçoit la source telle qu’elle est dans son fichier.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>The program has changed since this run</source>
        <translation>Le programme a changé depuis cette exécution</translation>
    </message>
    <message>
        <source>Run it again, and choose the launch in its new run.</source>
        <translation>Exécutez-le à nouveau, et choisissez le lancement dans la nouvelle exécution.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Exécuter</translation>
    </message>
    <message>
        <source>A session of the launch</source>
        <translation>Une session du lancement</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>Ouverture de %1</translation>
    </message>
    <message>
        <source>Stopped waiting</source>
        <translation>Attente arrêtée</translation>
    </message>
    <message>
        <source>Waiting for “%1”, which runs in another tab</source>
        <translation>En attente de « %1 », qui s’exécute dans un autre onglet</translation>
    </message>
    <message>
        <source>Add Machi&amp;ne…</source>
        <translation>Ajouter u&amp;ne machine…</translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation>Se connecter à %1</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU on %1</source>
        <translation>GPU sur %1</translation>
    </message>
    <message>
        <source>Software device on %1</source>
        <translation>Périphérique logiciel sur %1</translation>
    </message>
    <message>
        <source>%1: not connected</source>
        <translation>%1 : non connecté</translation>
    </message>
    <message>
        <source>%1: connecting</source>
        <translation>%1 : connexion</translation>
    </message>
    <message>
        <source>%1: connection lost</source>
        <translation>%1 : connexion perdue</translation>
    </message>
    <message>
        <source>Lost %1 s ago. Trying again.</source>
        <translation>Perdue depuis %1 s. Nouvel essai en cours.</translation>
    </message>
    <message>
        <source>Remove Machine</source>
        <translation>Supprimer la machine</translation>
    </message>
    <message>
        <source>Remove %1 from the list?</source>
        <translation>Supprimer %1 de la liste ?</translation>
    </message>
    <message>
        <source>It is disconnected. What is installed and stored there stays; “warplight-cli remote clean” and “remote uninstall” remove it.</source>
        <translation>Elle est déconnectée. Ce qui y est installé et stocké reste ; « warplight-cli remote clean » et « remote uninstall » le suppriment.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Supprimer</translation>
    </message>
    <message>
        <source>The machine was not removed</source>
        <translation>La machine n’a pas été supprimée</translation>
    </message>
    <message>
        <source>The connection to %1 is lost</source>
        <translation>La connexion à %1 est perdue</translation>
    </message>
    <message>
        <source>The run goes on there, and its results are taken when the connection is back. Warplight keeps trying.</source>
        <translation>L’exécution continue là-bas, et ses résultats sont repris quand la connexion revient. Warplight continue d’essayer.</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Arrêter l’exécution</translation>
    </message>
    <message>
        <source>Connected to %1 again</source>
        <translation>De nouveau connecté à %1</translation>
    </message>
    <message>
        <source>The run on %1 is lost</source>
        <translation>L’exécution sur %1 est perdue</translation>
    </message>
    <message>
        <source>The build on %1 is lost</source>
        <translation>La compilation sur %1 est perdue</translation>
    </message>
    <message>
        <source>The run did not start: %1 cannot be reached</source>
        <translation>L’exécution n’a pas démarré : %1 est injoignable</translation>
    </message>
    <message>
        <source>The build did not start: %1 cannot be reached</source>
        <translation>La compilation n’a pas démarré : %1 est injoignable</translation>
    </message>
    <message>
        <source>Install there…</source>
        <translation>Installer là-bas…</translation>
    </message>
    <message>
        <source>Rename Machine</source>
        <translation>Renommer la machine</translation>
    </message>
    <message>
        <source>Name of %1; without one it is called by its address:</source>
        <translation>Nom de %1&#x202f;; sans nom, la machine porte celui de son adresse&#x202f;:</translation>
    </message>
    <message>
        <source>What runs there goes on, and the next run begins when the connection is back. Warplight keeps trying.</source>
        <translation>Ce qui s’exécute là-bas continue, et l’exécution suivante commence quand la connexion revient. Warplight continue d’essayer.</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>Arrêter le balayage</translation>
    </message>
    <message>
        <source>Stop checking</source>
        <translation>Arrêter la vérification</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>%1 est injoignable</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MemberBox</name>
    <message>
        <source>the only array</source>
        <translation>le seul tableau</translation>
    </message>
    <message>
        <source>choose one</source>
        <translation>en choisir un</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MemoryPage</name>
    <message>
        <source>Pointer, array or address</source>
        <translation>Pointeur, tableau ou adresse</translation>
    </message>
    <message>
        <source>Memory to show</source>
        <translation>Mémoire à afficher</translation>
    </message>
    <message>
        <source>Type of the elements</source>
        <translation>Type des éléments</translation>
    </message>
    <message>
        <source>Number of elements</source>
        <translation>Nombre d’éléments</translation>
    </message>
    <message>
        <source>Ways to look at the memory</source>
        <translation>Vues de la mémoire</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Table</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>Hexa</translation>
    </message>
    <message>
        <source>Choose Show Memory of a pointer or an array in Variables, or type one above.</source>
        <translation>Choisissez «&#x202f;Afficher la mémoire&#x202f;» sur un pointeur ou un tableau dans «&#x202f;Variables&#x202f;», ou saisissez-en un ci-dessus.</translation>
    </message>
    <message>
        <source>%1 is not in memory.</source>
        <translation>%1 n’est pas en mémoire.</translation>
    </message>
    <message>
        <source>There is not enough memory for an element.</source>
        <translation>Il n’y a pas assez de mémoire pour un élément.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::MismatchModel</name>
    <message>
        <source>Index</source>
        <translation>Indice</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Actual</source>
        <translation>Obtenu</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>Attendu</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>Erreur absolue</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>Erreur relative</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Champ</translation>
    </message>
</context>
<context>
    <name>warplight::ui::NotesPanel</name>
    <message>
        <source>Restore Original…</source>
        <translation>Restaurer l’original…</translation>
    </message>
    <message>
        <source>Write notes</source>
        <translation>Écrire des notes</translation>
    </message>
    <message>
        <source>Notes in Markdown</source>
        <translation>Notes en Markdown</translation>
    </message>
    <message>
        <source>Markdown: # Heading, **bold**, `code`, - list</source>
        <translation>Markdown&#x202f;: # Titre, **gras**, `code`, - liste</translation>
    </message>
    <message>
        <source>Bring source, session and notes back to how they came with Warplight</source>
        <translation>Rétablir le source, la session et les notes fournis avec Warplight</translation>
    </message>
    <message>
        <source>The notes are not shown: their file lies outside of the session&apos;s folder. Move it there.</source>
        <translation>Les notes ne sont pas affichées&#x202f;: leur fichier est hors du dossier de la session. Déplacez-le dans ce dossier.</translation>
    </message>
    <message>
        <source>The notes cannot be read. %1</source>
        <translation>Les notes sont illisibles. %1</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Terminer</translation>
    </message>
    <message>
        <source>Edit Notes</source>
        <translation>Modifier les notes</translation>
    </message>
    <message>
        <source>No notes</source>
        <translation>Aucune note</translation>
    </message>
    <message>
        <source>Notes explain a session: what it shows, what to try, how to solve it.</source>
        <translation>Les notes expliquent une session&#x202f;: ce qu’elle montre, ce qu’il faut essayer, comment la résoudre.</translation>
    </message>
    <message>
        <source>The link leads out of the session&apos;s folder, so it is not opened.</source>
        <translation>Le lien sort du dossier de la session, il n’est donc pas ouvert.</translation>
    </message>
    <message>
        <source>Only links to web pages and to files of the session are opened.</source>
        <translation>Seuls les liens vers des pages web et des fichiers de la session sont ouverts.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::NotesView</name>
    <message>
        <source>Notes</source>
        <translation>Notes</translation>
    </message>
</context>
<context>
    <name>warplight::ui::OutputPanel</name>
    <message>
        <source>What to show</source>
        <translation>Éléments à afficher</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tout</translation>
    </message>
    <message>
        <source>Printed</source>
        <translation>Affiché</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Compilation</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Processus</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtrer</translation>
    </message>
    <message>
        <source>Filter lines</source>
        <translation>Filtrer les lignes</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Heures</translation>
    </message>
    <message>
        <source>Show when each line came</source>
        <translation>Afficher l’heure d’arrivée de chaque ligne</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Suivre</translation>
    </message>
    <message>
        <source>Keep the last line in view</source>
        <translation>Garder la dernière ligne visible</translation>
    </message>
    <message>
        <source>&amp;Clear Output</source>
        <translation>&amp;Effacer la sortie</translation>
    </message>
    <message>
        <source>&amp;Save Output…</source>
        <translation>Enregi&amp;strer la sortie…</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Sortie</translation>
    </message>
    <message>
        <source>Input for the program; Enter sends it</source>
        <translation>Entrée du programme. Enter l’envoie</translation>
    </message>
    <message>
        <source>Input for the program</source>
        <translation>Entrée du programme</translation>
    </message>
    <message>
        <source>End of Input</source>
        <translation>Fin de l’entrée</translation>
    </message>
    <message>
        <source>The program reads the end of its standard input (Ctrl+D)</source>
        <translation>Le programme lit la fin de son entrée standard (Ctrl+D)</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>Compilé</translation>
    </message>
    <message>
        <source>Build failed</source>
        <translation>Échec de compilation</translation>
    </message>
    <message>
        <source>from the cache</source>
        <translation>depuis le cache</translation>
    </message>
    <message>
        <source>No output yet</source>
        <translation>Pas encore de sortie</translation>
    </message>
    <message>
        <source>What kernels and programs print, and the log of each build, appears here.</source>
        <translation>Ce qu’affichent les kernels et les programmes et le journal de chaque compilation apparaissent ici.</translation>
    </message>
    <message>
        <source>The output could not be written to %1: %2.</source>
        <translation>La sortie n’a pas pu être écrite dans %1&#x202f;: %2.</translation>
    </message>
    <message>
        <source>Save Output</source>
        <translation>Enregistrer la sortie</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PipelinePage</name>
    <message>
        <source>Launch a &amp;Kernel</source>
        <translation>Lancer un &amp;kernel</translation>
    </message>
    <message>
        <source>&amp;Copy an Array</source>
        <translation>&amp;Copier un tableau</translation>
    </message>
    <message>
        <source>&amp;Fill an Array</source>
        <translation>&amp;Remplir un tableau</translation>
    </message>
    <message>
        <source>&amp;Swap Two Arrays</source>
        <translation>Éc&amp;hanger deux tableaux</translation>
    </message>
    <message>
        <source>&amp;Loop</source>
        <translation>&amp;Boucle</translation>
    </message>
    <message>
        <source>Edit Step…</source>
        <translation>Modifier l’étape…</translation>
    </message>
    <message>
        <source>Duplicate Step</source>
        <translation>Dupliquer l’étape</translation>
    </message>
    <message>
        <source>Remove Step</source>
        <translation>Supprimer l’étape</translation>
    </message>
    <message>
        <source>Move Step Up</source>
        <translation>Monter l’étape</translation>
    </message>
    <message>
        <source>Move Step Down</source>
        <translation>Descendre l’étape</translation>
    </message>
    <message>
        <source>Before the step above it, out of a loop, or into the one above (Alt+Up)</source>
        <translation>Avant l’étape du dessus, hors d’une boucle ou dans celle du dessus (Alt+Up)</translation>
    </message>
    <message>
        <source>Behind the step below it, out of a loop, or into the one below (Alt+Down)</source>
        <translation>Après l’étape du dessous, hors d’une boucle ou dans celle du dessous (Alt+Down)</translation>
    </message>
    <message>
        <source>Add Step</source>
        <translation>Ajouter une étape</translation>
    </message>
    <message>
        <source>Behind the selected step, or into the selected loop</source>
        <translation>Après l’étape sélectionnée, ou dans la boucle sélectionnée</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Étape</translation>
    </message>
    <message>
        <source>What it is given</source>
        <translation>Ce qu’elle reçoit</translation>
    </message>
    <message>
        <source>Steps of the pipeline</source>
        <translation>Étapes de la pipeline</translation>
    </message>
    <message>
        <source>One launch after the other</source>
        <translation>Lancements successifs</translation>
    </message>
    <message>
        <source>A CUDA graph</source>
        <translation>Graphe CUDA</translation>
    </message>
    <message>
        <source>A graph saves the host&apos;s work for each launch. Results are the same.</source>
        <translation>Un graphe épargne à l’hôte le travail de chaque lancement. Les résultats sont les mêmes.</translation>
    </message>
    <message>
        <source>Run as</source>
        <translation>Exécuter comme</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Images</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Répétitions</translation>
    </message>
    <message>
        <source>Move Step</source>
        <translation>Déplacer l’étape</translation>
    </message>
    <message>
        <source>Change How Steps Run</source>
        <translation>Modifier l’exécution des étapes</translation>
    </message>
    <message>
        <source>Array that is kept as frames</source>
        <translation>Tableau conservé sous forme d’images</translation>
    </message>
    <message>
        <source>Keeps the array now and then. Buffers plays what was kept.</source>
        <translation>Conserve le tableau de temps en temps. «&#x202f;Tampons&#x202f;» lit ce qui a été conservé.</translation>
    </message>
    <message>
        <source>every </source>
        <translation>tous les </translation>
    </message>
    <message>
        <source>Rounds from one frame to the next</source>
        <translation>Tours d’une image à la suivante</translation>
    </message>
    <message>
        <source>at most </source>
        <translation>au plus </translation>
    </message>
    <message>
        <source>Most frames that are kept</source>
        <translation>Nombre maximal d’images conservées</translation>
    </message>
    <message>
        <source>Measured runs. Each starts from the same inputs.</source>
        <translation>Exécutions mesurées. Chacune part des mêmes entrées.</translation>
    </message>
    <message>
        <source>warm-up </source>
        <translation>préchauffage </translation>
    </message>
    <message>
        <source>Warm-up runs</source>
        <translation>Exéc. de préchauffage</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Vérifier</translation>
    </message>
    <message>
        <source>Change Repeats</source>
        <translation>Changer les répétitions</translation>
    </message>
    <message>
        <source>Change Warm-up</source>
        <translation>Modifier le préchauffage</translation>
    </message>
    <message>
        <source>Edit Step</source>
        <translation>Modifier l’étape</translation>
    </message>
    <message>
        <source>Change Frames</source>
        <translation>Modifier les images</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>Cold L2</source>
        <translation>L2 froid</translation>
    </message>
    <message>
        <source>Memory of twice the L2 cache&apos;s size is written before each run, so that the pipeline finds none of its data there.</source>
        <translation>Avant chaque exécution, une mémoire deux fois plus grande que le cache L2 est écrite, pour que le pipeline n’y trouve aucune de ses données.</translation>
    </message>
    <message>
        <source>Change Cold L2</source>
        <translation>Modifier le L2 froid</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PlaneBox</name>
    <message>
        <source>Plane</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>The faces of the cubemap: +x, -x, +y, -y, +z, -z</source>
        <translation>Les faces de la cubemap&#x202f;: +x, -x, +y, -y, +z, -z</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Coupe</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Couche</translation>
    </message>
    <message>
        <source>Face</source>
        <translation>Face</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>Face +x</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Cube %1, %2</source>
        <comment>Cube 2, +x</comment>
        <translation>Cube %1, %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PlotPage</name>
    <message>
        <source>Show All</source>
        <translation>Tout afficher</translation>
    </message>
    <message>
        <source>Show the whole buffer (Home)</source>
        <translation>Afficher tout le tampon (Home)</translation>
    </message>
    <message>
        <source>Select several buffers in the list to see them together.</source>
        <translation>Sélectionnez plusieurs tampons dans la liste pour les voir ensemble.</translation>
    </message>
    <message>
        <source>plot</source>
        <translation>courbe</translation>
    </message>
    <message>
        <source>Not shown, no numbers: %1</source>
        <translation>Non affichés, pas de nombres&#x202f;: %1</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>from index</source>
        <translation>indice de début</translation>
    </message>
    <message>
        <source>to index</source>
        <translation>indice de fin</translation>
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
        <translation>Courbe du tampon ; les flèches déplacent la ligne de lecture, Entrée choisit son élément, plus et moins zooment</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProblemsModel</name>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Ligne</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Colonne</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Origine</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProblemsPanel</name>
    <message>
        <source>Errors</source>
        <translation>Erreurs</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Avertissements</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notes</translation>
    </message>
    <message>
        <source>Show or hide: %1</source>
        <translation>Afficher ou masquer&#x202f;: %1</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Show or hide what the two threads of a finding did</source>
        <translation>Afficher ou masquer ce que faisaient les deux threads d’un constat</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtrer</translation>
    </message>
    <message>
        <source>Filter problems</source>
        <translation>Filtrer les problèmes</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Problèmes</translation>
    </message>
    <message>
        <source>&amp;Copy Message</source>
        <translation>&amp;Copier le message</translation>
    </message>
    <message>
        <source>&amp;Next Problem</source>
        <translation>Problème &amp;suivant</translation>
    </message>
    <message>
        <source>&amp;Previous Problem</source>
        <translation>Problème préc&amp;édent</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 erreur</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 erreurs</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 avertissement</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 avertissements</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 note</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 notes</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Aucun problème</translation>
    </message>
    <message>
        <source>The last build and run had nothing to report.</source>
        <translation>La dernière compilation et la dernière exécution n’ont rien signalé.</translation>
    </message>
    <message>
        <source>Nothing built yet</source>
        <translation>Rien de compilé</translation>
    </message>
    <message>
        <source>Open an example or a kernel, or begin a new one: what the compiler says of it appears here.</source>
        <translation>Ouvrez un exemple ou un kernel, ou commencez-en un nouveau. Ce qu’en dit le compilateur apparaît ici.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see what the compiler says of it.</source>
        <translation>Compilez le kernel (%1) pour voir ce qu’en dit le compilateur.</translation>
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
        <translation>Ligne</translation>
    </message>
    <message>
        <source>The line of the source that the instructions were written in.</source>
        <translation>La ligne de la source d’où viennent les instructions.</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruction</translation>
    </message>
    <message>
        <source>The line of the PTX, and the instruction there.</source>
        <translation>La ligne du PTX, et l’instruction qui s’y trouve.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>The line as it was when the kernel ran.</source>
        <translation>La ligne telle qu’elle était à l’exécution du kernel.</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Coût</translation>
    </message>
    <message>
        <source>Share of the kernel&apos;s executions, sectors and wavefronts; a sector or a wavefront counts as %1 executions. This is work, not time.</source>
        <translation>Part des exécutions, secteurs et wavefronts du kernel. Un secteur ou un wavefront compte pour %1 exécutions. C’est du travail, pas du temps.</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Exécutions</translation>
    </message>
    <message>
        <source>Times that a warp executed an instruction of the line.</source>
        <translation>Nombre de fois qu’un warp a exécuté une instruction de la ligne.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads of a warp that took part, on average. At most 32.</source>
        <translation>Threads d’un warp qui ont participé, en moyenne. Au plus 32.</translation>
    </message>
    <message>
        <source>Divergent</source>
        <translation>Divergentes</translation>
    </message>
    <message>
        <source>Executions of a branch from which the threads of a warp went two ways.</source>
        <translation>Exécutions d’un branchement où les threads d’un warp ont pris deux chemins.</translation>
    </message>
    <message>
        <source>Sectors</source>
        <translation>Secteurs</translation>
    </message>
    <message>
        <source>32-byte sectors of global memory that an access of a warp touches / the fewest possible.</source>
        <translation>Secteurs de 32 octets de mémoire globale que touche un accès d’un warp / le minimum possible.</translation>
    </message>
    <message>
        <source>Wavefronts</source>
        <translation>Wavefronts</translation>
    </message>
    <message>
        <source>Passes through the banks of shared memory that an access of a warp takes / the fewest possible.</source>
        <translation>Passages dans les bancs de la mémoire partagée que prend un accès d’un warp / le minimum possible.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>Bytes that threads asked global memory for.</source>
        <translation>Octets que les threads ont demandés à la mémoire globale.</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Opérations</translation>
    </message>
    <message>
        <source>Arithmetic operations of all threads, of floating point and of integers. A fused multiply-add is two.</source>
        <translation>Opérations arithmétiques de tous les threads, flottantes et entières. Une multiplication-addition fusionnée compte pour deux.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProfilePanel</name>
    <message>
        <source>Lines</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>PTX instructions</source>
        <translation>Instructions PTX</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>Lignes de la table</translation>
    </message>
    <message>
        <source>Colour lines in the editor by</source>
        <translation>Colorer les lignes de l’éditeur selon</translation>
    </message>
    <message>
        <source>What the colours beside the lines in the editor stand for</source>
        <translation>Ce que représentent les couleurs à côté des lignes dans l’éditeur</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Afficher</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Colorer selon</translation>
    </message>
    <message>
        <source>Totals of the kernel</source>
        <translation>Totaux du kernel</translation>
    </message>
    <message>
        <source>Profile by line</source>
        <translation>Profil par ligne</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>Indices</translation>
    </message>
    <message>
        <source>GPU to compare with</source>
        <translation>GPU à comparer</translation>
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
        <translation>Profiler le kernel</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>&amp;Lanes and Memory…</source>
        <translation>V&amp;oies et mémoire…</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>Aucun profil</translation>
    </message>
    <message>
        <source>Kernels of sessions are profiled, and programs are not.</source>
        <translation>Les kernels des sessions sont profilés, les programmes ne le sont pas.</translation>
    </message>
    <message>
        <source>No profile yet</source>
        <translation>Pas encore de profil</translation>
    </message>
    <message>
        <source>A profile tells how often each line is executed, with how many threads, and how well it uses memory. It is counted on the software device, whatever device runs the kernel.</source>
        <translation>Un profil indique combien de fois chaque ligne est exécutée, avec combien de threads, et si elle utilise bien la mémoire. Le comptage se fait sur le périphérique logiciel, quel que soit celui qui exécute le kernel.</translation>
    </message>
    <message>
        <source>The last run failed before its kernel could be profiled.</source>
        <translation>La dernière exécution a échoué avant que son kernel ait pu être profilé.</translation>
    </message>
    <message>
        <source>The last run was not profiled</source>
        <translation>La dernière exécution n’a pas été profilée</translation>
    </message>
    <message>
        <source>Run it with Profile to see what each line does. It is counted on the software device, whatever device runs the kernel.</source>
        <translation>Exécutez-le avec «&#x202f;Profil&#x202f;» pour voir ce que fait chaque ligne. Le comptage se fait sur le périphérique logiciel, quel que soit celui qui exécute le kernel.</translation>
    </message>
    <message>
        <source>%1 executions by %2 warps</source>
        <translation>%1 exécutions par %2 warps</translation>
    </message>
    <message>
        <source>%1 of 32 threads</source>
        <translation>%1 threads sur 32</translation>
    </message>
    <message>
        <source>%1B of memory by threads, %2B by sectors</source>
        <translation>%1B de mémoire selon les threads, %2B selon les secteurs</translation>
    </message>
    <message>
        <source>%1FLOP, %2 a byte</source>
        <translation>%1FLOP, %2 par octet</translation>
    </message>
    <message>
        <source>%1FLOP</source>
        <translation>%1FLOP</translation>
    </message>
    <message>
        <source>%1B/s and %2FLOP/s measured</source>
        <translation>%1B/s et %2FLOP/s mesurés</translation>
    </message>
    <message>
        <source>Counts are those of the software device. The speed is that of %1, by the median of the measured runs.</source>
        <translation>Les comptages sont ceux du périphérique logiciel. La vitesse est celle de %1, d’après la médiane des exécutions mesurées.</translation>
    </message>
    <message>
        <source>%1 blocks are missing: their threads did more than could be kept.</source>
        <translation>%1 blocs manquent&#x202f;: leurs threads ont fait plus que ce qui pouvait être conservé.</translation>
    </message>
    <message>
        <source>The source has changed since this run. Lines and their numbers are those of the run.</source>
        <translation>La source a changé depuis cette exécution. Les lignes et leurs numéros sont ceux de l’exécution.</translation>
    </message>
    <message>
        <source>Hints (%1)</source>
        <translation>Indices (%1)</translation>
    </message>
    <message>
        <source>Line %1 of the PTX</source>
        <translation>Ligne %1 du PTX</translation>
    </message>
    <message>
        <source>The kernel</source>
        <translation>Le kernel</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, ligne %2</translation>
    </message>
    <message>
        <source>up to %1 % of the cost</source>
        <translation>jusqu’à %1 % du coût</translation>
    </message>
    <message>
        <source>How to mend it</source>
        <translation>Comment y remédier</translation>
    </message>
    <message>
        <source>See the lanes</source>
        <translation>Voir les voies</translation>
    </message>
    <message>
        <source>No hints: nothing that the profile shows costs much.</source>
        <translation>Aucun indice&#x202f;: rien de ce que montre le profil ne coûte cher.</translation>
    </message>
    <message>
        <source>The line was edited since the run.</source>
        <translation>La ligne a été modifiée depuis l’exécution.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProgramPage</name>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>What main() gets as argv[1] and so on. An argument with blanks stands in quotes.</source>
        <translation>Ce que main() reçoit dans argv[1] et suivants. Un argument avec des espaces se met entre guillemets.</translation>
    </message>
    <message>
        <source>the session&apos;s folder</source>
        <translation>le dossier de la session</translation>
    </message>
    <message>
        <source>typed in Output</source>
        <translation>saisie dans «&#x202f;Sortie&#x202f;»</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Ar&amp;guments</source>
        <translation>Ar&amp;guments</translation>
    </message>
    <message>
        <source>Working fol&amp;der</source>
        <translation>&amp;Dossier de travail</translation>
    </message>
    <message>
        <source>Choose the folder that the program runs in</source>
        <translation>Choisir le dossier dans lequel le programme s’exécute</translation>
    </message>
    <message>
        <source>Standard &amp;input</source>
        <translation>Entrée &amp;standard</translation>
    </message>
    <message>
        <source>Choose the file that the program reads</source>
        <translation>Choisir le fichier que lit le programme</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Options…</translation>
    </message>
    <message>
        <source>Defines, language standard and other options of nvcc</source>
        <translation>Macros, norme du langage et autres options de nvcc</translation>
    </message>
    <message>
        <source>C&amp;ompile</source>
        <translation>C&amp;ompilation</translation>
    </message>
    <message>
        <source>A program is built by nvcc and runs as any other of your programs: nothing confines it.</source>
        <translation>Un programme est compilé par nvcc et s’exécute comme tout autre de vos programmes&#x202f;: rien ne le confine.</translation>
    </message>
    <message>
        <source>Change Arguments</source>
        <translation>Modifier les arguments</translation>
    </message>
    <message>
        <source>Change Working Folder</source>
        <translation>Modifier le dossier de travail</translation>
    </message>
    <message>
        <source>Change Standard Input</source>
        <translation>Modifier l’entrée standard</translation>
    </message>
    <message>
        <source>Working Folder</source>
        <translation>Dossier de travail</translation>
    </message>
    <message>
        <source>Standard Input</source>
        <translation>Entrée standard</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ProgramRunner</name>
    <message>
        <source>There is no place for the program: %1. Make room in the folder for temporary files.</source>
        <translation>Il n’y a pas de place pour le programme&#x202f;: %1. Libérez de l’espace dans le dossier des fichiers temporaires.</translation>
    </message>
    <message>
        <source>warplight-cli, which builds and runs programs, is missing beside Warplight. Install it again.</source>
        <translation>warplight-cli, qui compile et exécute les programmes, est introuvable à côté de Warplight. Réinstallez Warplight.</translation>
    </message>
    <message>
        <source>The folder %1, in which the program is to run, does not exist. Choose another one in Launch.</source>
        <translation>Le dossier %1, dans lequel le programme doit s’exécuter, n’existe pas. Choisissez-en un autre dans «&#x202f;Lancement&#x202f;».</translation>
    </message>
    <message>
        <source>The file %1, which the program is to read, cannot be read. Choose another one in Launch.</source>
        <translation>Le fichier %1, que le programme doit lire, est illisible. Choisissez-en un autre dans «&#x202f;Lancement&#x202f;».</translation>
    </message>
    <message>
        <source>warplight-cli cannot be started: %1</source>
        <translation>Impossible de démarrer warplight-cli&#x202f;: %1</translation>
    </message>
    <message>
        <source>The source cannot be written to %1: %2</source>
        <translation>Impossible d’écrire la source dans %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Building with nvcc</source>
        <translation>Compilation avec nvcc</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>En cours</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Arrêt en cours</translation>
    </message>
    <message>
        <source>Whole programs run on this machine only, and %1 is chosen. Choose a device of this machine in the toolbar.</source>
        <translation>Les programmes entiers ne s’exécutent que sur cette machine, et %1 est choisie. Choisissez un périphérique de cette machine dans la barre d’outils.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::PtxLexer</name>
    <message>
        <source>Default</source>
        <translation>Par défaut</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Commentaire</translation>
    </message>
    <message>
        <source>Directive</source>
        <translation>Directive</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruction</translation>
    </message>
    <message>
        <source>Modifier</source>
        <translation>Modificateur</translation>
    </message>
    <message>
        <source>Register</source>
        <translation>Registre</translation>
    </message>
    <message>
        <source>Special register</source>
        <translation>Registre spécial</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nombre</translation>
    </message>
    <message>
        <source>String</source>
        <translation>Chaîne</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Étiquette</translation>
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
        <translation>Ouvrir %1</translation>
    </message>
    <message>
        <source>all, or as 1024, 768</source>
        <translation>tout, ou p. ex. 1024, 768</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Type</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>&amp;Forme</translation>
    </message>
    <message>
        <source>Bytes to s&amp;kip</source>
        <translation>Octets à &amp;sauter</translation>
    </message>
    <message>
        <source>The file has %1.</source>
        <translation>Le fichier fait %1.</translation>
    </message>
    <message>
        <source>Give the shape as lengths: 1024, 768.</source>
        <translation>Indiquez la forme par ses longueurs&#x202f;: 1024, 768.</translation>
    </message>
    <message>
        <source>The shape is too large.</source>
        <translation>La forme est trop grande.</translation>
    </message>
    <message>
        <source>The shape needs %1, the file has %2 there.</source>
        <translation>La forme demande %1, le fichier contient %2 à cet endroit.</translation>
    </message>
    <message>
        <source>There is not one element there.</source>
        <translation>Il n’y a pas un seul élément à cet endroit.</translation>
    </message>
    <message>
        <source>%1 elements, %2</source>
        <translation>%1 éléments, %2</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RegisterDialog</name>
    <message>
        <source>registers</source>
        <translation>registres</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>mémoire partagée</translation>
    </message>
    <message>
        <source>block size</source>
        <translation>taille de bloc</translation>
    </message>
    <message>
        <source>blocks per multiprocessor</source>
        <translation>blocs par multiprocesseur</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>rien</translation>
    </message>
    <message>
        <source>Registers and Occupancy</source>
        <translation>Registres et occupation</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architecture</translation>
    </message>
    <message>
        <source>As built</source>
        <translation>Comme compilé</translation>
    </message>
    <message>
        <source>Limits on the registers of a thread</source>
        <translation>Limites des registres d’un thread</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limite</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Registres</translation>
    </message>
    <message>
        <source>Spills</source>
        <translation>Débordements</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Pile</translation>
    </message>
    <message>
        <source>Blocks/SM</source>
        <translation>Blocs/SM</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>Occupation</translation>
    </message>
    <message>
        <source>Limited by</source>
        <translation>Limité par</translation>
    </message>
    <message>
        <source>Use This Limit</source>
        <translation>Utiliser cette limite</translation>
    </message>
    <message>
        <source>Put the limit into the compile options of the session</source>
        <translation>Ajoute la limite aux options de compilation de la session</translation>
    </message>
    <message>
        <source>The kernel is compiled once for each limit…</source>
        <translation>Le kernel est compilé une fois pour chaque limite…</translation>
    </message>
    <message>
        <source>There is no table: %1.</source>
        <translation>Pas de table&#x202f;: %1.</translation>
    </message>
    <message>
        <source>%1 for %2, blocks of %3 threads with %4 of shared memory</source>
        <translation>%1 pour %2, blocs de %3 threads avec %4 de mémoire partagée</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>%1 (in use)</source>
        <translation>%1 (utilisée)</translation>
    </message>
    <message>
        <source>__launch_bounds__(%1, %2): at most %3 registers a thread, so that %4 blocks are resident.</source>
        <translation>__launch_bounds__(%1, %2)&#x202f;: au plus %3 registres par thread, pour que %4 blocs soient résidents.</translation>
    </message>
    <message>
        <source>__launch_bounds__(%1): at most %2 registers a thread, so that one block is resident.</source>
        <translation>__launch_bounds__(%1)&#x202f;: au plus %2 registres par thread, pour qu’un bloc soit résident.</translation>
    </message>
    <message>
        <source>ptxas prefers this bound to a limit in the options.</source>
        <translation>Pour ptxas, cette borne prime sur une limite dans les options.</translation>
    </message>
    <message>
        <source>The block of the launch has more threads than this bound allows, so it cannot be launched.</source>
        <translation>Le bloc du lancement a plus de threads que cette borne n’en permet. Il ne peut donc pas être lancé.</translation>
    </message>
    <message>
        <source>Occupancy follows from the limits of this architecture. Spills are code that moves registers to local memory.</source>
        <translation>L’occupation découle des limites de cette architecture. Les débordements sont du code qui déplace des registres en mémoire locale.</translation>
    </message>
    <message>
        <source>Remove the Register Limit</source>
        <translation>Supprimer la limite de registres</translation>
    </message>
    <message>
        <source>Limit Registers</source>
        <translation>Limiter les registres</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>cela a été arrêté</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ReportJob</name>
    <message>
        <source>%1 cannot be written: %2. Choose another place.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2. Choisissez un autre emplacement.</translation>
    </message>
    <message>
        <source>There is not enough memory for the report.</source>
        <translation>La mémoire ne suffit pas pour le rapport.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ReportModel</name>
    <message>
        <source>Registers did not suffice: %1 go through local memory. Fewer live values, a smaller block or __launch_bounds__ help.</source>
        <translation>Les registres n’ont pas suffi&#x202f;: %1 passent par la mémoire locale. Moins de valeurs vivantes, un bloc plus petit ou __launch_bounds__ y remédient.</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Registres</translation>
    </message>
    <message>
        <source>Spill stores</source>
        <translation>Écritures de spill</translation>
    </message>
    <message>
        <source>Spill loads</source>
        <translation>Lectures de spill</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>Partagée</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Constante</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Pile</translation>
    </message>
    <message>
        <source>Barriers</source>
        <translation>Barrières</translation>
    </message>
    <message>
        <source>Registers a thread</source>
        <translation>Registres par thread</translation>
    </message>
    <message>
        <source>Bytes a thread that did not fit into registers</source>
        <translation>Octets par thread qui n’ont pas tenu dans les registres</translation>
    </message>
    <message>
        <source>Static shared memory a block</source>
        <translation>Mémoire partagée statique par bloc</translation>
    </message>
    <message>
        <source>Constant memory: the kernel&apos;s parameters</source>
        <translation>Mémoire constante&#x202f;: les paramètres du kernel</translation>
    </message>
    <message>
        <source>Stack frame of a thread</source>
        <translation>Cadre de pile d’un thread</translation>
    </message>
    <message>
        <source>Hardware barriers a block</source>
        <translation>Barrières matérielles par bloc</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ResultRows</name>
    <message>
        <source>Choose a file</source>
        <translation>Choisir un fichier</translation>
    </message>
    <message>
        <source>Raw numbers, whatever its name says</source>
        <translation>Nombres bruts, quoi que dise le nom</translation>
    </message>
    <message>
        <source>Hz; that of the .wav files that are read</source>
        <translation>Hz ; celle des fichiers .wav lus</translation>
    </message>
    <message>
        <source>not saved; or a file below the session&apos;s folder</source>
        <translation>non enregistré&#x202f;; ou un fichier dans le dossier de la session</translation>
    </message>
    <message>
        <source>nothing; a file with the right result; or = and a formula</source>
        <translation>rien&#x202f;; un fichier avec le bon résultat&#x202f;; ou = et une formule</translation>
    </message>
    <message>
        <source>An array&apos;s file, = and a formula, or a session (.warplight) whose saved result is right</source>
        <translation>Le fichier d’un tableau, = et une formule, ou une session (.warplight) dont le résultat enregistré est juste</translation>
    </message>
    <message>
        <source>Sa&amp;ve as</source>
        <translation>Enregistrer &amp;sous</translation>
    </message>
    <message>
        <source>Rate (Hz)</source>
        <translation>Fréquence (Hz)</translation>
    </message>
    <message>
        <source>E&amp;xpected</source>
        <translation>&amp;Attendu</translation>
    </message>
    <message>
        <source>Array in t&amp;hat</source>
        <translation>Tableau c&amp;hoisi</translation>
    </message>
    <message>
        <source>Its ar&amp;gument</source>
        <translation>S&amp;on argument</translation>
    </message>
    <message>
        <source>&amp;Relative tolerance</source>
        <translation>Tolérance &amp;relative</translation>
    </message>
    <message>
        <source>A&amp;bsolute tolerance</source>
        <translation>Tolérance a&amp;bsolue</translation>
    </message>
    <message>
        <source>Choose the Expected Result</source>
        <translation>Choisir le résultat attendu</translation>
    </message>
    <message>
        <source>Arrays and sessions (%1 *.warplight);;All files (*)</source>
        <translation>Tableaux et sessions (%1 *.warplight);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>The sampling rate is in Hz, from 1 to %1, such as 48000. Empty, it is that of the input.</source>
        <translation>La fréquence d’échantillonnage est en Hz, de 1 à %1, par exemple 48000. Vide, c’est celle de l’entrée.</translation>
    </message>
    <message>
        <source>Tolerances are numbers from 0 on, such as 1e-5.</source>
        <translation>Les tolérances sont des nombres à partir de 0, par exemple 1e-5.</translation>
    </message>
    <message>
        <source>A digest has 64 hexadecimal digits, as warplight-cli exercise --digests writes them.</source>
        <translation>Une empreinte a 64 chiffres hexadécimaux, comme warplight-cli exercise --digests les écrit.</translation>
    </message>
    <message>
        <source>A digest is of an exact result. Leave the tolerances empty.</source>
        <translation>Une empreinte est celle d’un résultat exact. Laissez les tolérances vides.</translation>
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
        <translation>Opérations par octet</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>la mémoire</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>le calcul</translation>
    </message>
    <message>
        <source>A model of %1: at %2 operations a byte %3 is the limit, with %4FLOP/s at most.</source>
        <translation>Modèle de %1&#x202f;: à %2 opérations par octet, la limite est %3, avec au plus %4FLOP/s.</translation>
    </message>
    <message>
        <source>No roofline: the kernel has no operations of floating point.</source>
        <translation>Pas de roofline&#x202f;: le kernel n’a aucune opération en virgule flottante.</translation>
    </message>
    <message>
        <source>No roofline: the kernel does not use global memory.</source>
        <translation>Pas de roofline&#x202f;: le kernel n’utilise pas la mémoire globale.</translation>
    </message>
    <message>
        <source>No roofline: the peak of %1 for this kind of operations is not known.</source>
        <translation>Pas de roofline&#x202f;: les performances de crête de %1 pour ce type d’opérations ne sont pas connues.</translation>
    </message>
    <message>
        <source>The line is the roof, the disc what the kernel could reach under it, and the square what it reached.</source>
        <translation>La ligne est le toit, le disque ce que le kernel pourrait atteindre en dessous, et le carré ce qu’il a atteint.</translation>
    </message>
    <message>
        <source>The line is the roof, and the disc what the kernel could reach under it.</source>
        <translation>La ligne est le toit, et le disque ce que le kernel pourrait atteindre en dessous.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunController</name>
    <message>
        <source>Reading data</source>
        <translation>Lecture des données</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Compilation</translation>
    </message>
    <message>
        <source>Loading the kernel</source>
        <translation>Chargement du kernel</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>En cours</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Comparaison</translation>
    </message>
    <message>
        <source>Saving results</source>
        <translation>Enregistrement des résultats</translation>
    </message>
    <message>
        <source>Checking on the software device</source>
        <translation>Vérification sur le périphérique logiciel</translation>
    </message>
    <message>
        <source>Profiling on the software device</source>
        <translation>Profilage sur le périphérique logiciel</translation>
    </message>
    <message>
        <source>Recording the warp</source>
        <translation>Enregistrement du warp</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Démarrage</translation>
    </message>
    <message>
        <source>The last run was stopped.</source>
        <translation>La dernière exécution a été arrêtée.</translation>
    </message>
    <message>
        <source>The last run lost its worker.</source>
        <translation>La dernière exécution a perdu son processus de travail.</translation>
    </message>
    <message>
        <source>The last run did not start.</source>
        <translation>La dernière exécution n’a pas démarré.</translation>
    </message>
    <message>
        <source>The worker&apos;s report cannot be read: %1</source>
        <translation>Le rapport du processus de travail est illisible&#x202f;: %1</translation>
    </message>
    <message>
        <source>The worker ended during the run.</source>
        <translation>Le processus de travail s’est terminé pendant l’exécution.</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Arrêt en cours</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Envoi</translation>
    </message>
    <message>
        <source>Fetching results</source>
        <translation>Récupération des résultats</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>Connexion à %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunHistory</name>
    <message>
        <source>Writing the history</source>
        <translation>Écriture de l’historique</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>Lecture de l’historique</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>Cela a été arrêté.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::RunsModel</name>
    <message>
        <source>failed</source>
        <translation>échec</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>en cache</translation>
    </message>
    <message>
        <source>Median of the kernel&apos;s event times</source>
        <translation>Médiane des temps du kernel mesurés par événements</translation>
    </message>
    <message>
        <source>95 % of the repeats took no longer</source>
        <translation>95 % des répétitions n’ont pas duré plus longtemps</translation>
    </message>
    <message>
        <source>Median time of copying inputs to the device</source>
        <translation>Temps médian de copie des entrées vers le périphérique</translation>
    </message>
    <message>
        <source>Median time of copying results back</source>
        <translation>Temps médian de copie des résultats en retour</translation>
    </message>
    <message>
        <source>Time to compile, or that the result was in the cache</source>
        <translation>Temps de compilation, ou indication que le résultat était en cache</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Exécution</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Heure</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Périphérique</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Répétitions</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
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
        <translation>Hôte → périphérique</translation>
    </message>
    <message>
        <source>Device → host</source>
        <translation>Périphérique → hôte</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Compilation</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SassPane</name>
    <message>
        <source>1 instruction</source>
        <translation>1 instruction</translation>
    </message>
    <message>
        <source>%1 instructions</source>
        <translation>%1 instructions</translation>
    </message>
    <message>
        <source>Architecture of the SASS</source>
        <translation>Architecture du SASS</translation>
    </message>
    <message>
        <source>Go to a function</source>
        <translation>Aller à une fonction</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Suivre</translation>
    </message>
    <message>
        <source>Follow the branch (Enter)</source>
        <translation>Suivre le branchement (Enter)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Back to the branch (Backspace)</source>
        <translation>Revenir au branchement (Backspace)</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Find in SASS</source>
        <translation>Rechercher dans le SASS</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy all SASS</source>
        <translation>Copier tout le SASS</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Compare with another architecture or other options</source>
        <translation>Comparer avec une autre architecture ou d’autres options</translation>
    </message>
    <message>
        <source>Architecture to compare with</source>
        <translation>Architecture à comparer</translation>
    </message>
    <message>
        <source>Compile options to compare with</source>
        <translation>Options de compilation à comparer</translation>
    </message>
    <message>
        <source>Compile options to compare with, with spaces between them</source>
        <translation>Options de compilation à comparer, séparées par des espaces</translation>
    </message>
    <message>
        <source>Options as in the session</source>
        <translation>Options de la session</translation>
    </message>
    <message>
        <source>with</source>
        <translation>avec</translation>
    </message>
    <message>
        <source>The source has errors. This is the SASS of the last source without.</source>
        <translation>La source contient des erreurs. Voici le SASS de la dernière source sans erreur.</translation>
    </message>
    <message>
        <source>Number of instructions</source>
        <translation>Nombre d’instructions</translation>
    </message>
    <message>
        <source>As built</source>
        <translation>Comme compilé</translation>
    </message>
    <message>
        <source>No SASS yet</source>
        <translation>Pas encore de SASS</translation>
    </message>
    <message>
        <source>Of programs the instructions are not shown.</source>
        <translation>Les instructions des programmes ne sont pas affichées.</translation>
    </message>
    <message>
        <source>Build the kernel (%1) to see the instructions of a GPU. No GPU is needed.</source>
        <translation>Compilez le kernel (%1) pour voir les instructions d’un GPU. Aucun GPU n’est nécessaire.</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Disassembling…</source>
        <translation>Désassemblage…</translation>
    </message>
    <message>
        <source>The kernel is compiled for this architecture.</source>
        <translation>Le kernel est en cours de compilation pour cette architecture.</translation>
    </message>
    <message>
        <source>No SASS</source>
        <translation>Pas de SASS</translation>
    </message>
    <message>
        <source>The disassembler is missing</source>
        <translation>Le désassembleur est introuvable</translation>
    </message>
    <message>
        <source>Install Toolkit…</source>
        <translation>Installer le toolkit…</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Avant</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Après</translation>
    </message>
    <message>
        <source>The kernel is compiled for the other side.</source>
        <translation>Le kernel est en cours de compilation pour l’autre côté.</translation>
    </message>
    <message>
        <source>%1 → %2 instructions</source>
        <translation>%1 → %2 instructions</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Line %1: </source>
        <translation>Ligne %1&#x202f;: </translation>
    </message>
    <message>
        <source>Lines %1 to %2: </source>
        <translation>Lignes %1 à %2&#x202f;: </translation>
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
        <translation>Valeurs selon x</translation>
    </message>
    <message>
        <source>Values along y</source>
        <translation>Valeurs selon y</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>Tout afficher</translation>
    </message>
    <message>
        <source>Show all pairs (a double click)</source>
        <translation>Afficher toutes les paires (double-clic)</translation>
    </message>
    <message>
        <source>Pairs of values</source>
        <translation>Paires de valeurs</translation>
    </message>
    <message>
        <source>Choose a buffer.</source>
        <translation>Choisissez un tampon.</translation>
    </message>
    <message>
        <source>%1 has no numbers.</source>
        <translation>%1 n’a pas de nombres.</translation>
    </message>
    <message>
        <source>Pairs need a second buffer with %1 elements, or a formula of this one.</source>
        <translation>Les paires demandent un second tampon de %1 éléments, ou une formule de celui-ci.</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 paires</translation>
    </message>
    <message>
        <source>%1 outside</source>
        <translation>%1 en dehors</translation>
    </message>
    <message>
        <source>%1 with NaN or infinity</source>
        <translation>%1 avec NaN ou infini</translation>
    </message>
    <message>
        <source>zoom in to see single ones</source>
        <translation>zoomez pour voir chacune</translation>
    </message>
    <message>
        <source>%1 pairs here</source>
        <translation>%1 paires ici</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>count</source>
        <translation>nombre</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SessionDialog</name>
    <message>
        <source>Session Properties</source>
        <translation>Propriétés de la session</translation>
    </message>
    <message>
        <source>Stands in the window&apos;s title, in reports and in the history</source>
        <translation>Figure dans le titre de la fenêtre, dans les rapports et dans l’historique</translation>
    </message>
    <message>
        <source>A few sentences. Notes shows them where a session has no notes.</source>
        <translation>Quelques phrases. « Notes » les montre si une session n’a pas de notes.</translation>
    </message>
    <message>
        <source>in the session itself</source>
        <translation>dans la session elle-même</translation>
    </message>
    <message>
        <source>A Markdown file in the session&apos;s folder, such as notes.md. A new one gets the notes that there are.</source>
        <translation>Un fichier Markdown dans le dossier de la session, tel que notes.md. Un nouveau fichier reçoit les notes existantes.</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Choisir un fichier</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titre</translation>
    </message>
    <message>
        <source>&amp;Description</source>
        <translation>&amp;Description</translation>
    </message>
    <message>
        <source>&amp;Notes are in</source>
        <translation>&amp;Notes dans</translation>
    </message>
    <message>
        <source>Choose Notes</source>
        <translation>Choisir les notes</translation>
    </message>
    <message>
        <source>Markdown (*.md);;All files (*)</source>
        <translation>Markdown (*.md);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Notes lie in the session&apos;s folder, so that they go with it.</source>
        <translation>Les notes sont dans le dossier de la session, pour la suivre.</translation>
    </message>
    <message>
        <source>There is a file %1 with another text, and the session has notes. Name a new file, or remove the notes of one of them.</source>
        <translation>Il existe un fichier %1 avec un autre texte, et la session a des notes. Indiquez un nouveau fichier, ou supprimez l’une des deux notes.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SettingsDialog</name>
    <message>
        <source>&amp;Keep unsaved work every 30 seconds</source>
        <translation>&amp;Conserver le travail non enregistré toutes les 30 secondes</translation>
    </message>
    <message>
        <source>C&amp;heck the source while typing</source>
        <translation>&amp;Vérifier la source pendant la saisie</translation>
    </message>
    <message>
        <source>Keep each ru&amp;n</source>
        <translation>Co&amp;nserver chaque exécution</translation>
    </message>
    <message>
        <source>Forg&amp;et</source>
        <translation>Oubli&amp;er</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Réglages</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Comme le système</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>Messages of the compilers, drivers and the engine are in English</source>
        <translation>Les messages des compilateurs, des pilotes et du moteur sont en anglais</translation>
    </message>
    <message>
        <source>Counts from the next start of the program.</source>
        <translation>Prend effet au prochain démarrage du programme.</translation>
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
        <translation>Ce qui n’a pas servi depuis le plus longtemps est supprimé en premier. Prend effet au prochain démarrage d’un processus de travail.</translation>
    </message>
    <message>
        <source>Offered again should the program not end as it should</source>
        <translation>Proposé de nouveau si le programme ne se termine pas normalement</translation>
    </message>
    <message>
        <source>With its source, launch, arguments, times and results’ digests; Timing › History has them</source>
        <translation>Avec sa source, son lancement, ses arguments, ses temps et les empreintes des résultats&#x202f;; à retrouver dans Temps › Historique</translation>
    </message>
    <message>
        <source> runs</source>
        <translation> exécutions</translation>
    </message>
    <message>
        <source>The oldest go first, but none that is pinned. 10,000 runs take about 12 MiB.</source>
        <translation>Les plus anciennes sont supprimées en premier, jamais celles qui sont épinglées. 10&#x202f;000 exécutions occupent environ 12 MiB.</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Apparence</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Thème</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>Lan&amp;gue</translation>
    </message>
    <message>
        <source>Code &amp;font</source>
        <translation>&amp;Police du code</translation>
    </message>
    <message>
        <source>Font si&amp;ze</source>
        <translation>Tai&amp;lle de police</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Compilation</translation>
    </message>
    <message>
        <source>C&amp;ache</source>
        <translation>C&amp;ache</translation>
    </message>
    <message>
        <source>New sessions</source>
        <translation>Nouvelles sessions</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Fichiers</translation>
    </message>
    <message>
        <source>History of runs</source>
        <translation>Historique d’exécutions</translation>
    </message>
    <message>
        <source>L&amp;imit</source>
        <translation>L&amp;imite</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Fichier</translation>
    </message>
    <message>
        <source>Files outside of session folders</source>
        <translation>Fichiers hors des dossiers de session</translation>
    </message>
    <message>
        <source>Folders and files that sessions may use</source>
        <translation>Dossiers et fichiers que les sessions peuvent utiliser</translation>
    </message>
    <message>
        <source>Sessions in the first folder may use the second</source>
        <translation>Les sessions du dossier de gauche peuvent utiliser ce qui est à droite</translation>
    </message>
    <message>
        <source>%1: programs may run</source>
        <translation>%1&#x202f;: programmes autorisés</translation>
    </message>
    <message>
        <source>Open &amp;what was open last time</source>
        <translation>R&amp;ouvrir ce qui était ouvert la dernière fois</translation>
    </message>
    <message>
        <source>In the tabs and windows where they were. Sessions that were never saved are not.</source>
        <translation>Dans les mêmes onglets et fenêtres. Les sessions jamais enregistrées ne le sont pas.</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>While the connection to another machine is lost. Then the run there is ended, and nothing is left of it. Counts from the next connection.</source>
        <translation>Tant que la connexion à une autre machine est perdue. Ensuite l’exécution y est arrêtée et il n’en reste rien. Compte dès la prochaine connexion.</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Autres machines</translation>
    </message>
    <message>
        <source>Runs sur&amp;vive for</source>
        <translation>L’e&amp;xécution survit</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ShortcutsDialog</name>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Raccourcis clavier</translation>
    </message>
    <message>
        <source>Find a command or keys</source>
        <translation>Rechercher une commande ou des touches</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Commandes</translation>
    </message>
    <message>
        <source>Press the keys that the command is to have</source>
        <translation>Appuyez sur les touches à donner à la commande</translation>
    </message>
    <message>
        <source>&amp;Set</source>
        <translation>A&amp;ssigner</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Restaurer</translation>
    </message>
    <message>
        <source>Gives the command the keys that it came with</source>
        <translation>Rend à la commande ses touches d’origine</translation>
    </message>
    <message>
        <source>New &amp;keys</source>
        <translation>Nouvelles &amp;touches</translation>
    </message>
    <message>
        <source>Restore &amp;All</source>
        <translation>Tout rét&amp;ablir</translation>
    </message>
    <message>
        <source>%1 has these keys, or keys that begin like them. It loses them.</source>
        <translation>%1 utilise ces touches, ou des touches qui commencent de la même façon. Cette commande les perd.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SlurmDialog</name>
    <message>
        <source>&amp;Keep the points of a finished sweep in the history</source>
        <translation>&amp;Garder les points d’un balayage terminé dans l’historique</translation>
    </message>
    <message>
        <source>Sweeps on Slurm</source>
        <translation>Balayages sur Slurm</translation>
    </message>
    <message>
        <source>The points of a sweep run as an array of jobs. These settings are yours, and no part of a session.</source>
        <translation>Les points d’un balayage s’exécutent comme un tableau de jobs. Ces réglages sont les vôtres et ne font pas partie d’une session.</translation>
    </message>
    <message>
        <source>The cluster&apos;s default</source>
        <translation>Celle du cluster par défaut</translation>
    </message>
    <message>
        <source>Passed to sbatch as --partition. “sinfo -s” lists them.</source>
        <translation>Transmis à sbatch comme --partition. «&#x202f;sinfo -s&#x202f;» en donne la liste.</translation>
    </message>
    <message>
        <source>What a task needs, passed to sbatch as --gres. A task with several GPUs uses all of them.</source>
        <translation>Ce dont un job a besoin, transmis à sbatch comme --gres. Un job qui a plusieurs GPU les utilise tous.</translation>
    </message>
    <message>
        <source>The limit of a job&apos;s time, passed to sbatch as --time: minutes, or D-HH:MM:SS</source>
        <translation>La durée limite d’un job, transmise à sbatch comme --time&#x202f;: des minutes, ou D-HH:MM:SS</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Aucune</translation>
    </message>
    <message>
        <source>Passed to sbatch as --container-image</source>
        <translation>Transmis à sbatch comme --container-image</translation>
    </message>
    <message>
        <source>Further options of sbatch, separated by blanks: each as --sbatch-option of the command line</source>
        <translation>D’autres options de sbatch, séparées par des espaces&#x202f;: chacune comme --sbatch-option de la ligne de commande</translation>
    </message>
    <message>
        <source>This machine, or ssh://user@login</source>
        <translation>Cette machine, ou ssh://utilisateur@login</translation>
    </message>
    <message>
        <source>The login node of the cluster (--cluster), which ssh reaches with your configuration</source>
        <translation>Le nœud de connexion du cluster (--cluster), que ssh atteint avec votre configuration</translation>
    </message>
    <message>
        <source>Beside the session</source>
        <translation>À côté de la session</translation>
    </message>
    <message>
        <source>A folder that all nodes see under the same path. Each sweep makes a folder of its own in it (--work-folder).</source>
        <translation>Un dossier que tous les nœuds voient sous le même chemin. Chaque balayage y crée son propre dossier (--work-folder).</translation>
    </message>
    <message>
        <source>The one of this window</source>
        <translation>Celui de cette fenêtre</translation>
    </message>
    <message>
        <source>The path of warplight-cli as the nodes see it (--program)</source>
        <translation>Le chemin de warplight-cli tel que les nœuds le voient (--program)</translation>
    </message>
    <message>
        <source>So that each takes about 5 min</source>
        <translation>Pour que chacun dure environ 5 min</translation>
    </message>
    <message>
        <source>How many jobs the array has, but not more than points (--array-size)</source>
        <translation>Combien de jobs a le tableau, au plus autant que de points (--array-size)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>As needed, every 3 to 45 s</source>
        <translation>Selon le besoin, toutes les 3 à 45 s</translation>
    </message>
    <message>
        <source>How often squeue tells what the jobs do. Results are looked for more often.</source>
        <translation>À quel rythme squeue dit ce que font les jobs. Les résultats sont cherchés plus souvent.</translation>
    </message>
    <message>
        <source>At most the 1000 fastest, each with its node and GPU</source>
        <translation>Au plus les 1000 plus rapides, chacun avec son nœud et son GPU</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>&amp;Partition</translation>
    </message>
    <message>
        <source>&amp;Devices of a job</source>
        <translation>&amp;Matériel d’un job</translation>
    </message>
    <message>
        <source>&amp;Time of a job</source>
        <translation>&amp;Durée d’un job</translation>
    </message>
    <message>
        <source>&amp;Number of jobs</source>
        <translation>&amp;Nombre de jobs</translation>
    </message>
    <message>
        <source>Container &amp;image</source>
        <translation>&amp;Image de conteneur</translation>
    </message>
    <message>
        <source>Other option&amp;s</source>
        <translation>Autres option&amp;s</translation>
    </message>
    <message>
        <source>C&amp;luster</source>
        <translation>C&amp;luster</translation>
    </message>
    <message>
        <source>&amp;Work folder</source>
        <translation>Dossier de &amp;travail</translation>
    </message>
    <message>
        <source>P&amp;rogram</source>
        <translation>P&amp;rogramme</translation>
    </message>
    <message>
        <source>&amp;Ask squeue every</source>
        <translation>Interroger s&amp;queue toutes les</translation>
    </message>
    <message>
        <source>warplight-campaigns in your home folder there</source>
        <translation>warplight-campaigns dans votre dossier personnel là-bas</translation>
    </message>
    <message>
        <source>As it is found there</source>
        <translation>Comme il y est trouvé</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SourceFile</name>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2.</translation>
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
        <translation>Lancer un kernel</translation>
    </message>
    <message>
        <source>A kernel of the source, or an instance of a template, such as scale&lt;float&gt;</source>
        <translation>Un kernel de la source, ou une instance d’un template, comme scale&lt;float&gt;</translation>
    </message>
    <message>
        <source>&amp;Kernel</source>
        <translation>&amp;Kernel</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Arguments</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Grille</translation>
    </message>
    <message>
        <source>Blocks: numbers, or formulas of scalars and the block (bx, by, bz), such as ceil(width/bx), ceil(height/by)</source>
        <translation>Blocs&#x202f;: des nombres, ou des formules avec des scalaires et le bloc (bx, by, bz), comme ceil(width/bx), ceil(height/by)</translation>
    </message>
    <message>
        <source>&amp;Block</source>
        <translation>&amp;Bloc</translation>
    </message>
    <message>
        <source>Threads of a block: x, y, z</source>
        <translation>Threads d’un bloc&#x202f;: x, y, z</translation>
    </message>
    <message>
        <source>&amp;Shared</source>
        <translation>&amp;Mém. partagée</translation>
    </message>
    <message>
        <source>Dynamic shared memory, in bytes</source>
        <translation>Mémoire partagée dynamique, en octets</translation>
    </message>
    <message>
        <source>All blocks are resident at once, so that the grid can wait for all of itself</source>
        <translation>Tous les blocs sont résidents en même temps, la grille entière peut donc se synchroniser</translation>
    </message>
    <message>
        <source>&amp;More…</source>
        <translation>Pl&amp;us…</translation>
    </message>
    <message>
        <source>Clusters, preferences of the caches, priority</source>
        <translation>Clusters, préférences de cache, priorité</translation>
    </message>
    <message>
        <source>The name of a scalar, a number, or a formula of scalars and the round: = 2*round</source>
        <translation>Le nom d’un scalaire, un nombre, ou une formule avec des scalaires et le tour&#x202f;: = 2*round</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>The kernel has none.</source>
        <translation>Le kernel n’en a pas.</translation>
    </message>
    <message>
        <source>Copy an Array</source>
        <translation>Copier un tableau</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;De</translation>
    </message>
    <message>
        <source>From &amp;element</source>
        <translation>De l’&amp;élément</translation>
    </message>
    <message>
        <source>Elements to skip, in C order</source>
        <translation>Éléments à sauter, dans l’ordre C</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Vers</translation>
    </message>
    <message>
        <source>To e&amp;lement</source>
        <translation>Vers l’é&amp;lément</translation>
    </message>
    <message>
        <source>Of elements; all where it is empty</source>
        <translation>Nombre d’éléments&#x202f;; tous si le champ est vide</translation>
    </message>
    <message>
        <source>all</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>Fill an Array</source>
        <translation>Remplir un tableau</translation>
    </message>
    <message>
        <source>&amp;Array</source>
        <translation>T&amp;ableau</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Valeur</translation>
    </message>
    <message>
        <source>A number, nan, inf or -inf</source>
        <translation>Un nombre, nan, inf ou -inf</translation>
    </message>
    <message>
        <source>Swap Two Arrays</source>
        <translation>Échanger deux tableaux</translation>
    </message>
    <message>
        <source>&amp;First</source>
        <translation>&amp;Premier</translation>
    </message>
    <message>
        <source>&amp;Second</source>
        <translation>&amp;Second</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Boucle</translation>
    </message>
    <message>
        <source>A number of rounds</source>
        <translation>Après un nombre de tours</translation>
    </message>
    <message>
        <source>Until a condition holds</source>
        <translation>Dès qu’une condition est vraie</translation>
    </message>
    <message>
        <source>E&amp;nds behind</source>
        <translation>Se termi&amp;ne</translation>
    </message>
    <message>
        <source>&amp;Rounds</source>
        <translation>&amp;Tours</translation>
    </message>
    <message>
        <source>How often the steps are done</source>
        <translation>Combien de fois les étapes sont exécutées</translation>
    </message>
    <message>
        <source>&amp;Until</source>
        <translation>&amp;Jusqu’à</translation>
    </message>
    <message>
        <source>A formula of scalars, elements of arrays, and round: error[0] &lt; 1e-6</source>
        <translation>Une formule avec des scalaires, des éléments de tableaux et round&#x202f;: error[0] &lt; 1e-6</translation>
    </message>
    <message>
        <source>As&amp;ked every</source>
        <translation>T&amp;ester tous les</translation>
    </message>
    <message>
        <source>Rounds between two looks at the condition</source>
        <translation>Tours entre deux tests de la condition</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>Au &amp;maximum</translation>
    </message>
    <message>
        <source>Rounds, where the condition never holds</source>
        <translation>Tours, si la condition n’est jamais vraie</translation>
    </message>
    <message>
        <source>The argument %1 is missing.</source>
        <translation>L’argument %1 manque.</translation>
    </message>
    <message>
        <source>%1 is no argument of the session, and %2 takes no plain number.</source>
        <translation>%1 n’est pas un argument de la session, et %2 n’accepte pas un simple nombre.</translation>
    </message>
    <message>
        <source>The formula of %1 is missing.</source>
        <translation>La formule de %1 manque.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no argument of the session, no number, and no formula, which begins with =.</source>
        <translation>&quot;%1&quot; n’est ni un argument de la session, ni un nombre, ni une formule. Une formule commence par =.</translation>
    </message>
    <message>
        <source>Choose a kernel.</source>
        <translation>Choisissez un kernel.</translation>
    </message>
    <message>
        <source>A block is one to three numbers of 1 or more: 256, or 32, 8.</source>
        <translation>Un bloc est défini par un à trois nombres supérieurs ou égaux à 1&#x202f;: 256, ou 32, 8.</translation>
    </message>
    <message>
        <source>A grid is one to three numbers or formulas.</source>
        <translation>Une grille est définie par un à trois nombres ou formules.</translation>
    </message>
    <message>
        <source>Shared memory is a whole number of bytes.</source>
        <translation>La mémoire partagée est un nombre entier d’octets.</translation>
    </message>
    <message>
        <source>Elements are whole numbers from 0 on.</source>
        <translation>Les éléments sont des nombres entiers à partir de 0.</translation>
    </message>
    <message>
        <source>Choose an array. Arrays are arguments of the session.</source>
        <translation>Choisissez un tableau. Les tableaux sont des arguments de la session.</translation>
    </message>
    <message>
        <source>Choose two arrays.</source>
        <translation>Choisissez deux tableaux.</translation>
    </message>
    <message>
        <source>The value is a number, nan, inf or -inf.</source>
        <translation>La valeur est un nombre, nan, inf ou -inf.</translation>
    </message>
    <message>
        <source>Choose two different arrays.</source>
        <translation>Choisissez deux tableaux différents.</translation>
    </message>
    <message>
        <source>Rounds are a whole number, at most a thousand million.</source>
        <translation>Les tours sont un nombre entier, au plus un milliard.</translation>
    </message>
    <message>
        <source>Write a condition, such as error[0] &lt; 1e-6.</source>
        <translation>Écrivez une condition, comme error[0] &lt; 1e-6.</translation>
    </message>
    <message>
        <source>Coope&amp;rative</source>
        <translation>Coopé&amp;ratif</translation>
    </message>
    <message>
        <source>Co&amp;unt</source>
        <translation>&amp;Nombre</translation>
    </message>
</context>
<context>
    <name>warplight::ui::StepsTable</name>
    <message>
        <source>Step</source>
        <translation>Étape</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Tours</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Somme</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Part</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Times of the steps</source>
        <translation>Temps des étapes</translation>
    </message>
    <message>
        <source>%1 (never held)</source>
        <translation>%1 (jamais vraie)</translation>
    </message>
    <message>
        <source>The loop ended behind its most rounds: its condition never held.</source>
        <translation>La boucle s’est terminée après le nombre maximal de tours&#x202f;: sa condition n’a jamais été vraie.</translation>
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
            <numerusform>%1, %n bit</numerusform>
            <numerusform>%1, %n bits</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at byte %2</source>
        <comment>type</comment>
        <translation>%1 à l’octet %2</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n bytes. An empty value is 0.</source>
        <translation>
            <numerusform>%1, %n octet. Une valeur vide vaut 0.</numerusform>
            <numerusform>%1, %n octets. Une valeur vide vaut 0.</numerusform>
        </translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Champ</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Type</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Champs</translation>
    </message>
    <message>
        <source>An address in the device&apos;s memory is not known before the run. Give the kernel the array as a parameter of its own.</source>
        <translation>Une adresse dans la mémoire du périphérique n’est pas connue avant l’exécution. Passez le tableau au kernel comme paramètre à part.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepChart</name>
    <message>
        <source>Figure</source>
        <translation>Grandeur</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>rien</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
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
        <translation>La meilleure valeur sur les autres axes</translation>
    </message>
    <message>
        <source>Median (%1)</source>
        <translation>Médiane (%1)</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepHeatMap</name>
    <message>
        <source>Across</source>
        <translation>Horizontal</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Vertical</translation>
    </message>
    <message>
        <source>Heat map of the sweep</source>
        <translation>Carte de chaleur du balayage</translation>
    </message>
    <message>
        <source>Brighter is better, and the framed cell is the best point. A click selects a point in the table.</source>
        <translation>Plus c’est clair, mieux c’est. La cellule encadrée est le meilleur point. Un clic sélectionne un point dans la table.</translation>
    </message>
    <message>
        <source>A heat map needs two axes</source>
        <translation>Une carte de chaleur demande deux axes</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Rien n’a été mesuré</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepLines</name>
    <message>
        <source>Along</source>
        <translation>Le long de</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Line chart of the sweep</source>
        <translation>Courbes du balayage</translation>
    </message>
    <message>
        <source>A click on a point selects it in the table. Bars show where the median lies with 95 % confidence, and the star is the best point.</source>
        <translation>Un clic sur un point le sélectionne dans la table. Les barres indiquent où se situe la médiane avec une confiance de 95 %, et l’étoile est le meilleur point.</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Rien n’a été mesuré</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepModel</name>
    <message>
        <source>Median</source>
        <translation>Médiane</translation>
    </message>
    <message>
        <source>Median of the kernel&apos;s times, of all rounds</source>
        <translation>Médiane des temps du kernel, sur tous les tours</translation>
    </message>
    <message>
        <source>95 % of it</source>
        <translation>Intervalle à 95 %</translation>
    </message>
    <message>
        <source>Where the median lies, with 95 % confidence</source>
        <translation>Où se situe la médiane, avec une confiance de 95 %</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>Of the best</source>
        <translation>Au meilleur</translation>
    </message>
    <message>
        <source>The time as a multiple of the best one&apos;s: the mean of the rounds&apos; ratios</source>
        <translation>Le temps en multiple de celui du meilleur&#x202f;: moyenne des rapports de tous les tours</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Bytes of a launch in the median time</source>
        <translation>Octets d’un lancement, divisés par le temps médian</translation>
    </message>
    <message>
        <source>Of peak</source>
        <translation>De la crête</translation>
    </message>
    <message>
        <source>Part of the peak of memory of %1</source>
        <translation>Part de la bande passante mémoire de crête de %1</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>Operations of a launch in the median time</source>
        <translation>Opérations d’un lancement, divisées par le temps médian</translation>
    </message>
    <message>
        <source>Part of the peak of arithmetic of %1</source>
        <translation>Part de la puissance de calcul de crête de %1</translation>
    </message>
    <message>
        <source>Waves</source>
        <translation>Vagues</translation>
    </message>
    <message>
        <source>Blocks by the blocks that fit the device at once</source>
        <translation>Blocs, divisés par le nombre de blocs que le périphérique peut contenir à la fois</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>Vide en fin</translation>
    </message>
    <message>
        <source>Part of the places for blocks that stays empty in the last wave</source>
        <translation>Part des places de bloc qui restent vides dans la dernière vague</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>Registres</translation>
    </message>
    <message>
        <source>Of a thread</source>
        <translation>Par thread</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Exécutions</translation>
    </message>
    <message>
        <source>That were measured</source>
        <translation>Celles qui ont été mesurées</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>Aberrantes</translation>
    </message>
    <message>
        <source>Runs far from the others. They are counted, not removed.</source>
        <translation>Exécutions loin des autres. Elles sont comptées, mais pas retirées.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>The best point, how others compare with it, and why a point has no time</source>
        <translation>Le meilleur point, la comparaison des autres avec lui et la raison pour laquelle un point n’a pas de temps</translation>
    </message>
    <message>
        <source>An empty launch takes %1.</source>
        <translation>Un lancement vide prend %1.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Nœud</translation>
    </message>
    <message>
        <source>The machine that a task has measured it on</source>
        <translation>La machine sur laquelle un job l’a mesuré</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepPage</name>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>End the sweep and keep what was measured</source>
        <translation>Terminer le balayage et garder ce qui a été mesuré</translation>
    </message>
    <message>
        <source>Compare Block Sizes</source>
        <translation>Comparer les tailles de bloc</translation>
    </message>
    <message>
        <source>Vary the block around that of Launch. The grid follows.</source>
        <translation>Faire varier le bloc autour de celui de Lancement. La grille suit.</translation>
    </message>
    <message>
        <source>State of the sweep</source>
        <translation>État du balayage</translation>
    </message>
    <message>
        <source>Say what is varied, and start. Each point is run and timed in turn with the others, and those that cannot be told apart from the best one are marked.</source>
        <translation>Indiquez ce qui varie, puis démarrez. Les points sont exécutés et chronométrés à tour de rôle. Ceux que rien ne distingue du meilleur sont marqués.</translation>
    </message>
    <message>
        <source>Use in Launch</source>
        <translation>Utiliser dans Lancement</translation>
    </message>
    <message>
        <source>Put the values of the selected point into Launch (double-click, Enter)</source>
        <translation>Reporter les valeurs du point sélectionné dans Lancement (double-clic, Entrée)</translation>
    </message>
    <message>
        <source>Copy as Text</source>
        <translation>Copier comme texte</translation>
    </message>
    <message>
        <source>Copy the results as text. Held down, it also has CSV.</source>
        <translation>Copier les résultats comme texte. Maintenir enfoncé&#x202f;: aussi en CSV.</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Copier en CSV</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Write the results as CSV or JSON</source>
        <translation>Écrire les résultats en CSV ou JSON</translation>
    </message>
    <message>
        <source>Points of the sweep</source>
        <translation>Points du balayage</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Table</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Heat Map</source>
        <translation>Carte thermique</translation>
    </message>
    <message>
        <source>Result of the sweep</source>
        <translation>Résultat du balayage</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Arrêt en cours</translation>
    </message>
    <message>
        <source>Starting the sweep</source>
        <translation>Démarrage du balayage</translation>
    </message>
    <message>
        <source>Sweep: about %1 left</source>
        <translation>Balayage&#x202f;: encore %1 environ</translation>
    </message>
    <message>
        <source>Sweep: %1</source>
        <translation>Balayage&#x202f;: %1</translation>
    </message>
    <message>
        <source>The sweep runs.</source>
        <translation>Le balayage est en cours.</translation>
    </message>
    <message>
        <source>There is no kernel yet.</source>
        <translation>Il n’y a pas encore de kernel.</translation>
    </message>
    <message>
        <source>Up to %1 points</source>
        <translation>Jusqu’à %1 points</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 point</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 points</translation>
    </message>
    <message>
        <source>. Their time is known after a run (%1).</source>
        <translation>. Leur durée sera connue après une exécution (%1).</translation>
    </message>
    <message>
        <source>, about %1 by the last run</source>
        <translation>, environ %1 d’après la dernière exécution</translation>
    </message>
    <message>
        <source>Run all points in turn</source>
        <translation>Exécuter tous les points à tour de rôle</translation>
    </message>
    <message>
        <source>The sweep was stopped</source>
        <translation>Le balayage a été arrêté</translation>
    </message>
    <message>
        <source>The sweep is done</source>
        <translation>Le balayage est terminé</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Balayage</translation>
    </message>
    <message>
        <source>The sweep has %1 points.</source>
        <translation>Le balayage a %1 points.</translation>
    </message>
    <message>
        <source>They take about %1, without compilations.</source>
        <translation>Ils prennent environ %1, sans les compilations.</translation>
    </message>
    <message>
        <source>How long they take is not known: the first one did not run.</source>
        <translation>Leur durée est inconnue&#x202f;: le premier ne s’est pas exécuté.</translation>
    </message>
    <message>
        <source>A number at Points takes some of them, by chance.</source>
        <translation>Un nombre dans «&#x202f;Points&#x202f;» en choisit quelques-uns au hasard.</translation>
    </message>
    <message>
        <source>&amp;Run All</source>
        <translation>Tout exécute&amp;r</translation>
    </message>
    <message>
        <source>&amp;Do Not Run</source>
        <translation>&amp;Ne pas exécuter</translation>
    </message>
    <message>
        <source>Use Point of the Sweep</source>
        <translation>Utiliser un point du balayage</translation>
    </message>
    <message>
        <source>Launch has %1</source>
        <translation>Dans Lancement&#x202f;: %1</translation>
    </message>
    <message>
        <source>The point does not fit the session any more: %1</source>
        <translation>Le point ne convient plus à la session&#x202f;: %1</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2. Choisissez un autre dossier.</translation>
    </message>
    <message>
        <source>Save Sweep</source>
        <translation>Enregistrer balayage</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv);;JSON (*.json)</source>
        <translation>Valeurs séparées par des virgules (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU whose points are shown</source>
        <translation>GPU dont les points sont affichés</translation>
    </message>
    <message>
        <source>Points of different GPUs are never compared with each other</source>
        <translation>Les points de GPU différents ne sont jamais comparés entre eux</translation>
    </message>
    <message>
        <source>, as jobs of Slurm</source>
        <translation>, comme jobs de Slurm</translation>
    </message>
    <message>
        <source>. They use the software device, as the session says</source>
        <translation>. Ils utilisent le périphérique logiciel, comme le dit la session</translation>
    </message>
    <message>
        <source>Ending the jobs. Those that run finish what they can.</source>
        <translation>Fin des jobs. Ceux qui s’exécutent terminent ce qu’ils peuvent.</translation>
    </message>
    <message>
        <source>Sweep on Slurm</source>
        <translation>Balayage sur Slurm</translation>
    </message>
    <message>
        <source>Sweep on Slurm: %1 of %2 points</source>
        <translation>Balayage sur Slurm&#x202f;: %1 points sur %2</translation>
    </message>
    <message>
        <source>Points of the sweep have no result</source>
        <translation>Des points du balayage n’ont pas de résultat</translation>
    </message>
    <message>
        <source>On one device like that of the last run they take about %1.</source>
        <translation>Sur un seul périphérique comme celui de la dernière exécution, ils prennent environ %1.</translation>
    </message>
    <message>
        <source>How long they take is not known: there was no run yet.</source>
        <translation>Leur durée est inconnue&#x202f;: il n’y a pas encore eu d’exécution.</translation>
    </message>
    <message>
        <source>Resuming the sweep</source>
        <translation>Reprise du balayage</translation>
    </message>
    <message>
        <source>Submitting the jobs</source>
        <translation>Envoi des jobs</translation>
    </message>
    <message>
        <source>The jobs of the sweep go on. Resume takes their results.</source>
        <translation>Les jobs du balayage continuent. «&#x202f;Reprendre&#x202f;» récupère leurs résultats.</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>aucun GPU</translation>
    </message>
    <message>
        <source>The points are not in the history: %1</source>
        <translation>Les points ne sont pas dans l’historique&#x202f;: %1</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepPlace</name>
    <message>
        <source>Runs on</source>
        <translation>S’exécute sur</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Cette machine</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Where the sweep runs</source>
        <translation>Où s’exécute le balayage</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Réglages…</translation>
    </message>
    <message>
        <source>Partition, devices and time of a job, and where the cluster is</source>
        <translation>Partition, matériel et durée d’un job, et où est le cluster</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>Go on with a sweep of this session on Slurm, and show the results that are there. Points that have a result do not run again.</source>
        <translation>Continuer un balayage de cette session sur Slurm et afficher les résultats déjà présents. Les points qui ont un résultat ne s’exécutent pas de nouveau.</translation>
    </message>
    <message>
        <source>Save the session first: what its jobs need is copied to a folder beside it.</source>
        <translation>Enregistrez d’abord la session&#x202f;: ce dont ses jobs ont besoin est copié dans un dossier à côté.</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 point</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 points</translation>
    </message>
    <message>
        <source>%1 – %2, %3</source>
        <comment>folder, points, time</comment>
        <translation>%1 – %2, %3</translation>
    </message>
    <message>
        <source>No sweep of this session is in %1</source>
        <translation>Aucun balayage de cette session n’est dans %1</translation>
    </message>
    <message>
        <source>The machine in the device box, or jobs of a cluster, which share the points</source>
        <translation>La machine du champ des périphériques, ou les jobs d’un cluster, qui se partagent les points</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepRow</name>
    <message>
        <source>What is varied</source>
        <translation>Ce qui varie</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>Ce qui en découle</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>Formulas</source>
        <translation>Formules</translation>
    </message>
    <message>
        <source>Values between commas. A range is 1..8, 64..512+64 or 32..1024*2. A value in quotation marks may have commas.</source>
        <translation>Valeurs séparées par des virgules. Une plage s’écrit 1..8, 64..512+64 ou 32..1024*2. Une valeur entre guillemets peut contenir des virgules.</translation>
    </message>
    <message>
        <source>A formula for each axis, between commas. bx, by, bz are the block, gx, gy, gz the grid, threads is the product of the block; scalars and macros have their names.</source>
        <translation>Une formule par axe, séparées par des virgules. bx, by, bz sont le bloc, gx, gy, gz la grille, threads est le produit du bloc&#x202f;; les scalaires et les macros gardent leur nom.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>name</source>
        <translation>nom</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Étape</translation>
    </message>
    <message>
        <source>The step of the pipeline</source>
        <translation>L’étape du pipeline</translation>
    </message>
</context>
<context>
    <name>warplight::ui::SweepSetup</name>
    <message>
        <source>Zip: the first values together, then the second</source>
        <translation>Zip&#x202f;: les premières valeurs ensemble, puis les deuxièmes</translation>
    </message>
    <message>
        <source>Points by chance</source>
        <translation>Points au hasard</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Tours</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Axe</translation>
    </message>
    <message>
        <source>Vary something else, too</source>
        <translation>Faire varier aussi autre chose</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formule</translation>
    </message>
    <message>
        <source>Compute grid, block, shared memory, a scalar or a size at each point</source>
        <translation>Calculer la grille, le bloc, la mémoire partagée, un scalaire ou une taille à chaque point</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Faire varier</translation>
    </message>
    <message>
        <source>Value i of all axes makes point i. Otherwise each value meets each.</source>
        <translation>La valeur i de tous les axes donne le point i. Sinon, chaque valeur est combinée avec toutes les autres.</translation>
    </message>
    <message>
        <source>Follows by a formula</source>
        <translation>Calculé par formule</translation>
    </message>
    <message>
        <source>Only points at which this formula is not 0</source>
        <translation>Seulement les points où cette formule n’est pas 0</translation>
    </message>
    <message>
        <source>Only where</source>
        <translation>Seulement si</translation>
    </message>
    <message>
        <source>all</source>
        <translation>tous</translation>
    </message>
    <message>
        <source>So many of the points, chosen by chance; 0 takes all</source>
        <translation>Nombre de points choisis au hasard&#x202f;; 0 les prend tous</translation>
    </message>
    <message>
        <source>Each round visits all points, in another order. Fewer than 6 cannot show a difference.</source>
        <translation>Chaque tour passe par tous les points, dans un autre ordre. Moins de 6 tours ne peuvent pas montrer de différence.</translation>
    </message>
    <message>
        <source>Stop slower points</source>
        <translation>Arrêter les points lents</translation>
    </message>
    <message>
        <source>A point that takes so many times as long as the best is not measured on</source>
        <translation>Un point plus lent que le meilleur de ce facteur n’est plus mesuré</translation>
    </message>
    <message>
        <source>never</source>
        <translation>jamais</translation>
    </message>
    <message>
        <source> × the best</source>
        <translation> × le meilleur</translation>
    </message>
    <message>
        <source>Bytes of a launch</source>
        <translation>Octets d’un lancement</translation>
    </message>
    <message>
        <source>A formula of the bytes that a launch moves, for GB/s. With Profile they are counted.</source>
        <translation>Une formule des octets qu’un lancement transfère, pour les GB/s. Avec Profil, ils sont comptés.</translation>
    </message>
    <message>
        <source>Operations of a launch</source>
        <translation>Opérations d’un lancement</translation>
    </message>
    <message>
        <source>A formula of the operations of a launch, for GFLOP/s. With Profile they are counted.</source>
        <translation>Une formule des opérations d’un lancement, pour les GFLOP/s. Avec Profil, elles sont comptées.</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Points</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>Arrêt à</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Opérations</translation>
    </message>
    <message>
        <source>Change Sweep</source>
        <translation>Modifier le balayage</translation>
    </message>
    <message>
        <source>A row has no values yet.</source>
        <translation>Une ligne n’a pas encore de valeurs.</translation>
    </message>
    <message>
        <source>This is there twice. One row takes all its values.</source>
        <translation>Cet élément y est deux fois. Une seule ligne prend toutes ses valeurs.</translation>
    </message>
    <message>
        <source>There can be 1 to 1000000 rounds.</source>
        <translation>Le nombre de tours va de 1 à 1000000.</translation>
    </message>
    <message>
        <source>A program with main() launches its kernels itself. Sweeps vary the launch of a session.</source>
        <translation>Un programme avec main() lance lui-même ses kernels. Les balayages font varier le lancement d’une session.</translation>
    </message>
    <message>
        <source>Nothing is varied yet.</source>
        <translation>Rien ne varie encore.</translation>
    </message>
    <message>
        <source>%1, all launches</source>
        <translation>%1, tous les lancements</translation>
    </message>
    <message>
        <source>Time of</source>
        <translation>Temps de</translation>
    </message>
    <message>
        <source>The time of a point is that of the whole pipeline, or of one step in all its rounds</source>
        <translation>Le temps d’un point est celui de tout le pipeline, ou d’une étape dans tous ses tours</translation>
    </message>
    <message>
        <source>the whole pipeline</source>
        <translation>tout le pipeline</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TabWindow</name>
    <message>
        <source>Open sessions</source>
        <translation>Sessions ouvertes</translation>
    </message>
    <message>
        <source>New tab</source>
        <translation>Nouvel onglet</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Pas encore enregistrée</translation>
    </message>
    <message>
        <source>%1
It runs.</source>
        <translation>%1
Elle s’exécute.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>Close &amp;Others</source>
        <translation>Fermer les &amp;autres</translation>
    </message>
    <message>
        <source>&amp;Move to New Window</source>
        <translation>&amp;Déplacer vers une nouvelle fenêtre</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TablePage</name>
    <message>
        <source>Number format</source>
        <translation>Format des nombres</translation>
    </message>
    <message>
        <source>Decimal</source>
        <translation>Décimal</translation>
    </message>
    <message>
        <source>Scientific</source>
        <translation>Scientifique</translation>
    </message>
    <message>
        <source>Hexadecimal</source>
        <translation>Hexadécimal</translation>
    </message>
    <message>
        <source>Digits </source>
        <translation>Chiffres </translation>
    </message>
    <message>
        <source>Significant digits</source>
        <translation>Chiffres significatifs</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colonnes</translation>
    </message>
    <message>
        <source>Columns a row</source>
        <translation>Colonnes par ligne</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>Chaleur</translation>
    </message>
    <message>
        <source>Colour cells by value</source>
        <translation>Colorer les cellules selon la valeur</translation>
    </message>
    <message>
        <source>Go to index</source>
        <translation>Aller à l’index</translation>
    </message>
    <message>
        <source>An index (1234), or one for each axis (3, 17)</source>
        <translation>Un index (1234), ou un par axe (3, 17)</translation>
    </message>
    <message>
        <source>What to find</source>
        <translation>Que rechercher</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Infinity</source>
        <translation>Infini</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN ou infini</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Outside of range</source>
        <translation>Hors de la plage</translation>
    </message>
    <message>
        <source>Not zero</source>
        <translation>Non nul</translation>
    </message>
    <message>
        <source>Value to find</source>
        <translation>Valeur à rechercher</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>Chercher le précédent</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>Chercher le suivant</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistiques</translation>
    </message>
    <message>
        <source>Compute statistics</source>
        <translation>Calculer les statistiques</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>There is no index %1 here.</source>
        <translation>Il n’y a pas d’index %1 ici.</translation>
    </message>
    <message>
        <source>low … high, as 0, 1</source>
        <translation>min … max, p. ex. 0, 1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>Nothing found from here on.</source>
        <translation>Rien trouvé à partir d’ici.</translation>
    </message>
    <message>
        <source>Colour cells by value (needs the statistics)</source>
        <translation>Colorer les cellules selon la valeur (nécessite les statistiques)</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>axe %1&#x202f;: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index sur l’axe %1</translation>
    </message>
    <message>
        <source>Give the range as two numbers: 0, 1.</source>
        <translation>Indiquez la plage par deux nombres&#x202f;: 0, 1.</translation>
    </message>
    <message>
        <source>Give a number to find.</source>
        <translation>Indiquez un nombre à chercher.</translation>
    </message>
    <message>
        <source>Computing statistics…</source>
        <translation>Calcul des statistiques…</translation>
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
        <translation>moyenne %1</translation>
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
        <translation>Ajouter une colonne par une formule</translation>
    </message>
    <message>
        <source>&amp;Edit Column…</source>
        <translation>&amp;Modifier la colonne…</translation>
    </message>
    <message>
        <source>&amp;Remove Column</source>
        <translation>&amp;Supprimer la colonne</translation>
    </message>
    <message>
        <source>Show Field &amp;Alone</source>
        <translation>&amp;Afficher le champ seul</translation>
    </message>
    <message>
        <source>Add Column</source>
        <translation>Ajouter la colonne</translation>
    </message>
    <message>
        <source>Change Column</source>
        <translation>Modifier la colonne</translation>
    </message>
    <message>
        <source>There is a column %1 already. Give another name.</source>
        <translation>Il y a déjà une colonne %1. Donnez un autre nom.</translation>
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
        <translation>1D en couches</translation>
    </message>
    <message>
        <source>2D layered</source>
        <translation>2D en couches</translation>
    </message>
    <message>
        <source>cubemap</source>
        <translation>cubemap</translation>
    </message>
    <message>
        <source>layered cubemap</source>
        <translation>cubemap en couches</translation>
    </message>
    <message>
        <source>1D: width</source>
        <translation>1D : largeur</translation>
    </message>
    <message>
        <source>2D: height, width</source>
        <translation>2D : hauteur, largeur</translation>
    </message>
    <message>
        <source>3D: depth, height, width</source>
        <translation>3D : profondeur, hauteur, largeur</translation>
    </message>
    <message>
        <source>1D layered: layers, width</source>
        <translation>1D en couches : couches, largeur</translation>
    </message>
    <message>
        <source>2D layered: layers, height, width</source>
        <translation>2D en couches : couches, hauteur, largeur</translation>
    </message>
    <message>
        <source>Cubemap: 6, width, width</source>
        <translation>Cubemap : 6, largeur, largeur</translation>
    </message>
    <message>
        <source>Layered cubemap: cubemaps, 6, width, width</source>
        <translation>Cubemap en couches : cubemaps, 6, largeur, largeur</translation>
    </message>
    <message>
        <source>%1 texture and surface</source>
        <translation>texture et surface %1</translation>
    </message>
    <message>
        <source>%1 texture</source>
        <translation>texture %1</translation>
    </message>
    <message>
        <source>%1 surface</source>
        <translation>surface %1</translation>
    </message>
    <message>
        <source>The variable</source>
        <translation>La variable</translation>
    </message>
    <message>
        <source>Texture reference</source>
        <translation>Référence de texture</translation>
    </message>
    <message>
        <source>Surface reference</source>
        <translation>Référence de surface</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Texture</source>
        <translation>Texture</translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Surface</translation>
    </message>
    <message>
        <source>Texture and surface</source>
        <translation>Texture et surface</translation>
    </message>
    <message>
        <source>What the kernel gets. Textures are read with filters and address modes, and surfaces are read and written by coordinates.</source>
        <translation>Ce que reçoit le noyau. Les textures se lisent avec des filtres et des modes d’adressage ; les surfaces se lisent et s’écrivent par coordonnées.</translation>
    </message>
    <message>
        <source>The axes of the data. One more axis has the 1, 2 or 4 components of an element.</source>
        <translation>Les axes des données. Un axe de plus contient les 1, 2 ou 4 composantes d’un élément.</translation>
    </message>
    <message>
        <source>An array</source>
        <translation>Un tableau CUDA</translation>
    </message>
    <message>
        <source>Linear memory, for tex1Dfetch</source>
        <translation>De la mémoire linéaire, pour tex1Dfetch</translation>
    </message>
    <message>
        <source>Rows of memory</source>
        <translation>Des lignes de mémoire</translation>
    </message>
    <message>
        <source>The nearest element</source>
        <translation>L’élément le plus proche</translation>
    </message>
    <message>
        <source>Between elements (linear)</source>
        <translation>Entre les éléments (linéaire)</translation>
    </message>
    <message>
        <source>As they are</source>
        <translation>Telles quelles</translation>
    </message>
    <message>
        <source>As floats up to 1 (normalised)</source>
        <translation>En flottants jusqu’à 1 (normalisées)</translation>
    </message>
    <message>
        <source>In elements</source>
        <translation>En éléments</translation>
    </message>
    <message>
        <source>From 0 to 1 (normalised)</source>
        <translation>De 0 à 1 (normalisées)</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Répéter</translation>
    </message>
    <message>
        <source>Clamp</source>
        <translation>Bloquer</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Refléter</translation>
    </message>
    <message>
        <source>Border</source>
        <translation>Bord</translation>
    </message>
    <message>
        <source>Outside along %1</source>
        <translation>Extérieur le long de %1</translation>
    </message>
    <message>
        <source>none; 255 for a picture of three components</source>
        <translation>aucune ; 255 pour une image à trois composantes</translation>
    </message>
    <message>
        <source>Elements have 1, 2 or 4 components. Data of three get this as their fourth.</source>
        <translation>Les éléments ont 1, 2 ou 4 composantes. Les données qui en ont trois reçoivent celle-ci comme quatrième.</translation>
    </message>
    <message>
        <source>sRGB</source>
        <translation>sRGB</translation>
    </message>
    <message>
        <source>Bytes are sRGB, and are read as linear values.</source>
        <translation>Les octets sont en sRGB et se lisent comme valeurs linéaires.</translation>
    </message>
    <message>
        <source>Seamless</source>
        <translation>Sans couture</translation>
    </message>
    <message>
        <source>A filter takes elements of the next face across an edge of the cubemap.</source>
        <translation>Un filtre prend les éléments de la face voisine par-delà une arête de la cubemap.</translation>
    </message>
    <message>
        <source>For tex2Dgather</source>
        <translation>Pour tex2Dgather</translation>
    </message>
    <message>
        <source>&amp;Given as</source>
        <translation>Transmis c&amp;omme</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>Es&amp;pèce</translation>
    </message>
    <message>
        <source>Lies in</source>
        <translation>Placée dans</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtre</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>&amp;Coordinates</source>
        <translation>Éc&amp;helle des coordonnées</translation>
    </message>
    <message>
        <source>&amp;Outside</source>
        <translation>E&amp;xtérieur</translation>
    </message>
    <message>
        <source>Border colour</source>
        <translation>Couleur du bord</translation>
    </message>
    <message>
        <source>Fourth component</source>
        <translation>Quatrième composante</translation>
    </message>
    <message>
        <source>The border&apos;s colour is one to four numbers, such as “0, 0, 0, 1”.</source>
        <translation>La couleur du bord est faite d’un à quatre nombres, comme « 0, 0, 0, 1 ».</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>« %1 » n’est pas un nombre.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TimingPanel</name>
    <message>
        <source>Runs</source>
        <translation>Exécutions</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Host → device</source>
        <translation>Hôte → périphérique</translation>
    </message>
    <message>
        <source>Device → host</source>
        <translation>Périphérique → hôte</translation>
    </message>
    <message>
        <source>Which times</source>
        <translation>Quels temps</translation>
    </message>
    <message>
        <source>Compare with run</source>
        <translation>Comparer à l’exécution</translation>
    </message>
    <message>
        <source>Export Timings…</source>
        <translation>Exporter les temps…</translation>
    </message>
    <message>
        <source>Clear Run History</source>
        <translation>Effacer l’historique</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Afficher</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Comparer avec</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistiques</translation>
    </message>
    <message>
        <source>Time of each repeat</source>
        <translation>Temps de chaque répétition</translation>
    </message>
    <message>
        <source>Histogram of the times</source>
        <translation>Histogramme des temps</translation>
    </message>
    <message>
        <source>Each repeat&apos;s time. Drag to pan, turn the wheel to zoom, double-click to see all.</source>
        <translation>Le temps de chaque répétition. Glisser pour déplacer, tourner la molette pour zoomer, double-cliquer pour tout voir.</translation>
    </message>
    <message>
        <source>How often each time occurred.</source>
        <translation>Nombre d’apparitions de chaque temps.</translation>
    </message>
    <message>
        <source>Kernels that the program launched</source>
        <translation>Kernels lancés par le programme</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Historique</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Balayage</translation>
    </message>
    <message>
        <source>Export Timings</source>
        <translation>Exporter les temps</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Valeurs séparées par des virgules (*.csv)</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Aucune exécution</translation>
    </message>
    <message>
        <source>Run the kernel (%1). Its event times, repeat by repeat, appear here.</source>
        <translation>Exécutez le kernel (%1). Ses temps d’événement s’affichent ici, répétition par répétition.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>rien</translation>
    </message>
    <message>
        <source>run %1 (%2)</source>
        <translation>exécution %1 (%2)</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>exécution %1</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Répétition</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>Temps (%1)</translation>
    </message>
    <message>
        <source>Nothing was measured</source>
        <translation>Rien n’a été mesuré</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Répétitions</translation>
    </message>
    <message>
        <source>Run %1 measured nothing: it ended with an error.</source>
        <translation>L’exécution %1 n’a rien mesuré&#x202f;: elle s’est terminée par une erreur.</translation>
    </message>
    <message>
        <source>Run %1: median %2, mean %3 ± %4, min %5, p95 %6, max %7; %8 measured.</source>
        <translation>Exécution %1&#x202f;: médiane %2, moyenne %3 ± %4, min %5, p95 %6, max %7&#x202f;; mesure sur %8.</translation>
    </message>
    <message>
        <source>one repeat</source>
        <translation>une répétition</translation>
    </message>
    <message>
        <source>%1 repeats</source>
        <translation>%1 répétitions</translation>
    </message>
    <message>
        <source>%1 times as fast as run %2.</source>
        <translation>%1 fois plus rapide que l’exécution %2.</translation>
    </message>
    <message>
        <source>%1 times as slow as run %2.</source>
        <translation>%1 fois plus lente que l’exécution %2.</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Exécution %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2. Choisissez un autre dossier.</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. The disk may be full.</source>
        <translation>Impossible d’écrire %1&#x202f;: %2. Le disque est peut-être plein.</translation>
    </message>
    <message>
        <source>Make a Session of This Launch…</source>
        <translation>Faire une session de ce lancement…</translation>
    </message>
    <message>
        <source>Run the program again, and make a session of the kernel with the data that it was given</source>
        <translation>Exécuter à nouveau le programme, et faire une session du kernel avec les données qu’il a reçues</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ToolkitDialog</name>
    <message>
        <source>Install the CUDA Compiler</source>
        <translation>Installer le compilateur CUDA</translation>
    </message>
    <message>
        <source>Kernels are compiled by NVIDIA&apos;s run-time compiler NVRTC, which is not on this machine. Warplight can download it.</source>
        <translation>Les kernels sont compilés par NVRTC, le compilateur à l’exécution de NVIDIA. Il n’est pas sur cette machine. Warplight peut le télécharger.</translation>
    </message>
    <message>
        <source>This session is compiled by NVIDIA&apos;s nvcc, which is not on this machine. Warplight can download it.</source>
        <translation>Cette session est compilée par nvcc de NVIDIA. Il n’est pas sur cette machine. Warplight peut le télécharger.</translation>
    </message>
    <message>
        <source>SASS is read by NVIDIA&apos;s nvdisasm, which is not on this machine. Warplight can download it, together with nvcc.</source>
        <translation>Le SASS est lu par nvdisasm de NVIDIA. Il n’est pas sur cette machine. Warplight peut le télécharger, avec nvcc.</translation>
    </message>
    <message>
        <source>Also &amp;nvcc, ptxas and nvdisasm, for sessions that compile with nvcc and for SASS</source>
        <translation>Aussi &amp;nvcc, ptxas et nvdisasm, pour les sessions qui compilent avec nvcc et pour le SASS</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Progression</translation>
    </message>
    <message>
        <source>&amp;Accept the licence and install</source>
        <translation>&amp;Accepter la licence et installer</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>Impossible de démarrer %1&#x202f;: %2</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Démarrage</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was installed.</source>
        <translation>Annulé. Rien n’a été installé.</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>Annulation</translation>
    </message>
</context>
<context>
    <name>warplight::ui::TwoThreads</name>
    <message>
        <source>line %1</source>
        <translation>ligne %1</translation>
    </message>
    <message>
        <source>PTX line %1</source>
        <translation>Ligne PTX %1</translation>
    </message>
    <message>
        <source>Two threads</source>
        <translation>Deux threads</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>en attente</translation>
    </message>
    <message>
        <source>atomic operation</source>
        <translation>opération atomique</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>écrit %1</translation>
    </message>
    <message>
        <source>No barrier of the block in between</source>
        <translation>Aucune barrière du bloc entre les deux</translation>
    </message>
    <message>
        <source>Nothing in between: the lanes of a warp need not run in step</source>
        <translation>Rien entre les deux&#x202f;: les voies d’un warp n’avancent pas forcément au même pas</translation>
    </message>
    <message>
        <source>A write in three steps, and a write in between</source>
        <translation>Une écriture en trois temps, et une autre entre-temps</translation>
    </message>
    <message>
        <source>One is atomic, the other is not: that orders nothing</source>
        <translation>L’un est atomique, l’autre non&#x202f;: cela n’ordonne rien</translation>
    </message>
    <message>
        <source>Two blocks: nothing orders them</source>
        <translation>Deux blocs&#x202f;: rien ne les ordonne</translation>
    </message>
    <message>
        <source>Two blocks of a cluster: nothing orders them</source>
        <translation>Deux blocs d’un cluster&#x202f;: rien ne les ordonne</translation>
    </message>
    <message>
        <source>A fence, but of one block only</source>
        <translation>Une barrière mémoire, mais d’un seul bloc</translation>
    </message>
    <message>
        <source>Both are strong, but the scope of one does not reach the other</source>
        <translation>Les deux sont forts (strong), mais la portée de l’un n’atteint pas l’autre</translation>
    </message>
    <message>
        <source>Both are strong, but of different sizes</source>
        <translation>Les deux sont forts (strong), mais de tailles différentes</translation>
    </message>
    <message>
        <source>The copy goes on by itself: nobody has waited for it</source>
        <translation>La copie se poursuit seule&#x202f;: personne ne l’a attendue</translation>
    </message>
    <message>
        <source>They wait at different barriers</source>
        <translation>Ils attendent à des barrières différentes</translation>
    </message>
    <message>
        <source>More arrive at the barrier object than it counts on</source>
        <translation>Plus de threads arrivent à l’objet barrière qu’il n’en attend</translation>
    </message>
    <message>
        <source>A texture or surface need not show what its own launch writes</source>
        <translation>Une texture ou une surface ne montre pas forcément ce que son propre lancement écrit</translation>
    </message>
    <message>
        <source>A kernel, and one that it launches: nothing orders them</source>
        <translation>Un kernel et un autre qu’il lance&#x202f;: rien ne les ordonne</translation>
    </message>
    <message>
        <source>Work of two streams: nothing orders it</source>
        <translation>Travail de deux flux&#x202f;: rien ne l’ordonne</translation>
    </message>
    <message>
        <source>They meet in one operation, but at different places</source>
        <translation>Ils se rejoignent dans une opération, mais à des endroits différents</translation>
    </message>
    <message>
        <source>Each waits for the other, and neither goes on</source>
        <translation>Chacun attend l’autre, et aucun n’avance</translation>
    </message>
    <message>
        <source>%1 between the two accesses of %2</source>
        <translation>%1 entre les deux accès de %2</translation>
    </message>
    <message>
        <source>%1 between %2 and %3</source>
        <translation>%1 entre %2 et %3</translation>
    </message>
    <message>
        <source>__syncwarp() or __syncthreads()</source>
        <translation>__syncwarp() ou __syncthreads()</translation>
    </message>
    <message>
        <source>atomicAdd() or the like in place of the plain %1 (%2)</source>
        <translation>atomicAdd() ou similaire à la place de l’accès simple %1 (%2)</translation>
    </message>
    <message>
        <source>atomic operations, or __threadfence() and an atomic flag</source>
        <translation>des opérations atomiques, ou __threadfence() et un indicateur atomique</translation>
    </message>
    <message>
        <source>__threadfence() in place of __threadfence_block()</source>
        <translation>__threadfence() à la place de __threadfence_block()</translation>
    </message>
    <message>
        <source>the operation for the whole device: atomicAdd() in place of atomicAdd_block()</source>
        <translation>l’opération pour tout le périphérique&#x202f;: atomicAdd() à la place de atomicAdd_block()</translation>
    </message>
    <message>
        <source>accesses of one size</source>
        <translation>des accès de même taille</translation>
    </message>
    <message>
        <source>a wait for the copy, and then __syncthreads()</source>
        <translation>une attente de la copie, puis __syncthreads()</translation>
    </message>
    <message>
        <source>one __syncthreads() outside of the branch, to which both come</source>
        <translation>un seul __syncthreads() hors de la branche, que les deux atteignent</translation>
    </message>
    <message>
        <source>the number of threads that arrive, in the object&apos;s init()</source>
        <translation>le nombre de threads qui arrivent, dans l’init() de l’objet</translation>
    </message>
    <message>
        <source>a read by a pointer, other memory for the result, or two launches</source>
        <translation>une lecture par pointeur, une autre mémoire pour le résultat, ou deux lancements</translation>
    </message>
    <message>
        <source>a launch behind the access, or into cudaStreamTailLaunch</source>
        <translation>un lancement après l’accès, ou dans cudaStreamTailLaunch</translation>
    </message>
    <message>
        <source>an event of the first stream, which the second waits for: cudaStreamWaitEvent()</source>
        <translation>un événement du premier flux, que le second attend&#x202f;: cudaStreamWaitEvent()</translation>
    </message>
    <message>
        <source>a barrier to which all come that it counts on</source>
        <translation>une barrière que tous ceux qu’elle attend atteignent</translation>
    </message>
    <message>
        <source>Would let both go on: %1</source>
        <translation>Pour que les deux continuent&#x202f;: %1</translation>
    </message>
    <message>
        <source>Would order them: %1</source>
        <translation>Pour les ordonner&#x202f;: %1</translation>
    </message>
    <message>
        <source>Thread %1</source>
        <translation>Thread %1</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>bloc %1</translation>
    </message>
    <message>
        <source>Drawn in the order of the text: which comes first is chance.</source>
        <translation>Dessiné dans l’ordre de la source&#x202f;: lequel vient en premier relève du hasard.</translation>
    </message>
    <message>
        <source>%1
A click goes there</source>
        <translation>%1
Un clic y mène</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VariablesModel</name>
    <message>
        <source>(none)</source>
        <translation>(aucune)</translation>
    </message>
    <message>
        <source>and %1 more: look at the memory</source>
        <translation>et %1 de plus&#x202f;: voir la mémoire</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nom</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Valeur</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Type</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VariablesView</name>
    <message>
        <source>Show in All &amp;Lanes</source>
        <translation>Voir dans toutes les &amp;voies</translation>
    </message>
    <message>
        <source>Show &amp;Memory</source>
        <translation>Afficher la &amp;mémoire</translation>
    </message>
    <message>
        <source>Go &amp;Back to Last Write</source>
        <translation>Revenir à la &amp;dernière écriture</translation>
    </message>
    <message>
        <source>&amp;Edit Watch</source>
        <translation>Modifi&amp;er l’expression</translation>
    </message>
    <message>
        <source>&amp;Remove Watch</source>
        <translation>Supp&amp;rimer l’expression</translation>
    </message>
    <message>
        <source>Add &amp;Watch</source>
        <translation>&amp;Surveiller</translation>
    </message>
    <message>
        <source>&amp;Copy Value</source>
        <translation>&amp;Copier la valeur</translation>
    </message>
</context>
<context>
    <name>warplight::ui::VersionView</name>
    <message>
        <source>Take this change over into the editor</source>
        <translation>Reprendre cette modification dans l’éditeur</translation>
    </message>
    <message>
        <source>Take Over</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>Take All</source>
        <translation>Tout reprendre</translation>
    </message>
    <message>
        <source>Previous change</source>
        <translation>Modification précédente</translation>
    </message>
    <message>
        <source>Next change</source>
        <translation>Modification suivante</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Fermer la comparaison</translation>
    </message>
    <message>
        <source>Put the other version&apos;s lines of the change at the caret into the editor</source>
        <translation>Mettre dans l’éditeur les lignes de l’autre version pour la modification au curseur</translation>
    </message>
    <message>
        <source>Put the other version into the editor</source>
        <translation>Mettre l’autre version dans l’éditeur</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Différences</translation>
    </message>
    <message>
        <source>The other version</source>
        <translation>L’autre version</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Aucune différence</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 modification</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 modifications</translation>
    </message>
</context>
<context>
    <name>warplight::ui::ViewBar</name>
    <message>
        <source>Part of complex numbers</source>
        <translation>Partie des nombres complexes</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Coupe</translation>
    </message>
    <message>
        <source>Show two axes at one index of each other axis, on Table, Plot, Histogram and Image alike</source>
        <translation>Afficher deux axes pour un index de chaque autre axe, à la fois dans Table, Courbe, Histogramme et Image</translation>
    </message>
    <message>
        <source>Axis of the rows</source>
        <translation>Axe des lignes</translation>
    </message>
    <message>
        <source>Axis of the columns</source>
        <translation>Axe des colonnes</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Lignes</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colonnes</translation>
    </message>
    <message>
        <source>Save what is shown here</source>
        <translation>Enregistrer ce qui est affiché ici</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Tel que stocké</translation>
    </message>
    <message>
        <source>re + im i</source>
        <translation>re + im i</translation>
    </message>
    <message>
        <source>Real</source>
        <translation>Réel</translation>
    </message>
    <message>
        <source>Imaginary</source>
        <translation>Imaginaire</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>axis %1 (%2)</source>
        <translation>axe %1 (%2)</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>axe %1&#x202f;: </translation>
    </message>
    <message>
        <source>Index on axis %1</source>
        <translation>Index sur l’axe %1</translation>
    </message>
    <message>
        <source>Field of structs</source>
        <translation>Champ de structures</translation>
    </message>
    <message>
        <source>Show all fields, or one of them as numbers of its own</source>
        <translation>Afficher tous les champs, ou l’un d’eux comme nombres à part</translation>
    </message>
    <message>
        <source>Keep what is shown here as a buffer of its own</source>
        <translation>Garder ce qui est affiché ici comme tampon à part</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>Tous les champs</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WatchesPage</name>
    <message>
        <source>Watches</source>
        <translation>Surveillance</translation>
    </message>
    <message>
        <source>Add an expression to watch</source>
        <translation>Ajouter une expression à surveiller</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WelcomePage</name>
    <message>
        <source>Open this exercise</source>
        <translation>Ouvrir cet exercice</translation>
    </message>
    <message>
        <source>Open and run this example</source>
        <translation>Ouvrir et exécuter cet exemple</translation>
    </message>
    <message>
        <source>Warplight</source>
        <translation>Warplight</translation>
    </message>
    <message>
        <source>Write a kernel, give it data, run it, and see what it did.</source>
        <translation>Écrivez un kernel, donnez-lui des données, exécutez-le et voyez ce qu’il a fait.</translation>
    </message>
    <message>
        <source>&amp;New kernel</source>
        <translation>&amp;Nouveau kernel</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Start from an empty kernel</source>
        <translation>Partir d’un kernel vide</translation>
    </message>
    <message>
        <source>Open a session, a kernel or an array</source>
        <translation>Ouvrir une session, un kernel ou un tableau</translation>
    </message>
    <message>
        <source>No examples are installed.</source>
        <translation>Aucun exemple n’est installé.</translation>
    </message>
    <message>
        <source>Examples: one click runs them</source>
        <translation>Exemples&#x202f;: un clic les exécute</translation>
    </message>
    <message>
        <source>Lessons: see what is wrong, and how to mend it</source>
        <translation>Leçons&#x202f;: voir ce qui ne va pas, et comment le corriger</translation>
    </message>
    <message>
        <source>Exercises: write the kernel, and check it</source>
        <translation>Exercices&#x202f;: écrire le kernel et le vérifier</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Récents</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Windows</name>
    <message>
        <source>Unsaved changes</source>
        <translation>Modifications non enregistrées</translation>
    </message>
    <message>
        <source>%1 sessions have changes that are not saved.</source>
        <translation>%1 sessions contiennent des modifications non enregistrées.</translation>
    </message>
    <message>
        <source>&amp;Discard All</source>
        <translation>Tout a&amp;bandonner</translation>
    </message>
</context>
<context>
    <name>warplight::ui::Workbench</name>
    <message>
        <source>Opening %1</source>
        <translation>Ouverture de %1</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 n’a pas été ouvert.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WorkerBufferSource</name>
    <message>
        <source>The buffer cannot be saved there: %1.</source>
        <translation>Impossible d’enregistrer le tampon à cet endroit&#x202f;: %1.</translation>
    </message>
    <message>
        <source>The worker could not answer.</source>
        <translation>Le processus de travail n’a pas pu répondre.</translation>
    </message>
    <message>
        <source>The worker&apos;s answer is not what was expected: %1</source>
        <translation>La réponse du processus de travail n’est pas celle attendue&#x202f;: %1</translation>
    </message>
    <message>
        <source>What was computed went with its worker. Choose the buffer again.</source>
        <translation>Ce qui était calculé a disparu avec son processus de travail. Choisissez à nouveau le tampon.</translation>
    </message>
</context>
<context>
    <name>warplight::ui::WorkerConnection</name>
    <message>
        <source>The driver has no device.</source>
        <translation>Le pilote n’a aucun périphérique.</translation>
    </message>
    <message>
        <source>was stopped</source>
        <translation>a été arrêté</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1&#x202f;: %2</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>annulé</translation>
    </message>
    <message>
        <source>Compiling in the background</source>
        <translation>Compilation en arrière-plan</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Exécution</translation>
    </message>
    <message>
        <source>Looking for kernels</source>
        <translation>Recherche des kernels</translation>
    </message>
    <message>
        <source>Reading the layout of structs</source>
        <translation>Lecture de la disposition des structures</translation>
    </message>
    <message>
        <source>Computing the occupancy</source>
        <translation>Calcul de l’occupation</translation>
    </message>
    <message>
        <source>Disassembling</source>
        <translation>Désassemblage</translation>
    </message>
    <message>
        <source>Compiling for limits of registers</source>
        <translation>Compilation pour des limites de registres</translation>
    </message>
    <message>
        <source>Looking for compilers</source>
        <translation>Recherche des compilateurs</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>Recherche des périphériques</translation>
    </message>
    <message>
        <source>Opening a file</source>
        <translation>Ouverture d’un fichier</translation>
    </message>
    <message>
        <source>Reading a buffer for its statistics</source>
        <translation>Lecture d’un tampon pour ses statistiques</translation>
    </message>
    <message>
        <source>Reading a buffer for its plot</source>
        <translation>Lecture d’un tampon pour son graphique</translation>
    </message>
    <message>
        <source>Reading a buffer for its picture</source>
        <translation>Lecture d’un tampon pour son image</translation>
    </message>
    <message>
        <source>Comparing buffers</source>
        <translation>Comparaison de tampons</translation>
    </message>
    <message>
        <source>Saving a buffer</source>
        <translation>Enregistrement d’un tampon</translation>
    </message>
    <message>
        <source>Counting for a histogram</source>
        <translation>Comptage pour un histogramme</translation>
    </message>
    <message>
        <source>Counting for a scatter plot</source>
        <translation>Comptage pour un nuage de points</translation>
    </message>
    <message>
        <source>Computing a buffer</source>
        <translation>Calcul d’un tampon</translation>
    </message>
    <message>
        <source>Reading a buffer</source>
        <translation>Lecture d’un tampon</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Arrêté.</translation>
    </message>
    <message>
        <source>%1 is not connected.</source>
        <translation>%1 n’est pas connectée.</translation>
    </message>
    <message>
        <source>%1 was disconnected.</source>
        <translation>%1 a été déconnectée.</translation>
    </message>
</context>
</TS>
