internal import Glibc

/// The watches of a folder, of all folders beneath it, and of the folder that holds it.
///
/// They are set while the folders are listed, each before it is read, through the descriptor that it is
/// read by. So what happens to a folder either shows in the listing or arrives as an event, and what is
/// watched is what was listed, whatever it was called meanwhile.
final class WatchedTree {
    /// The library never forgets a watch that ended by itself; so many are worth a fresh start.
    static let mostEnded = 4096

    /// What becomes of a folder itself is an event of the one that holds it.
    private static let inFolders: InotifyEvent.Kinds = [.named, .written, .attributes]
    private static let inParent: InotifyEvent.Kinds = [.named, .attributes]

    /// A file is there when it is whole.
    private static let inRequests: InotifyEvent.Kinds = [.arrived, .written]

    private let inotify: Inotify
    private let name: [UInt8]
    private let requests: String?
    private let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    private var parent: Int32?
    private var requested: (watch: Int32, identity: FileIdentity)?
    private var folders: [Int32: FileIdentity] = [:]
    private var watches: [FileIdentity: Int32] = [:]
    private var seen: Set<FileIdentity> = []
    /// What kept the last pass from watching everything.
    private(set) var limit: WatchLimit?
    private(set) var ended = 0

    /// - Parameters:
    ///   - name: The folder.
    ///   - requests: The path of another folder, nothing below which is watched.
    ///   - isIgnored: The names of which no event is worth a scan.
    /// - Throws: ``WatchLimit``.
    init(
        of name: String, beside requests: String? = nil,
        ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) throws(WatchLimit) {
        inotify = try Inotify()
        self.name = Array(name.utf8)
        self.requests = requests
        self.isIgnored = isIgnored
    }

    /// Readable when ``drain()`` has something to say.
    var descriptor: CInt { inotify.descriptor }

    /// How many folders are watched, the one that holds them not counted.
    var count: Int { watches.count }

    /// Begins to go through the folders, all of which ``watch(_:_:)`` is told of.
    func beginPass(in folder: Directory) {
        seen = []
        limit = nil
        watchRequests(in: folder)
        guard parent == nil else { return }
        do {
            parent = try inotify.watch(folder.rawDescriptor, for: Self.inParent)
        } catch {
            limit = error
        }
    }

    /// Watches the other folder, another one where it was replaced; without it a scan finds what came.
    private func watchRequests(in folder: Directory) {
        guard let requests, let inner = try? folder.folder(requests),
            let identity = try? inner.status().identity, identity != requested?.identity
        else { return }
        if let requested { inotify.unwatch(requested.watch) }
        requested = nil
        guard let watch = try? inotify.watch(inner.rawDescriptor, for: Self.inRequests) else {
            return
        }
        requested = (watch, identity)
    }

    /// Watches a folder that is about to be read.
    func watch(_ descriptor: CInt, _ identity: FileIdentity) {
        seen.insert(identity)
        do {
            guard let watch = try inotify.watch(descriptor, for: Self.inFolders) else { return }
            watches[identity] = watch
            folders[watch] = identity
        } catch {
            limit = error
        }
    }

    /// Ends the watches of folders that the pass did not come by: they were moved out, or are gone.
    func endPass() {
        for (identity, watch) in watches where !seen.contains(identity) {
            watches[identity] = nil
            folders[watch] = nil
            inotify.unwatch(watch)
            ended += 1
        }
    }

    /// Opens a folder, and is told so where the watch of it is alive: nothing is written for it.
    func prove(_ folder: Directory) {
        guard let identity = try? folder.status().identity, let watch = watches[identity] else {
            return
        }
        let current = inotify.rewatch(folder.rawDescriptor, for: Self.inFolders.union(.opened))
        // Another one than was known: of that folder no event would have come.
        guard current == watch else { return inotify.unwatch(current) }
        _ = try? folder.open(".", O_RDONLY | O_DIRECTORY)
        _ = inotify.rewatch(folder.rawDescriptor, for: Self.inFolders)
    }

    /// Takes all events there are; the only place that does.
    func drain() -> RescanReason {
        var hint: RescanReason = []
        while let event = inotify.next() { hint.formUnion(meaning(of: event)) }
        return hint
    }

    private func meaning(of event: InotifyEvent) -> RescanReason {
        if event.kinds.contains(.overflow) { return .overflow }
        if event.watch == parent { return meaning(ofParents: event) }
        if let requested, event.watch == requested.watch {
            if event.kinds.contains(.ended) { self.requested = nil }
            return .requested
        }
        guard let folder = folders[event.watch] else { return [] }
        if event.kinds.contains(.opened) { return event.name.isEmpty ? .proven : [] }
        if event.kinds.contains(.ended) { forget(event.watch, of: folder) }
        // What is touched is of no interest; a folder may have become readable.
        if event.kinds.contains(.attributes), !event.kinds.contains(.folder) { return [] }
        if !event.name.isEmpty, isIgnored(event.name[...]) { return [] }
        return .changed
    }

    private func meaning(ofParents event: InotifyEvent) -> RescanReason {
        event.name == name ? .replaced : []
    }

    private func forget(_ watch: Int32, of folder: FileIdentity) {
        ended += 1
        folders[watch] = nil
        // A new folder may have the number of a deleted one by now, and a watch of its own.
        if watches[folder] == watch { watches[folder] = nil }
    }
}
