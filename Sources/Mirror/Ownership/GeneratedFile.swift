internal import Platform

/// What is at a path, reduced to what shows whether a view wrote it.
package enum GeneratedContents: Hashable, Sendable {
    /// A file with the digest of its bytes.
    case file(InputDigest)
    case link(target: String)
    /// A directory in which a view makes links.
    case folder
    /// Something that no view wrote, such as a file of another size, a directory, or a file in place of a directory above.
    case foreign
}

/// A file, a link, or a directory of links, as a view wrote it.
struct GeneratedItem: Hashable, Sendable {
    /// The part of a file's status that changes when its contents change.
    ///
    /// A file with the same stamp counts as unchanged, and is not read.
    struct Stamp: Hashable, Sendable {
        var size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
        /// Ignored by ``GeneratedItem/isSame(as:)``, because some file systems give a file another inode after each mount.
        let inode: Int
    }

    let contents: GeneratedContents
    /// A digest of what the file was made from; `nil` if the view makes its contents anew in each update.
    var inputs: InputDigest?
    /// The stamp of the file when it was written; `nil` for a link; with size 0 for a directory.
    var stamp: Stamp?

    var isLink: Bool { if case .link = contents { true } else { false } }

    /// Whether both are the same file; their inodes may differ.
    func isSame(as other: GeneratedItem) -> Bool {
        contents == other.contents && inputs == other.inputs
            && stamp?.size == other.stamp?.size && stamp?.modified == other.stamp?.modified
    }
}

/// What the ``ViewTable`` knows of one path.
enum TableRow: Hashable, Sendable {
    /// The view is about to write an item, in place of the item that it had written there `before`.
    ///
    /// The row is stored before the item gets its name. After a kill between the two, either item is known to be the view's.
    case intended(GeneratedItem, before: GeneratedItem?)
    /// The view wrote the item.
    case made(GeneratedItem)
    /// A person has deleted the link that the view made, so that the view does not make it again: see ``DeletedLinks``.
    case refused(GeneratedItem)

    /// The item that the view wrote last, or is about to write.
    var lastWritten: GeneratedItem {
        switch self {
        case .intended(let item, _), .made(let item), .refused(let item): item
        }
    }

    /// The items that belong to the view if they are found at the path.
    var ownItems: [GeneratedItem] {
        switch self {
        case .intended(let item, let before): [item, before].compactMap(\.self)
        case .made(let item): [item]
        case .refused: []
        }
    }

    /// The view's item that has these `contents`; `nil` if an item with such contents belongs to a person.
    func ownItem(with contents: GeneratedContents) -> GeneratedItem? {
        ownItems.first { $0.contents == contents }
    }
}

/// What was found at a path on the disk.
enum FoundAtPath: Hashable, Sendable {
    case nothing
    case contents(GeneratedContents)
    /// A file that the table does not know, and that may be replaced nevertheless.
    ///
    /// It has the mark of this program, or a power cut has left it empty, filled with zeros, or cut off.
    case expendable
    /// The path could not be examined, so that nothing is done.
    case unknown(SystemError)
}

/// What is done at a path of a view: the one decision that all views share.
///
/// For example, the table says that the view wrote the digest A, and the view now wants B. If the file on the disk is A, the
/// step is ``write``. If it is B, the step is ``keep``. If it is anything else, a person has changed it: ``leaveToPerson``.
/// The mark `mutation test: …` is for Tests/Mutants.
enum ViewStep: Hashable, Sendable {
    case write
    /// The file is as the view wants it, and only its row may have to be written.
    case keep
    case remove
    /// Nothing is wanted, and nothing is there. A row for the path is removed.
    case forget
    /// The path and its row stay as they are: nothing proves that the item is the view's, or a person has deleted the link.
    case leaveToPerson
    /// Nothing is done until the next update, because the path cannot be examined.
    case wait(SystemError)

    /// Decides by what the view wants, which may be nothing (`nil`), by the row of the table, and by what is on the disk.
    init(wanted: GeneratedContents?, row: TableRow?, found: FoundAtPath) {
        switch found {
        case .unknown(let error): self = .wait(error)
        // Whatever the row says: a view that respects the deletion of a link does not want the link.
        case .nothing where wanted != nil: self = .write
        case .nothing:
            if case .refused = row { self = .leaveToPerson } else { self = .forget }
        // Even without a row, because the table may have been lost.
        case .contents(let contents) where contents == wanted: self = .keep
        case .contents(let contents):
            // Without this proof, a person's file would be overwritten.
            // mutation test: view-user-file
            guard row?.ownItem(with: contents) != nil else {
                self = .leaveToPerson
                return
            }
            self = wanted == nil ? .remove : .write
        case .expendable: self = wanted == nil ? .remove : .write
        }
    }
}
