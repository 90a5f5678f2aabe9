internal import CLinux
internal import Glibc

/// Standard output and standard error.
package enum Output: Int32, Sendable {
    case standard = 1
    case error = 2

    /// Writes `text` as it stands; that nobody reads it any more is no error.
    package func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(rawValue, $0.baseAddress, $0.count)
            }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
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
