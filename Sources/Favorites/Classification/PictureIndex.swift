internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The pictures and videos of the mirror, their earlier revisions and the pins: finds the one that a file in
/// `favorites/` is.
final class PictureIndex {
    private struct Candidate {
        let day: Day
        let path: String
        /// The hash that the record names; `nil` to read the file.
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
        // Copies of pictures that cannot be read would count as other pictures.
        if let error = snapshot.obstacle(from: .first) { throw error }
        for files in snapshot.days {
            for file in files.media {
                add(file.path, of: files.day, file.stamp.identity, bytes: file.stamp.size)
            }
        }
        try collect(Layout.previous)
        try collect(FavoriteStore.folder)
        collectLatest(in: tree)
        // Other records are read only for items whose name refers to their day.
        for day in snapshot.recorded.subtracting(snapshot.pictured) { try collectRecorded(day) }
    }

    /// Classifies `item`, a file, as a hard link to a picture or as a copy; `nil` if it is neither.
    ///
    /// `recorded` is the day to which its name referred in the last scan, `start` its first bytes; `hash`
    /// returns its SHA-256, and is called only if a picture of its size begins with the same bytes.
    func classification(
        of item: ScannedItem, recorded: Day? = nil, start: [UInt8] = [],
        hash: () throws(SystemError) -> String
    ) throws(SystemError) -> Classification? {
        if let day = byIdentity[item.identity] { return .favorite(day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let known = [DateInName.first(in: item.name.last), recorded].compactMap(\.self)
        for day in known { try collectRecorded(day) }
        let candidates = (bySize[item.size] ?? []).filter { mayBegin($0, with: start) }
        guard !candidates.isEmpty else { return nil }
        let wanted = try hash()
        let days = Set(candidates.filter { sha256(of: $0) == wanted }.map(\.day))
        return (known.first(where: days.contains) ?? days.max()).map { .favorite($0, .copy) }
    }

    /// How many first bytes are compared: more than the headers that many pictures of one camera share.
    private static let startLength = 4096

    /// Whether the file of `candidate` begins with `start`, as far as both are known.
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

    /// The recorded hash of a candidate, else that of its file; `nil` if the file cannot be read.
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

    /// Adds the files named by day in the directory at `path`, except records.
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

    /// Adds `latest.jpg` where it is a file of its own, which was converted from another format.
    private func collectLatest(in tree: Tree) {
        let name = OwnedPath.latestPicture.path
        guard let status = (try? root.status(name)) ?? nil, status.kind == .file,
            let day = tree.latestPictureDay
        else { return }
        add(name, of: day, status.identity, bytes: status.size)
    }

    /// Adds the files that the record of `day` names, by their recorded hash: a file may be damaged, moved to
    /// `favorites/` by a user, or removed by retention.
    private func collectRecorded(_ day: Day) throws(SystemError) {
        guard recordsRead.insert(day).inserted else { return }
        for file in try store.record(of: day)?.allFiles ?? [] {
            bySize[file.bytes, default: []].append(
                Candidate(day: day, path: file.path, sha256: file.sha256))
        }
    }
}
