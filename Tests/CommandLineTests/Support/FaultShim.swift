import Glibc
import Platform

/// A library that stands between a program and the kernel, and lets one chosen call fail.
///
/// It counts the calls that change a file system. Before the one numbered `FAULT_AT` it kills the
/// process, or the call fails with `FAULT_CODE` instead. The count is in the file `FAULT_COUNT`. With
/// `FAULT_EXCHANGE` it cannot exchange names, like some file systems.
struct FaultShim {
    let library: String
    private let count: String

    /// What happens at the chosen call.
    enum Fault: Hashable, CaseIterable {
        case kill, ioError, noSpace

        var code: Int32 {
            switch self {
            case .kill: 0
            case .ioError: EIO
            case .noSpace: ENOSPC
            }
        }
    }

    /// Whether there is a compiler for it.
    static let isPossible = unsafe system("cc --version >/dev/null 2>&1") == 0

    /// Compiles it into the folder of `site`.
    init(for site: Site) async throws {
        library = "\(site.folder)/faults.so"
        count = "\(site.folder)/count"
        try site.write(Self.source, to: "faults.c")
        let compiler = try Program(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, "\(site.folder)/faults.c", "-ldl"],
            environment: [:])
        let ending = try await compiler.end()
        guard ending.code == 0 else { throw ShimError(text: ending.errors) }
    }

    struct ShimError: Error { let text: String }

    /// The variables that bring `fault` at the call numbered `number`, never at -1.
    func variables(_ fault: Fault, at number: Int) -> [String: String] {
        [
            "LD_PRELOAD": library, "FAULT_AT": "\(number)", "FAULT_CODE": "\(fault.code)",
            "FAULT_COUNT": count,
        ]
    }

    /// The variables that let each call from the one numbered `number` on fail with `code`.
    func variables(code: Int32, from number: Int) -> [String: String] {
        variables(.noSpace, at: number).merging(["FAULT_CODE": "\(code)", "FAULT_LASTS": "1"]) {
            $1
        }
    }

    /// How many calls the last program made.
    func calls(of site: Site) throws -> Int? {
        try Directory(opening: site.folder).read("count").flatMap {
            Int(String(decoding: $0.drop { $0 == 0x20 }, as: UTF8.self))
        }
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdatomic.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        #define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

        static atomic_int calls;

        static int number(const char *name) {
            const char *text = getenv(name);
            return text ? atoi(text) : 0;
        }

        static int fails(void) {
            static atomic_int at, code, count;
            if (!at) {
                count = open(getenv("FAULT_COUNT"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
                code = number("FAULT_CODE");
                at = number("FAULT_AT");
            }
            int call = atomic_fetch_add(&calls, 1) + 1;
            char text[8];
            syscall(SYS_pwrite64, count, text, sprintf(text, "%4d", call), 0);
            if (at < 0 || call < at || (call > at && !getenv("FAULT_LASTS"))) return 0;
            while (!code) kill(getpid(), SIGKILL);
            errno = code;
            return 1;
        }

        int rename(const char *a, const char *b) { return fails() ? -1 : REAL(rename)(a, b); }
        int renameat(int a, const char *b, int c, const char *d) {
            return fails() ? -1 : REAL(renameat)(a, b, c, d);
        }
        int renameat2(int a, const char *b, int c, const char *d, unsigned e) {
            if (e == RENAME_EXCHANGE && getenv("FAULT_EXCHANGE")) {
                errno = EINVAL;
                return -1;
            }
            return fails() ? -1 : REAL(renameat2)(a, b, c, d, e);
        }
        int fsync(int file) { return fails() ? -1 : REAL(fsync)(file); }
        int syncfs(int file) { return fails() ? -1 : REAL(syncfs)(file); }
        int ftruncate(int file, off_t size) { return fails() ? -1 : REAL(ftruncate)(file, size); }
        int linkat(int a, const char *b, int c, const char *d, int e) {
            return fails() ? -1 : REAL(linkat)(a, b, c, d, e);
        }
        int symlinkat(const char *a, int b, const char *c) {
            return fails() ? -1 : REAL(symlinkat)(a, b, c);
        }
        int mkdirat(int a, const char *b, mode_t c) { return fails() ? -1 : REAL(mkdirat)(a, b, c); }
        int unlinkat(int a, const char *b, int c) { return fails() ? -1 : REAL(unlinkat)(a, b, c); }
        int futimens(int file, const struct timespec times[2]) {
            return fails() ? -1 : REAL(futimens)(file, times);
        }
        ssize_t write(int file, const void *bytes, size_t count) {
            struct stat status;
            int isFile = !fstat(file, &status) && S_ISREG(status.st_mode);
            return isFile && fails() ? -1 : REAL(write)(file, bytes, count);
        }

        """
}
