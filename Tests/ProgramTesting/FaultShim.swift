import Glibc
import Platform
import TestSupport

/// A library that stands between a program and the C library, and lets chosen calls fail.
///
/// See its source, `Shims/faults.c`, for what it sees and what the variables mean.
package struct FaultShim: Sendable {
    package let library: String
    private let log: String

    /// What happens at the chosen call.
    package enum Fault: Hashable, Sendable {
        case kill
        case error(Int32)
        /// Half of the bytes are written.
        case shortWrite

        package static let ioError = Fault.error(EIO)
        package static let noSpace = Fault.error(ENOSPC)
        /// Those that every run of the tests tries everywhere.
        package static let usual: [Fault] = [.kill, .ioError, .noSpace]

        var code: Int32 {
            switch self {
            case .kill: 0
            case .error(let code): code
            case .shortWrite: -1
            }
        }
    }

    /// Whether there is a compiler for it.
    package static let isPossible = unsafe system("cc --version >/dev/null 2>&1") == 0

    /// Compiles it into the folder of `site`.
    package init(for site: Site) async throws {
        try await self.init(in: site.folder)
    }

    /// Compiles it into `folder`.
    package init(in folder: String) async throws {
        library = "\(folder)/faults.so"
        log = "\(folder)/calls"
        let source = "\(sourceTree)/Tests/ProgramTesting/Shims/faults.c"
        let compiler = try Program(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], environment: [:])
        let ending = try await compiler.end()
        guard ending.code == 0 else { throw ShimError(text: ending.errors) }
    }

    package struct ShimError: Error { let text: String }

    /// The variables that bring `fault` at the call numbered `number`, never at -1, and forget earlier calls.
    package func variables(_ fault: Fault, at number: Int) -> [String: String] {
        _ = unsafe unlink(log)
        return [
            "LD_PRELOAD": library, "FAULT_AT": "\(number)", "FAULT_CODE": "\(fault.code)",
            "FAULT_LOG": log,
        ]
    }

    /// The variables that let each call from the one numbered `number` on fail with `code`.
    package func variables(code: Int32, from number: Int) -> [String: String] {
        variables(.error(code), at: number).merging(["FAULT_LASTS": "1"]) { $1 }
    }

    /// The variables of a run that is killed after a time.
    package func kill(after time: Duration) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_AFTER": "\(Int(time / .microseconds(1)))"]
    }

    /// The variables of a run whose syncs do nothing.
    package var unsynced: [String: String] { ["LD_PRELOAD": library, "FAULT_UNSYNCED": "1"] }

    /// The variables of a run whose clock is ahead by so many seconds.
    package func clock(ahead seconds: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_CLOCK": "\(seconds)"]
    }

    /// The names of the calls that the last program made, in order.
    package var calls: [String] {
        let bytes = try? FileDescriptor(opening: log, O_RDONLY).readToEnd(limit: 1 << 24, path: log)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
