internal import CLinux
internal import Glibc

/// A program to run as a child process, in the working directory of this process, without input and output.
package struct ExternalProgram: Sendable {
    private let path: String
    private let arguments: [String]

    /// Finds the program `name` in the absolute directories of `searchPath`, the variable `PATH`; `nil` if none
    /// has it.
    ///
    /// `arguments` are without the name of the program, which gets the variables of this process.
    package init?(_ name: String, _ arguments: [String] = [], in searchPath: String?) {
        guard let path = Self.find(name, in: searchPath) else { return nil }
        self.path = path
        self.arguments = arguments
    }

    /// Returns the path of the program `name` in the absolute directories of `searchPath`.
    package static func find(_ name: String, in searchPath: String?) -> String? {
        let directories = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Runs the program, and kills it after `limit` or when the task is cancelled; returns whether it exited with 0.
    package func succeeds(within limit: Duration) async -> Bool {
        let null: CInt = -1
        // In the process group of this process: a terminal would stop it in another.
        let child = try? await spawn(
            path, arguments, nil, streams: [null, null, null], ownGroup: false)
        guard let child else { return false }
        // Can be read once the child has ended; see pidfd_open(2). Without a free descriptor, the child is killed.
        let handle = clinux_pidfd(child)
        if handle >= 0 {
            let file = FileDescriptor(owning: handle)
            // A cancelled wait has the same result as a late one.
            try? await CancellableContinuation().wait(
                onReadable: file.rawValue, by: ContinuousClock.now + limit)
            withExtendedLifetime(file) {}
        }
        if let ending = reap(child, WNOHANG) { return ending == .exit(code: 0) }
        _ = ChildProcess.end(child)
        return false
    }
}
