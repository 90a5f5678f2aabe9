internal import CLinux

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
        var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
        if unsafe clinux_birth(descriptor.rawValue, &seconds, &nanoseconds) == 0 {
            return DirectoryIdentity(inode: inode, origin: "made \(seconds).\(nanoseconds)")
        }
        var (type, number): (UInt64, UInt64) = (0, 0)
        try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_file_system(descriptor.rawValue, &type, &number)
        }
        return DirectoryIdentity(inode: inode, origin: "on \(type).\(number)")
    }
}
