package import Platform

/// The links that a view had in a directory and that are not there any more.
///
/// A person deletes a link to say “never this one”. In doubt, a link is made again. It counts as deleted only
/// - in the directory in which the view wrote last, which is no older now, as a directory from a backup would be;
/// - if few links are gone at once, and not all of several.
package struct DeletedLinks {
    /// The names of links that a person deleted before an earlier update, which refused them.
    package private(set) var refused: Set<String> = []
    /// The names of links that a person deleted since.
    package private(set) var new: Set<String> = []
    /// The names of all other links, which may be made again.
    package private(set) var lost: Set<String> = []

    /// `present` has the names of all items in the directory.
    init(_ rows: [String: TableRow], present: Set<String>, isSameFolder: Bool) {
        var presentCount = 0
        for (name, row) in rows {
            switch row {
            case .refused: if !present.contains(name) { refused.insert(name) }
            case .made where present.contains(name): presentCount += 1
            case .made: new.insert(name)
            // A kill may have come before the link.
            case .intended: if !present.contains(name) { lost.insert(name) }
            }
        }
        let isEmptied = new.count > 1 && presentCount == 0
        // mutation test: deleted-links
        if !isSameFolder || isEmptied || Self.areMany(new.count, of: new.count + presentCount) {
            lost.formUnion(new)
            new = []
        }
    }

    /// Whether so many of `all` links are gone at once, of favorites or of a view, that an accident is likelier than a person
    /// who deletes them.
    ///
    /// These are many: 6 of 29, but not 6 of 30; 3 of 5, but not 3 of 6.
    package static func areMany(_ gone: Int, of all: Int) -> Bool {
        (gone >= 6 && gone * 5 > all) || (gone >= 3 && gone * 2 > all)
    }
}

extension ViewFiles {
    /// The links that the view had in the directory at `path`, whose items are `present` now.
    package func deletedLinks(
        in path: String, present: [String]
    ) throws(SystemError) -> DeletedLinks {
        var isSameFolder = false
        if let found = try root.status(path)?.stamp,
            let left = try table.row(of: path)?.lastWritten.stamp
        {
            isSameFolder = found.inode == left.inode && found.modified >= left.modified
        }
        return DeletedLinks(
            try table.rows(in: path), present: Set(present), isSameFolder: isSameFolder)
    }
}
