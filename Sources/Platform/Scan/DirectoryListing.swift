internal import CLinux
internal import Glibc

/// The files and links in a directory and in all directories beneath it, as one scan found them.
///
/// ``Directory/listing(of:by:visit:)`` makes it, for `favorites/`. All paths are relative to the scanned directory.
package struct DirectoryListing: Sendable {
    /// A file, a link or another item, but not a directory.
    package struct ListedItem: Hashable, Sendable {
        /// The path has no slash at its beginning, and any bytes but zero.
        package let path: [UInt8]
        package let kind: FileStatus.FileType
        package let identity: FileIdentity
        /// The text of a symbolic link, which is empty if it is too long for the kernel; `nil` for other items.
        package let target: [UInt8]?
        /// `nil` for a symbolic link.
        package let status: FileStatus?
    }

    /// A path that could not be read; the listing may lack items at this path and beneath it.
    package struct UnreadableItem: Hashable, Sendable {
        /// The path is empty for the scanned directory itself.
        package let path: [UInt8]
        package let error: SystemError

        /// Whether this is a link whose text, or a file whose status, could not be read for the moment.
        ///
        /// A directory fails in other calls. `EXDEV` means a mount, which is never entered.
        package var isUnknownItem: Bool {
            ["readlink", "stat"].contains(error.call) && error.code != EXDEV
                && [.transient, .shortage].contains(error.cause)
        }

        /// Whether this stands for all items beyond the limit of a listing, which are not listed.
        package var isTooMuch: Bool { error.code == EOVERFLOW }

        package init(path: [UInt8], error: SystemError) {
            self.path = path
            self.error = error
        }
    }

    /// The scanned directory.
    package let identity: FileIdentity
    package let identityAcrossReboots: DirectoryIdentity
    /// What could not be read; if there is nothing, every item that is not listed does not exist.
    package internal(set) var failures: [UnreadableItem] = []
    /// The paths of the directories that were read to their end.
    package internal(set) var directories: Set<[UInt8]> = []
    /// All items, in any order.
    package internal(set) var items: [ListedItem] = []

    /// An empty listing of `directory`.
    init(of directory: Directory) throws(SystemError) {
        identity = try directory.status().identity
        identityAcrossReboots = try directory.identityAcrossReboots()
    }
}

/// Identifies a directory even after a reboot, at which the device number of a disk with btrfs, on USB or of NFS may change.
///
/// No two directories have the same inode and creation time. Without creation times, the ID of the file system is used.
package struct DirectoryIdentity: Hashable, Codable, Sendable {
    package let inode: UInt
    /// The creation time, or the file system; see statx(2) and statfs(2).
    package let origin: String

    /// Differs from the identity of every directory.
    package static let unknown = DirectoryIdentity(inode: 0, origin: "")
}

extension Directory {
    package func identityAcrossReboots() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        var numbers: [UInt64] = [0, 0]
        let result = try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_origin(descriptor.rawValue, &numbers)
        }
        // The numbers are the time of creation, or the type and the ID of the file system.
        let hasCreationTime = result == 1
        return DirectoryIdentity(
            inode: inode,
            origin: "\(hasCreationTime ? "made" : "on") \(numbers[0]).\(numbers[1])")
    }
}
