internal import APOD
internal import JSON
internal import MediaFormat
internal import Mirror
internal import Platform

/// Verifies the files of one day on the disk: its record, each file that the record names, its thumbnail, and its pin.
///
/// The record is a JSON file with the paths, sizes and hashes of picture and video. The pin is a favorite's own hard link to its
/// picture. Any other file belongs to a person, and is not examined. ``TreeVerifier`` verifies all days in this way, and changes
/// nothing.
struct DayVerifier: Sendable {
    let tree: Tree
    /// Whether only the types and sizes of pictures and videos are compared, and not their hashes.
    let isQuick: Bool
    /// The paths of the pins, by day, as ``Tree/pins()`` lists them.
    let pins: [Day: String]
    /// Called for each picture and video that was read, with its number of bytes.
    let didRead: @Sendable (Int) -> Void

    /// The findings of `day`; a missing record is a finding only if the day `hadRecord`.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up, or if the task was cancelled.
    func findings(of day: Day, hadRecord: Bool) throws -> [VerifyFinding] {
        let (record, findingOfRecord) = try verifyRecord(of: day, isOptional: !hadRecord)
        var findings = [findingOfRecord]
        if let record {
            // A file with a malformed hash is not compared, because the hash is a finding of the record.
            for file in expectedMedia(of: record) where file.sha256.isSHA256 {
                findings.append(try verifyMedia(file, of: day))
            }
            findings.append(try verifyPage(of: record))
            findings.append(try verifyThumbnail(of: record))
            findings.append(try verifyPin(of: record))
        }
        return findings.compactMap(\.self)
    }

    /// The pictures and videos that should be here.
    ///
    /// If `--keep` removed the picture of a favorite, and its pin still has it, a scan of the favorites should have copied it back.
    private func expectedMedia(of record: DayRecord) -> [RecordedFile] {
        guard record.removed != nil, pins[record.entry.day] != nil else { return record.files }
        return [record.allFiles.first].compactMap(\.self)
    }

    // MARK: Parts of a day

    /// The record of `day`, `nil` if it cannot be decoded, and what is wrong with it.
    private func verifyRecord(
        of day: Day, isOptional: Bool
    ) throws -> (record: DayRecord?, finding: VerifyFinding?) {
        let file = ExpectedFile(
            item: .record, path: Layout.recordPath(of: day), day: day,
            expected: "a record that follows the schema of records", isOptional: isOptional,
            stagedPath: isOptional ? nil : "\(Layout.incoming)/\(Layout.recordName(of: day))")
        var record: DayRecord?
        let finding = try file.examine(in: tree.root) { _, _ in
            let bytes = try tree.root.read(file.path) ?? []
            guard !bytes.isEmpty else { return file.damaged("an empty file") }
            let json: JSON
            do {
                json = try JSON(parsing: bytes)
            } catch {
                return file.damaged("\(error)")
            }
            record = DayRecord(json, of: day)
            let violations = DayRecord.violations(of: json, day: day)
            guard !violations.isEmpty else { return nil }
            return file.damaged("invalid: \(violations.joined(separator: ", "))")
        }
        return (record, finding)
    }

    /// Verifies the size of a picture or video, and its hash unless the verification is quick.
    private func verifyMedia(_ recorded: RecordedFile, of day: Day) throws -> VerifyFinding? {
        let file = ExpectedFile(
            item: .media(recorded), path: recorded.path, day: day, expected: recorded.words)
        return try file.examine(in: tree.root) { descriptor, status in
            // A file of another size is not read, because it may be very large.
            guard status.size == recorded.bytes else {
                let found = status.size == 0 ? "an empty file" : counted(status.size, "byte")
                return file.damaged(found, insteadOf: counted(recorded.bytes, "byte"))
            }
            guard !isQuick else { return nil }
            let found = try sha256(of: descriptor, path: recorded.path, size: status.size)
            guard found != recorded.sha256 else { return nil }
            return file.damaged("SHA-256 \(found)", insteadOf: "SHA-256 \(recorded.sha256)")
        }
    }

    /// Verifies that the redirect page has the contents that follow from the record.
    private func verifyPage(of record: DayRecord) throws -> VerifyFinding? {
        guard let (path, page) = record.pageFile else { return nil }
        let file = ExpectedFile(
            item: .page, path: path, day: record.entry.day, expected: "the page of the day")
        return try file.examine(in: tree.root) { _, _ in
            try tree.root.read(path) == page ? nil : file.damaged("other contents")
        }
    }

