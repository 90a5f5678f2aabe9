package import Platform

/// Tells which missing links of a view, such as those in `wallpapers/`, a person has deleted.
///
/// A person deletes a link to say “never this one”, and the view then does not make it again. But an accident may have deleted
/// the links, or a backup may lack them. Such links are lost, and are made again. So a missing link counts as deleted by a person
/// - if the directory is the one in which the view wrote last, and not an older one from a backup;
/// - if the directory still has another link, or had only this one;
/// - and if a ``MassDeletion`` is unlikely.
package struct DeletedLinks {
    /// The names of links that an earlier update found deleted by a person.
    package private(set) var refused: Set<String> = []
    /// The names of links that a person has deleted since then.
    package private(set) var newlyRefused: Set<String> = []
    /// The names of all other missing links, which may be made again.
    package private(set) var lost: Set<String> = []

    /// Compares the rows of the links, by name, with the names of the items that are `present` in the directory.
    ///
    /// `isSameFolder` says that the directory is the one in which the view wrote last.
    init(_ rows: [String: TableRow], present: Set<String>, isSameFolder: Bool) {
        var presentCount = 0
        var gone: Set<String> = []
        for (name, row) in rows {
            switch (row, present.contains(name)) {
            case (.made, true): presentCount += 1
            case (.made, false): gone.insert(name)
            case (.refused, false): refused.insert(name)
            // The program may have been killed before it made the link.
            case (.intended, false): lost.insert(name)
            case (.refused, true), (.intended, true): break
            }
        }
        let isEmptied = gone.count > 1 && presentCount == 0
        let areMany = MassDeletion.isLikely(gone.count, of: gone.count + presentCount)
        // mutation test: deleted-links (see Tests/Mutants)
        if !isSameFolder || isEmptied || areMany {
            lost.formUnion(gone)
        } else {
            newlyRefused = gone
        }
    }
}

/// Tells an accident, which deletes many links at once, from a person who deletes some; for favorites and the links of views.
package enum MassDeletion {
    /// Whether it is likely an accident that so many of `all` links are `gone` at once.
    ///
    /// 6 of 29 are many, but not 6 of 30; 3 of 5 are many, but not 3 of 6.
    package static func isLikely(_ gone: Int, of all: Int) -> Bool {
        let isOverOneFifth = gone >= 6 && gone * 5 > all
        let isOverOneHalf = gone >= 3 && gone * 2 > all
        return isOverOneFifth || isOverOneHalf
    }
}

extension ViewFiles {
    /// The links that the view had made in the directory at `path`, and that are not among the items `present` there now.
    package func deletedLinks(
        in path: String, present: [String]
    ) throws(SystemError) -> DeletedLinks {
        DeletedLinks(
            try table.rows(in: path), present: Set(present),
            isSameFolder: try isFolderOfLastUpdate(path))
    }

    /// Whether the directory at `path` is the one that the view left there; an older state of it, from a backup, is not.
    private func isFolderOfLastUpdate(_ path: String) throws(SystemError) -> Bool {
        guard let current = try root.status(path)?.stamp,
            let recorded = try table.row(of: path)?.lastWritten.stamp
        else { return false }
        return current.inode == recorded.inode && current.modified >= recorded.modified
    }
}
