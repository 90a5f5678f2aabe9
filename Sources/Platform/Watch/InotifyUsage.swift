internal import Glibc

/// What of inotify(7) this user may have, and what is taken.
///
/// The kernel counts all processes of a user together; of those that this user may not look at nothing
/// is known, so what is taken is at least what is found.
package struct InotifyUsage: Hashable, Sendable {
    package let watchesAtMost: Int
    package let instancesAtMost: Int
    package let watches: Int
    package let instances: Int

    /// `nil` where there is no proc(5) to tell.
    package init?() {
        let settings = "/proc/sys/fs/inotify"
        guard let watchesAtMost = Self.number(in: "\(settings)/max_user_watches"),
            let instancesAtMost = Self.number(in: "\(settings)/max_user_instances"),
            let processes = try? Directory(opening: "/proc").textNames()
        else { return nil }
        self.watchesAtMost = watchesAtMost
        self.instancesAtMost = instancesAtMost
        let found = processes.filter { Int($0) != nil }.flatMap(Self.watches)
        instances = found.count
        watches = found.reduce(0, +)
    }

    /// How many watches a ``DirectoryWatcher`` takes: for the folder above, the folder, and each one in it.
    package static func watchesNeeded(for name: String, in parent: Directory) -> Int {
        1 + ((try? DirectoryScanner.scan(name, in: parent))?.folders ?? 1)
    }

    /// How many watches each instance of a process has.
    private static func watches(ofProcess process: String) -> [Int] {
        // A process of another user, or one that has just ended, tells nothing.
        guard let folder = try? Directory(opening: "/proc/\(process)"),
            (try? folder.status().owner) == geteuid(),
            let names = try? folder.folder("fdinfo")?.textNames()
        else { return [] }
        return names.compactMap { name in
            guard folder.target(of: "fd/\(name)") == "anon_inode:inotify",
                let bytes = try? folder.read("fdinfo/\(name)")
            else { return nil }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .count { $0.hasPrefix("inotify wd:") }
        }
    }

    private static func number(in path: String) -> Int? {
        guard let file = try? FileDescriptor(opening: path, O_RDONLY),
            let bytes = try? file.readToEnd(limit: 64, path: path)
        else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
    }
}
