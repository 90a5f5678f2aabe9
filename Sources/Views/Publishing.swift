internal import Mirror
internal import Platform

extension Store {
    /// Publishes small files in `folder`, flushed together; unless `replacing`, files of the same names stay.
    ///
    /// `prefix` begins the names of the files while they are written.
    func publish(
        _ files: [(name: String, bytes: [UInt8])], in folder: Directory, prefix: String,
        replacing: Bool = true
    ) throws(SystemError) {
        guard !files.isEmpty else { return }
        try checkFreeSpace(for: files.reduce(1) { $0 + $1.bytes.count }, at: folder.path)
        var batch = AtomicFileBatch(
            expecting: files.count, in: try tree.root.makeDirectory(Layout.incoming))
        for (name, bytes) in files { try batch.add(bytes, as: name, prefix: prefix) }
        try batch.publish(in: folder, replacing: replacing)
        try folder.flush()
    }
}

extension ViewInput {
    /// Writes a file of a view, unless it has these contents or a user's file is in its place.
    func publish(
        _ bytes: [UInt8], as owned: OwnedPath, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        // A power cut can leave a file of the mirror empty or cut short; the new contents lose nothing of such a file.
        if try !root.isBeginning(owned.path, of: bytes),
            try !mayWrite(owned, reportingTo: &outcome)
        {
            return
        }
        if try store.publishIfChanged(bytes, at: owned.path) {
            outcome.changedPaths.append(owned.path)
        }
    }

    /// Whether the view may write there, as nothing is there or the mirror wrote it; else adds the problem to `outcome`.
    func mayWrite(
        _ owned: OwnedPath, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) -> Bool {
        guard try root.status(owned.path) != nil, try !owned.isOwn(root) else { return true }
        outcome.addObstruction(by: owned.path, in: root)
        return false
    }

    /// Removes the file of a view, unless a user's is in its place.
    func remove(
        _ owned: OwnedPath, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        guard try root.status(owned.path) != nil, try owned.isOwn(root) else { return }
        try root.remove(owned.path)
        outcome.changedPaths.append(owned.path)
    }
}