    /// Verifies that the thumbnail, if there is one, is a whole JPEG and was made from the recorded picture.
    private func verifyThumbnail(of record: DayRecord) throws -> VerifyFinding? {
        guard let picture = record.picture, record.removed == nil else { return nil }
        let day = record.entry.day
        let file = ExpectedFile(
            item: .thumbnail, path: Layout.thumbnail(of: day), day: day, expected: "a whole JPEG",
            isOptional: true)
        // Whether the file names its original, as only the thumbnails of this program do.
        var isMarked = false
        let finding = try file.examine(in: tree.root) { descriptor, status in
            guard status.size > 0 else { return file.damaged("an empty file") }
            let start = try descriptor.readStart(limit: ThumbnailFile.stampEnd, path: file.path)
            let original = ThumbnailFile.originalSHA256(in: start)
            isMarked = original != nil
            if let original, original != picture.sha256 {
                return file.damaged(
                    "one of another picture", insteadOf: "a thumbnail of the recorded picture")
            }
            return isQuick ? nil : try verifyJPEG(descriptor, as: file)
        }
        guard finding?.kind == .damaged, !isMarked else { return finding }
        // An unmarked file belongs to a person, unless the mirror would write over it.
        let thumbnails = ViewFiles(of: .thumbnails, in: Store(reading: tree))
        // mutation test: foreign-thumbnail (see Tests/Mutants)
        guard try thumbnails.mayWrite(file.path) else { return nil }
        return finding
    }

    /// Verifies that the open `descriptor` of `file` has a whole JPEG.
    private func verifyJPEG(
        _ descriptor: borrowing FileDescriptor, as file: ExpectedFile
    ) throws -> VerifyFinding? {
        switch try MediaHeader.reading(whole: descriptor, path: file.path) {
        case .success(let header): header.type == .jpeg ? nil : file.damaged("another type")
        case .failure(let refusal): file.damaged("\(refusal)")
        }
    }

    /// Verifies that the pin has the contents of the picture or video of its day, or of an earlier version in `previous/`.
    private func verifyPin(of record: DayRecord) throws -> VerifyFinding? {
        let day = record.entry.day
        guard let pin = pins[day] else { return nil }
        let file = ExpectedFile(
            item: .pin, path: pin, day: day, expected: "the pinned picture of a favorite",
            isOptional: true)
        return try file.examine(in: tree.root) { descriptor, status in
            // A larger file than any of the mirror is not read, because that might take long.
            guard !isQuick, status.size <= Layout.largestFile else {
                return status.size > 0 ? nil : file.damaged("an empty file")
            }
            let found = try sha256(of: descriptor, path: pin, size: status.size)
            let recorded = record.allFiles.map(\.sha256)
            let isKnown = try recorded.contains(found) || tree.hasPrevious(sha256: found, of: day)
            return isKnown ? nil : file.damaged("SHA-256 \(found)")
        }
    }

    /// Reads the whole file, which has `size` bytes.
    private func sha256(
        of file: borrowing FileDescriptor, path: String, size: Int
    ) throws -> String {
        let hash = try file.sha256(path: "\(tree.root.path)/\(path)", limit: size)
        didRead(size)
        return hash
    }
}

extension Tree {
    /// The paths of the pins in the folder of favorites; if a day has several, that of the alphabetically first one.
    func pins() throws(SystemError) -> [Day: String] {
        var pins: [Day: String] = [:]
        for name in try root.textNames(in: Layout.favoriteStore).sorted(by: >)
        where Layout.pinEndings.contains(name.dropFirst(FileName.dayLength)) {
            if let day = FileName.day(of: name) { pins[day] = "\(Layout.favoriteStore)/\(name)" }
        }
        return pins
    }

    /// Whether `previous/` has a file of `day` with this hash.
    fileprivate func hasPrevious(sha256: String, of day: Day) throws(SystemError) -> Bool {
        // The folder is listed each time, because an edit by NASA adds files.
        let names = try root.folder(Layout.previous)?.textNames() ?? []
        return names.contains { FileName.day(of: $0) == day && $0.contains(sha256) }
    }
}
