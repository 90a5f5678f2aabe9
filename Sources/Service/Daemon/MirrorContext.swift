internal import Mirror
internal import Platform

/// What the parts of a ``MirrorAssembly`` share: the mirror, the log, and the signals by which one part wakes another.
///
/// A part is a service, or a type that services use, such as ``Synchronizer``. The parts do not know each other: the functions
/// in `MirrorContext+Parts.swift` connect what one part reports with the parts that it concerns.
struct MirrorContext: Sendable {
    let settings: Settings
    let tree: Tree
    let store: Store
    let log: Log
    let manager: ServiceManager
    /// The line of the daemon in `systemctl status`.
    let notifier: StatusNotifier
    let start = StartProgress()
    /// A signal that wakes ``MirrorService``, which syncs with NASA.
    let wakeReasons = CoalescingSignal<WakeReason>()
    /// Notifies all services that the tree has changed.
    let changes = ChangeBroadcaster()
    /// Receives ``changes`` for ``ViewService``, and also what concerns the views alone, such as the news of a sync.
    let viewChanges: ChangeListener

    init(_ settings: Settings, tree: Tree, log: Log, manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        // An error is ignored here, because the first sync reads the same files and reports it.
        notifier = StatusNotifier(manager: manager, newest: try? store.dayInLatestRecord())
        viewChanges = changes.makeListener()
    }
}

/// What the start of the daemon waits for, in this order.
///
/// A first scan of `favorites/` that takes too long counts as ended.
struct StartProgress: Sendable {
    /// Resumed when the first scan has recorded the favorites; then systemd is notified.
    let favoritesRecorded = CancellableContinuation()
    /// Whether systemd was notified that the start is over.
    let isReady = SharedValue(false)
    /// Resumed when the first scan has ended, which includes the search for the pictures of favorites; then the first sync begins.
    let firstScanEnded = CancellableContinuation()
}
