internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Finds the day of a file in `favorites/` that is a hard link to a picture or video of the mirror, or a copy.
///
/// It lists the files in `pictures/`, their earlier revisions, the pins of favorites, which keep their pictures, and
/// `latest.jpg`. ``FileClassifier`` makes one when a scan finds a file that it does not know yet.
final class PictureIndex {
    /// A file of the mirror of which an item may be a copy.
    private struct Candidate {
        let day: Day
        let path: String
        /// The SHA-256 in the record of the day; `nil` if the record was not read, or does not name the file.
        var recordedHash: String?
    }

    /// When the walk began that found the files in `pictures/`.
    let walkStart: Date
    private let mirror: Store
    private var candidateByIdentity: [FileIdentity: Candidate] = [:]
    private var candidatesBySize: [Int: [Candidate]] = [:]
    private var daysOfAddedRecords: Set<Day> = []
    /// Why a file of the mirror could not be read, the last one if several could not; `nil` if all were read.
    ///
    /// After an error, an item that is not found may be a copy of that file.
    private(set) var readError: SystemError?

    /// Lists the files of `mirror`: those in `pictures/` by a new walk, unless the last one began at `date` or later.
    init(of mirror: Store, since date: Date) throws(SystemError) {
        self.mirror = mirror
        let snapshot: TreeSnapshot
        (snapshot, walkStart) = try mirror.snapshots.current(since: date)
        readError = snapshot.errorsHidingDays(from: .first).first
        for files in snapshot.days {
            for file in files.media {
                addFile(
                    file.path, of: files.day, identity: file.stamp.identity,
                    bytes: file.stamp.size)
            }
        }
        try addFolder(Layout.previous)
        try addFolder(FavoriteStore.folder)
        try addLatest()
        // The pictures of these days are lost. Other records are read only for an item whose name has their day.
        try addRecords(of: snapshot.days(where: { $0.record != nil && !$0.hasPicture }))
    }

    private var root: Directory { mirror.tree.root }

    /// The day of the file of the mirror to which `item` is a hard link; `nil` if it is none.
    func day(ofHardLink item: ScannedItem) throws(SystemError) -> Day? {
        // Since the walk, the file may have gone, and another file may have got its inode.
        guard let candidate = candidateByIdentity[item.identity],
            try root.status(candidate.path)?.identity == item.identity
        else { return nil }
        return candidate.day
    }

    /// Whether a file of the mirror has this size; only then is an item hashed.
    func hasFile(ofSize size: Int) -> Bool { candidatesBySize[size] != nil }

    /// The first of `likelyDays` that has a file of this size and hash, else the newest day; `nil` if none has.
    ///
    /// If files cannot be read, their days are not found, and ``readError`` is set.
    func day(ofSize size: Int, sha256: String, likelyDays: [Day]) -> Day? {
        let candidates = candidatesBySize[size] ?? []
        let days = Set(candidates.filter { hash(of: $0) == sha256 }.map(\.day))
        return likelyDays.first(where: days.contains) ?? days.max()
    }

    /// The hash in the record of the candidate's day, or else the hash of the file; `nil` if it cannot be read.
    ///
    /// If only the record cannot be read, that sets ``readError``, too: a match of the file proves the day, but a mismatch
    /// proves nothing, because a person may have edited the file.
    private func hash(of candidate: Candidate) -> String? {
        if let hash = candidate.recordedHash { return hash }
        do throws(SystemError) {
            let files = try mirror.record(of: candidate.day)?.allFiles
            if let file = files?.first(where: { $0.path == candidate.path }) { return file.sha256 }
        } catch {
            readError = error
        }
        do throws(SystemError) {
            return try root.openToRead(candidate.path)
                .sha256(path: candidate.path, limit: Layout.largestFile)
        } catch {
            readError = error
            return nil
        }
    }

    private func addFile(_ path: String, of day: Day, identity: FileIdentity, bytes: Int) {
        let candidate = Candidate(day: day, path: path)
        candidateByIdentity[identity] = candidate
        // The mirror makes no larger files, so that none is hashed.
        guard bytes <= Layout.largestFile else { return }
        candidatesBySize[bytes, default: []].append(candidate)
    }

    private func addFileIfPresent(_ path: String, of day: Day) throws(SystemError) {
        guard let status = try root.status(path), status.kind == .file else { return }
        addFile(path, of: day, identity: status.identity, bytes: status.size)
    }

    /// Adds the files in `folder` whose names begin with a day, except records.
    private func addFolder(_ folder: String) throws(SystemError) {
        let names = try ifReadable(root.textNames(in: folder)) ?? []
        for name in names where !name.hasSuffix(".json") {
            guard let day = FileName.day(of: name) else { continue }
            try ifReadable(addFileIfPresent("\(folder)/\(name)", of: day))
        }
    }

    /// Adds `latest.jpg`, which is a file of its own if the newest picture has another format than JPEG.
    private func addLatest() throws(SystemError) {
        let name = Layout.latestPicture
        guard try ifReadable(mirror.tree.exists(name)) == true,
            let day = try ifReadable(mirror.tree.latestPictureDay) ?? nil
        else { return }
        try ifReadable(addFileIfPresent(name, of: day))
    }

    /// Adds the files that the records of `days` name, with their recorded hashes; so an item is recognized even if the file
    /// itself is damaged, was removed by retention, or was moved to `favorites/`.
    func addRecords(of days: some Sequence<Day>) throws(SystemError) {
        for day in days where !daysOfAddedRecords.contains(day) {
            guard let record = try ifReadable(mirror.record(of: day)) else { continue }
            for file in record?.allFiles ?? [] {
                candidatesBySize[file.bytes, default: []].append(
                    Candidate(day: day, path: file.path, recordedHash: file.sha256))
            }
            daysOfAddedRecords.insert(day)
        }
    }

    /// The value of `read`; `nil` if it cannot read a file, as ``readError`` then says.
    ///
    /// - Throws: A lack of memory or descriptors, because every other file would be left out, too.
    @discardableResult
    private func ifReadable<Value>(
        _ read: @autoclosure () throws(SystemError) -> Value
    ) throws(SystemError) -> Value? {
        do {
            return try read()
        } catch  where !error.concernsEveryFile {
            readError = error
            return nil
        }
    }
}
