import Glibc
import Platform

/// A socket that one thread uses and others may shut down.
///
/// Its descriptor is not used after it is closed, because the number may be reused.
final class OpenSocket: Sendable {
    /// -1 once it is closed.
    private let number: Monitor<CInt>

    init(_ number: CInt) {
        self.number = Monitor(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Closes it, by the thread that uses it.
    var descriptor: CInt { number.withLock { $0 } }

    /// Shuts down both directions; a waiting thread continues.
    func cut() {
        number.withLock { _ = shutdown($0, CInt(SHUT_RDWR)) }
    }

    func close() {
        number.withLock {
            Glibc.close($0)
            $0 = -1
        }
    }
}
