package import Glibc

/// The status of a file; see stat(2).
package struct FileStatus: Hashable, Sendable {
    package enum FileType: Hashable, Sendable {
        case file, directory, symbolicLink
        /// A fifo, a socket or a device.
        case other

        /// What an item of this type is, for people.
        package var words: String {
            switch self {
            case .file: "a file"
            case .directory: "a directory"
            case .symbolicLink: "a symbolic link"
            case .other: "a fifo, a socket or a device"
            }
        }
    }

    package let kind: FileType
    /// In bytes.
    package let size: Int
    package let identity: FileIdentity
    /// The time of the last modification of the contents, in seconds since 1970; programs can set it.
    package let modified: Int
    /// ``modified`` with nanoseconds; it is a `Duration`, because the nanoseconds of a distant year do not fit into an `Int`.
    package let exactlyModified: Duration
    /// The time since 1970 of the last change of the contents, the name or the rights; programs cannot set it.
    package let exactlyChanged: Duration
    /// The user ID of the owner.
    package let owner: uid_t
    /// The group ID, and the permissions of the owner, the group and others.
    package let group: gid_t
    package let mode: mode_t
    /// Whether the open file or directory has no name any more, because somebody has deleted it.
    package let isDeleted: Bool

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = status.st_size
        identity = FileIdentity(device: status.st_dev, inode: status.st_ino)
        modified = status.st_mtim.tv_sec
        exactlyModified = Duration(status.st_mtim)
        exactlyChanged = Duration(status.st_ctim)
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        isDeleted = status.st_nlink == 0
    }
}

/// Identifies a file by its device and inode, whatever its names are; it holds until the file system is unmounted.
package struct FileIdentity: Hashable, Sendable {
    package let device: dev_t
    package let inode: ino_t

    package init(device: dev_t, inode: ino_t) {
        self.device = device
        self.inode = inode
    }
}
