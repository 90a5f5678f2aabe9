/// The watches of inotify(7) of `favorites/`: of the directory, of all directories beneath it, and of its parent.
///
/// ``DirectoryWatcher`` calls it in each scan. The watch of a directory is set before the directory is read, through the same
/// descriptor. So every change is in the listing or causes an event. Exactly the listed directories are watched.
final class WatchedTree {
    /// The events in a directory of the tree.
    private static let inTree: InotifyEvent.Kinds = [.named, .written, .attributes]
    /// They show that the watched directory itself is created, removed, replaced, or gets other permissions.
    private static let inParent: InotifyEvent.Kinds = [.named, .attributes]
    /// They show that a request is complete: it was renamed into the directory, or closed after it was written.
    private static let inRequests: InotifyEvent.Kinds = [.arrived, .written]

    private let inotify: Inotify
    private let name: [UInt8]
    /// The path, in the parent, of the directory in which commands leave requests; `nil` if there is none.
    private let requests: String?
    private let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The watch of the parent, which ends only with the file system; `nil` until it can be set.
    private var parentWatch: Int32?
    private var requestsWatch: Int32?
    /// The directories of the tree, by their watches.
    private var directories: [Int32: FileIdentity] = [:]
    /// The directories that the current scan has visited.
    private var visited: Set<FileIdentity> = []
    /// Why the last scan could not watch all directories; `nil` if it could.
    private(set) var obstacle: WatchObstacle?

    /// Makes an inotify instance; the first scan sets its watches, for the directory `name`.
    ///
    /// `requests` is another directory in the same parent, which is watched for new files. Changes of ignored names do not count.
    init(
        of name: String, beside requests: String? = nil,
        ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) throws(WatchObstacle) {
        inotify = try Inotify()
        self.name = Array(name.utf8)
        self.requests = requests
        self.isIgnored = isIgnored
    }

    /// Can be read when there are events.
    var descriptor: CInt { inotify.descriptor }

    /// Whether a new instance should replace this one, because the library keeps the paths of too many ended watches.
    var isWornOut: Bool { inotify.watchesEverSet - directories.count > Self.maximumEndedWatches }

    /// The paths of so many ended watches take about a megabyte.
    private static let maximumEndedWatches = 4096

    // MARK: Scans

    /// Begins a scan of the tree in `parent`, which calls ``watch(_:of:)`` for each directory.
    func beginScan(in parent: Directory) {
        visited = []
        obstacle = nil
        watchRequests(in: parent)
        guard parentWatch == nil else { return }
        do {
            parentWatch = try inotify.watch(parent.descriptor.rawValue, for: Self.inParent)
        } catch {
            obstacle = error
        }
    }

    /// Watches the directory of requests, and again if it was replaced.
    ///
    /// An error is ignored, because each scan reads the requests, too.
    private func watchRequests(in parent: Directory) {
        guard let requests, let inner = try? parent.folder(requests),
            let watch = try? inotify.watch(inner.descriptor.rawValue, for: Self.inRequests)
        else { return }
        if let requestsWatch { inotify.unwatch(requestsWatch) }
        requestsWatch = watch
    }

    /// Watches a directory of the tree; a scan calls this before it reads the directory.
    func watch(_ descriptor: CInt, of identity: FileIdentity) {
        visited.insert(identity)
        do {
            // There is no new watch if an earlier scan has set one, or if a mount shows the directory twice in the tree.
            guard let watch = try inotify.watch(descriptor, for: Self.inTree) else { return }
            directories[watch] = identity
        } catch {
            obstacle = error
        }
    }

    /// Removes the watches of directories that the scan did not visit, because they were moved away or removed.
    func endScan() {
        for (watch, identity) in directories where !visited.contains(identity) {
            directories[watch] = nil
            inotify.unwatch(watch)
        }
    }

    // MARK: Events

    /// Reads all events of the kernel, and returns the reasons for a scan among them.
    func readEvents() -> RescanReason {
        var reasons: RescanReason = []
        while let event = inotify.next() { reasons.formUnion(reason(of: event)) }
        return reasons
    }

    private func reason(of event: InotifyEvent) -> RescanReason {
        if event.kinds.contains(.overflow) { return .overflow }
        let hasEnded = event.kinds.contains(.ended)
        if event.watch == parentWatch { return event.name == name ? .replaced : [] }
        if event.watch == requestsWatch {
            // If the directory was removed, the scan for this reason watches the new one, and finds the requests in it.
            if hasEnded { requestsWatch = nil }
            return .requestedByCommand
        }
        guard directories[event.watch] != nil else { return [] }
        if hasEnded { directories[event.watch] = nil }
        if !event.name.isEmpty, isIgnored(event.name[...]) { return [] }
        return .changed
    }
}
