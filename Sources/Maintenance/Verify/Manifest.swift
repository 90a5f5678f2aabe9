package import APOD
package import Mirror
package import Platform

/// A list of the pictures and videos of a mirror with their recorded sizes and hashes, in the format of sha256sum(1).
///
/// With it, `sha256sum -c` checks a copy of the mirror without apod-mirror. It skips the comments, which have the sizes:
///
///     # 483120 bytes
///     8f14e45f…  pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg
package struct Manifest: Sendable {
    /// In the order of their days.
    package let files: [RecordedFile]
    /// The days whose files are not listed, because their records are damaged or cannot be read.
    package let daysLeftOut: [Day]

    /// Lists the files that the records of the days in `scope` name.
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

    /// The line of a file, in which a backslash or a line break of the path is escaped as sha256sum(1) does.
    private static func line(of file: RecordedFile) -> String {
        let name = file.path.replacing("\\", by: "\\\\").replacing("\n", by: "\\n")
        return "\(name == file.path ? "" : "\\")\(file.sha256)  \(name)"
    }
}
