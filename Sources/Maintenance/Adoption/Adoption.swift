internal import APOD
package import FoundationEssentials
internal import Glibc
internal import MediaFormat
package import Mirror
package import Platform

/// Takes over the pictures that another tool downloaded into a directory: the command `adopt`.
///
/// ``scan()`` chooses the best picture of each day, and ``carryOut(in:)`` copies it. The source is never changed. Each
/// picture is checked like a download, and copied to `adopted/`, from where the next sync publishes it with NASA's
/// entry. A picture that a record names is published at once. A day that has a picture keeps it.
package struct Adoption {
    private let source: Directory
    private let index: AdoptionIndex
    private let dates: PlausibleDates
    private let report: (AdoptionEvent) -> Void
    private(set) var candidates: [Day: Candidate] = [:]
    /// The number of files that are no pictures by their names.
    package private(set) var otherFiles = 0

    struct Candidate {
        let day: Day
        let path: [UInt8]
        let bytes: Int
        /// Whether a record has its hash.
        let isKnown: Bool
    }

    /// Reads what the mirror has; the store is `nil` if the mirror does not exist yet.
    ///
    /// - Throws: ``SystemError`` if the mirror or the top of the source cannot be read.
    package init(
        of source: Directory, into store: Store?, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) throws {
        let isOtherMirror =
            try source.status(Layout.own) != nil || source.status(Layout.metadata) != nil
        // The thumbnails and converted pictures of another mirror are named by date, too, but are not in pictures/.
        self.source = try isOtherMirror ? source.folder(Layout.pictures) ?? source : source
        index = try AdoptionIndex(of: store)
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
        self.report = report
    }

    // MARK: Scanning

    /// Reads the source and chooses the best picture of each day; reports the files that are not used.
    package mutating func scan() {
        // It may be the picture of any day.
        for (path, error) in index.unreadable.sorted(by: { $0.key < $1.key }) {
            report(.failed(path: path, error: error))
        }
        let listing: DirectoryListing
        do throws(SystemError) {
            let rules = ScanRules(isIgnored: Self.isIgnored)
            guard let all = try source.listing(of: ".", by: rules) else { return }
            listing = all
        } catch {
            return report(.failed(path: source.path, error: error))
        }
        for failure in listing.failures {
            report(.failed(path: Self.text(failure.path), error: failure.error))
        }
        for item in listing.items {
            let path = item.path
            guard Self.mayBeMedia(path) else {
                otherFiles += 1
                continue
            }
            do throws(SystemError) {
                if let candidate = try candidate(at: path, item.kind) { choose(candidate) }
            } catch {
                report(.failed(path: Self.text(path), error: error))
            }
        }
    }

    /// The picture at `path` with its day; `nil` if it is not adopted, which is reported.
    private func candidate(
        at path: [UInt8], _ kind: FileStatus.FileType
    ) throws(SystemError) -> Candidate? {
        guard !Self.isThumbnail(path) else {
            return reject(path, "named like a thumbnail or a reduced copy")
        }
        guard kind != .symbolicLink else { return reject(path, "a link, which is not followed") }
        guard kind == .file else { return reject(path, "not a regular file") }
        let file = try source.openToRead(path)
        let status = try file.status(path: Self.text(path))
        // Another program may have replaced the file since it was listed.
        guard status.kind == .file else { return reject(path, "not a regular file") }
        guard status.size <= Layout.largestFile else {
            return reject(path, "larger than \(ByteCount(Layout.largestFile))")
        }
        let header: MediaHeader
        do {
            header = try MediaHeader(reading: file)
            try header.checkSize()
        } catch {
            return reject(path, "\(error)")
        }
        guard header.type.isPicture else {
            return reject(path, "a video; “run --videos” downloads those that NASA hosts")
        }
        guard let (day, isKnown) = try recognizeDay(of: path, file, size: status.size)
        else { return nil }
        switch index[day] {
        case .pictured(let bytes):
            let differs = bytes.map { $0 != status.size } ?? false
            report(.present(path: Self.text(path), day: day, differs: differs))
            return nil
        case .removed: return reject(path, "the picture of \(day) was removed by --keep")
        case .damaged:
            return reject(
                path,
                "the mirror's picture of \(day) is damaged; run “apod-mirror verify --repair \(day)”"
                    + " first, then “adopt” again")
        case .unreadable:
            return reject(path, "the mirror cannot read its record or its folder of \(day)")
        case .lost(let picture):
            // Another file of the day may be larger, but only the recorded one is accepted.
            var isRecorded = isKnown
            if !isRecorded, status.size == picture.bytes {
                isRecorded =
                    try file.sha256(path: Self.text(path), limit: status.size) == picture.sha256
            }
            return Candidate(day: day, path: path, bytes: status.size, isKnown: isRecorded)
        case .empty:
            return Candidate(day: day, path: path, bytes: status.size, isKnown: isKnown)
        }
    }

    /// Chooses the picture with the recorded hash for its day, else the largest one.
    private mutating func choose(_ new: Candidate) {
        guard let old = candidates.updateValue(new, forKey: new.day) else { return }
        let isBetter = new.isKnown || !old.isKnown && new.bytes > old.bytes
        let (best, other) = isBetter ? (new, old) : (old, new)
        candidates[new.day] = best
        reject(other.path, "“\(Self.text(best.path))” is used for \(new.day)")
    }

    /// Reports that the file at `path` is not adopted; always returns `nil`.
    @discardableResult
    private func reject(_ path: [UInt8], _ reason: String) -> Candidate? {
        report(.unrecognized(path: Self.text(path), reason: reason))
        return nil
    }

    private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    // MARK: Recognition

    /// The day of the picture at `path`; `nil` if it was rejected, which is reported.
    ///
    /// The day is that in the name, as in `2026-11-20 Title.jpg`, else the day whose record has the hash of the file.
    private func recognizeDay(
        of path: [UInt8], _ file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> (day: Day, isKnown: Bool)? {
        let text = Self.text(path)
        guard !Placeholder.isName(text) else {
            reject(path, "NASA's placeholder")
            return nil
        }
        if let day = NamedDay.day(in: path), !Day.neverPublished.contains(day), dates.contains(day)
        {
            return (day, false)
        }
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            return (day, true)
        }
        reject(
            path,
            "its name does not begin with a day of APOD alone, and no record has its bytes; rename it to the day, a"
                + " blank and a title")
        return nil
    }

    /// Whether a file or directory is hidden or has thumbnails by its name, such as `@eaDir` of Synology's NAS.
    @Sendable private static func isIgnored(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return name.hasPrefix(".") || name == "@eaDir" || name.lowercased().hasPrefix("thumb")
    }

    /// Whether a thumbnail or a reduced copy has such a name: `2026-11-20_thumb.jpg`.
    private static func isThumbnail(_ path: [UInt8]) -> Bool {
        let name = Layout.split(text(path)).name.lowercased()
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return ["_thumb", "-thumb", "_small"].contains { stem.hasSuffix($0) }
    }

    /// Whether a picture or video may have such a name, even of a type that the mirror rejects.
    private static func mayBeMedia(_ path: [UInt8]) -> Bool {
        guard let ending = Layout.split(text(path)).name.splitAtLastDot?.ending else { return true }
        return mediaExtensions.contains(ending.dropFirst().lowercased())
    }

    private static let mediaExtensions: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    // MARK: Copying

    /// Adopts the chosen pictures; each is durable before it is reported.
    ///
    /// Without a store, pictures are only checked and reported.
    ///
    /// - Throws: ``SystemError``, such as `ENOSPC`; the adopted pictures stay, and the next adoption continues.
    package func carryOut(in store: Store?) throws(SystemError) {
        // This comes before the copies, in case the adoption is interrupted.
        if let store {
            do throws(SystemError) {
                try makeDue(candidates.keys, in: store)
            } catch  where !error.isReadOnly && !error.concernsEveryFile {
                report(.failed(path: Layout.state, error: error))
            }
        }
        for candidate in candidates.values.sorted(by: { $0.day < $1.day }) {
            let path = Self.text(candidate.path)
            do throws(SystemError) {
                guard try adopt(candidate, into: store) else { continue }
                report(.adopted(path: path, day: candidate.day, bytes: candidate.bytes))
            } catch {
                if error.concernsEveryFile || error.isReadOnly { throw error }
                report(.failed(path: path, error: error))
            }
        }
    }

    /// Makes `days`, and those of the pictures in `adopted/`, due for the next sync: it might be weeks otherwise.
    ///
    /// The retries keep their reasons and their starts, because the sync may still reject a picture.
    private func makeDue(_ days: some Sequence<Day>, in store: Store) throws(SystemError) {
        let days = try store.adoptedDays().union(days)
        let saved = try store.state()
        var state = saved
        for (day, retry) in saved.retries where days.contains(day) {
            state.retries[day]?.next = min(retry.next, retry.last)
        }
        guard state != saved else { return }
        try store.save(state)
    }

    /// Copies a picture to the path in the record of its day, else into `adopted/`, where it replaces nothing.
    ///
    /// - Returns: Whether it was adopted, or would be if there were a store.
    private func adopt(
        _ candidate: Candidate, into store: Store?
    ) throws(SystemError) -> Bool {
        let (day, path) = (candidate.day, Self.text(candidate.path))
        let original = try source.openToRead(candidate.path)
        guard let store else {
            return accepted(try CheckedFile(original, path: path), candidate) != nil
        }
        guard try original.status(path: path).kind == .file else {
            reject(candidate.path, "not a regular file")
            return false
        }
        let draft = try store.draft("\(day).adopted")
        try store.copy(original, into: draft)
        // The copy is checked, because the original may change meanwhile.
        let copy = try CheckedFile(draft.file, path: draft.path)
        guard let file = accepted(copy, candidate) else { return false }
        var modified = day.noon
        var place = (folder: Layout.adopted, name: "\(day).\(file.header.type.fileExtension)")
        if case .lost(let picture) = index[day] {
            modified = try store.record(of: day)?.fileTime ?? modified
            place = Layout.split(picture.path)
        }
        draft.file.setModified(modified)
        do throws(SystemError) {
            let folder = try store.tree.root.makeDirectory(place.folder)
            try draft.publishNew(in: folder, as: place.name)
            return true
        } catch  where error.code == EEXIST {
            reject(
                candidate.path,
                "\(place.folder)/\(place.name) is another file or a link, which is not replaced")
            return false
        }
    }

    /// `file` if it may be the picture of its day; otherwise `nil`, which is reported.
    private func accepted(_ file: CheckedFile?, _ candidate: Candidate) -> CheckedFile? {
        // The scan has read the header, but not the end, and the file may have changed since.
        guard let file, file.header.type.isPicture else {
            reject(candidate.path, "truncated, or changed meanwhile")
            return nil
        }
        if case .lost(let picture) = index[candidate.day],
            // mutation test: adopted-hash
            picture.sha256 != file.sha256
        {
            reject(
                candidate.path,
                "not the picture that the record of \(candidate.day) names; it is downloaded")
            return nil
        }
        return file
    }
}
