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
        process = try spawn(
            [
                Self.program, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory",
                folder, "0",
            ], environment: [], (nil, pipe.writer, nil))
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
}
