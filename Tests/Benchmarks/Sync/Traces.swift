import Glibc
import Platform

/// The inode, size and times of each item of a tree, which reveal a change.
struct Traces {
    private var traces: [String: [Int]] = [:]

    /// - Parameter root: The tree; its lock, which changes with each writer, is excluded.
    /// - Throws: `SystemError` if the tree cannot be read.
    init(of root: String) throws {
        try add(root)
        traces["\(root)/.apod-mirror/lock"] = nil
    }

    private mutating func add(_ path: String) throws {
        var status = stat()
        try retryingInterrupts("lstat", path: path) { unsafe lstat(path, &status) }
        traces[path] = [
            Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
            status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
        guard status.st_mode & S_IFMT == S_IFDIR else { return }
        for name in try Directory(opening: path).textNames() { try add("\(path)/\(name)") }
    }

    /// The number of items that differ, are new or are missing.
    func differences(from earlier: Traces) -> Int {
        Set(traces.keys).union(earlier.traces.keys).count { traces[$0] != earlier.traces[$0] }
    }
}
