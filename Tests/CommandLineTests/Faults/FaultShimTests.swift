import Glibc
import Testing

extension WholeProgram {
    /// The shim sees each call by which the program changes a file system, as strace(1) does.
    @Suite(
        .timeLimit(.minutes(10)), .enabled(if: Trace.isPossible, "needs strace(1)"),
        .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct FaultShimTests {
        /// The system calls that change a file system, as far as a program on Linux has them.
        private static let traced = [
            "open", "openat", "openat2", "creat", "rename", "renameat", "renameat2", "link",
            "linkat",
            "symlink", "symlinkat", "mkdir", "mkdirat", "mknod", "mknodat", "unlink", "unlinkat",
            "rmdir",
            "truncate", "ftruncate", "fallocate", "fsync", "fdatasync", "sync",
            "syncfs", "msync", "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr",
            "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "chmod", "fchmod",
            "fchmodat",
            "fchmodat2", "chown", "fchown", "lchown", "fchownat", "write", "pwrite64", "writev",
            "pwritev", "pwritev2", "copy_file_range", "sendfile", "splice", "ioctl",
        ]

        @Test func theShimCountsTheSystemCallsOfTheKernel() async throws {
            try await withSite(days: 5) { site in
                try site.addVideo()
                #expect(try await site.mirror("--since", "4d").code == 0)
                try site.editAll()
                let added = try await site.read("favorites", "add", "\(Site.today)")
                #expect(added.code == 0, "\(added)")
                let options = ["--since", "4d", "--thumbnails", "no", "--videos"]
                let (seen, known) = try await calls(
                    site, ["run", "--once"] + site.settings() + options)
                #expect(seen == known)
                #expect(known.count > 9 && known["openat2"] ?? 0 > 5, "\(known)")

                let (seenAgain, knownAgain) = try await calls(
                    site, ["favorites", "remove", "\(Site.today)", "--root", site.root])
                #expect(seenAgain == knownAgain)
            }
        }

        /// Runs a command, and counts its calls by name: those that the shim saw, and those of strace.
        private func calls(
            _ site: Site, _ words: [String]
        ) async throws -> (shim: [String: Int], strace: [String: Int]) {
            let shim = try await FaultShim(for: site)
            let file = "\(site.folder)/trace"
            // For the program only, not for strace.
            let variables = shim.variables(.kill, at: -1).flatMap { ["-E", "\($0)=\($1)"] }
            let strace = Trace.prefix(
                to: file, tracing: Self.traced.map { "?\($0)" }.joined(separator: ","))
            let ending = try await site.command(strace + variables + [Program.path] + words)
            #expect(ending.code == 0, "\(ending)")
            let lines = try Trace(of: file).calls(on: "")
                .filter { Self.concerns(site.folder, $0) && !$0.contains("\(site.folder)/calls") }
            return (
                Self.counts(shim.calls.map(Self.systemCall)),
                Self.counts(lines.compactMap(Self.mutatingCall))
            )
        }

        /// Whether a line of strace is about a file below `folder`.
        private static func concerns(_ folder: String, _ line: String) -> Bool {
            line.contains(line.contains("write") ? "<\(folder)/" : folder)
        }

        /// The system call behind a function of the C library.
        private static func systemCall(_ function: String) -> String {
            ["open": "openat", "creat": "openat", "futimens": "utimensat"][function] ?? function
        }

        /// The name of the call in a line of strace, if it changes something.
        private static func mutatingCall(_ line: String) -> String? {
            let name = String(line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" })
            switch name {
            case "open", "openat", "openat2", "creat":
                let changes = ["O_CREAT", "O_TRUNC", "O_TMPFILE"].contains { line.contains($0) }
                return changes ? name : nil
            case "ioctl": return line.contains("FICLONE") ? name : nil
            default: return name
            }
        }

        private static func counts(_ names: [String]) -> [String: Int] {
            Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        }
    }
}
