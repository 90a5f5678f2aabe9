package import Platform

/// The links that a view had made in a directory, such as `wallpapers/`, and that are gone.
///
/// A person deletes a link to say “never this one”. But an accident may have deleted the links, or a backup may lack them. So
/// a missing link counts as deleted by a person only
/// - if the directory is the one in which the view wrote last, and not an older one from a backup;
/// - if few links are gone at once, and not all of several.
///
/// Any other missing link is made again. The mark `mutation test: …` is for Tests/Mutants.
package struct DeletedLinks {
    /// The names of links that an earlier update found deleted by a person.
    package private(set) var refused: Set<String> = []
    /// The names of links that a person has deleted since then.
    package private(set) var new: Set<String> = []
    /// The names of all other missing links, which may be made again.
    package private(set) var lost: Set<String> = []

    /// Compares the rows of the links, by name, with the names of the items that are `present` in the directory.
    ///
    /// `isSameFolder` says that the directory is the one in which the view wrote last.
    init(_ rows: [String: TableRow], present: Set<String>, isSameFolder: Bool) {
        var presentCount = 0
        for (name, row) in rows {
            switch row {
            case .refused: if !present.contains(name) { refused.insert(name) }
            case .made where present.contains(name): presentCount += 1
            case .made: new.insert(name)
            // The program may have been killed before it made the link.
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

    /// Whether so many of `all` links are gone at once that an accident is likelier than a person who deletes them.
    ///
    /// The links are favorites, or those of a view. 6 of 29 are many, but not 6 of 30; 3 of 5 are many, but not 3 of 6.
    package static func areMany(_ gone: Int, of all: Int) -> Bool {
        (gone >= 6 && gone * 5 > all) || (gone >= 3 && gone * 2 > all)
    }
}

extension ViewFiles {
    /// The links that the view had made in the directory at `path`, and that are not among the items `present` there now.
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
