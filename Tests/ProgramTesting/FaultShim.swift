import Glibc
import Platform
import TestSupport

/// A library between a program and the C library that lets selected calls fail.
///
/// See its source, `Shims/faults.c`, for the intercepted calls and the variables.
package struct FaultShim: Sendable {
    package let library: String
    private let log: String

    /// The fault at the selected call.
    package enum Fault: Hashable, Sendable {
        case kill
        case error(Int32)
        /// Half of the bytes are written.
        case shortWrite

        package static let ioError = Fault.error(EIO)
        package static let noSpace = Fault.error(ENOSPC)
        /// The faults that every test run applies to each call.
        package static let standard: [Fault] = [.kill, .ioError, .noSpace]

        var code: Int32 {
            switch self {
            case .kill: 0
            case .error(let code): code
            case .shortWrite: -1
            }
        }
    }

    /// Whether a compiler is installed.
    package static let isPossible = unsafe system("cc --version >/dev/null 2>&1") == 0

    /// For programs of `site`, whose folder gets the list of their calls.
    package init(for site: Site) async throws {
        library = try await PreloadedLibrary.faults.value
        log = "\(site.folder)/calls"
    }

    /// The variables for `fault` at the call `number`, or at none for -1; they clear the list of calls.
    package func variables(_ fault: Fault, at number: Int) -> [String: String] {
        _ = unsafe unlink(log)
        return [
            "LD_PRELOAD": library, "FAULT_AT": "\(number)", "FAULT_CODE": "\(fault.code)",
            "FAULT_LOG": log,
        ]
    }

    /// The variables that apply `fault` at the call `number` that opens a file.
    package func variables(_ fault: Fault, atOpening number: Int) -> [String: String] {
        variables(fault, at: number).merging(["FAULT_OPENS": "1"]) { $1 }
    }

    /// The variables that let each call from `number` on fail with `code`.
    package func variables(code: Int32, from number: Int) -> [String: String] {
        variables(.error(code), at: number).merging(["FAULT_LASTS": "1"]) { $1 }
    }

    /// The variables that let calls fail with `code` that examine or read what has `text` in its path: from call `first` on,
    /// `count` of them if it is given, and with `gate` only while that file exists.
    package func reads(
        of text: String, code: Int32, from first: Int = 1, count: Int? = nil,
        while gate: String? = nil
    ) -> [String: String] {
        var variables = variables(.error(code), at: first)
        variables["FAULT_READS"] = text
        variables["FAULT_COUNT"] = count.map { "\($0)" }
        variables["FAULT_GATE"] = gate
        return variables
    }

    /// The variables that let calls fail with `code` that create a file with `text` in its path, while the file `gate` exists.
    ///
    /// So fails a disk whose quota is used up, and one that the kernel has made read-only after an error.
    package func creations(in text: String, code: Int32, while gate: String) -> [String: String] {
        reads(of: text, code: code, while: gate).merging(["FAULT_CREATES": "1"]) { $1 }
    }

    /// The variables of a run that is killed before the rename `number` of a name that begins with `start`.
    package func kill(atRename number: Int, of start: String) -> [String: String] {
        variables(.kill, at: number).merging(["FAULT_RENAMES": "\(start)*"]) { $1 }
    }

    /// The variables that let the renames fail with `code` of all names that match `pattern`, see fnmatch(3).
    package func renames(of pattern: String, code: Int32) -> [String: String] {
        variables(code: code, from: 1).merging(["FAULT_RENAMES": pattern]) { $1 }
    }

    /// The variables of a run that is killed after a time.
    package func kill(after time: Duration) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_AFTER": "\(Int(time / .microseconds(1)))"]
    }

    /// The variables of a run whose syncs do nothing.
    package var unsynced: [String: String] { ["LD_PRELOAD": library, "FAULT_UNSYNCED": "1"] }

    /// The variables of a run on a disk without symbolic links, which it says with `code`.
    package func linkless(_ code: Int32) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_LINKLESS": "\(code)"]
    }

    /// The variables of a run on a disk where no symbolic link can be read that has “..” in its text.
    package var contained: [String: String] { ["LD_PRELOAD": library, "FAULT_CONTAINED": "1"] }

    /// The variables of a run on a disk where nothing can be renamed from elsewhere to a path with `text`.
    package func branch(_ text: String) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_BRANCH": text]
    }

    /// The variables of a run on a disk where no file can have more than `bytes`, because of a quota.
    package func quota(_ bytes: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_QUOTA": "\(bytes)"]
    }

    /// The variables of a run on a disk that is mounted for another user, which it says with `code`.
    package func foreign(_ code: Int32 = EPERM) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_FOREIGN": "\(code)"]
    }

    /// The variables of a run on a disk without exclusive renames, which it says with `code`, hard links and syncs of
    /// directories.
    package func plain(_ code: Int32 = EINVAL) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_PLAIN": "\(code)"]
    }

    /// The variables of a run on a disk that flushes no file.
    package var unflushed: [String: String] { ["LD_PRELOAD": library, "FAULT_UNFLUSHED": "1"] }

    /// The variables of a run where a filter blocks openat2(2) and syncfs(2), which it says with `code`.
    package func blocked(_ code: Int32) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_BLOCKED": "\(code)"]
    }

    /// The variables of a run on a disk where no name is longer than `bytes`.
    package func names(upTo bytes: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_NAMES": "\(bytes)"]
    }

    /// The variables of a run whose clock is ahead by `seconds`.
    package func clock(ahead seconds: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_CLOCK": "\(seconds)"]
    }

    /// The variables of a run whose clocks jump to each time that it waits for, which it reaches after `seconds`.
    package func clocksJump(after seconds: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FAULT_JUMP": "\(seconds)"]
    }

    /// The names of the calls of the last program, in order.
    package var calls: [String] {
        let bytes = try? FileDescriptor(opening: log, O_RDONLY).readToEnd(limit: 1 << 24, path: log)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
