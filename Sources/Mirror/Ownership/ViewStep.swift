internal import Platform

/// What is done at a path of a view: the one decision that all views share.
///
/// For example, the table says that the view wrote the digest A, and the view now wants B. If the file on the disk is A, the
/// step is ``write``. If it is B, the step is ``keep``. If it is anything else, a person has changed it: ``leaveToPerson``.
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
        let isLinkRefused = if case .refused = row { true } else { false }
        switch found {
        case .unknown(let error):
            self = .wait(error)
        case .nothing where wanted != nil:
            // Whatever the row says: a view that respects the deletion of a link does not want the link.
            self = .write
        case .nothing:
            self = isLinkRefused ? .leaveToPerson : .forget
        case .contents(let contents) where contents == wanted:
            // Even without a row, because the table may have been lost.
            self = .keep
        case .contents(let contents):
            // Without this proof, a person's file would be overwritten.
            // mutation test: view-user-file (see Tests/Mutants)
            guard row?.ownItem(with: contents) != nil else {
                self = .leaveToPerson
                return
            }
            self = wanted == nil ? .remove : .write
        case .foreign:
            self = .leaveToPerson
        case .expendable:
            self = wanted == nil ? .remove : .write
        }
    }
}

/// What was found at a path on the disk.
enum FoundAtPath: Hashable, Sendable {
    case nothing
    /// An item that a view may have written.
    case contents(GeneratedContents)
    /// Something that no view wrote, such as a file of another size, a directory, or a file in place of a directory above.
    case foreign
    /// A file that the table does not know, and that may be replaced nevertheless.
    ///
    /// It has the mark of this program, or a power cut has left it empty, filled with zeros, or cut off.
    case expendable
    /// The path could not be examined, so that nothing is done.
    case unknown(SystemError)
}
