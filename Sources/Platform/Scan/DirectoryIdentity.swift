internal import CLinux

/// Identifies a directory even after a reboot, at which the device number of a disk with btrfs, on USB or of NFS may change.
///
/// No two directories have the same inode and creation time. Without creation times, the ID of the file system is used.
package struct DirectoryIdentity: Hashable, Codable, Sendable {
    package let inode: UInt
    /// `made` and the creation time, or `on` and the file system, as they are stored; see statx(2) and statfs(2).
    package let origin: String

    /// Differs from the identity of every directory.
    package static let unknown = DirectoryIdentity(inode: 0, origin: "")
}

extension Directory {
    package func identityAcrossReboots() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        // The seconds and nanoseconds of the creation time, or the type and the ID of the file system.
        var numbers: [UInt64] = [0, 0]
        let hasCreationTime =
            try retryingInterrupts("fstatfs", path: path) {
                unsafe clinux_origin(descriptor.rawValue, &numbers)
            } == 1
        return DirectoryIdentity(
            inode: inode,
            origin: "\(hasCreationTime ? "made" : "on") \(numbers[0]).\(numbers[1])")
    }
}
