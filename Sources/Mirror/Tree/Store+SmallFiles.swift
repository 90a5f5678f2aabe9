package import Platform

/// Publishes small files whose contents are in memory, such as state files and redirect pages.
///
/// Each replaces what is at its path atomically, and is flushed.
extension Store {
    /// Publishes a small file at `path` in place of what is there, even if the disk counts as full.
    package func publish(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        try AtomicFile.publish(
            bytes, in: try tree.root.makeDirectory(folder), as: name, through: incoming)
    }

    /// Publishes a small file of the day of `record`, such as its redirect page, at `path`.
    ///
    /// The file gets the modification time that a picture of `record` has. The snapshot reads the day again.
    func publishDayFile(
        _ bytes: [UInt8], of record: DayRecord, at path: String
    ) throws(SystemError) {
        let day = record.entry.day
        let (folder, name) = Layout.split(path)
        // After an error, too, because the file may have got its name before.
        defer { snapshots.recordChange(of: day) }
        let draft = try makeDraft("\(day).\(name).part")
        try draft.write(bytes)
        draft.file.setModified(record.fileTime)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name, isVisible: true)
    }

    /// Publishes `state` as JSON at `path`; a directory at `path` is moved into `damaged/` before.
    package func write(_ state: some Encodable, to path: String) throws(SystemError) {
        try writeState(state.stateDocument, to: path)
    }

    /// Publishes a state file whose contents the caller has made, as ``write(_:to:)`` does.
    func writeState(_ document: [UInt8], to path: String) throws(SystemError) {
        if try tree.root.status(path)?.kind == .directory { try moveDamaged(path, of: nil) }
        try publish(document, at: path)
    }
}
