internal import Platform

/// The contents of a path, in the form in which what a view writes is compared with what is there.
package enum GeneratedContents: Hashable, Sendable {
    /// A file, by the digest of its bytes.
    case file(InputDigest)
    case link(target: String)
    /// The directory of links, as the view left it.
    case folder
    /// What no view wrote, such as a file of another size, a directory, or a file in place of a directory above.
    case foreign
}

/// A file, a link or the directory of links, as a view wrote it.
struct GeneratedItem: Hashable, Sendable {
    /// The part of a file's status that changes with its contents.
    ///
    /// A file with the same stamp has the same contents and is not read.
    struct Stamp: Hashable, Sendable {
        var size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
        /// Some file systems give a file another inode after each mount, so that ``GeneratedItem/isSame(as:)`` ignores it.
        let inode: Int
    }

    let contents: GeneratedContents
    /// What a file was made from; `nil` if its view compares the bytes.
    var inputs: InputDigest?
    /// `nil` for a link; with size 0 for a directory.
    var stamp: Stamp?

    var isLink: Bool { if case .link = contents { true } else { false } }

    /// Whether both are the same file as written, though perhaps with another inode.
    func isSame(as other: GeneratedItem) -> Bool {
        contents == other.contents && inputs == other.inputs
            && stamp?.size == other.stamp?.size && stamp?.modified == other.stamp?.modified
    }
}

/// What the ``ViewTable`` knows of one path.
enum TableRow: Hashable, Sendable {
    /// The view is about to write an item, in place of what it had there `before`.
    ///
    /// The row is stored before the item gets its name. If the program is killed in between, both items are the view's.
    case intended(GeneratedItem, before: GeneratedItem?)
    /// The view wrote the item.
    case made(GeneratedItem)
    /// A person deleted the link that the view wrote, so that the view does not want it any more: see ``DeletedLinks``.
    ///
    /// The row only remembers that. What is at the path is a person's, but a view that wants an item there again writes it.
    case refused(GeneratedItem)

    /// The item that the view wrote last, or is about to write.
    var lastWritten: GeneratedItem {
        switch self {
        case .intended(let item, _), .made(let item), .refused(let item): item
        }
    }

    /// The items that are the view's if they are at the path.
    var ownItems: [GeneratedItem] {
        switch self {
        case .intended(let item, let before): [item, before].compactMap(\.self)
        case .made(let item): [item]
        case .refused: []
        }
    }

    /// The view's item with these `contents`; `nil` if such a file is a person's.
    func ownItem(with contents: GeneratedContents) -> GeneratedItem? {
        ownItems.first { $0.contents == contents }
    }
}

/// What a look at a path on the disk shows.
enum FoundAtPath: Hashable, Sendable {
    case nothing
    case contents(GeneratedContents)
    /// A file that the table does not know, but that is no person's work.
    ///
    /// It ends with the mark of this program, or a power cut left it empty, zeroed or short.
    case expendable
    /// The look failed, so that nothing is decided.
    case unknown(SystemError)
}

/// What a view does at a path: the one decision that all views share.
///
/// The table has ``TableRow/made(_:)`` with the digest A, and the view wants B. If the file on the disk is A, the step is
/// ``write``. If it is B, the step is ``keep``. If it is anything else, a person changed it: ``leaveToPerson``.
enum ViewStep: Hashable, Sendable {
    case write
    /// The file is as the view wants it; at most its row is written.
    case keep
    case remove
    /// Nothing is wanted, and nothing is there: at most the row is removed.
    case forget
    /// The path and its row stay as they are, because nothing shows that the file is the view's, or because the row
    /// remembers that a person deleted the link.
    case leaveToPerson
    /// The path is looked at again in the next update.
    case wait(SystemError)

    /// Decides by what the view wants, `nil` for nothing, what the table knows, and what the disk has.
    init(wanted: GeneratedContents?, row: TableRow?, found: FoundAtPath) {
        switch found {
        case .unknown(let error): self = .wait(error)
        // Also with a refused row: a view that respects the deletion of a link does not want the link.
        case .nothing where wanted != nil: self = .write
        case .nothing:
            if case .refused = row { self = .leaveToPerson } else { self = .forget }
        // Also without a row: the table may have been lost.
        case .contents(let contents) where contents == wanted: self = .keep
        case .contents(let contents):
            // Without this proof, the file of a user would be overwritten.
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
