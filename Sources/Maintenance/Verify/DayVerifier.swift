internal import APOD
internal import Glibc
internal import JSON
internal import MediaFormat
internal import Mirror
internal import Platform

/// Verifies one day: its record, each file that the record names, its thumbnail, and the pin of a favorite.
///
/// All other files are a user's. A quick verification reads no pictures and videos, only their types and sizes.
struct DayVerifier: Sendable {
    let tree: Tree
    let isQuick: Bool
    /// Called with the number of bytes of each picture and video that was read.
    let didRead: @Sendable (Int) -> Void
    /// The paths of the pins: the favorites' own copies of their pictures.
    let pins: [Day: String]

    init(
        _ tree: Tree, isQuick: Bool, didRead: @escaping @Sendable (Int) -> Void
    ) throws(SystemError) {
        self.tree = tree
        self.isQuick = isQuick
        self.didRead = didRead
        pins = try tree.pins()
    }

    /// The findings of `day`; without `hadRecord`, none if it has no record.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up, or the task is cancelled.
    func findings(of day: Day, hadRecord: Bool) throws -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        guard let record = try record(of: day, isOptional: !hadRecord, addingTo: &findings) else {
            return findings
        }
        // The picture of a favorite is to be here though retention removed it: the pin has it.
        let isOwed = record.removed != nil && pins[day] != nil
        // A malformed hash is a violation of the rules for records, and found as one.
        for file in isOwed ? Array(record.allFiles.prefix(1)) : record.files
        where file.sha256.isSHA256 {
            findings += try finding(.media(file), at: file.path, of: day, words: file.words) {
                try difference(of: $0, $1, from: file)
            }
        }
        findings += try findingOfPage(of: record)
        findings += try findingOfThumbnail(of: record)
        findings += try findingOfPin(of: record)
        return findings
    }

    // MARK: Parts of a day

    private func record(
        of day: Day, isOptional: Bool, addingTo findings: inout [VerifyFinding]
    ) throws -> DayRecord? {
        let path = Layout.recordPath(of: day)
        let words = "a record that follows the schema of records"
        var record: DayRecord?
        findings += try finding(.record, at: path, of: day, words: words, isOptional: isOptional) {
            _, _ in
            let bytes = try tree.root.read(path) ?? []
            guard !bytes.isEmpty else { return (words, "an empty file") }
            let json: JSON
            do {
                json = try JSON(parsing: bytes)
            } catch {
                return (words, "\(error)")
            }
            record = DayRecord(json, of: day)
            let violations = DayRecord.violations(of: json, day: day)
            guard !violations.isEmpty else { return nil }
            return (words, "invalid: \(violations.joined(separator: ", "))")
        }
        return record
    }

    private func findingOfPage(of record: DayRecord) throws -> [VerifyFinding] {
        guard let (path, page) = record.pageFile else { return [] }
        let words = "the page of the day"
        return try finding(.page, at: path, of: record.entry.day, words: words) { _, _ in
            try tree.root.read(path) == page ? nil : (expected: words, found: "other contents")
        }
    }

    /// Verifies that the thumbnail is whole, and made of the recorded picture; a missing one is no damage: the mirror makes it.
    private func findingOfThumbnail(of record: DayRecord) throws -> [VerifyFinding] {
        let day = record.entry.day
        guard record.picture != nil, record.removed == nil else { return [] }
        let (path, words) = (Layout.thumbnail(of: day), "a whole JPEG")
        var isMarked = false
        let findings = try finding(
            .thumbnail, at: path, of: day, words: words, isOptional: true
        ) { file, status in
            guard status.size > 0 else { return (words, "an empty file") }
            let start = try file.readStart(limit: ThumbnailFile.stampEnd, path: path)
            if let sha256 = ThumbnailFile.originalSHA256(in: start) {
                isMarked = true
                guard sha256 == record.picture?.sha256 else {
                    return ("a thumbnail of the recorded picture", "one of another picture")
                }
            }
            guard !isQuick else { return nil }
            switch try MediaHeader.reading(whole: file, path: path) {
            case .success(let header):
                return header.type == .jpeg ? nil : (expected: words, found: "another type")
            case .failure(let refusal): return (words, "\(refusal)")
            }
        }
        if isMarked { return findings }
        // A file where the mirror never wrote a thumbnail is a user's.
        // mutation test: foreign-thumbnail
        guard try findings.isEmpty || tree.hasWritten(path, by: .thumbnails) else { return [] }
        return findings
    }

    /// A pin has the contents of the picture or video of its day, or of one that NASA has replaced since, which is in
    /// `previous/`.
    private func findingOfPin(of record: DayRecord) throws -> [VerifyFinding] {
        let day = record.entry.day
        guard let pin = pins[day] else { return [] }
        let words = "the pinned picture of a favorite"
        return try finding(.pin, at: pin, of: day, words: words, isOptional: true) { file, status in
            guard !isQuick, status.size <= Layout.largestFile else {
                return status.size > 0 ? nil : (expected: words, found: "an empty file")
            }
            let found = try sha256(of: file, path: pin, size: status.size)
            let recorded = record.allFiles.map(\.sha256)
            if try recorded.contains(found) || tree.hasPrevious(sha256: found, of: day) {
                return nil
            }
            return (words, "SHA-256 \(found)")
        }
    }

    // MARK: One file

    /// What was expected of a file, and what was found, for people.
    private typealias Difference = (expected: String, found: String)

    private func difference(
        of file: borrowing FileDescriptor, _ status: FileStatus, from recorded: RecordedFile
    ) throws -> Difference? {
        // A file of a wrong size is not read: it may be of any size.
        guard status.size == recorded.bytes else {
            let found = status.size == 0 ? "an empty file" : counted(status.size, "byte")
            return (counted(recorded.bytes, "byte"), found)
        }
        guard !isQuick else { return nil }
        let found = try sha256(of: file, path: recorded.path, size: status.size)
        guard found != recorded.sha256 else { return nil }
        return ("SHA-256 \(recorded.sha256)", "SHA-256 \(found)")
    }

    private func sha256(
        of file: borrowing FileDescriptor, path: String, size: Int
    ) throws -> String {
        let hash = try file.sha256(path: "\(tree.root.path)/\(path)", limit: size)
        didRead(size)
        return hash
    }

    /// The finding of the file at `path`, if there is one; `words` say what the file is, and nothing in place of one that
    /// `isOptional` is right, too.
    private func finding(
        _ item: VerifyFinding.Item, at path: String, of day: Day, words: String,
        isOptional: Bool = false,
        difference: (borrowing FileDescriptor, FileStatus) throws -> Difference?
    ) throws -> [VerifyFinding] {
        func finding(_ kind: VerifyFinding.Kind, _ difference: Difference) -> [VerifyFinding] {
            [
                VerifyFinding(
                    path: path, day: day, item: item, kind: kind, expected: difference.expected,
                    found: difference.found)
            ]
        }
        do {
            guard let status = try tree.root.status(path) else {
                return isOptional ? [] : finding(.missing, (words, "nothing"))
            }
            guard status.kind == .file else {
                return finding(.damaged, ("a file", status.kind.words))
            }
            let file = try tree.root.openFile(path, O_RDONLY)
            return try difference(file, status).map { finding(.damaged, $0) } ?? []
        } catch let error as SystemError {
            guard !error.isCancelled else { throw error }
            let difference: Difference = ("readable contents", "\(error.call): \(error.reason)")
            switch error.cause {
            case .invalid where !error.isNotDirectory: return finding(.damaged, difference)
            case .absent, .invalid:
                // What is behind a link or file in place of a directory is not the mirror's.
                return isOptional ? [] : finding(.missing, (words, "nothing"))
            case .denied, .transient: return finding(.unreadable, difference)
            case .shortage: throw error
            }
        }
    }
}

extension Tree {
    /// The path of the pin of each day that has one.
    fileprivate func pins() throws(SystemError) -> [Day: String] {
        let names = try root.textNames(in: Layout.favoriteStore)
        var pins: [Day: String] = [:]
        for name in names where MediaType(ofName: name) != nil {
            if let day = FileName.day(of: name) { pins[day] = "\(Layout.favoriteStore)/\(name)" }
        }
        return pins
    }

    /// Whether `previous/` has a file of `day` whose name has this hash; it is listed anew, as an edit may be published
    /// meanwhile.
    fileprivate func hasPrevious(sha256: String, of day: Day) throws(SystemError) -> Bool {
        let names = try root.folder(Layout.previous)?.textNames() ?? []
        return names.contains { FileName.day(of: $0) == day && $0.contains(sha256) }
    }
}
