internal import Mirror
internal import Platform

/// What the services of one process share: the mirror, the places where they report, and the signals that wake other services.
///
/// ``MirrorAssembly`` creates it first, and then makes the services with it. The services do not know each other: each reports to
/// functions of this type or of `MirrorAssembly`, which wake the others.
struct SharedParts: Sendable {
    let settings: Settings
    /// The mirror, which is open for writing.
    let tree: Tree
    let store: Store

    // MARK: Reports to people

    let log: Log
    /// Notifies systemd, if systemd has started the process.
    let manager: ServiceManager
    /// The line of the daemon in `systemctl status`.
    let notifier: StatusNotifier
    /// Writes what `status` shows into the mirror.
    let lastRun: LastRunWriter
    /// Writes what keeps the daemon from its work outside of the mirror; `nil` for a single sync.
    let note: ServiceNoteWriter?

    // MARK: Signals between services

    /// How far the start of the daemon is.
    let start = StartProgress()
    /// Wakes ``MirrorService``, which syncs with NASA.
    let wakeReasons = CoalescingSignal<WakeReason>()
    /// Notifies all services of changes in the mirror, such as new favorites.
    let changes = ChangeBroadcaster()
    /// Wakes ``ViewService`` after all ``changes``, and after further changes that concern the views alone.
    let viewListener: ChangeListener

    init(
        _ settings: Settings, tree: Tree, log: Log, manager: ServiceManager,
        note: ServiceNoteWriter?
    ) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        self.note = note
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        // If this fails, the first sync fails to read the same files, and reports the error.
        notifier = StatusNotifier(manager: manager, newest: try? store.dayInLatestRecord())
        viewListener = changes.makeListener()
        lastRun = LastRunWriter(
            store, settings: settings.typed, changes: viewListener, log: log
        ) { [wakeReasons] change in
            note?.record(change.failure, of: change.service)
            // The disk may take no writes at all: the sync finds that out, and its obstacle says so.
            if change.needsSync { wakeReasons.send(.request) }
        }
    }
}

/// How far the start of the daemon is: what the first scan of `favorites/` has done, and whether systemd was notified.
///
/// A first scan that takes too long counts as ended.
struct StartProgress: Sendable {
    /// Resumed when the first scan has recorded which favorites there are.
    let favoritesRecorded = CancellableContinuation()
    /// Resumed when the first scan has also searched for the pictures of favorites; then the first sync begins.
    let firstScanEnded = CancellableContinuation()
    private let wasReadinessSent = SharedValue(false)

    /// Whether systemd was notified that the daemon is ready, which follows ``favoritesRecorded``.
    var isReady: Bool { wasReadinessSent.withLock(\.self) }

    func recordReadiness() { wasReadinessSent.withLock { $0 = true } }

    func endFirstScan() {
        // A scan that failed or is slow may not have recorded anything, but nothing is to wait for it any more.
        favoritesRecorded.resume()
        firstScanEnded.resume()
    }
}
