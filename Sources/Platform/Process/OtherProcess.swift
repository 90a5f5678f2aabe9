internal import Glibc

/// What this process can learn about another one of the same machine by its ID; see proc(5).
package enum OtherProcess {
    /// Whether another process than this one runs with this ID and the `expected` name; if its name is hidden, the ID is enough.
    ///
    /// The ID alone may be that of a later process. In a container, that is often this process: each command that starts a
    /// container has the ID 1 there, as the daemon had before.
    package static func exists(_ process: Int32, named expected: String?) -> Bool {
        // Zero and negative numbers stand for groups of processes.
        guard process > 0, process != getpid() else { return false }
        // The signal 0 is not sent; kill(2) only checks whether there is such a process.
        guard kill(process, 0) == 0 || errno == EPERM, !isZombie(process) else { return false }
        // The name of another user's process may be hidden, see hidepid in proc(5).
        guard let name = name(of: process) else { return true }
        return name == expected
    }

    /// The name of a process, with a line feed; `nil` if there is no such process, or if its name is hidden.
    package static func name(of process: Int32) -> String? {
        read("comm", of: process)
    }

    /// Whether a process has ended and left only its exit code, for which its parent has not asked yet.
    private static func isZombie(_ process: Int32) -> Bool {
        // The state follows the name, which is in parentheses, and may itself contain some.
        read("stat", of: process)?.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    /// The ID of the user with whose rights a process runs; `nil` if there is no such process, or if it is hidden.
    package static func user(of process: Int32) -> UInt32? {
        try? Directory(opening: "/proc/\(process)").status().owner
    }

    /// The control groups of a process, see cgroups(7), with a line for each; `nil` if there is no such process, or it is hidden.
    package static func controlGroups(of process: Int32) -> String? {
        read("cgroup", of: process)
    }

    /// The start of a file about a process; `nil` if there is no such process, or if it is hidden.
    private static func read(_ file: String, of process: Int32) -> String? {
        let longEnough = 16 << 10
        let bytes = try? Directory(opening: "/proc/\(process)").openToRead(file)
            .readStart(limit: longEnough, path: file)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
