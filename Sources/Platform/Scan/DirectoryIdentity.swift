internal import CLinux
internal import Glibc

/// Identifies a directory even after a reboot, so that `favorites/` is not mistaken for another directory at the same path.
///
/// The device number, which ``FileIdentity`` has, may change at a reboot: on btrfs, on a USB disk and on NFS.
package struct DirectoryIdentity: Hashable, Codable, Sendable {
    package let inode: UInt
    /// The creation time, as `made SECONDS.NANOSECONDS`; if the file system records none, that file system, as `on TYPE.ID`.
    ///
    /// No two directories have the same inode and creation time; see statx(2) and statfs(2).
    package let origin: String
}

extension Directory {
    /// The identity of the directory by its inode and its ``DirectoryIdentity/origin``.
    package func identityAcrossReboots() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        var created = timespec()
        if unsafe clinux_creation_time(descriptor.rawValue, &created) == 0 {
            let seconds = UInt64(bitPattern: Int64(created.tv_sec))
            return DirectoryIdentity(inode: inode, origin: "made \(seconds).\(created.tv_nsec)")
        }
        var (type, id) = (UInt64(), UInt64())
        try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_file_system(descriptor.rawValue, &type, &id)
        }
        return DirectoryIdentity(inode: inode, origin: "on \(type).\(id)")
    }
}
