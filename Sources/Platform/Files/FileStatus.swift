package import Glibc

/// The status of a file; see stat(2).
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CustomStringConvertible {
        case file, directory, symbolicLink
        /// A fifo, a socket or a device.
        case other

        /// The kind with its article, for messages: `a directory`.
        package var description: String {
            switch self {
            case .file: "a file"
            case .directory: "a directory"
            case .symbolicLink: "a symbolic link"
            case .other: "a fifo, a socket or a device"
            }
        }
    }

    package let kind: Kind
    /// The size in bytes.
    package let size: Int
    package let identity: FileIdentity
    /// The time since 1970 of the last modification of the contents; programs can set it.
    ///
    /// It is a `Duration`, because the nanoseconds of a distant year do not fit into an `Int`.
    package let modificationTime: Duration
    /// The time since 1970 of the last change of the contents, the name or the rights; programs cannot set it.
    package let changeTime: Duration
    /// The user ID of the owner.
    package let owner: uid_t
    /// The group ID of the owning group.
    package let group: gid_t
    /// The permissions of the owner, the group and others, and the bits set-user-ID, set-group-ID and sticky.
    package let mode: mode_t
    /// The number of names of the file: more than one if it has hard links.
    package let linkCount: Int
    /// Whether the open file or directory has no name any more, because somebody has deleted it.
    package var isDeleted: Bool { linkCount == 0 }

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
        modificationTime = Duration(status.st_mtim)
        changeTime = Duration(status.st_ctim)
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        linkCount = Int(status.st_nlink)
    }

    /// The ``modificationTime`` in seconds, rounded down.
    package var modified: Int {
        let (seconds, attoseconds) = modificationTime.components
        return Int(attoseconds < 0 ? seconds - 1 : seconds)
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
