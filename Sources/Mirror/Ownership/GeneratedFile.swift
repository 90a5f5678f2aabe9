internal import Platform

/// What a view writes at a path, and what is found there, in the form in which both are compared.
package enum GeneratedContents: Hashable, Sendable {
    case file(InputDigest)
    case link(target: String)
    /// The directory of links, as the view left it.
    case folder
    /// What no view writes: another file, a directory, or an item in place of a directory above.
    case foreign
}

/// A file or link as a view wrote it.
struct GeneratedItem: Hashable, Sendable {
    /// What shows that a file was not touched since, without reading it.
    struct Stamp: Hashable, Sendable {
        var size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
        /// Compared only to prove whose a file is: some file systems give a file another inode after each mount.
        let inode: Int
    }

    let contents: GeneratedContents
    /// What a file was made from; `nil` if its view compares the bytes.
    var inputs: InputDigest?
    /// `nil` for a link; without the size for a directory.
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
    /// Stored before the file gets its name, so that a kill between the two leaves no doubt whose file it is.
    ///
    /// Until then, the view has there what it had `before`.
    case intended(GeneratedItem, before: GeneratedItem?)
    case made(GeneratedItem)
    /// A person deleted it: it is not made again. What is at the path is a person's.
    case refused(GeneratedItem)

    /// What the view wrote last.
    var last: GeneratedItem {
        switch self {
        case .intended(let item, _), .made(let item), .refused(let item): item
        }
    }

    /// What is the view's, if it is found at the path.
    var items: [GeneratedItem] {
        switch self {
        case .intended(let item, let before): [item, before].compactMap(\.self)
        case .made(let item): [item]
        case .refused: []
        }
    }

    func item(with contents: GeneratedContents) -> GeneratedItem? {
        items.first { $0.contents == contents }
    }
}

/// What one look at a path shows.
enum Found: Hashable, Sendable {
    case nothing
    case contents(GeneratedContents)
    /// No person's work, though the table does not know it.
    ///
    /// It ends with the mark of this program, or a power cut left it empty, zeroed or short.
    case expendable
    /// The look failed: nothing is known, so nothing is decided.
    case unknown(SystemError)
}

/// What is to be done at a path: the one decision that all views share.
enum Step: Hashable, Sendable {
    case write
    /// The file is as it is wanted; at most its row is written.
    case keep
    case remove
    /// Nothing is wanted, and nothing is there: at most the row is removed.
    case forget
    /// Nothing shows that the file is the view's: it is neither changed nor deleted. Or a person deleted it.
    case leaveToPerson
    /// The path is looked at again in the next update.
    case wait(SystemError)

    /// Decides by what is wanted at a path, `nil` for nothing, what the table knows, and what the disk has.
    ///
    /// A file that equals the wanted one is taken over. A file that a person deleted is made again while it is wanted. If a
    /// view does not want a link because of ``DeletedLinks``, the row that says so is kept.
    init(wanted: GeneratedContents?, row: TableRow?, found: Found) {
        switch found {
        case .unknown(let error): self = .wait(error)
        case .nothing where wanted != nil: self = .write
        case .nothing:
            if case .refused = row { self = .leaveToPerson } else { self = .forget }
        case .contents(let contents) where contents == wanted: self = .keep
        case .contents(let contents):
            // Without this proof, the file of a user would be overwritten.
            // mutation test: view-user-file
            guard row?.item(with: contents) != nil else {
                self = .leaveToPerson
                return
            }
            self = wanted == nil ? .remove : .write
        case .expendable: self = wanted == nil ? .remove : .write
        }
    }
}
