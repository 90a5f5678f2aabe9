internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Finds the day of a file that is a picture or video of the mirror, an earlier revision of one, or a pin.
final class PictureIndex {
    private struct Candidate {
        let day: Day
        let path: String
        /// The hash in the record, if the file may have other bytes than the record says.
        var sha256: String?
    }

    private let root: Directory
    private let store: Store
    private(set) var byIdentity: [FileIdentity: Day] = [:]
    private var bySize: [Int: [Candidate]] = [:]
    private var recordsRead: Set<Day> = []
    /// The hashes and the first bytes of files, by their paths: each is read once.
    private var hashesOfFiles: [String: String] = [:]
    private var starts: [String: [UInt8]] = [:]

    init(of tree: Tree) throws {
        root = tree.root
        store = Store(reading: tree)
        let snapshot = try TreeSnapshot(of: root)
        // A picture that cannot be compared is not another one.
        if let error = snapshot.obstacle(from: .first) { throw error }
        for files in snapshot.days {
            for file in files.media {
                add(file.path, of: files.day, file.stamp.identity, bytes: file.stamp.size)
            }
        }
        try collect(Layout.previous)
        try collect(FavoriteStore.folder)
        collectLatest(in: tree)
        // The video of a day that has its poster is found by the day in its name.
        for day in snapshot.recorded.subtracting(snapshot.pictured) { try collectRecorded(day) }
    }

    /// The day whose picture the file `item` is, and whether it is a hard link or a copy.
    ///
    /// `recorded` is the day that its name referred to in the last scan, `start` its first bytes; `hash` returns its
    /// SHA-256, and is called only if a picture of its size exists that begins with the same bytes.
    func day(
        of item: ScannedItem, recorded: Day? = nil, start: [UInt8] = [],
        hash: () throws(SystemError) -> String
    ) throws(SystemError) -> (Day, ReferenceKind)? {
        if let day = byIdentity[item.identity] { return (day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let known = [DateInName.first(in: item.name.last), recorded].compactMap(\.self)
        for day in known { try collectRecorded(day) }
        let candidates = (bySize[item.size] ?? []).filter { mayBegin($0, with: start) }
        guard !candidates.isEmpty else { return nil }
        let wanted = try hash()
        let days = Set(candidates.filter { sha256(of: $0) == wanted }.map(\.day))
        return (known.first(where: days.contains) ?? days.max()).map { ($0, .copy) }
    }

    /// The number of first bytes that are compared: more than the headers that many pictures of one camera share.
    private static let startLength = 4096

    private func mayBegin(_ candidate: Candidate, with start: [UInt8]) -> Bool {
        guard candidate.sha256 == nil else { return true }
        if starts[candidate.path] == nil {
            starts[candidate.path] = try? root.openFile(candidate.path, O_RDONLY)
                .readStart(limit: Self.startLength, path: candidate.path)
        }
        guard let found = starts[candidate.path] else { return true }
        let count = min(start.count, found.count)
        return start.prefix(count).elementsEqual(found.prefix(count))
    }

    private func sha256(of candidate: Candidate) -> String? {
        if let known = candidate.sha256 ?? hashesOfFiles[candidate.path] { return known }
        let recorded = (try? store.record(of: candidate.day))??.allFiles ?? []
        let hash =
            recorded.first { $0.path == candidate.path }?.sha256
            ?? (try? root.openToRead(candidate.path)
                .sha256(path: candidate.path, limit: Layout.largestFile))
        hashesOfFiles[candidate.path] = hash
        return hash
    }

    private func add(_ path: String, of day: Day, _ identity: FileIdentity, bytes: Int) {
        byIdentity[identity] = day
        guard bytes <= Layout.largestFile else { return }
        bySize[bytes, default: []].append(Candidate(day: day, path: path))
    }

    private func collect(_ path: String) throws(SystemError) {
        let found: Directory?
        do {
            found = try root.folder(path)
        } catch  where error.isNotDirectory {
            return
        }
        guard let folder = found else { return }
        for name in try folder.textNames() {
            guard let day = FileName.day(of: name), !name.hasSuffix(".json"),
                let status = try folder.status(name), status.kind == .file
            else { continue }
            add("\(path)/\(name)", of: day, status.identity, bytes: status.size)
        }
    }

    /// Adds the newest picture in the root, which is converted from another format.
    private func collectLatest(in tree: Tree) {
        let name = OwnedPath.latestPicture.path
        guard let status = (try? root.status(name)) ?? nil, status.kind == .file,
            let day = tree.latestPictureDay
        else { return }
        add(name, of: day, status.identity, bytes: status.size)
    }

    /// Adds the files of the record of `day`, of which `pictures/` may have another content, or none: a disk
    /// damaged it, a user moved it to `favorites/`, or retention removed it.
    private func collectRecorded(_ day: Day) throws(SystemError) {
        guard recordsRead.insert(day).inserted else { return }
        for file in try store.record(of: day)?.allFiles ?? [] {
            bySize[file.bytes, default: []].append(
                Candidate(day: day, path: file.path, sha256: file.sha256))
        }
    }
}
