package import Platform

/// The message about an item of a person that prevents a view, such as the gallery, from writing a file.
extension ViewFiles {
    /// A sentence for people: an item at `path` in the mirror at `root` is not the mirror's, and prevents a file there.
    package static func obstruction(by path: String, in root: Directory) -> String {
        let path = itemInTheWay(of: path, in: root)
        return
            "\(root.path)/\(path) was not written by apod-mirror and is not overwritten; move it away,"
            + " and apod-mirror writes its own"
    }

    /// The path of the item that prevents a file at `path`: `path` itself, or something in place of a directory above.
    package static func itemInTheWay(of path: String, in root: Directory) -> String {
        var path = path
        while true {
            let above = Layout.split(path).folder
            guard above != ".", root.isCertainlyNoDirectory(above) else { return path }
            path = above
        }
    }
}

extension Directory {
    /// Whether there is no directory at `path`, but something else or nothing; `false` if that cannot be found out.
    fileprivate func isCertainlyNoDirectory(_ path: String) -> Bool {
        do { return try status(path)?.kind != .directory } catch { return error.isNotDirectory }
    }
}
