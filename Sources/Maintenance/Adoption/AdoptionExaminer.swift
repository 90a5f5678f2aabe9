internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

/// Decides for each file of a source whether an ``Adoption`` may copy it, and to which day it belongs; it changes nothing.
///
/// The day is that in the name of the file, or else the day whose record has the hash of the file.
struct AdoptionExaminer {
    enum Verdict {
        case candidate(Candidate)
        /// The mirror has a picture of the day, which stays; `differs` if the file is known to be another picture.
        case present(Day, differs: Bool)
        /// The file is not adopted, for a reason that a person reads.
        case rejected(String)
    }

    /// A file that may become the picture of a day.
    struct Candidate {
        let day: Day
        let path: [UInt8]
        let bytes: Int
        /// Whether a record has the hash of the file.
        let isRecorded: Bool
    }

    private enum Recognition {
        case byName(Day)
        /// The file has the hash in the record of the day.
        case byHash(Day)
        case none(reason: String)
    }

    private let source: Directory
    private let index: AdoptionIndex
    private let dates: PlausibleDates

    init(of source: Directory, _ index: AdoptionIndex, _ dates: PlausibleDates) {
        self.source = source
        self.index = index
        self.dates = dates
    }

    /// Examines the item of this kind at `path`; reads its header, and its contents only if its day or its hash is needed.
    func verdict(
        on path: [UInt8], _ kind: FileStatus.FileType
    ) throws(SystemError) -> Verdict {
        guard !SourceName.isThumbnail(path) else {
            return .rejected("named like a thumbnail or a reduced copy")
        }
        guard kind != .symbolicLink else { return .rejected("a link, which is not followed") }
        guard kind == .file else { return .rejected("not a regular file") }
        let text = String(decoding: path, as: UTF8.self)
        let file = try source.openToRead(path)
        let status = try file.status(path: text)
        // Another program may have replaced the file since it was listed.
        guard status.kind == .file else { return .rejected("not a regular file") }
        guard status.size <= Layout.largestFile else {
            return .rejected("larger than \(ByteCount(Layout.largestFile))")
        }
        let found = try MediaHeader.reading(file, path: text) {
            header, _ throws(MediaHeader.Refusal) in try header.checkSize()
        }
        let header: MediaHeader
        switch found {
        case .success(let accepted): header = accepted
        case .failure(let refusal): return .rejected("\(refusal)")
        }
        guard header.type.isPicture else {
            return .rejected("a video; “run --videos” downloads those that NASA hosts")
        }
        switch try recognition(of: file, at: path, size: status.size) {
        case .none(let reason): return .rejected(reason)
        case .byName(let day):
            var isRecorded = false
            if case .lost(let picture) = index[day], picture.bytes == status.size {
                // Another file of the day may be larger, but only the recorded one is accepted.
                isRecorded = try file.sha256(path: text, limit: status.size) == picture.sha256
            }
            return verdict(
                on: Candidate(day: day, path: path, bytes: status.size, isRecorded: isRecorded))
        case .byHash(let day):
            return verdict(
                on: Candidate(day: day, path: path, bytes: status.size, isRecorded: true))
        }
    }

    private func recognition(
        of file: borrowing FileDescriptor, at path: [UInt8], size: Int
    ) throws(SystemError) -> Recognition {
        let text = String(decoding: path, as: UTF8.self)
        guard !Placeholder.isName(text) else { return .none(reason: "NASA's placeholder") }
        if let day = NamedDay.day(in: path), !Day.neverPublished.contains(day), dates.contains(day)
        {
            return .byName(day)
        }
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            return .byHash(day)
        }
        return .none(
            reason: "its name does not begin with a day of APOD alone, and no record has its bytes;"
                + " rename it to the day, a blank and a title")
    }

    /// Decides about `candidate` by what the mirror has of its day.
    private func verdict(on candidate: Candidate) -> Verdict {
        let day = candidate.day
        switch index[day] {
        case .empty, .lost: return .candidate(candidate)
        case .unrecorded: return .present(day, differs: false)
        case .recorded(let bytes): return .present(day, differs: bytes != candidate.bytes)
        case .removed: return .rejected("the picture of \(day) was removed by --keep")
        case .damaged:
            return .rejected(
                "the mirror's picture of \(day) is damaged; run “apod-mirror verify --repair \(day)”"
                    + " first, then “adopt” again")
        case .unreadable:
            return .rejected("the mirror cannot read its record or its folder of \(day)")
        }
    }
}

/// What the name of a file in a source says about it, whatever its contents are.
enum SourceName {
    /// Whether a file or directory is hidden or has thumbnails by its name, such as `@eaDir` of Synology's NAS.
    @Sendable static func isIgnored(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        return name.hasPrefix(".") || name == "@eaDir" || name.lowercased().hasPrefix("thumb")
    }

    /// Whether a thumbnail or a reduced copy has such a name: `2026-11-20_thumb.jpg`.
    static func isThumbnail(_ path: [UInt8]) -> Bool {
        let name = fileName(path).lowercased()
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return ["_thumb", "-thumb", "_small"].contains { stem.hasSuffix($0) }
    }

    /// Whether a picture or video may have such a name, even of a type that the mirror rejects.
    static func mayBeMedia(_ path: [UInt8]) -> Bool {
        guard let ending = fileName(path).splitAtLastDot?.ending else { return true }
        return mediaExtensions.contains(ending.dropFirst().lowercased())
    }

    private static let mediaExtensions: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    private static func fileName(_ path: [UInt8]) -> String {
        Layout.split(String(decoding: path, as: UTF8.self)).name
    }
}
