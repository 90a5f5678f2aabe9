internal import Platform

/// A file, a link, or a directory of links, as a view such as the gallery wrote it; the ``ViewTable`` of the view stores it.
///
/// It shows later whether the item on the disk is still the view's, and whether it must be made again.
struct GeneratedItem: Hashable, Sendable {
    /// The part of a file's status that changes when its contents change.
    ///
    /// A file with the same stamp counts as unchanged, and is not read.
    struct Stamp: Hashable, Sendable {
        /// In bytes; 0 for a directory.
        let size: Int
        /// The modification time, in nanoseconds since 1970.
        let modified: Int
        /// Some file systems give a file another inode after each mount.
        let inode: Int
    }

    let contents: GeneratedContents
    /// A digest of what the file was made from; `nil` if the view makes its contents anew in each update.
    private(set) var inputs: InputDigest?
    /// The stamp of the file or directory when it was written; `nil` for a link.
    private(set) var stamp: Stamp?

    var isLink: Bool { if case .link = contents { true } else { false } }

    /// Whether both are the same item, even if its file has got another inode.
    func isEqualIgnoringInode(_ other: GeneratedItem) -> Bool {
        contents == other.contents && inputs == other.inputs
            && stamp?.size == other.stamp?.size && stamp?.modified == other.stamp?.modified
    }
}

/// The contents of an item that a view writes, reduced to what shows whether the item on the disk is the same.
package enum GeneratedContents: Hashable, Sendable {
    /// A file with this digest of its bytes, which has the type of the digests of inputs.
    case file(InputDigest)
    case link(target: String)
    /// A directory in which a view makes links.
    case folder
}

extension FileStatus {
    /// The part of the status that the ``ViewTable`` stores.
    var stamp: GeneratedItem.Stamp {
        let (seconds, attoseconds) = modificationTime.components
        // A nanosecond has 10⁹ attoseconds. Times after 2262 and large inodes wrap around; they are only compared.
        let nanoseconds = seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
        return GeneratedItem.Stamp(
            size: kind == .directory ? 0 : size, modified: Int(nanoseconds),
            inode: Int(truncatingIfNeeded: identity.inode))
    }
}
