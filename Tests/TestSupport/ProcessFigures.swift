internal import Platform

/// Figures of a running process from proc(5).
package struct ProcessFigures {
    private let path: String

    package init(of process: Int32) {
        path = "/proc/\(process)"
    }

    /// The number of context switches of each thread; see proc_pid_status(5).
    ///
    /// The involuntary ones of a working thread depend on what else the machine does.
    package func switches() throws -> [String: Int] {
        let tasks = try Directory(opening: "\(path)/task")
        return try tasks.textNames().reduce(into: [:]) { counts, thread in
            // The thread may have ended.
            guard let lines = try? Self.lines(of: "\(path)/task/\(thread)/status") else { return }
            counts[thread] = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"]
                .compactMap { lines[$0] }.reduce(0, +)
        }
    }

    /// The resident anonymous memory in bytes, without pages of files; see proc_pid_status(5).
    package func anonymousMemory() throws -> Int {
        try Self.lines(of: "\(path)/status")["RssAnon", default: 0] << 10
    }

    /// Whether a sanitizer is active, which wakes up and needs memory.
    package func isSanitized() throws -> Bool {
        try Self.lines(of: "\(path)/status")["VmSize", default: 0] > 1 << 30
    }

    /// Waits until the process was idle for `duration`.
    package func settle(for quiet: Duration) async throws {
        var latest = try switches()
        var since = ContinuousClock.now
        while since.duration(to: .now) < quiet {
            try await LoopClock().sleep(for: .milliseconds(100))
            let now = try switches()
            if now != latest { (latest, since) = (now, .now) }
        }
    }

    private static func lines(of file: String) throws -> [String: Int] {
        let bytes = try FileDescriptor(opening: file, 0).readToEnd(limit: 1 << 16, path: file)
        let pairs = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            let words = line.split { $0 == ":" || $0.isWhitespace }
            return (String(words[0]), words.dropFirst().first.flatMap { Int($0) } ?? 0)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
