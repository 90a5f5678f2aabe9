package import Platform
internal import Synchronization

/// The disk space that transfers under way will still take.
///
/// Each transfer reserves its announced length, or what it has received so far: together they leave free
/// what `--min-free` says. What is written is no longer free and no longer reserved.
package final class SpaceReservations: Sendable {
    private struct Transfer {
        var reserved = 0
        var written = 0

        var outstanding: Int { max(0, reserved - written) }
    }

    /// At most one a transfer, which ends its own.
    private let transfers = Mutex<[ObjectIdentifier: Transfer]>([:])
    private let free: @Sendable () throws(SystemError) -> Int

    /// - Parameter free: Returns the bytes that may be written, without any reservation.
    package init(_ free: @escaping @Sendable () throws(SystemError) -> Int) {
        self.free = free
    }

    /// The bytes that may be written, without any reservation.
    package func available() throws(SystemError) -> Int { try free() }

    /// Reserves space for `total` bytes of a transfer.
    ///
    /// - Returns: Whether they fit beside the other transfers; if not, the transfer has no reservation.
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

    /// Takes how many bytes the file of a transfer has; is called after each write.
    func update(written: Int, of transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer, default: Transfer()].written = written }
    }

    /// Ends the reservation of a transfer.
    func end(_ transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer] = nil }
    }
}
