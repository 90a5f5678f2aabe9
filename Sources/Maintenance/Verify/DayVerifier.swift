internal import APOD
internal import Glibc
internal import JSON
internal import MediaFormat
internal import Mirror
internal import Platform

/// The findings of one day, and the files that belong to the day.
struct VerifiedDay {
    let day: Day
    private(set) var findings: [VerifyFinding] = []
    /// The paths that belong to the day, relative to the root; ``MonthVerifier`` reports all other items as unknown.
    var claimed: Set<String> = []
    /// Whether every file with the date of the day belongs to it: a damaged record does not say which.
    var claimsAll = false
    /// The picture and video that are not at their paths; ``MonthVerifier`` looks for them under other names.
    var absent: [RecordedFile] = []

    /// Adds the problem of the file at `path`; `nil` if there is none.
    mutating func add(_ problem: VerifyFinding.Problem?, at path: String) {
        if let problem { findings.append(VerifyFinding(path, of: day, problem)) }
    }
}

/// Verifies one day: its record, each file that the record names, its thumbnail, and its pin.
///
/// A pin is a favorite's own copy of the picture of its day. It stays as it is when NASA replaces the picture, so its
/// contents may also be those of a replaced file, which the mirror keeps in `previous/`. A quick verification reads no
/// contents of pictures and videos, only types and sizes. Each function ends with ``VerifyStopped`` once a time limit
/// is over.
struct DayVerifier: Sendable {
    let tree: Tree
    let fileVerifier: FileVerifier
    let expectations: VerifyExpectations
    let previous: PreviousFiles
    /// Whether another process or task may write the tree meanwhile: then a missing pin is no finding, as it may be about
    /// to be made.
    let hasWriter: Bool

    // What a finding says that it expected.
    private static let recordText = "the record of the day"
    private static let pageText = "the page of the day"
    private static let pinText = "the pinned picture of a favorite"

    func verify(_ day: Day) throws(VerifyStopped) -> VerifiedDay {
        var result = VerifiedDay(day: day)
        let path = Layout.recordPath(of: day)
        result.claimed.insert(path)
        let (record, problem) = record(of: day, at: path)
        result.add(problem, at: path)
        result.claimsAll = problem != nil
        guard let record else {
            try verifyPinWithoutRecord(&result)
            return result
        }
        var mediaProblems: [String: VerifyFinding.Problem] = [:]
        for file in Self.files(of: record) {
            result.claimed.insert(file.path)
            let problem = try fileVerifier.problem(
                at: file.path, expecting: file.words, bytes: file.bytes, sha256: [file.sha256],
                day: day)
            mediaProblems[file.path] = problem
            if case .absent = problem {
                result.absent.append(file)
            } else {
                result.add(problem, at: file.path)
            }
        }
        try verifyPage(of: record, &result)
        try verifyThumbnail(of: record, &result)
        try verifyPin(of: record, mediaProblems, &result)
        return result
    }

    /// The record of `day`, `nil` if it cannot be used at all, and its problem, `nil` if it is intact.
    private func record(of day: Day, at path: String) -> (DayRecord?, VerifyFinding.Problem?) {
        do throws(SystemError) {
            guard let bytes = try tree.root.read(path) else {
                return (nil, .absent(expected: Self.recordText))
            }
            guard !bytes.isEmpty else { return (nil, .unreadableRecord("an empty file")) }
            let json: JSON
            do {
                json = try JSON(parsing: bytes)
            } catch {
                return (nil, .unreadableRecord("\(error)"))
            }
            let violations = DayRecord.violations(of: json, day: day)
            return (
                DayRecord(json, of: day), violations.isEmpty ? nil : .invalidRecord(violations)
            )
        } catch {
            return (nil, fileVerifier.problem(at: path, expecting: Self.recordText, after: error))
        }
    }

    /// The picture and the video of `record`, without those whose recorded hash is malformed: that is a violation of the
    /// rules for records, and found as one.
    private static func files(of record: DayRecord) -> [RecordedFile] {
        record.files.filter { $0.sha256.isSHA256 }
    }

