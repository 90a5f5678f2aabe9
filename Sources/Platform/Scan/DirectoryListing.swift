internal import CLinux
internal import Glibc

/// The items of a directory and of all directories beneath it, as one scan found them.
package struct DirectoryListing: Sendable {
    /// Anything but a directory.
    package struct ListedItem: Hashable, Sendable {
        /// Relative to the directory, without a leading slash; any bytes but zero.
        ///
        /// A slice of a larger array, like ``target``.
        package let path: ArraySlice<UInt8>
        package let kind: FileStatus.FileType
        package let identity: FileIdentity
        /// The target of a symbolic link, unchanged; empty if it is longer than
        /// ``ScanRules/targetLength``, `nil` for other items.
        package let target: ArraySlice<UInt8>?
        /// `nil` for a symbolic link.
        package let status: FileStatus?
    }

    /// A path that could not be read, so that items at or below it may be missing from the listing.
    package struct UnreadableItem: Hashable, Sendable {
        /// Relative to the directory; empty for the directory itself.
        package let path: [UInt8]
        package let error: SystemError

        /// Whether this is an item of which nothing is known for the moment: the target of a link, or the status of a file,
        /// could not be read, but it was not denied.
        ///
        /// For a directory, other calls fail. `EXDEV` is that of a mount.
        package var isUnknownItem: Bool {
            ["readlink", "stat"].contains(error.call) && error.code != EXDEV
                && [.transient, .shortage].contains(error.cause)
        }

        /// Whether the limit of ``ScanRules`` was exceeded.
        package var isTooMuch: Bool { error.code == EOVERFLOW }

        package init(path: [UInt8], error: SystemError) {
            self.path = path
            self.error = error
        }
    }

    /// The scanned directory.
    package let identity: FileIdentity
    package let identityAcrossReboots: DirectoryIdentity
    /// If there are none, what is not listed does not exist.
    package internal(set) var failures: [UnreadableItem] = []
    /// The paths of the directories whose items are all listed, except failures.
    package internal(set) var directories: Set<[UInt8]> = []
    /// Everything but directories, unordered.
    package internal(set) var items: [ListedItem] = []

    /// An empty listing of `directory`.
    init(of directory: Directory) throws(SystemError) {
        identity = try directory.status().identity
        identityAcrossReboots = try directory.identityAcrossReboots()
    }
}

/// Identifies a directory across reboots, at which device numbers change on btrfs, USB and NFS.
///
/// The inode and its creation time are unique. If the file system does not record creation times, the
/// number of the file system is used instead.
package struct DirectoryIdentity: Hashable, Codable, Sendable {
    package let inode: UInt
    /// The creation time, or the file system; see statx(2) and statfs(2).
    package let origin: String

    /// Stands for a directory that is not known.
    package static let unknown = DirectoryIdentity(inode: 0, origin: "")
}

extension Directory {
    package func identityAcrossReboots() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        var numbers: [UInt64] = [0, 0]
        let result = try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_origin(descriptor.rawValue, &numbers)
        }
        let verb = result == 1 ? "made" : "on"
        return DirectoryIdentity(inode: inode, origin: "\(verb) \(numbers[0]).\(numbers[1])")
    }
}
