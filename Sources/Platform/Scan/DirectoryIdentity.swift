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
        var numbers: [UInt64] = [0, 0]
        let result = try retryingInterrupts("fstatfs", path: path) {
            unsafe clinux_origin(descriptor.rawValue, &numbers)
        }
        let verb = result == 1 ? "made" : "on"
        return DirectoryIdentity(inode: inode, origin: "\(verb) \(numbers[0]).\(numbers[1])")
    }
}
