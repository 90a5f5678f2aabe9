internal import Glibc

/// What this process can learn about another one of the same machine by its ID; see proc(5).
package enum OtherProcess {
    /// Whether there is a process with this ID and name; without a known name of it, whether there is one with this ID.
    ///
    /// The ID alone may be that of a later process.
    package static func exists(_ process: Int32, named expected: String?) -> Bool {
        // Zero and negative numbers stand for groups of processes.
        guard process > 0, kill(process, 0) == 0 || errno == EPERM else { return false }
        // The name of another user's process may be hidden, see hidepid in proc(5).
        return name(of: process).map { $0 == expected } ?? true
    }

    /// The name of a process, with a line feed; `nil` if there is no such process, or if its name is hidden.
    package static func name(of process: Int32) -> String? {
        let name = try? Directory(opening: "/proc/\(process)").openToRead("comm")
            .readStart(limit: 64, path: "comm")
        return name.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The ID of the user with whose rights a process runs; `nil` if there is no such process, or if it is hidden.
    package static func user(of process: Int32) -> UInt32? {
        try? Directory(opening: "/proc/\(process)").status().owner
    }

    /// The control groups of a process, see cgroups(7), with a line for each; `nil` if there is no such process, or it is hidden.
    package static func controlGroups(of process: Int32) -> String? {
        let groups = try? Directory(opening: "/proc/\(process)").openToRead("cgroup")
            .readStart(limit: 1 << 14, path: "cgroup")
        return groups.map { String(decoding: $0, as: UTF8.self) }
    }
}
