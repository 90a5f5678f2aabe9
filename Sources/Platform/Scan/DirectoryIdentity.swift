internal import CLinux

/// Which directory it is, across reboots: device numbers change at a reboot on btrfs, USB and NFS.
///
/// An inode and the moment when it was made are not met twice. Where the file system does not know that
/// moment, its own number stands in.
package struct DirectoryIdentity: Hashable, Sendable {
    package let inode: UInt
    /// When it was made, or the file system; see statx(2) and statfs(2).
    package let origin: String

    package init(inode: UInt, origin: String) {
        self.inode = inode
        self.origin = origin
    }
}

extension Directory {
    package func place() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
        if unsafe clinux_birth(rawDescriptor, &seconds, &nanoseconds) == 0 {
            return DirectoryIdentity(inode: inode, origin: "made \(seconds).\(nanoseconds)")
        }
        var (type, number): (UInt64, UInt64) = (0, 0)
        try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_file_system(rawDescriptor, &type, &number)
        }
        return DirectoryIdentity(inode: inode, origin: "on \(type).\(number)")
    }
}
