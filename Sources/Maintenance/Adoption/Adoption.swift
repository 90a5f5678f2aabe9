package import APOD
package import FoundationEssentials
internal import MediaFormat
package import Mirror
package import Platform

/// Takes over the pictures in a directory that another tool downloaded: the command `adopt`.
///
/// The source is read and never changed. Each picture is checked like a download and copied to `adopted/`,
/// from where the next sync publishes it with NASA's entry; a picture that a record names is published
/// at once. A day that has a picture keeps it.
///
/// `Adoption+Recognition.swift` has the two rules by which the day of a picture is known.
package struct Adoption {
    let source: Directory
    let index: AdoptionIndex
    private let dates: PlausibleDates
    let report: (AdoptionEvent) -> Void
    /// The best picture of each day.
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

    /// The store is `nil` if the mirror does not exist yet.
    ///
    /// - Throws: ``SystemError`` if the mirror or the top of the source cannot be read.
    package init(
        of source: Directory, into store: Store?, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) throws {
        let isOtherMirror =
            try source.status(Layout.own) != nil || source.status(Layout.metadata) != nil
        // Of another mirror, only pictures/: its thumbnails and converted pictures are named by date, too.
        self.source = try isOtherMirror ? source.folder(Layout.pictures) ?? source : source
        index = try AdoptionIndex(of: store)
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
        self.report = report
    }

    /// Whether NASA may have published a picture on `day`.
    func isPlausible(_ day: Day) -> Bool {
        !Day.neverPublished.contains(day) && dates.contains(day)
    }

    // MARK: Scanning

    /// Reads the source and chooses the best picture of each day; reports the files that are not used.
    package mutating func scan() {
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
            let path = Array(item.path)
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
        // The mirror has no picture of the day, whether or not a record names one.
        case .lost, .empty:
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
    func reject(_ path: [UInt8], _ reason: String) -> Candidate? {
        report(.unrecognized(path: Self.text(path), reason: reason))
        return nil
    }

    static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

/// What an adoption does with one file, whose path is relative to the directory of the source.
package enum AdoptionEvent: Hashable, Sendable {
    /// The file becomes, or would become, the picture of `day`.
    case adopted(path: String, day: Day, bytes: Int)
    /// The mirror has a picture of `day`, which stays; `differs` if the file is known to be another picture.
    case present(path: String, day: Day, differs: Bool)
    case unrecognized(path: String, reason: String)
    case failed(path: String, error: SystemError)
}
