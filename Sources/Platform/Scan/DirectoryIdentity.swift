internal import CLinux

/// Identifies a directory across reboots, at which device numbers change on btrfs, USB and NFS.
///
/// The inode and its creation time are unique. If the file system does not record creation times, the
/// number of the file system is used instead.
package struct DirectoryIdentity: Hashable, Codable, Sendable {
    package let inode: UInt
    /// The creation time, or the file system; see statx(2) and statfs(2).
    package let origin: String

    package init(inode: UInt, origin: String) {
        self.inode = inode
        self.origin = origin
    }

    /// Stands for a directory that is not known.
    package static let unknown = DirectoryIdentity(inode: 0, origin: "")

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
