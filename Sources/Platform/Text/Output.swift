internal import CLinux
internal import Glibc

/// Standard output and standard error.
package enum Output: Int32, Sendable {
    case standard = 1
    case error = 2

    /// Writes text; characters that a terminal would obey are replaced.
    ///
    /// See ``Swift/String/printable``. That nobody reads it any more is no error.
    package func write(_ text: String) { put(text.printable) }

    /// Writes text with escape sequences of ours.
    package func write(styled text: TerminalText) { put(text.text) }

    /// Writes a JSON document; characters that a terminal would obey become `\u` escapes.
    package func write(json document: [UInt8]) {
        put(String(decoding: document, as: UTF8.self).escapedJSON)
    }

    private func put(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(rawValue, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { return note(errno) }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Why something that was written did not arrive, `nil` where nobody wanted it any more.
    package var failure: SystemError? { Self.failures.withLock { $0[self] } }

    private static let failures = Monitor<[Output: SystemError]>([:])

    private func note(_ code: CInt) {
        guard code != EPIPE else { return }
        let name = self == .standard ? "standard output" : "standard error"
        let failure = SystemError("write", path: name, code: code)
        Self.failures.withLock { $0[self] = failure }
    }

    /// Whether it leads to `stream`, `DEVICE:INODE`, as `$JOURNAL_STREAM` in systemd.exec(5) is written.
    func isStream(_ stream: String) -> Bool {
        var status = stat()
        return unsafe fstat(rawValue, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal, `nil` where there is none.
    package var columns: Int? {
        let columns = clinux_terminal_columns(rawValue)
        return columns > 0 ? Int(columns) : nil
    }
}
