import Glibc
import Platform

/// A socket that one thread uses and others may cut.
///
/// Nobody touches its number once it is closed: it may be another one's by then.
final class OpenSocket: Sendable {
    /// -1 once it is closed.
    private let number: Monitor<CInt>

    init(_ number: CInt) {
        self.number = Monitor(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// For the thread that uses and closes it.
    var descriptor: CInt { number.withLock { $0 } }

    /// Ends what goes through it both ways; a thread that waits for it goes on.
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
