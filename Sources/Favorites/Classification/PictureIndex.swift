internal import APOD
internal import Mirror
internal import Platform

/// Finds the day of a file that is a picture or video of the mirror, an earlier revision of one, or a pin.
final class PictureIndex {
    private struct Candidate {
        let day: Day
        let path: String
        /// The hash in the record, if it is known already.
        var sha256: String?
    }

    private let root: Directory
    private let store: Store
    private var byIdentity: [FileIdentity: Day] = [:]
    private var bySize: [Int: [Candidate]] = [:]
    /// The days of the pictures of one size by their hashes, read when the first file of that size is found.
    private var byHash: [Int: [String: Set<Day>]] = [:]
    private var recordsRead: Set<Day> = []

    init(of tree: Tree) throws {
        root = tree.root
        store = Store(reading: tree)
        try collect(Layout.pictures, depth: 2)
        try collect(Layout.previous, depth: 0)
        try collect(FavoriteStore.folder, depth: 0)
        // The video of a day that has its poster is found by the day in its name.
        let index = try TreeIndex(of: tree)
        for day in index.recorded.subtracting(index.pictured) { try collectRecorded(day) }
    }

    /// The day whose picture the file `item` is, and whether it is a hard link or a copy.
    ///
    /// `recorded` is the day that its name referred to in the last scan; `hash` returns its SHA-256, and is called
    /// only if a picture of its size exists.
    func day(
        of item: ScannedItem, recorded: Day? = nil, hash: () throws(SystemError) -> String
    ) throws(SystemError) -> (Day, ReferenceKind)? {
        if let day = byIdentity[item.identity] { return (day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let known = [DateInText.day(in: item.name.last), recorded].compactMap(\.self)
        for day in known { try collectRecorded(day) }
        guard bySize[item.size] != nil else { return nil }
        let days = hashes(ofSize: item.size)[try hash()] ?? []
        return (known.first(where: days.contains) ?? days.max()).map { ($0, .copy) }
    }

    private func hashes(ofSize size: Int) -> [String: Set<Day>] {
        if let known = byHash[size] { return known }
        var days: [String: Set<Day>] = [:]
        for candidate in bySize[size] ?? [] {
            if let hash = sha256(of: candidate) { days[hash, default: []].insert(candidate.day) }
        }
        byHash[size] = days
        return days
    }

    private func sha256(of candidate: Candidate) -> String? {
        if let sha256 = candidate.sha256 { return sha256 }
        let recorded = (try? store.record(of: candidate.day))??.allFiles
        if let file = recorded?.first(where: { $0.path == candidate.path }) { return file.sha256 }
        return try? root.open(candidate.path, 0).sha256(path: candidate.path)
    }

    private func collect(_ path: String, depth: Int) throws(SystemError) {
        let found: Directory?
        do {
            found = try root.folder(path)
        } catch  where error.isNotDirectory {
            return
        }
        guard let folder = found else { return }
        for name in try folder.textNames() {
            if depth > 0 {
                try collect("\(path)/\(name)", depth: depth - 1)
            } else if let day = FileName.day(of: name), !name.hasSuffix(".json"),
                let status = try folder.status(name), status.kind == .file
            {
                byIdentity[status.identity] = day
                guard status.size <= Layout.largestFile else { continue }
                bySize[status.size, default: []].append(
                    Candidate(day: day, path: "\(path)/\(name)"))
            }
        }
    }

    /// Adds the files of the record of `day`, of which `pictures/` may have another content, or none: a disk
    /// damaged it, a user moved it to `favorites/`, or retention removed it.
    private func collectRecorded(_ day: Day) throws(SystemError) {
        guard recordsRead.insert(day).inserted else { return }
        for file in try store.record(of: day)?.allFiles ?? [] {
            byHash[file.bytes] = nil
            bySize[file.bytes, default: []].append(
                Candidate(day: day, path: file.path, sha256: file.sha256))
        }
    }
}
