package import APOD
package import Mirror
package import Platform

/// The pictures and videos of a tree with their recorded sizes and hashes, in the format of sha256sum(1).
///
/// `sha256sum -c` checks a copy of the tree without this program; it skips the comments, which have the sizes.
package struct Manifest: Sendable {
    /// In the order of their days.
    package let files: [RecordedFile]
    /// The days whose files are not listed, as their records are damaged or cannot be read.
    package let daysLeftOut: [Day]

    /// Takes the originals of the days of `scope` that have a readable record.
    package init(of tree: Tree, _ snapshot: TreeSnapshot, in scope: VerifyScope) throws(SystemError)
    {
        let store = Store(reading: tree)
        var files: [RecordedFile] = []
        var daysLeftOut: [Day] = []
        for day in snapshot.recordedInOrder where scope.contains(day) {
            guard let record = try store.knownRecord(of: day) else {
                daysLeftOut.append(day)
                continue
            }
            files += record.files.filter(\.sha256.isSHA256)
        }
        self.files = files
        self.daysLeftOut = daysLeftOut
    }

    package var text: String {
        let total = ByteCount(files.lazy.map(\.bytes).saturatingSum())
        let title = "# apod-mirror: \(counted(files.count, "file")), \(total)\n"
        return title + files.map { "# \($0.bytes) bytes\n\(Self.line(of: $0))\n" }.joined()
    }

    /// A backslash before the hash says that the name is escaped, as a record may have any.
    private static func line(of file: RecordedFile) -> String {
        let name = file.path.replacing("\\", by: "\\\\").replacing("\n", by: "\\n")
        return "\(name == file.path ? "" : "\\")\(file.sha256)  \(name)"
    }
}
