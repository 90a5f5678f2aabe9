internal import CLinux

/// Identifies a directory across reboots, at which device numbers change on btrfs, USB and NFS.
///
/// The inode and its creation time are unique. If the file system does not record creation times, the
/// number of the file system is used instead.
package struct DirectoryIdentity: Hashable, Sendable {
    package let inode: UInt
    /// The creation time, or the file system; see statx(2) and statfs(2).
    package let origin: String

    package init(inode: UInt, origin: String) {
        self.inode = inode
        self.origin = origin
    }

    /// Stands for a directory that cannot be told from others.
    package static let unknown = DirectoryIdentity(inode: 0, origin: "")

    /// The identity of the root of a mounted file system.
    ///
    /// Roots of other disks may have the same inode, and the same creation time on ext4 and btrfs: the number of
    /// the file system is part of it. ``unknown`` without a creation time, as on FAT, FUSE and many network file
    /// systems, whose number may later be that of another disk.
    static func ofMount(
        _ descriptor: CInt, inode: UInt, path: String
    ) throws(SystemError) -> DirectoryIdentity {
        // FAT has zero instead of none.
        guard let time = creationTime(of: descriptor), time != "made 0.0" else { return unknown }
        let number = try fileSystem(of: descriptor, path: path)
        return DirectoryIdentity(inode: inode, origin: "\(time) \(number)")
    }

    /// `nil` if the file system does not record it.
    fileprivate static func creationTime(of descriptor: CInt) -> String? {
        var (seconds, nanoseconds): (Int64, UInt32) = (0, 0)
        guard unsafe clinux_birth(descriptor, &seconds, &nanoseconds) == 0 else { return nil }
        return "made \(seconds).\(nanoseconds)"
    }

    fileprivate static func fileSystem(
        of descriptor: CInt, path: String
    ) throws(SystemError) -> String {
        var (type, number): (UInt64, UInt64) = (0, 0)
        try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_file_system(descriptor, &type, &number)
        }
        return "on \(type).\(number)"
    }
}

extension Directory {
    package func identityAcrossReboots() throws(SystemError) -> DirectoryIdentity {
        let inode = UInt(try status().identity.inode)
        let origin =
            if let time = DirectoryIdentity.creationTime(of: descriptor.rawValue) {
                time
            } else {
                try DirectoryIdentity.fileSystem(of: descriptor.rawValue, path: path)
            }
        return DirectoryIdentity(inode: inode, origin: origin)
    }
}
