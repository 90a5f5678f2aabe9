internal import Glibc

/// Where and how a file system is mounted, see proc_pid_mountinfo(5): for `doctor`, `verify` and the watcher of `favorites/`.
package struct Mount: Hashable, Sendable {
    /// The type of the file system, such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let type: String
    /// The options of the mount and of the file system, such as `ro` or `barrier=0`.
    package let options: Set<String>

    /// The mount on which `folder` is; `nil` if proc(5) is not mounted, or does not list the mount.
    package init?(of folder: Directory) {
        let descriptor = "/proc/self/fdinfo/\(folder.descriptor.rawValue)"
        let id = FileDescriptor.kernelFile(descriptor)?.split(separator: "\n")
            .first { $0.hasPrefix("mnt_id:") }?.split(separator: "\t").last
        guard let id,
            let line = FileDescriptor.kernelFile("/proc/self/mountinfo")?.split(separator: "\n")
                .first(where: { $0.hasPrefix("\(id) ") })
        else { return nil }
        self.init(line: line)
    }

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
        let options = [fields[5], fields[separator + 3]].flatMap { field in
            field.split(separator: ",").map { String($0) }
        }
        self.options = Set(options)
    }

    /// The lines of the mount table `table` about mounts at or below `path`.
    static func lines(of table: String, atOrBelow path: String) -> [Substring] {
        // The table has these characters as octal numbers.
        let escapes = ["\\": "\\134", " ": "\\040", "\t": "\\011", "\n": "\\012"]
        let escaped = path.map { escapes[String($0)] ?? String($0) }.joined()
        let prefix = escaped.hasSuffix("/") ? escaped : escaped + "/"
        return table.split(separator: "\n").filter { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            return fields.count > 4 && (fields[4] == escaped || fields[4].hasPrefix(prefix))
        }
    }

    /// Calls `body` after each mount and unmount at or below `path`, until the registration ends.
    ///
    /// - Returns: `nil` if proc(5) is not mounted, so that `body` is never called.
    static func onChange(
        atOrBelow path: String, _ body: @escaping @Sendable () -> Void
    ) -> EventLoop.Registration? {
        let tablePath = "/proc/self/mountinfo"
        guard let table = try? FileDescriptor(opening: tablePath, O_RDONLY) else { return nil }
        @Sendable func read() -> [String] {
            lines(of: FileDescriptor.kernelFile(tablePath) ?? "", atOrBelow: path).map(String.init)
        }
        let known = SharedValue(read())
        // The kernel reports POLLPRI after each change of the table, as long as the table is open.
        return EventLoop.shared.onReadable(table.rawValue, condition: POLLPRI) {
            withExtendedLifetime(table) {
                let current = read()
                let hasChanged = known.withLock { known in
                    defer { known = current }
                    return known != current
                }
                if hasChanged { body() }
            }
        }
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
