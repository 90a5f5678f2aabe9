internal import Glibc

/// The files and links in a directory and in all directories beneath it, as one scan found them.
///
/// ``Directory/listing(of:by:visit:)`` makes it, for `favorites/`. All paths are relative to the scanned directory.
package struct DirectoryListing: Sendable {
    /// A file, a link or another item, but not a directory.
    package struct Item: Hashable, Sendable {
        package enum Details: Hashable, Sendable {
            /// A symbolic link with this text, which is empty if it is too long for the kernel.
            case link(target: [UInt8])
            case other(FileStatus)
        }

        /// The path has no slash at its beginning, and any bytes but zero.
        package let path: [UInt8]
        package let identity: FileIdentity
        package let details: Details

        package var kind: FileStatus.Kind {
            switch details {
            case .link: .symbolicLink
            case .other(let status): status.kind
            }
        }
    }

    /// A path that could not be read; the listing may lack items at this path and beneath it.
    package struct UnreadableItem: Hashable, Sendable {
        /// The path is empty for the scanned directory itself.
        package let path: [UInt8]
        package let error: SystemError
        /// The status of a directory that could not be read; `nil` for any other item, and if the status could not be read.
        package let folder: FileStatus?

        /// Whether this is a link whose text, or an item whose status, could not be read, perhaps only for a while.
        ///
        /// A directory that cannot be read fails in open(2) or readdir(3). `EXDEV` means a mount, which is never entered.
        package var isUnknownItem: Bool {
            ["readlink", "stat"].contains(error.call) && error.code != EXDEV
                && [.transient, .shortage].contains(error.cause)
        }

        /// Whether this stands for all items beyond the limit of a listing, which are not listed.
        package var isBeyondLimit: Bool { error.code == EOVERFLOW }

        package init(path: [UInt8], error: SystemError, folder: FileStatus? = nil) {
            self.path = path
            self.error = error
            self.folder = folder
        }
    }

    /// The scanned directory.
    package let identity: FileIdentity
    package let identityAcrossReboots: DirectoryIdentity
    /// What could not be read; if this is empty, the listing is complete.
    package internal(set) var failures: [UnreadableItem] = []
    /// The paths of the directories that were read to their end.
    package internal(set) var directories: Set<[UInt8]> = []
    /// All items, in any order.
    package internal(set) var items: [Item] = []

    /// An empty listing of `directory`.
    init(of directory: Directory) throws(SystemError) {
        identity = try directory.status().identity
        identityAcrossReboots = try directory.identityAcrossReboots()
    }
}
