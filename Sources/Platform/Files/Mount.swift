/// Where and how a file system is mounted, for `doctor` and for reports; see proc_pid_mountinfo(5).
package struct Mount: Hashable, Sendable {
    /// The type of the file system, such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let type: String
    /// The options of the mount and of the file system, such as `ro` or `barrier=0`.
    package let options: Set<String>

    /// The mount on which `folder` is; `nil` if proc(5) is not mounted, or does not list the mount.
    package init?(of folder: Directory) {
        let descriptor = "/proc/self/fdinfo/\(folder.descriptor.rawValue)"
        let fields = FileDescriptor.kernelFile(descriptor)?.split(separator: "\n")
        guard
            let id = fields?.first(where: { $0.hasPrefix("mnt_id:") })?.split(separator: "\t").last
        else { return nil }
        let table = FileDescriptor.kernelFile(Self.table)?.split(separator: "\n")
        guard let line = table?.first(where: { $0.hasPrefix("\(id) ") }) else { return nil }
        self.init(line: line)
    }

    /// The path of the table of all mounts.
    static let table = "/proc/self/mountinfo"

    /// Parses a line of the table such as `36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw,errors=continue`.
    ///
    /// Its fields are the ID, the parent, the device, two paths, the options of the mount, some tags, a hyphen, the type,
    /// the source, which may be empty, and the options of the file system.
    init?(line: some StringProtocol) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        guard let separator = fields.firstIndex(of: "-"), separator > 5,
            fields.count > separator + 3
        else { return nil }
        type = String(fields[separator + 1])
        let optionLists = [fields[5], fields[separator + 3]]
        options = Set(optionLists.flatMap { $0.split(separator: ",").map { String($0) } })
    }

    /// Whether the files are lost at a reboot.
    package var isInMemory: Bool { ["tmpfs", "ramfs"].contains(type) }

    /// Whether other machines may change the files, of which inotify(7) tells nothing here.
    package var isRemote: Bool {
        ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "fuse.sshfs", "fuse.glusterfs"]
            .contains(type)
    }

    /// Whether fsync(2) does not flush the cache of the disk.
    package var lacksBarriers: Bool {
        !options.isDisjoint(with: ["nobarrier", "barrier=0"])
    }
}
