/// A walk through a tree of any size in little memory.
extension Directory {
    /// Visits everything beneath this directory but directories, in no order.
    ///
    /// Follows no link, opens nothing but directories, and keeps only the paths of directories that are
    /// still to be read, however many files there are.
    ///
    /// - Parameters:
    ///   - enters: Whether the directory at a path is read.
    ///   - fail: Receives a directory that cannot be read, an item without a status, and the errors of `visit`.
    ///   - visit: Receives the path of each item, relative to this directory, and its type.
    package func walk(
        enters: (_ path: [UInt8]) -> Bool, fail: (_ path: [UInt8], SystemError) -> Void,
        visit: (_ path: [UInt8], FileStatus.FileType) throws(SystemError) -> Void
    ) {
        var waiting: [[UInt8]] = [[]]
        while let directory = waiting.popLast() {
            do throws(SystemError) {
                var reader = try DirectoryReader(opening: directory, beneath: self)
                while try reader.advance() {
                    var path = directory
                    if !directory.isEmpty { path.append(UInt8(ascii: "/")) }
                    reader.appendName(to: &path)
                    do throws(SystemError) {
                        let kind =
                            if let known = reader.kind { known } else { try reader.status().kind }
                        if kind != .directory {
                            try visit(path, kind)
                        } else if enters(path) {
                            waiting.append(path)
                        }
                    } catch {
                        fail(path, error)
                    }
                }
            } catch {
                // The directory itself cannot be read, or not any further.
                fail(directory, error)
            }
        }
    }
}
