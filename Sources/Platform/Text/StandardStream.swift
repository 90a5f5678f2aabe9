internal import CLinux
internal import Glibc

/// Standard output or standard error of this process.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes text; characters that a terminal would obey are replaced, see ``Swift/String/printable``.
    ///
    /// A closed pipe is not an error.
    package func write(_ text: String) { write(raw: text.printable) }

    /// Writes text with escape sequences.
    package func write(styled text: TerminalText) { write(raw: text.text) }

    /// Writes a JSON document; characters that a terminal would obey become `\u` escapes.
    package func write(json document: [UInt8]) {
        write(raw: String(decoding: document, as: UTF8.self).escapedJSON)
    }

    /// Writes text unchanged, for other programs.
    package func write(raw text: String) {
        if let code = Self.write(Array(text.utf8), to: rawValue) { recordFailure(code) }
    }

    /// Writes all bytes to `descriptor`; waits for one that another process made nonblocking.
    ///
    /// - Returns: The error number; `nil` if all was written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    unsafe poll(&writable, 1, -1)
                case let code: return code
                }
            }
            rest = rest.dropFirst(max(count, 0))
        }
        return nil
    }

    /// The last error of a write, except a closed pipe.
    package var failure: SystemError? { Self.failures.withLock { $0[self] } }

    private static let failures = Monitor<[Self: SystemError]>([:])

    private func recordFailure(_ code: CInt) {
        guard code != EPIPE else { return }
        let name = self == .output ? "standard output" : "standard error"
        let failure = SystemError("write", path: name, code: code)
        Self.failures.withLock { $0[self] = failure }
    }

    /// Whether this is the file `stream`, `DEVICE:INODE`; see `$JOURNAL_STREAM` in systemd.exec(5).
    func isStream(_ stream: String) -> Bool {
        var status = stat()
        return unsafe fstat(rawValue, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal; `nil` if this is not a terminal.
    package var columns: Int? {
        let columns = clinux_terminal_columns(rawValue)
        return columns > 0 ? Int(columns) : nil
    }
}
