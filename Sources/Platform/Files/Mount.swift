/// Where and how a file system is mounted, for `doctor` and for reports; see proc_pid_mountinfo(5).
package struct Mount: Hashable, Sendable {
    /// The type of the file system, such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let type: String
    /// The options of the mount and of the file system, such as `ro` or `barrier=0`.
    package let options: Set<String>

    /// The mount on which `folder` is; `nil` if proc(5) is not mounted, or does not list the mount.
    package init?(of folder: Directory) {
        // The kernel describes an open directory in lines such as `mnt_id:\t36`.
        let descriptorInfo = "/proc/self/fdinfo/\(folder.descriptor.rawValue)"
        let idLine = Self.lines(ofKernelFile: descriptorInfo).first { $0.hasPrefix("mnt_id:") }
        guard let id = idLine?.split(separator: "\t").last,
            let line = Self.lines(ofKernelFile: Self.tablePath).first(where: {
                $0.hasPrefix("\(id) ")
            })
        else { return nil }
        self.init(line: line)
    }

    private static func lines(ofKernelFile path: String) -> [Substring] {
        FileDescriptor.kernelFile(path)?.split(separator: "\n") ?? []
    }

    /// The path of the table of all mounts.
    static let tablePath = "/proc/self/mountinfo"

    /// Where the fields that this program reads are in a line of the table, in which a blank separates two fields.
    ///
    /// `36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue` is such a line. The number of tags, such as
    /// `master:1`, differs. So the last fields are counted from the hyphen that ends the tags.
    enum Field {
        static let mountPoint = 4
        static let mountOptions = 5
        static let typeAfterHyphen = 1
        /// The field before it, the source, may be empty.
        static let fileSystemOptionsAfterHyphen = 3
    }

    /// Parses a line of the table; `nil` if it lacks a field.
    init?(line: some StringProtocol) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        guard let hyphen = fields.firstIndex(of: "-"), hyphen > Field.mountOptions,
            fields.count > hyphen + Field.fileSystemOptionsAfterHyphen
        else { return nil }
        type = String(fields[hyphen + Field.typeAfterHyphen])
        let optionLists = [
            fields[Field.mountOptions], fields[hyphen + Field.fileSystemOptionsAfterHyphen],
        ]
        options = Set(optionLists.flatMap { $0.split(separator: ",").map { String($0) } })
    }

    /// Whether the files are lost at a reboot.
    package var isInMemory: Bool { ["tmpfs", "ramfs"].contains(type) }

    /// Whether other machines may change the files, which inotify(7) does not report here.
    package var isRemote: Bool {
        ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "fuse.sshfs", "fuse.glusterfs"]
            .contains(type)
    }

    /// Whether the file system stores no owners, so that the mount option “uid=” names the owner of all files.
    package var takesOwner: Bool {
        ["vfat", "exfat", "ntfs", "ntfs3", "fuseblk", "cifs", "smb3", "hfs", "hfsplus"]
            .contains(type)
    }

    /// Whether the mount says that fsync(2) does not flush the cache of the disk.
    package var lacksBarriers: Bool {
        !options.isDisjoint(with: ["nobarrier", "barrier=0"])
    }
}
