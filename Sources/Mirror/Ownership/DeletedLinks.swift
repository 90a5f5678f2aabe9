package import Platform

/// The links that a view had in a directory and that are not there any more.
///
/// A person deletes a link to say “never this one”. In doubt, a link is made again: it counts as deleted only in the directory
/// in which the view wrote last, which is no older now, as one from a backup may be; and only if few are gone at once, and
/// not all of several.
package struct DeletedLinks {
    /// The names of those that an earlier update refused.
    package private(set) var refused: Set<String> = []
    /// The names of those that a person deleted since.
    package private(set) var new: Set<String> = []
    /// The names of all others: these may be made again.
    package private(set) var lost: Set<String> = []

    /// `present` has the names of all items in the directory.
    init(_ rows: [String: TableRow], present: Set<String>, isSameFolder: Bool) {
        var left = 0
        for (name, row) in rows {
            switch row {
            case .refused: if !present.contains(name) { refused.insert(name) }
            case .made where present.contains(name): left += 1
            case .made: new.insert(name)
            // A kill may have come before the link.
            case .intended: if !present.contains(name) { lost.insert(name) }
            }
        }
        let isEmptied = new.count > 1 && left == 0
        // mutation test: deleted-links
        if !isSameFolder || isEmptied || Self.areMany(new.count, of: new.count + left) {
            lost.formUnion(new)
            new = []
        }
    }

    /// Whether so many of `all` links are gone at once, of favorites or of a view, that an accident is likelier than a person
    /// who deletes them: six or more that are more than a fifth, and three or more that are more than half.
    package static func areMany(_ gone: Int, of all: Int) -> Bool {
        (gone >= 6 && gone * 5 > all) || (gone >= 3 && gone * 2 > all)
    }
}

extension ViewFiles {
    /// The links that the view had in the directory at `path`, where these items are `present`, and that are not there now.
    package func deletedLinks(
        in path: String, present: [String]
    ) throws(SystemError) -> DeletedLinks {
        let (status, row) = (try root.status(path)?.stamp, try table.row(of: path))
        var isSameFolder = false
        if let status, let left = row?.last.stamp {
            isSameFolder = status.inode == left.inode && status.modified >= left.modified
        }
        return DeletedLinks(
            try table.rows(in: path), present: Set(present), isSameFolder: isSameFolder)
    }
}
