import Glibc
import Platform

/// The system calls with file names of a program and its threads, as strace(1) prints them.
package struct Trace {
    /// Each call, and the same without the text of a link.
    private let calls: [(line: String, names: String)]

    /// Whether strace is installed and permitted.
    package static let isPossible = unsafe system("strace -e trace=none true >/dev/null 2>&1") == 0

    /// The arguments before a command that write its calls to `file`, by default those with file names.
    package static func prefix(
        to file: String, tracing calls: String = "%file,getdents64"
    ) -> [String] {
        // Descriptors are printed with their paths.
        ["strace", "-f", "-y", "-s", "4096", "-e", "trace=\(calls)", "-o", file]
    }

    package init(of file: String) throws {
        let bytes = try FileDescriptor(opening: file, O_RDONLY).readToEnd(
            limit: 256 << 20, path: file)
        calls = Self.whole(String(decoding: bytes, as: UTF8.self).split(separator: "\n"))
            .map { ($0, Self.withoutLinkText($0)) }
    }

    /// Joins calls that were interrupted by those of other threads.
    private static func whole(_ lines: [Substring]) -> [String] {
        var begun: [Substring: String] = [:]
        return lines.compactMap { line -> String? in
            let thread = line.prefix { $0 != " " }
            if line.hasSuffix(" <unfinished ...>") {
                begun[thread] = String(line.dropLast(" <unfinished ...>".count))
                return nil
            }
            guard let rest = line.firstRange(of: " resumed>") else { return String(line) }
            return (begun.removeValue(forKey: thread) ?? "") + line[rest.upperBound...]
        }
    }

    /// The calls with `text` in a path or in the path of a descriptor.
    ///
    /// The target of a link may be read, and written into another: it is text only.
    package func calls(on text: String) -> [String] {
        calls.filter { $0.names.contains(text) }.map(\.line)
    }

    /// The calls that follow the link `name`.
    package func callsThrough(_ name: String) -> [String] {
        calls(on: "\"\(name)\"").filter { line in
            let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
            return switch call {
            case "readlink", "readlinkat", "lstat", "mkdirat", "unlinkat", "renameat", "renameat2":
                false
            case "openat2": !line.contains("RESOLVE_NO_SYMLINKS")
            default: !line.contains("AT_SYMLINK_NOFOLLOW") && !line.contains("O_NOFOLLOW")
            }
        }
    }

    private static func withoutLinkText(_ line: String) -> String {
        guard line.contains("link") else { return line }
        var parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        // The quoted texts are every second part: the name is the first one, the text the second.
        if line.contains("readlink"), parts.count > 3 { parts.remove(at: 3) }
        if line.contains("symlink"), parts.count > 1 { parts.remove(at: 1) }
        return parts.joined(separator: "\"")
    }
}
