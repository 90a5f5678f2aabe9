internal import APOD
internal import Glibc
internal import JSON
internal import Mirror
internal import Platform

/// Verifies one day: its record, and each file that the record promises.
struct DayVerifier: Sendable {
    let tree: Tree
    let files: FileVerifier
    let expectations: VerifyExpectations
    let previous: PreviousFiles
    /// Whether another process writes the tree, and makes missing pins.
    let hasWriter: Bool

    private static let recordWords = "the record of the day"
    private static let pageWords = "the page of the day"
    private static let pinWords = "the pinned picture of a favorite"

    func verify(_ day: Day) throws(VerifyStopped) -> VerifiedDay {
        var result = VerifiedDay(day: day)
        let path = Layout.recordPath(of: day)
        result.claimed.insert(path)
        let (record, problem) = record(of: day, at: path)
        result.add(problem, at: path)
        result.claimsAll = problem != nil
        guard let record else {
            try verifyLonePin(&result)
            return result
        }
        var mediaProblems: [String: VerifyFinding.Problem] = [:]
        for file in Self.files(of: record) {
            result.claimed.insert(file.path)
            let problem = try files.problem(
                at: file.path, file.words, bytes: file.bytes, sha256: [file.sha256], day: day)
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
            guard let bytes = try tree.root.read(path, limit: 16 << 20) else {
                return (nil, .absent(expected: Self.recordWords))
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
            return (nil, files.problem(at: path, Self.recordWords, error))
        }
    }

    /// The picture and video that must be in the tree, with a valid hash.
    private static func files(of record: DayRecord) -> [RecordedFile] {
        record.files.filter { $0.sha256.isSHA256 }
    }

    private func verifyPage(
        of record: DayRecord, _ result: inout VerifiedDay
    ) throws(VerifyStopped) {
        guard record.removed == nil, let path = record.page else { return }
        result.claimed.insert(path)
        var problem = try files.problem(at: path, Self.pageWords)
        // Beside a downloaded video, the page may be that of another program.
        if problem == nil, record.video?.path == nil, let page = record.redirectPage {
            do throws(SystemError) {
                if try tree.root.read(path, limit: 64 << 10) != page {
                    problem = .wrongContents(expected: Self.pageWords, found: "other contents")
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
        let (problem, bytes) = thumbnailProblem(at: path, of: picture)
        guard files.didRead(bytes) else { throw VerifyStopped() }
        result.add(problem, at: path)
    }

    /// The problem of a thumbnail, `nil` if it is intact or missing, and the number of bytes read.
    private func thumbnailProblem(
        at path: String, of picture: PictureRecord
    ) -> (VerifyFinding.Problem?, bytes: Int) {
        do throws(SystemError) {
            if files.isQuick {
                let status = try tree.root.status(path)
                if let status, status.kind != .file { return (.wrongKind(status.kind), 0) }
                if status?.size != 0 { return (nil, 0) }
            }
            let contents = try tree.root.read(path, limit: 16 << 20)
            let problem = contents.flatMap { expectations.thumbnail(picture, $0) }
            return (problem, contents?.count ?? 0)
        } catch {
            return (files.wrongKind(at: path, error) ?? .unreadable(error), 0)
        }
    }

    /// Verifies the pin of a favorite, which has the contents of any version of its picture or video.
    private func verifyPin(
        of record: DayRecord, _ mediaProblems: [String: VerifyFinding.Problem],
        _ result: inout VerifiedDay
    ) throws(VerifyStopped) {
        let day = result.day
        let media = Self.files(of: record).first
        guard let pin = expectations.pins[day] else {
            guard let media, !hasWriter, mediaProblems[media.path] == nil,
                let path = expectations.missingPin(day, media.path)
            else { return }
            return result.add(.absent(expected: Self.pinWords), at: path)
        }
        // A hard link to the picture was read already.
        if let media, let identity = (try? tree.root.status(pin))??.identity,
            (try? tree.root.status(media.path))??.identity == identity
        {
            return result.add(mediaProblems[media.path], at: pin)
        }
        let recorded = [record.picture?.sha256, record.video?.sha256].compactMap(\.self)
        let hashes: [String]
        do throws(SystemError) {
            hashes = recorded + (try previous.versions(of: day)).map(\.sha256)
        } catch {
            return result.add(.unreadable(error), at: pin)
        }
        result.add(try files.problem(at: pin, Self.pinWords, sha256: hashes), at: pin)
    }

    /// Verifies a pin whose day has no usable record, by `previous/`, else by its header and end.
    func verifyLonePin(_ result: inout VerifiedDay) throws(VerifyStopped) {
        guard let pin = expectations.pins[result.day] else { return }
        var problem = try files.problem(at: pin, Self.pinWords)
        do {
            let hashes = try previous.versions(of: result.day).map(\.sha256)
            if problem == nil, !hashes.contains(try files.hash(pin) ?? "") {
                let file = try tree.root.openFile(pin, O_RDONLY)
                try MediaHeader(reading: file).checkEnd(of: file)
            }
        } catch let error as SystemError {
            problem = .unreadable(error)
        } catch {
            problem = .wrongContents(expected: Self.pinWords, found: "\(error)")
        }
        result.add(problem, at: pin)
    }
}
