package import Glibc

/// What stat(2) says of a file.
package struct FileStatus: Hashable, Sendable {
    /// What kind of thing a name stands for.
    package enum Kind: Hashable, Sendable {
        case file, directory, symbolicLink, fifo, socket, device, other
    }

    package let kind: Kind
    /// In bytes.
    package let size: Int
    /// The file, whatever its names: device and inode.
    package let identity: FileIdentity
    /// Seconds since 1970.
    package let modified: Int
    /// The user who owns it.
    package let owner: uid_t

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
        size = status.st_size
        identity = FileIdentity(device: status.st_dev, inode: status.st_ino)
        modified = status.st_mtim.tv_sec
        owner = status.st_uid
    }
}

/// One file of one file system.
package struct FileIdentity: Hashable, Sendable {
    package let device: dev_t
    package let inode: ino_t
}

extension FileIdentity {
    /// Parses the decimal numbers of a device and an inode; `nil` where one is no number.
    package init?(device: String, inode: String) {
        guard let device = UInt(device), let inode = UInt(inode) else { return nil }
        self.init(device: device, inode: inode)
    }
}
