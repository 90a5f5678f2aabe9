internal import Platform

extension Tree {
    /// The mirror that holds the file at `path`, told by the marker in a directory above it.
    ///
    /// - Parameter path: Absolute, without links or dots.
    /// - Returns: The root of the mirror, and the path below it; `nil` where it lies in none.
    package static func location(of path: String) -> (root: String, path: String)? {
        var above = path[...]
        while let slash = above.lastIndex(of: "/") {
            above = above[..<slash]
            let root = above.isEmpty ? "/" : String(above)
            if let folder = try? Directory(opening: root),
                (try? folder.status(Layout.marker))??.kind == .file
            {
                return (root, String(path[path.index(after: slash)...]))
            }
        }
        return nil
    }
}
