package import APOD
internal import Glibc
package import Platform

/// Replaced files in `previous/`: `2026-11-20 SHA-256.jpg`, and records `2026-11-20 r1 SHA-256.json`.
///
/// They are hard links, or copies where there are no hard links. A published file is never changed in place, so that the
/// second name keeps the contents. Nothing is overwritten.
extension Store {
    /// Gives the file at `path` a second name in `previous/`, durably.
    ///
    /// A file larger than ``Layout/largestFile`` is moved into `damaged/`: to hash it would take minutes.
    ///
    /// - Returns: Whether there was a regular file at `path`, which is kept now.
    /// - Throws: ``SystemError``; the file is unchanged then.
    func archive(
        _ path: String, of day: Day, label: String = ""
    ) throws(SystemError) -> Bool {
        guard let status = try tree.root.status(path), status.kind == .file else { return false }
        guard status.size <= Layout.largestFile else {
            try moveDamaged(path, of: day)
            return true
        }
        let file = try tree.root.openToRead(path)
        let sha256 = try file.sha256(path: path, limit: Layout.largestFile)
        let archive = try tree.root.makeDirectory(Layout.previous)
        let name = FileName.previous(
            Layout.split(path).name, day: day, sha256: sha256, label: label)
        let original = RecordedFile(path: name, bytes: status.size, sha256: sha256)
        // Contents that are in `previous/` are not written again.
        // mutation test: previous-is-final
        if try archive.hasContents(of: original, at: name) == true {
            // A process may have been killed between the link and the flush of its directory.
            try archive.flush(name)
            return true
        }
        // A file that has this name and other contents is kept, too.
        try moveDamaged("\(Layout.previous)/\(name)", of: day)
        if (try? tree.root.link(path, to: archive, as: name)) == nil {
            let draft = try draft("\(day).copy.part")
            try copy(file, into: draft)
            try draft.publish(in: archive, as: name)
        }
        // The caller replaces the file: its second name must survive a power cut.
        // mutation test: previous-sync
        try archive.flush()
        return true
    }

    /// The records and files of `day` that edits by NASA replaced, by their paths: the records first, oldest first.
    package func previousPaths(of day: Day) throws(SystemError) -> [String] {
        var records: [(Int, String)] = []
        var files: [String] = []
        for name in try tree.root.textNames(in: Layout.previous)
        where FileName.day(of: name) == day {
            if let revision = Self.revision(of: name, day) {
                records.append((revision, name))
            } else {
                files.append(name)
            }
        }
        let names = records.sorted { $0 < $1 }.map(\.1) + files.sorted()
        return names.map { "\(Layout.previous)/\($0)" }
    }

    /// The highest revision of `day` in `previous/`; 0 if there is none.
    func archivedRevision(of day: Day) throws(SystemError) -> Int {
        try tree.root.textNames(in: Layout.previous).lazy
            .compactMap { Self.revision(of: $0, day) }.max() ?? 0
    }

    /// The revision in the name of an earlier record of `day`, such as 1 in `2026-11-20 r1 …`; `nil` for other files.
    private static func revision(of name: String, _ day: Day) -> Int? {
        let start = "\(day) r"
        guard name.hasPrefix(start) else { return nil }
        return Int(name.dropFirst(start.count).prefix { $0 != " " })
    }

    /// Restores the file at `path` from `previous/`; does nothing if its contents are not there.
    func restorePrevious(_ path: String, sha256: String, of day: Day) throws(SystemError) {
        let name = Layout.split(path).name
        let previous = "\(Layout.previous)/\(FileName.previous(name, day: day, sha256: sha256))"
        guard let status = try tree.root.status(previous), status.kind == .file,
            try tree.root.openToRead(previous).sha256(path: previous, limit: status.size) == sha256
        else { return }
        let folder = try tree.root.makeDirectory(Layout.split(path).folder)
        try makeRoom(for: path, of: day)
        let restored = try duplicate(previous, as: "\(day).restored")
        try restored.publish(in: folder, as: name, isVisible: true)
    }

    /// Publishes `file` again from `source`, in which the caller has found its contents.
    ///
    /// If a person put another item in its place meanwhile, that moves into `damaged/`.
    package func restore(
        _ file: RecordedFile, of day: Day, from source: String
    ) throws(SystemError) {
        guard try tree.root.hasContents(of: file, at: file.path) != true else { return }
        let (folder, name) = Layout.split(file.path)
        let restored = try duplicate(source, as: "\(day).restored")
        try moveDamaged(file.path, of: day)
        try restored.publishNew(in: tree.root.makeDirectory(folder), as: name)
    }

    /// Replaces `file`, which is in `previous/` already, by a symbolic link to its successor of another type.
    ///
    /// So links of users to the file stay valid. The link is never changed or removed, like an item of a user. A call may
    /// be repeated.
    func replaceByLink(
        _ file: RecordedFile, to target: String, of day: Day
    ) throws(SystemError) {
        let (folderPath, name) = Layout.split(file.path)
        guard let folder = try tree.root.folder(folderPath), folder.target(of: name) != target
        else { return }
        if try tree.root.hasContents(of: file, at: file.path) != true {
            try moveDamaged(file.path, of: day)
        }
        // On a file system without symbolic links the old file stays.
        _ = try AtomicFile.publishLink(
            to: target, in: folder, as: name, through: incoming)
    }
}
