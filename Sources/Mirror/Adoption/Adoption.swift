internal import APOD
package import FoundationEssentials
internal import Glibc
package import Platform

/// Imports a directory of APOD pictures that another tool downloaded.
///
/// The source is read and never changed. Each picture is checked like a download, and goes to `adopted/`,
/// from where the next sync publishes it with NASA's entry; a picture that a record names goes to its
/// place at once. A day that has a picture keeps it.
package struct Adoption {
    private let source: Directory
    /// Whether the source is the mirror itself: files that are not in their places are moved there.
    private let isOwn: Bool
    private let index: AdoptionIndex
    private let dates: PlausibleDates
    private let report: (AdoptionEvent) -> Void
    /// The best picture of each day.
    private var candidates: [Day: Candidate] = [:]
    /// The number of files that are no pictures by their names.
    package private(set) var otherFiles = 0

    private struct Candidate {
        let path: [UInt8]
        let bytes: Int
        let pixels: Int
        let recognition: AdoptionEvent.Recognition
    }

    /// - Parameters:
    ///   - source: The directory with the pictures.
    ///   - store: The mirror; `nil` if it does not exist yet.
    ///   - now: The current time.
    ///   - report: Receives the result for each file.
    /// - Throws: ``SystemError`` if the mirror or the top of the source cannot be read.
    package init(
        of source: Directory, into store: Store?, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) throws {
        // A copy of a mirror: its thumbnails and renditions are named by date, too.
        let isMirror = try source.status(Layout.own) != nil || source.status(Layout.metadata) != nil
        self.source = try isMirror ? source.folder(Layout.pictures) ?? source : source
        isOwn = false
        index = try AdoptionIndex(of: store)
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
        self.report = report
    }

    /// The adoption of pictures of a mirror that are not in their places, after a copy that changed their
    /// names or directories.
    ///
    /// - Throws: ``SystemError`` if the mirror cannot be read.
    init(within store: Store, at now: Date) throws {
        source = store.tree.root
        isOwn = true
        index = try AdoptionIndex(of: store)
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
        report = { _ in }
    }

    // MARK: Scanning

    /// Reads the source and chooses the best picture of each day.
    package mutating func scan() {
        source.walk(
            enters: { !Self.isHidden($0) && !Self.isThumbnail($0) && (!isOwn || isOwnFolder($0)) },
            fail: { path, error in report(.failed(path: Self.text(path), error: error)) },
            visit: { path, kind in
                guard !Self.isHidden(path), Self.isPictureName(path), !isInPlace(path) else {
                    otherFiles += 1
                    return
                }
                do throws(SystemError) {
                    try consider(path, kind)
                } catch {
                    report(.failed(path: Self.text(path), error: error))
                }
            })
        rejectPlaceholders()
    }

    /// Whether the directory at `path` of the mirror can hold pictures that are not in their places:
    /// `pictures/`, and `image/` as NASA has it.
    private func isOwnFolder(_ path: [UInt8]) -> Bool {
        let top = path.prefix { $0 != UInt8(ascii: "/") }
        return [Layout.pictures, "image"].contains { top.elementsEqual($0.utf8) }
    }

    /// Whether `path` is a place in the mirror for a picture of its day, and the day needs no other.
    private func isInPlace(_ path: [UInt8]) -> Bool {
        guard isOwn, let text = String(validating: path, as: UTF8.self) else { return false }
        let (folder, name) = Layout.split(text)
        guard let day = FileName.day(of: name), name.hasPrefix("\(day) "),
            folder == Layout.folder(Layout.pictures, of: day),
            MediaType.allCases.contains(where: { name.hasSuffix(".\($0.fileExtension)") })
        else { return false }
        if case .lost = index[day] { return false }
        return true
    }

    private mutating func consider(
        _ path: [UInt8], _ kind: FileStatus.FileType
    ) throws(SystemError) {
        guard kind == .file else {
            return reject(
                path, kind == .symbolicLink ? "a link, which is not followed" : "not a regular file"
            )
        }
        let file = try source.openToRead(bytes: path)
        let status = try file.status(path: Self.text(path))
        guard status.kind == .file else { return reject(path, "not a regular file") }
        let header: MediaHeader
        do {
            header = try MediaHeader(reading: file)
        } catch {
            return reject(path, "\(error)")
        }
        guard header.type.isPicture else {
            return reject(path, "a video; “run --videos” downloads those that NASA hosts")
        }
        guard let (day, recognition) = try day(of: path, file, status.size) else { return }
        switch index[day] {
        case .pictured(let bytes):
            return report(
                .present(
                    path: Self.text(path), day: day,
                    differs: bytes.map { $0 != status.size } ?? false))
        case .removed: return reject(path, "the picture of \(day) was removed by --keep")
        case .lost, .empty: break
        }
        let new = Candidate(
            path: path, bytes: status.size, pixels: header.size?.count ?? 0,
            recognition: recognition)
        guard let old = candidates[day] else {
            candidates[day] = new
            return
        }
        let (best, other) = Self.isBetter(new, than: old) ? (new, old) : (old, new)
        candidates[day] = best
        reject(other.path, "“\(Self.text(best.path))” is the larger picture of \(day)")
    }

    /// A picture that is known by its bytes precedes a larger one; paths decide between equals.
    private static func isBetter(_ one: Candidate, than other: Candidate) -> Bool {
        func rank(_ candidate: Candidate) -> (Int, Int, Int) {
            (candidate.recognition == .sha256 ? 1 : 0, candidate.pixels, candidate.bytes)
        }
        let (first, second) = (rank(one), rank(other))
        return first == second ? one.path.lexicographicallyPrecedes(other.path) : first > second
    }

    /// The day of the file at `path`; `nil` if it was reported.
    private func day(
        of path: [UInt8], _ file: borrowing FileDescriptor, _ bytes: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let named = NamedDay(in: path)
        if case .day(let day) = named, index[day] == .pictured(bytes: bytes) { return (day, .date) }
        if index.hasPicture(of: bytes),
            let day = index.day(bytes: bytes, sha256: try file.sha256(path: Self.text(path)))
        {
            return (day, .sha256)
        }
        switch named {
        case .day(let day):
            guard !Day.neverPublished.contains(day), dates.contains(day) else {
                reject(path, "NASA published nothing on \(day)")
                return nil
            }
            guard !Placeholder.isName(Self.text(path)) else {
                reject(path, "NASA's placeholder")
                return nil
            }
            return (day, .date)
        case .refused(let reason): reject(path, reason)
        case .none:
            let days = index.days(named: Layout.split(Self.text(path)).name)
            if days.count == 1, let day = days.first { return (day, .name) }
            reject(
                path,
                days.isEmpty
                    ? "no date in its name, and no record has its bytes or its name"
                    : "several days have a picture of this name")
        }
        return nil
    }

    private func reject(_ path: [UInt8], _ reason: String) {
        report(.unrecognized(path: Self.text(path), reason: reason))
    }

    // MARK: Names

    private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    private static func isHidden(_ path: [UInt8]) -> Bool {
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        return name.first == UInt8(ascii: ".") || name.elementsEqual("@eaDir".utf8)
    }

    private static func isThumbnail(_ path: [UInt8]) -> Bool {
        Layout.split(text(path)).name.lowercased().hasPrefix("thumb")
    }

    private static let endings: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    /// Whether the name of a file is that of a picture or video, or has no extension.
    private static func isPictureName(_ path: [UInt8]) -> Bool {
        let name = Layout.split(text(path)).name
        guard let dot = name.lastIndex(of: ".") else { return true }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    // MARK: Placeholders

    /// The number of days at which equal bytes are a placeholder; APOD shows a picture at most five times.
    private static let placeholderDays = 8

    /// Rejects files with equal bytes under many dates: since September 2026 the old API returns NASA's logo
    /// for every date.
    private mutating func rejectPlaceholders() {
        let groups = Dictionary(grouping: candidates.keys) { candidates[$0]?.bytes ?? 0 }
        for days in groups.values where Self.arePlaceholders(days) {
            let equal = Dictionary(grouping: days) { day in
                candidates[day].flatMap { try? hash(of: $0) } ?? "\(day)"
            }
            for days in equal.values where Self.arePlaceholders(days) {
                for day in days where candidates[day]?.recognition == .date {
                    guard let candidate = candidates.removeValue(forKey: day) else { continue }
                    reject(
                        candidate.path,
                        "the same bytes as \(days.count - 1) other days: a placeholder, which NASA's"
                            + " old API returns for every date")
                }
            }
        }
    }

    private static func arePlaceholders(_ days: [Day]) -> Bool {
        days.count >= placeholderDays
            || days.count > 1 && days.contains { $0 >= Placeholder.firstDay }
    }

    private func hash(of candidate: Candidate) throws(SystemError) -> String {
        try source.openToRead(bytes: candidate.path).sha256(path: Self.text(candidate.path))
    }

    // MARK: Carrying out

    /// Checks the chosen pictures without writing anything.
    package func preview() {
        forEachCandidate { day, candidate throws(SystemError) in
            let path = Self.text(candidate.path)
            let file = try source.openToRead(bytes: candidate.path)
            return try check(CompleteFile(file, path: path), day, candidate)
        }
    }

    /// Adopts the chosen pictures; each is durable before it is reported.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk is full. The adopted pictures stay, and the next
    ///   adoption continues.
    package func carryOut(in store: Store) throws(SystemError) {
        var full: SystemError?
        forEachCandidate { day, candidate throws(SystemError) in
            guard full == nil else { return false }
            do throws(SystemError) {
                let isDone =
                    try isOwn
                    ? move(candidate, day, in: store) : adopt(candidate, day, in: store)
                guard isDone else { return false }
            } catch {
                guard error.isNoSpace || error.isReadOnly else { throw error }
                full = error
                return false
            }
            return true
        }
        if let full { throw full }
        try requestAdoptedDays(in: store)
    }

    /// Lets the next sync request the adopted days, however long they were without a picture.
    private func requestAdoptedDays(in store: Store) throws(SystemError) {
        let days = try store.adoptedDays()
        var state = try store.state()
        let pending = state.pending.filter { !days.contains($0.key) }
        guard pending.count < state.pending.count else { return }
        state.pending = pending
        try store.save(state)
    }

    /// Calls `body` for each day; reports those for which it returns true.
    private func forEachCandidate(_ body: (Day, Candidate) throws(SystemError) -> Bool) {
        for (day, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
            let path = Self.text(candidate.path)
            do throws(SystemError) {
                guard try body(day, candidate) else { continue }
                report(
                    .adopted(
                        path: path, day: day, by: candidate.recognition, bytes: candidate.bytes))
            } catch {
                report(.failed(path: path, error: error))
            }
        }
    }

    /// Whether a file may be adopted; reports the reason if not.
    private func check(_ file: CompleteFile?, _ day: Day, _ candidate: Candidate) -> Bool {
        guard let file, file.header.type.isPicture else {
            reject(candidate.path, "truncated, or changed meanwhile")
            return false
        }
        // mutant: adopted-hash
        if case .lost(let picture) = index[day], picture.sha256 != file.sha256 {
            reject(
                candidate.path, "not the picture that the record of \(day) names; it is downloaded")
            return false
        }
        return true
    }

    private func adopt(
        _ candidate: Candidate, _ day: Day, in store: Store
    ) throws(SystemError) -> Bool {
        let original = try source.openToRead(bytes: candidate.path)
        let path = Self.text(candidate.path)
        guard try original.status(path: path).kind == .file else {
            reject(candidate.path, "not a regular file")
            return false
        }
        let draft = try store.draft("\(day).adopted")
        if !draft.file.reflink(from: original) {
            guard try store.availableBytes() > candidate.bytes else {
                throw SystemError("write", path: store.tree.root.path, code: ENOSPC)
            }
            try draft.file.copy(from: original, path: draft.path)
        }
        // The copy is checked: the original may change meanwhile.
        let copy = try CompleteFile(draft.file, path: draft.path)
        guard check(copy, day, candidate), let copy else { return false }
        if case .lost(let picture) = index[day], let record = try store.record(of: day) {
            draft.file.setAttributes(of: record, from: picture.origin)
        }
        try draft.file.setModified(day.noon, path: draft.path)
        let (folder, name) = target(of: day, copy)
        try draft.publish(in: try store.tree.root.makeDirectory(folder), as: name)
        return true
    }

    /// Where the picture of `day` belongs: to its recorded place, or into `adopted/`.
    private func target(of day: Day, _ file: CompleteFile) -> (folder: String, name: String) {
        if case .lost(let picture) = index[day] { return Layout.split(picture.path) }
        return (Layout.adopted, "\(day).\(file.header.type.fileExtension)")
    }

    /// Moves a picture of the mirror to its place.
    private func move(
        _ candidate: Candidate, _ day: Day, in store: Store
    ) throws(SystemError) -> Bool {
        let file = try CompleteFile(
            source.openToRead(bytes: candidate.path), path: Self.text(candidate.path))
        guard check(file, day, candidate), let file else { return false }
        let (folderPath, newName) = target(of: day, file)
        let folder = try store.tree.root.makeDirectory(folderPath)
        let slash = candidate.path.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Array(candidate.path[($0 + 1)...]) } ?? candidate.path
        guard
            let parent = try slash.map({ slash throws(SystemError) in
                try source.folder(bytes: Array(candidate.path[..<slash]))
            }) ?? source
        else { return false }
        try parent.renameExclusive(bytes: name, to: folder, as: Array(newName.utf8))
        // The new name first: it must not be lost with the old one.
        try folder.synchronize()
        try parent.synchronize()
        return true
    }
}
