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

    let source: Directory
    let index: AdoptionIndex
    /// The dates of days that NASA may have published.
    let dates: PlausibleDates

    /// Examines the item of this kind at `path`; reads its header, and its contents only if its day or its hash is needed.
    func verdict(on path: [UInt8], _ kind: FileStatus.Kind) throws(SystemError) -> Verdict {
        guard !SourceName.isThumbnail(path) else {
            return .rejected("named like a thumbnail or a reduced copy")
        }
        guard kind != .symbolicLink else { return .rejected("a link, which is not followed") }
        guard kind == .file else { return .rejected("not a regular file") }
        let file = try source.openToRead(path)
        let status = try file.status(path: path.text)
        // Another program may have replaced the file since it was listed.
        guard status.kind == .file else { return .rejected("not a regular file") }
        guard status.size <= Layout.largestFile else {
            return .rejected("larger than \(ByteCount(Layout.largestFile))")
        }
        if let reason = try objection(toHeaderOf: file, at: path) { return .rejected(reason) }
        return try verdict(onPicture: file, at: path, size: status.size)
    }

    /// Why the file is no acceptable picture, as its header shows; `nil` if it may be one.
    private func objection(
        toHeaderOf file: borrowing FileDescriptor, at path: [UInt8]
    ) throws(SystemError) -> String? {
        let found = try MediaHeader.reading(file, path: path.text) {
            header, _ throws(MediaHeader.Refusal) in try header.checkSize()
        }
        switch found {
        case .success(let header) where header.type.isPicture: return nil
        case .success: return "a video; “run --videos” downloads those that NASA hosts"
        case .failure(let refusal): return "\(refusal)"
        }
    }

    /// Decides about a picture by its day: that in its name, or else the day whose record has its hash.
    private func verdict(
        onPicture file: borrowing FileDescriptor, at path: [UInt8], size: Int
    ) throws(SystemError) -> Verdict {
        if Placeholder.isName(path.text) { return .rejected("NASA's placeholder") }
        let candidate: Candidate
        if let day = dayInName(of: path) {
            let isRecorded = try isLostPicture(file, of: day, at: path, size: size)
            candidate = Candidate(day: day, path: path, bytes: size, isRecorded: isRecorded)
        } else if let day = try index.day(withContentsOf: file, size: size, path: path.text) {
            candidate = Candidate(day: day, path: path, bytes: size, isRecorded: true)
        } else {
            return .rejected(
                "its name does not begin with a day of APOD alone, and no record has its bytes;"
                    + " rename it to the day, a blank and a title")
        }
        return verdict(byMirrorOn: candidate)
    }

    /// The day of APOD in the name of a file; `nil` if there is none, or if NASA cannot have published that day.
    private func dayInName(of path: [UInt8]) -> Day? {
        guard let day = NamedDay.day(in: path), !Day.neverPublished.contains(day),
            dates.contains(day)
        else { return nil }
        return day
    }

    /// Whether the file has the contents of the picture that the mirror has lost of `day`.
    ///
    /// Another file of the day may be larger, but only the recorded one replaces a lost picture.
    private func isLostPicture(
        _ file: borrowing FileDescriptor, of day: Day, at path: [UInt8], size: Int
    ) throws(SystemError) -> Bool {
        guard case .lost(let picture) = index[day], picture.bytes == size else { return false }
        return try file.sha256(path: path.text, limit: size) == picture.sha256
    }

    /// Decides about `candidate` by what the mirror has of its day.
    private func verdict(byMirrorOn candidate: Candidate) -> Verdict {
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