    /// Verifies the redirect page, which opens the video of the day, or NASA's article where there is no picture.
    private func verifyPage(
        of record: DayRecord, _ result: inout VerifiedDay
    ) throws(VerifyStopped) {
        guard record.removed == nil, let path = record.page else { return }
        result.claimed.insert(path)
        var problem = try fileVerifier.problem(at: path, expecting: Self.pageText)
        // Beside a downloaded video, the page may be that of another program.
        if problem == nil, record.video?.path == nil, let page = record.redirectPage {
            do throws(SystemError) {
                let found = try tree.root.read(path)
                if found == nil {
                    problem = .absent(expected: Self.pageText)
                } else if found != page {
                    problem = .wrongContents(expected: Self.pageText, found: "other contents")
                }
            } catch {
                problem = .unreadable(error)
            }
        }
        result.add(problem, at: path)
    }

    // MARK: Thumbnail and pin

    private func verifyThumbnail(
        of record: DayRecord, _ result: inout VerifiedDay
    ) throws(VerifyStopped) {
        let path = Layout.thumbnail(of: result.day)
        result.claimed.insert(path)
        guard let picture = record.picture, record.removed == nil else { return }
        let contents: [UInt8]
        do throws(SystemError) {
            // A missing thumbnail is no damage: the mirror makes it.
            guard let status = try tree.root.status(path) else { return }
            guard status.kind == .file else { return result.add(.wrongType(status.kind), at: path) }
            guard !fileVerifier.isQuick || status.size == 0 else { return }
            // It may be removed meanwhile.
            guard let bytes = try tree.root.read(path) else { return }
            contents = bytes
        } catch {
            return result.add(.unreadable(error), at: path)
        }
        guard fileVerifier.didRead(contents.count) else { throw VerifyStopped() }
        result.add(expectations.thumbnail(picture, contents), at: path)
    }

    /// Verifies the pin of a favorite, which has the contents of any version of its picture or video.
    private func verifyPin(
        of record: DayRecord, _ mediaProblems: [String: VerifyFinding.Problem],
        _ result: inout VerifiedDay
    ) throws(VerifyStopped) {
        // The picture, or the video of a day without one.
        let media = Self.files(of: record).first
        guard let pin = expectations.pins[result.day] else {
            guard let media, !hasWriter, mediaProblems[media.path] == nil,
                let path = expectations.expectedPin(result.day, media.path)
            else { return }
            return result.add(.absent(expected: Self.pinText), at: path)
        }
        if let media, isOneFile(pin, media.path) {
            return result.add(mediaProblems[media.path], at: pin)
        }
        let recorded = [record.picture?.sha256, record.video?.sha256].compactMap(\.self)
        result.add(
            try pinProblem(at: pin, of: result.day, accepting: recorded).problem, at: pin)
    }

    /// Whether both names are hard links to one file, which is read once; `false` if that is not known.
    private func isOneFile(_ path: String, _ other: String) -> Bool {
        guard let identity = (try? tree.root.status(path))?.identity else { return false }
        return (try? tree.root.status(other))?.identity == identity
    }

    /// Verifies a pin whose day has no usable record: its contents are in `previous/`, or at least have their end.
    func verifyPinWithoutRecord(_ result: inout VerifiedDay) throws(VerifyStopped) {
        guard let pin = expectations.pins[result.day] else { return }
        let (problem, isProven) = try pinProblem(at: pin, of: result.day, accepting: [])
        // Without a record, contents of another hash may be those of the lost record.
        let mayBeRight =
            switch problem {
            case nil, .wrongHash: !isProven
            default: false
            }
        result.add(mayBeRight ? contentsProblem(of: pin) : problem, at: pin)
    }

    /// The problem of a pin whose contents must be in `previous/`, or have one of the `recorded` hashes, and whether a
    /// hash proves its contents; if there is no such hash, any contents are accepted.
    private func pinProblem(
        at pin: String, of day: Day, accepting recorded: [String]
    ) throws(VerifyStopped) -> (problem: VerifyFinding.Problem?, isProven: Bool) {
        let hashes: [String]
        do {
            hashes = recorded + (try previous.versions(of: day).map(\.sha256))
        } catch {
            return (.unreadable(error), false)
        }
        let problem = try fileVerifier.problem(at: pin, expecting: Self.pinText, sha256: hashes)
        return (problem, problem == nil && !hashes.isEmpty && !fileVerifier.isQuick)
    }

    /// What the header or the end of the file at `path` lacks; `nil` if it is a whole picture or video.
    private func contentsProblem(of path: String) -> VerifyFinding.Problem? {
        do {
            let file = try tree.root.openFile(path, O_RDONLY)
            try MediaHeader(reading: file).checkEnd(of: file)
            return nil
        } catch let error as SystemError {
            return .unreadable(error)
        } catch {
            return .wrongContents(expected: Self.pinText, found: "\(error)")
        }
    }
}
