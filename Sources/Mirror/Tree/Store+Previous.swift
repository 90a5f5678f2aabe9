package import APOD
package import Platform

/// The directory `previous/`: the files and records that NASA's edits replaced, none of which is overwritten.
///
/// A file has the name `2026-11-20 SHA-256.jpg`. A record has its revision in the name, as in `2026-11-20 r1 SHA-256.json`.
/// Each is a hard link, or a copy if no link can be made. A link keeps the old contents, because a published file is replaced
/// and never changed in place.
extension Store {
    /// Gives the file at `path` a second name in `previous/`, durably, so that the caller may replace it.
    ///
    /// A file larger than ``Layout/largestFile`` is moved into `damaged/` instead, because hashing it would take minutes.
    /// `revision` is that of a record, whose name gets it; `nil` for any other file.
    ///
    /// - Returns: Whether there was a regular file at `path`.
    /// - Throws: ``SystemError``; the file at `path` is unchanged then.
    func archive(
        _ path: String, of day: Day, revision: Int? = nil
    ) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(path), status.kind == .file else { return false }
        guard status.size <= Layout.largestFile else {
            try moveDamaged(path, of: day)
            return true
        }
        let file = try tree.root.openToRead(path)
        let sha256 = try file.sha256(path: path, limit: Layout.largestFile)
        let previous = try tree.root.makeDirectory(Layout.previous)
        let name = FileName.archived(
            Layout.split(path).name, day: day, sha256: sha256,
            label: revision.map { "r\($0) " } ?? "")
        let original = RecordedFile(path: name, bytes: status.size, sha256: sha256)
        // The contents may be in `previous/` already, for example because NASA published them twice.
        // mutation test: previous-is-final (see Tests/Mutants)
        if try previous.hasContents(of: original, at: name) {
            // The process that made the link may have been killed before it flushed the directory.
            try previous.flush(name)
            return true
        }
        // An item of this name with other contents must not be overwritten.
        try moveDamaged("\(Layout.previous)/\(name)", of: day)
        try link(path, orCopy: file, of: day, to: previous, as: name)
        // The caller now replaces the file at `path`, so that its second name must survive a power cut.
        // mutation test: previous-sync
        try previous.flush()
        return true
    }

    /// Links the file at `path`, which is open as `file`, to `name` in `previous`, or copies it where links are impossible.
    private func link(
        _ path: String, orCopy file: borrowing FileDescriptor, of day: Day,
        to previous: Directory, as name: String
    ) throws(SystemError) {
        do throws(SystemError) {
            try tree.root.link(path, to: previous, as: name)
        } catch {
            // Links may be impossible here: see link(2). Another error, as of a full disk, makes the copy fail, too.
            let draft = try makeDraft("\(day).copy.part")
            try copy(file, into: draft)
            try draft.publish(in: previous, as: name)
        }
    }

    /// The paths of all that NASA's edits of `day` replaced: first the records, oldest first, then the files.
    package func previousPaths(of day: Day) throws(SystemError) -> [String] {
        var records: [(revision: Int, name: String)] = []
        var files: [String] = []
        for name in try tree.root.textNames(in: Layout.previous)
        where FileName.day(of: name) == day {
            if let revision = Self.revision(of: name, day) {
                records.append((revision, name))
            } else {
                files.append(name)
            }
        }
        let names = records.sorted { $0 < $1 }.map(\.name) + files.sorted()
        return names.map { "\(Layout.previous)/\($0)" }
    }

    /// The highest revision of a record of `day` in `previous/`; 0 if there is none, or if the directory cannot be listed.
    ///
    /// A revision may be used twice then. No file is replaced, because the names there have hashes.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up.
    func archivedRevision(of day: Day) throws(SystemError) -> Int {
        do throws(SystemError) {
            return try tree.root.textNames(in: Layout.previous).lazy
                .compactMap { Self.revision(of: $0, day) }.max() ?? 0
        } catch  where !error.concernsEveryFile {
            return 0
        }
    }

    /// The revision in the name of a replaced record of `day`, such as 1 in `2026-11-20 r1 …`; `nil` for any other name.
    private static func revision(of name: String, _ day: Day) -> Int? {
        let start = "\(day) r"
        guard name.hasPrefix(start) else { return nil }
        return Int(name.dropFirst(start.count).prefix { $0 != " " })
    }
}
