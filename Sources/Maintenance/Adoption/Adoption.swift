internal import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Imports a directory of APOD pictures that another tool downloaded.
///
/// The source is read and never changed. Each picture is checked like a download and copied to `adopted/`,
/// from where the next sync publishes it with NASA's entry; a picture that a record names is published
/// at once. A day that has a picture keeps it.
package struct Adoption {
    let source: Directory
    /// Whether the source is the mirror itself: after a copy that changed names or directories, its files are
    /// moved to their places.
    let isOwn: Bool
    /// Whether a date that is the whole name of a file of the mirror proves its day.
    let acceptsDatesAlone: Bool
    let index: AdoptionIndex
    let dates: PlausibleDates
    let report: (AdoptionEvent) -> Void
    /// The largest picture of each day.
    var candidates: [Day: Candidate] = [:]
    /// The number of files that are no pictures by their names, or in their places in the mirror.
    package private(set) var otherFiles = 0

    struct Candidate {
        let path: [UInt8]
        let bytes: Int
        let recognition: AdoptionEvent.Recognition
    }

    /// The store is `nil` if the mirror does not exist yet; its root as the source means the mirror itself.
    ///
    /// - Throws: ``SystemError`` if the mirror or the top of the source cannot be read.
    package init(
        of source: Directory, into store: Store?, acceptsDatesAlone: Bool = false,
        at now: Date = Date(), report: @escaping (AdoptionEvent) -> Void
    ) throws {
        isOwn = source === store?.tree.root
        let isOtherMirror =
            try !isOwn
            && (source.status(Layout.own) != nil || source.status(Layout.metadata) != nil)
        // Outside of `pictures/`, thumbnails and renditions are named by date, too.
        self.source = try isOtherMirror ? source.folder(Layout.pictures) ?? source : source
        self.acceptsDatesAlone = acceptsDatesAlone
        index = try AdoptionIndex(of: store)
        dates = PlausibleDates(now: now, built: PlausibleDates.builtDate, recorded: nil)
        self.report = report
    }

    // MARK: Scanning

    /// Reads the source and chooses the largest picture of each day.
    package mutating func scan() {
        source.walk(
            enters: {
                !Self.isHidden($0) && !Self.isThumbnailFolder($0) && (!isOwn || isOwnFolder($0))
            },
            fail: { path, error in report(.failed(path: Self.text(path), error: error)) },
            visit: { path, kind throws(SystemError) in
                if !Self.isHidden(path), Self.isPictureName(path), !isInPlace(path) {
                    try consider(path, kind)
                } else if isOwn || !TextAdoption.isMetadata(path) {
                    otherFiles += 1
                }
            })
        rejectRepeated()
    }

    /// Checks the file at `path` and finds its day, or reports why the file is not adopted.
    private mutating func consider(
        _ path: [UInt8], _ kind: FileStatus.FileType
    ) throws(SystemError) {
        guard !Self.isThumbnail(path) else {
            return reject(path, "named like a thumbnail or a reduced copy")
        }
        guard kind == .file else {
            return reject(
                path, kind == .symbolicLink ? "a link, which is not followed" : "not a regular file"
            )
        }
        let file = try source.openToRead(path)
        let status = try file.status(path: Self.text(path))
        guard status.kind == .file else { return reject(path, "not a regular file") }
        guard status.size <= Layout.largestFile else { return reject(path, "larger than 2 GiB") }
        let header: MediaHeader
        do {
            header = try MediaHeader(reading: file)
        } catch {
            return reject(path, "\(error)")
        }
        guard header.type.isPicture else {
            return reject(path, "a video; “run --videos” downloads those that NASA hosts")
        }
        guard
            let (day, recognition) = isOwn
                ? try ownDay(of: path, file, status.size) : try day(of: path, file, status.size)
        else { return }
        choose(Candidate(path: path, bytes: status.size, recognition: recognition), for: day)
    }

    /// Makes `new` the candidate of `day`, unless the mirror has the picture or another candidate is better.
    private mutating func choose(_ new: Candidate, for day: Day) {
        switch index[day] {
        case .pictured(let bytes):
            let differs = bytes.map { $0 != new.bytes } ?? false
            return report(.present(path: Self.text(new.path), day: day, differs: differs))
        case .removed: return reject(new.path, "the picture of \(day) was removed by --keep")
        case .lost, .empty: break
        }
        guard let old = candidates[day] else {
            candidates[day] = new
            return
        }
        // The recorded picture precedes a larger one.
        let isBetter =
            new.recognition == .sha256 || old.recognition != .sha256 && new.bytes > old.bytes
        let (best, other) = isBetter ? (new, old) : (old, new)
        candidates[day] = best
        reject(other.path, "“\(Self.text(best.path))” is the larger picture of \(day)")
    }

    func reject(_ path: [UInt8], _ reason: String) {
        report(.unrecognized(path: Self.text(path), reason: reason))
    }

    static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    /// Rejects files with equal bytes under several dates: they may be NASA's placeholder, and a real picture
    /// that was shown again is downloaded.
    private mutating func rejectRepeated() {
        let dated = candidates.filter { $0.value.recognition == .date }
        for (_, sameSize) in Dictionary(grouping: dated, by: \.value.bytes)
        where sameSize.count > 1 {
            for (_, equal) in Dictionary(grouping: sameSize, by: contents) where equal.count > 1 {
                for (day, candidate) in equal {
                    candidates[day] = nil
                    reject(candidate.path, "the same bytes as for other days: maybe a placeholder")
                }
            }
        }
    }

    /// The hash of a candidate; its path, which no other has, if the file cannot be read.
    private func contents(of candidate: (key: Day, value: Candidate)) -> String {
        let path = Self.text(candidate.value.path)
        return
            (try? source.openToRead(candidate.value.path)
            .sha256(path: path, limit: Layout.largestFile)) ?? path
    }
}
