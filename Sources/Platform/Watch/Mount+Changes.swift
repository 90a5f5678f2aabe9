internal import Glibc

/// Notices that a file system is mounted or unmounted, which is no event of inotify(7).
extension Mount {
    /// Calls `body` after each mount and unmount at or below `path`, until the registration ends.
    ///
    /// - Returns: `nil` if proc(5) is not mounted, so that `body` is never called.
    static func onChange(
        atOrBelow path: String, _ body: @escaping @Sendable () -> Void
    ) -> EventLoop.Registration? {
        guard let file = try? FileDescriptor(opening: tablePath, O_RDONLY) else { return nil }
        let mountsAtPath: @Sendable () -> [String] = {
            lines(of: FileDescriptor.kernelFile(tablePath) ?? "", atOrBelow: path).map(String.init)
        }
        let known = SharedValue(mountsAtPath())
        // The kernel reports POLLPRI after each change of the table, as long as the table is open.
        return EventLoop.shared.onReadable(file.rawValue, condition: POLLPRI) {
            let current = mountsAtPath()
            let earlier = known.withLock { known in
                defer { known = current }
                return known
            }
            if earlier != current { body() }
            withExtendedLifetime(file) {}
        }
    }

    /// The lines of the mount table `table` about mounts at or below `path`.
    static func lines(of table: String, atOrBelow path: String) -> [Substring] {
        // The table has these characters as octal numbers.
        let escapes = ["\\": "\\134", " ": "\\040", "\t": "\\011", "\n": "\\012"]
        let escaped = path.map { escapes[String($0)] ?? String($0) }.joined()
        let prefix = escaped.hasSuffix("/") ? escaped : escaped + "/"
        return table.split(separator: "\n").filter { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count > Field.mountPoint else { return false }
            let mountPoint = fields[Field.mountPoint]
            return mountPoint == escaped || mountPoint.hasPrefix(prefix)
        }
    }
}
