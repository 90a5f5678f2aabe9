internal import APOD
package import FoundationEssentials
internal import Glibc
internal import JSON
internal import MediaFormat
package import Mirror
package import Platform

/// Takes over the pictures that another program downloaded into a directory, the *source*: the command `adopt`.
///
/// ``scan()`` chooses the best picture of each day, and ``carryOut(in:)`` copies it. The source is never changed. Each
/// picture is checked like a download, and copied to `adopted/`, from where the next sync publishes it with NASA's
/// entry. A picture that a record names is published at once. A day that has a picture keeps it.
package struct Adoption {
    private let source: Directory
    /// The directory that a person named; it contains the source if it is another mirror.
    private let namedDirectory: Directory
    private let index: AdoptionIndex
    private let examiner: AdoptionExaminer
    private let report: (AdoptionEvent) -> Void
    private(set) var candidates: [Day: AdoptionExaminer.Candidate] = [:]
    /// The pictures of each day that may be adopted, in the order of the scan.
    private var pictures: [Day: [AdoptionExaminer.Candidate]] = [:]
    /// The days in the names of pictures that could not be read.
    private var daysWithUnreadablePicture: Set<Day> = []
    /// The number of files that are no pictures by their names.
    package private(set) var otherFiles = 0

    /// Reads what the mirror has; the store is `nil` if the mirror does not exist yet.
    ///
    /// - Throws: ``SystemError`` if the mirror or the top of the source cannot be read.
    package init(
        of source: Directory, into store: Store?, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) throws {
        namedDirectory = source
        let isOtherMirror =
            try source.status(Layout.own) != nil || source.status(Layout.metadata) != nil
        // The thumbnails and converted pictures of another mirror are named by date, too, but are not in pictures/.
        self.source = try isOtherMirror ? source.folder(Layout.pictures) ?? source : source
        index = try AdoptionIndex(of: store)
        let dates = PlausibleDates(
            now: now, built: PlausibleDates.builtDate, latestRecordedTime: nil)
        examiner = AdoptionExaminer(of: self.source, index, dates)
        self.report = report
    }

    // MARK: Scanning

    /// Reads the source and chooses the best picture of each day; reports the files that are not used.
    package mutating func scan() {
        // What cannot be read in the mirror may be the picture of any day, so that a person should know.
        for (path, error) in index.unreadable.sorted(by: { $0.key < $1.key }) {
            report(.failed(path: path, error: error))
        }
        let listing: DirectoryListing
        do throws(SystemError) {
            let rules = ScanRules(isIgnored: SourceName.isIgnored)
            guard let all = try source.listing(of: ".", by: rules) else { return }
            listing = all
        } catch {
            return report(.failed(path: source.path, error: error))
        }
        for failure in listing.failures { fail(failure.path, failure.error) }
        for item in listing.items {
            if SourceName.mayBeMedia(item.path) {
                examine(item.path, item.kind)
            } else {
                otherFiles += 1
            }
        }
        for (day, pictures) in pictures.sorted(by: { $0.key < $1.key }) {
            choose(among: pictures, of: day)
        }
    }

    private mutating func examine(_ path: [UInt8], _ kind: FileStatus.FileType) {
        do throws(SystemError) {
            switch try examiner.verdict(on: path, kind) {
            case .candidate(let picture): pictures[picture.day, default: []].append(picture)
            case .present(let day, let differs):
                report(.present(path: Self.text(path), day: day, differs: differs))
            case .rejected(let reason):
                report(.unrecognized(path: Self.text(path), reason: reason))
            }
        } catch {
            fail(path, error)
        }
    }

    /// Reports an item that cannot be read, and remembers the day in its name.
    private mutating func fail(_ path: [UInt8], _ error: SystemError) {
        if let day = NamedDay.day(in: path) { daysWithUnreadablePicture.insert(day) }
        report(.failed(path: Self.text(path), error: error))
    }

    /// Chooses one of the `pictures` of `day`, and reports the other ones.
    private mutating func choose(
        among pictures: [AdoptionExaminer.Candidate], of day: Day
    ) {
        let best: AdoptionExaminer.Candidate?
        do throws(SystemError) {
            best = try self.best(of: pictures, of: day)
        } catch {
            best = nil
            report(.failed(path: Layout.recordPath(of: day), error: error))
        }
        candidates[day] = best
        let reason =
            best.map { "“\(Self.text($0.path))” is used for \(day)" }
            ?? "it is not known which picture of \(day) is the original, as a file cannot be read"
        for picture in pictures where picture.path != best?.path {
            report(.unrecognized(path: Self.text(picture.path), reason: reason))
        }
    }

    /// The picture with the recorded hash, else the original of another mirror, else the largest one.
    ///
    /// `nil` if a picture that cannot be read may be the original: another one may be an edit of it.
    ///
    /// - Throws: ``SystemError`` if the record of the other mirror, or a picture, cannot be read.
    private func best(
        of pictures: [AdoptionExaminer.Candidate], of day: Day
    ) throws(SystemError) -> AdoptionExaminer.Candidate? {
        if let recorded = pictures.first(where: \.isRecorded) { return recorded }
        guard !daysWithUnreadablePicture.contains(day) else { return nil }
        if pictures.count > 1, let sha256 = try originalHash(of: day) {
            for picture in pictures {
                let path = Self.text(picture.path)
                let original = RecordedFile(path: path, bytes: picture.bytes, sha256: sha256)
                if try source.hasContents(of: original, at: path) { return picture }
            }
        }
        return pictures.max { $0.bytes < $1.bytes }
    }

    /// The hash in the record of another mirror, which is the source; `nil` if there is none, or if the record is damaged.
    ///
    /// A person may have saved a larger edit beside the original. Only one key is read: the mirror may have an older format.
    private func originalHash(of day: Day) throws(SystemError) -> String? {
        let record = try ifValid(namedDirectory.read(Layout.recordPath(of: day)))
        return record.flatMap { try? JSON(parsing: $0) }?["picture"]?["sha256"]?.string
    }

    private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

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
                let outcome =
                    if let store { try copy(candidate, into: store) } else {
                        try preview(candidate)
                    }
                switch outcome {
                case .adopted:
                    report(.adopted(path: path, day: candidate.day, bytes: candidate.bytes))
                case .rejected(let reason):
                    report(.unrecognized(path: path, reason: reason))
                }
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

    private enum Outcome {
        case adopted
        /// The picture is not adopted, for a reason that a person reads.
        case rejected(String)
    }

    /// Copies a picture to the path in the record of its day, else into `adopted/`, where it replaces nothing.
    private func copy(
        _ candidate: AdoptionExaminer.Candidate, into store: Store
    ) throws(SystemError) -> Outcome {
        let (day, path) = (candidate.day, Self.text(candidate.path))
        let original = try source.openToRead(candidate.path)
        guard try original.status(path: path).kind == .file else {
            return .rejected("not a regular file")
        }
        let draft = try store.draft("\(day).adopted")
        try store.copy(original, into: draft)
        let type: MediaType
        // The copy is checked, because the original may change meanwhile.
        switch try check(draft.file, path: draft.path, for: day) {
        case .passed(let checkedType): type = checkedType
        case .failed(let reason): return .rejected(reason)
        }
        let destination = try destination(ofPictureOf: day, type, in: store)
        draft.file.setModified(destination.modified)
        do throws(SystemError) {
            let folder = try store.tree.root.makeDirectory(destination.folder)
            try draft.publishNew(in: folder, as: destination.name)
            return .adopted
        } catch  where error.code == EEXIST {
            return .rejected(
                "\(destination.path) is another file or a link, which is not replaced")
        }
    }

    /// Returns what ``copy(_:into:)`` would return for the same file, and copies nothing.
    private func preview(
        _ candidate: AdoptionExaminer.Candidate
    ) throws(SystemError) -> Outcome {
        let original = try source.openToRead(candidate.path)
        switch try check(original, path: Self.text(candidate.path), for: candidate.day) {
        case .passed: return .adopted
        case .failed(let reason): return .rejected(reason)
        }
    }

    private enum Check {
        case passed(MediaType)
        case failed(reason: String)
    }

    /// Checks the whole contents of a file that is to be the picture of `day`.
    ///
    /// The scan has read only the header, and the file may have changed since.
    private func check(
        _ file: borrowing FileDescriptor, path: String, for day: Day
    ) throws(SystemError) -> Check {
        guard let file = try CheckedFile(file, path: path), file.header.type.isPicture else {
            return .failed(reason: "truncated, or changed meanwhile")
        }
        if case .lost(let picture) = index[day],
            // mutation test: adopted-hash
            picture.sha256 != file.sha256
        {
            return .failed(
                reason: "not the picture that the record of \(day) names; it is downloaded")
        }
        return .passed(file.header.type)
    }

    private struct Destination {
        let folder: String
        let name: String
        /// The modification time that the copy gets.
        let modified: Int

        var path: String { "\(folder)/\(name)" }
    }

    /// The place of the recorded picture if it is lost, else one in `adopted/`.
    private func destination(
        ofPictureOf day: Day, _ type: MediaType, in store: Store
    ) throws(SystemError) -> Destination {
        guard case .lost(let picture) = index[day] else {
            return Destination(
                folder: Layout.adopted, name: "\(day).\(type.fileExtension)", modified: day.noon)
        }
        let (folder, name) = Layout.split(picture.path)
        let modified = try store.record(of: day)?.fileTime ?? day.noon
        return Destination(folder: folder, name: name, modified: modified)
    }
}
