extension Directory {
    /// Visits everything beneath this directory but directories, in no order.
    ///
    /// Follows no link, opens nothing but directories, and keeps only the paths of directories that are
    /// still to be read, however many files there are.
    ///
    /// - Parameters:
    ///   - enters: Whether the directory at a path is read.
    ///   - fail: Receives a directory that cannot be read, or an item without a status.
    ///   - visit: Receives the path of each item, relative to this directory, and its type.
    package func walk(
        enters: (_ path: [UInt8]) -> Bool, fail: (_ path: [UInt8], SystemError) -> Void,
        visit: (_ path: [UInt8], FileStatus.FileType) throws -> Void
    ) rethrows {
        var waiting: [[UInt8]] = [[]]
        while let directory = waiting.popLast() {
            var items: DirectoryItems
            do throws(SystemError) {
                items = try DirectoryItems(of: directory, in: self)
            } catch {
                fail(directory, error)
                continue
            }
            while let (path, kind) = items.next(fail) {
                if kind != .directory {
                    try visit(path, kind)
                } else if enters(path) {
                    waiting.append(path)
                }
            }
        }
    }
}

/// The items of one directory with their types.
private struct DirectoryItems: ~Copyable {
    private let directory: [UInt8]
    private var reader: DirectoryReader

    init(of directory: [UInt8], in root: Directory) throws(SystemError) {
        self.directory = directory
        reader = try DirectoryReader(opening: directory, beneath: root)
    }

    /// The next item; one without a type is passed to `fail` and skipped.
    mutating func next(
        _ fail: ([UInt8], SystemError) -> Void
    ) -> (path: [UInt8], kind: FileStatus.FileType)? {
        while true {
            var path = directory
            do throws(SystemError) {
                guard try reader.advance() else { return nil }
                if !directory.isEmpty { path.append(UInt8(ascii: "/")) }
                reader.appendName(to: &path)
                if let kind = reader.kind { return (path, kind) }
                return (path, try reader.status().kind)
            } catch {
                fail(path, error)
                // The directory itself cannot be read any further.
                if path == directory { return nil }
            }
        }
    }
}
