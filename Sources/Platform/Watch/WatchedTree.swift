internal import Glibc

/// The inotify watches of a directory, of all directories beneath it, and of its parent.
///
/// A scan sets the watch of each directory before it reads the directory, through the same descriptor. So every change is in
/// the listing or causes an event. Exactly the listed directories are watched.
final class WatchedTree {
    /// Without events of the directory itself, which the watch of its parent reports.
    private static let inFolders: InotifyEvent.Kinds = [.named, .written, .attributes]
    private static let inParent: InotifyEvent.Kinds = [.named, .attributes]

    /// A file has arrived once it is renamed into the directory, or is closed after it was written.
    private static let inRequests: InotifyEvent.Kinds = [.arrived, .written]

    private let inotify: Inotify
    private let name: [UInt8]
    /// The path in the parent of a directory whose new files are requests; `nil` if there is none.
    private let requests: String?
    private let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The watch of the parent, which ends only with the file system; `nil` until it can be set.
    private var parentWatch: Int32?
    private var requestsWatch: Int32?
    /// The watches of the directory and of all directories beneath it, to be found by watch and by directory.
    private var identityByWatch: [Int32: FileIdentity] = [:]
    private var watchByIdentity: [FileIdentity: Int32] = [:]
    /// The directories that the current scan has visited.
    private var visited: Set<FileIdentity> = []
    /// Why the last scan could not watch all directories; `nil` if it could.
    private(set) var obstacle: WatchObstacle?

    /// The watches of the directory `name`, which the first scan sets.
    ///
    /// Another directory in its parent, `requests`, is watched for new files. Events of ignored names cause no scan.
    init(
        of name: String, beside requests: String? = nil,
        ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) throws(WatchObstacle) {
        inotify = try Inotify()
        self.name = Array(name.utf8)
        self.requests = requests
        self.isIgnored = isIgnored
    }

    /// Readable when there are events.
    var descriptor: CInt { inotify.descriptor }

    /// Whether so many watches have ended, whose paths take a megabyte, that a new instance should replace this one.
    var isWornOut: Bool { inotify.watchCount - count > 4096 }

    /// The number of watched directories, without the parent and the directory of requests.
    var count: Int { watchByIdentity.count }

    /// Begins a scan of the tree in `parent`, which calls ``watch(_:_:)`` for each directory.
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

    /// Watches the directory of requests, again if it was replaced; without a watch, the next scan finds the requests.
    private func watchRequests(in parent: Directory) {
        guard let requests, let inner = try? parent.folder(requests),
            let watch = try? inotify.watch(inner.descriptor.rawValue, for: Self.inRequests)
        else { return }
        if let requestsWatch { inotify.unwatch(requestsWatch) }
        requestsWatch = watch
    }

    /// Watches a directory before it is read.
    func watch(_ descriptor: CInt, _ identity: FileIdentity) {
        visited.insert(identity)
        do {
            // There is no new watch if an earlier scan has set it, or if a mount shows a directory twice.
            guard let watch = try inotify.watch(descriptor, for: Self.inFolders) else { return }
            watchByIdentity[identity] = watch
            identityByWatch[watch] = identity
        } catch {
            obstacle = error
        }
    }

    /// Removes the watches of directories that the scan did not visit, because they were moved away or removed.
    func endScan() {
        for (identity, watch) in watchByIdentity where !visited.contains(identity) {
            watchByIdentity[identity] = nil
            identityByWatch[watch] = nil
            inotify.unwatch(watch)
        }
    }

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
            // The scan for this reason watches the directory again, and finds the requests that came meanwhile.
            if hasEnded { requestsWatch = nil }
            return .requestFile
        }
        guard let identity = identityByWatch[event.watch] else { return [] }
        if hasEnded {
            identityByWatch[event.watch] = nil
            // A new directory may have the inode of the deleted one, and a watch of its own.
            if watchByIdentity[identity] == event.watch { watchByIdentity[identity] = nil }
        }
        if !event.name.isEmpty, isIgnored(event.name[...]) { return [] }
        return .changed
    }
}
