internal import Glibc
internal import Synchronization

/// Standard output or standard error of this process.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes text; characters that a terminal would obey are replaced, see ``Swift/String/printable``.
    ///
    /// If the reader has closed the pipe, as head(1) does, the text is dropped; `runProcess` ignores `SIGPIPE`.
    package func write(_ text: String) { write(raw: text.printable) }

    /// Writes text with escape sequences.
    package func write(styled text: TerminalText) { write(raw: text.text) }

    /// Writes a JSON document; characters that a terminal would obey become `\u` escapes.
    package func write(json document: [UInt8]) {
        write(raw: String(decoding: document, as: UTF8.self).escapedJSON)
    }

    /// Writes text unchanged, for other programs; if several threads write long texts at once, these may mix.
    package func write(raw text: String) {
        let name = self == .output ? "standard output" : "standard error"
        do {
            try Self.writeAll(Array(text.utf8), to: rawValue, named: name)
        } catch  where error.code == EPIPE {
            // The reader wants no more.
        } catch {
            Self.failures.withLock { $0[self] = error }
        }
    }

    /// Writes all bytes to `descriptor`, and waits if it is nonblocking and full.
    static func writeAll(
        _ bytes: [UInt8], to descriptor: Int32, named name: String
    ) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                let noTimeout: CInt = -1
                unsafe poll(&request, 1, noTimeout)
            } else if errno != EINTR {
                throw SystemError("write", path: name, code: errno)
            }
        }
    }

    /// The last error of a write, because of which a command exits with a failure; a closed pipe is none.
    package var failure: SystemError? { Self.failures.withLock { $0[self] } }

    private static let failures = Mutex<[Self: SystemError]>([:])

    /// Whether this is the journal of systemd, as the value of `JOURNAL_STREAM` says: `DEVICE:INODE`, see systemd.exec(5).
    func isJournal(_ variable: String) -> Bool {
        var status = stat()
        return unsafe fstat(rawValue, &status) == 0
            && variable == "\(status.st_dev):\(status.st_ino)"
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal; `nil` if this is not a terminal.
    package var columns: Int? {
        var size = winsize()
        _ = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }
}
