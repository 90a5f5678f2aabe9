import Glibc
import Platform
import TestSupport

/// Python's web server for a directory; it ends with the last reference.
final class WebServer {
    /// `http://127.0.0.1:PORT`.
    let origin: String
    private let process: pid_t

    private static let program = "/usr/bin/python3"

    static var isPossible: Bool { unsafe access(program, X_OK) == 0 }

    init(of folder: String) throws {
        let pipe = try Pipe()
        process = try Self.start(folder, output: pipe.writer)
        close(pipe.writer)
        let output = FileDescriptor(owning: pipe.reader)
        // "Serving HTTP on 127.0.0.1 port 40241 (http://127.0.0.1:40241/) ..."
        var line: [UInt8] = []
        var byte = UInt8(0)
        while unsafe read(output.rawValue, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let address = String(decoding: line, as: UTF8.self).split(separator: "(").last ?? ""
        origin = String(address.prefix { $0 != ")" }.dropLast())
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// See posix_spawn(3).
    private static func start(_ folder: String, output: CInt) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = [
            program, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0",
        ]
        let texts = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe texts.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, program, &actions, nil, texts, [nil])
        guard code == 0 else { throw SystemError("posix_spawn", path: program, code: code) }
        return process
    }
}
