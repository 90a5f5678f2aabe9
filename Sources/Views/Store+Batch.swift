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
