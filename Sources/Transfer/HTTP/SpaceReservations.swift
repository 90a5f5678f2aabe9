package import Platform
internal import Synchronization

/// The disk space that the transfers under way will still take.
///
/// Each transfer reserves its announced length, or what it has received so far, so that all of them together leave free what
/// `--min-free` says. Of 10 MB that are reserved, 4 MB are outstanding once 6 MB are written: these are no longer free.
package final class SpaceReservations: Sendable {
    private struct Transfer {
        var reserved = 0
        var written = 0

        var outstanding: Int { max(0, reserved - written) }
    }

    /// One for each transfer, which removes it at its end.
    private let transfers = Mutex<[ObjectIdentifier: Transfer]>([:])
    private let free: @Sendable () throws(SystemError) -> Int

    /// - Parameter free: Returns how many bytes may be written if there is no reservation.
    package init(_ free: @escaping @Sendable () throws(SystemError) -> Int) {
        self.free = free
    }

    /// How many bytes may be written if there is no reservation.
    package func available() throws(SystemError) -> Int { try free() }

    /// Reserves space for a file of `total` bytes.
    ///
    /// - Returns: Whether it fits beside the other transfers; if not, the transfer has no reservation.
    func reserve(_ total: Int, for transfer: ObjectIdentifier) -> Bool {
        transfers.withLock { transfers in
            var mine = transfers[transfer, default: Transfer()]
            guard mine.reserved != total else { return true }
            mine.reserved = total
            transfers[transfer] = mine
            let outstanding = transfers.values.lazy.map(\.outstanding).saturatingSum()
            // An error of the file system is reported by the write.
            let free = (try? available()) ?? .max
            // mutation test: min-free
            guard outstanding > free else { return true }
            transfers[transfer]?.reserved = 0
            return false
        }
    }

    /// Records how many bytes of the file of a transfer are written.
    func update(written: Int, of transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer, default: Transfer()].written = written }
    }

    func end(_ transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer] = nil }
    }
}
