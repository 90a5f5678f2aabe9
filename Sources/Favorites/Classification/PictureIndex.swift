internal import APOD
internal import Mirror
internal import Platform

/// Finds the picture or video of the mirror to which a file in `favorites/` is a hard link, or a copy.
///
/// It knows the files in `pictures/`, their earlier revisions, the pins of favorites and `latest.jpg`. One is
/// made for each scan with unknown files.
final class PictureIndex {
    private struct Candidate {
        let day: Day
        let path: String
        /// The hash that the record names; `nil` to read the file.
        var recordedHash: String?
    }

    private let root: Directory
    private let store: Store
    private var dayByIdentity: [FileIdentity: Day] = [:]
    private var candidatesBySize: [Int: [Candidate]] = [:]
    private var collectedRecords: Set<Day> = []
    /// The hashes of the files that could be read, by their paths.
    private var hashesOfFiles: [String: String] = [:]

    // MARK: Searching

    /// Classifies `item`, a file, as a hard link or as a copy; `nil` if it is neither.
    ///
    /// `recordedDay` is the day to which its name referred in the last scan. `hash` returns its SHA-256; it is
    /// called only if a file of the mirror has its size.
    func classification(
        of item: ScannedItem, recordedDay: Day? = nil, hash: () throws(SystemError) -> String
    ) throws(SystemError) -> Classification? {
        if let day = day(ofHardLink: item) { return .favorite(day, .hardLink) }
        // NASA repeats pictures: the date in the name decides, else the recorded day, else the newest.
        let likelyDays = [DateInName.first(in: item.name.last), recordedDay].compactMap(\.self)
        for day in likelyDays { try collectRecord(of: day) }
        guard let candidates = candidatesBySize[item.size] else { return nil }
        let wanted = try hash()
        let days = Set(candidates.filter { sha256(of: $0) == wanted }.map(\.day))
        return (likelyDays.first(where: days.contains) ?? days.max()).map { .favorite($0, .copy) }
    }

    /// The day of the file of the mirror to which `item` is a hard link; `nil` if it is none.
    func day(ofHardLink item: ScannedItem) -> Day? { dayByIdentity[item.identity] }

    /// The recorded hash of a candidate, else that of its file; `nil` if neither can be read.
    private func sha256(of candidate: Candidate) -> String? {
        if let known = candidate.recordedHash ?? hashesOfFiles[candidate.path] { return known }
        // Without a record the file itself is read; without both, no copy of it is found in this scan.
        let record = (try? store.record(of: candidate.day)) ?? nil
        let hash =
            record?.allFiles.first { $0.path == candidate.path }?.sha256
            ?? (try? root.openToRead(candidate.path)
                .sha256(path: candidate.path, limit: Layout.largestFile))
        hashesOfFiles[candidate.path] = hash
        return hash
    }

    // MARK: Collecting

    init(of tree: Tree) throws {
        root = tree.root
        store = Store(reading: tree)
        let snapshot = try TreeSnapshot(of: root)
        // Copies of the pictures in a folder that could not be read would count as other pictures.
        if let error = snapshot.readError(from: .first) { throw error }
        for files in snapshot.days {
            for file in files.media {
                add(file.path, of: files.day, file.stamp.identity, bytes: file.stamp.size)
            }
        }
        try collectFolder(Layout.previous)
        try collectFolder(FavoriteStore.folder)
        try collectLatest(in: tree)
        // Other records are read only for items whose name refers to their day.
        for day in snapshot.recorded.subtracting(snapshot.pictured) { try collectRecord(of: day) }
    }

    private func add(_ path: String, of day: Day, _ identity: FileIdentity, bytes: Int) {
        dayByIdentity[identity] = day
        // A larger file is none of the mirror.
        guard bytes <= Layout.largestFile else { return }
        candidatesBySize[bytes, default: []].append(Candidate(day: day, path: path))
    }

    /// Adds the files named by day in the directory at `path`, except records.
    private func collectFolder(_ path: String) throws(SystemError) {
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
    private func collectLatest(in tree: Tree) throws(SystemError) {
        let name = Layout.latestPicture
        guard let status = try ifReadable(root.status(name)), status.kind == .file,
            let day = try tree.latestPictureDay
        else { return }
        add(name, of: day, status.identity, bytes: status.size)
    }

    /// Adds the files that the record of `day` names, by their recorded hash: a file may be damaged, moved to
    /// `favorites/` by a user, or removed by retention.
    private func collectRecord(of day: Day) throws(SystemError) {
        guard !collectedRecords.contains(day) else { return }
        for file in try store.record(of: day)?.allFiles ?? [] {
            candidatesBySize[file.bytes, default: []].append(
                Candidate(day: day, path: file.path, recordedHash: file.sha256))
        }
        collectedRecords.insert(day)
    }
}
