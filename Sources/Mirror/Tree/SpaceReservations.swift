internal import Platform
internal import Transfer

/// The disk space that transfers under way will still take.
///
/// Each transfer reserves its announced length, or what it has received so far: together they leave free
/// what `--min-free` says. What is written is no longer free and no longer reserved.
final class SpaceReservations: Sendable {
    private struct Transfer {
        var reserved = 0
        var written = 0

        var outstanding: Int { max(0, reserved - written) }
    }

    private let transfers = Monitor<[ObjectIdentifier: Transfer]>([:])
    let available: @Sendable () throws(SystemError) -> Int

    /// - Parameter available: Returns the bytes that may be written, without any reservation.
    init(available: @escaping @Sendable () throws(SystemError) -> Int) {
        self.available = available
    }

    /// Begins a transfer, which reserves nothing yet.
    func begin() -> SpaceReservation { SpaceReservation(of: self) }

    /// Reserves space for `total` bytes of a transfer.
    ///
    /// - Returns: Whether they fit beside the other transfers; if not, the transfer has no reservation.
    fileprivate func reserve(_ total: Int, for transfer: ObjectIdentifier) -> Bool {
        transfers.withLock { transfers in
            var mine = transfers[transfer, default: Transfer()]
            guard mine.reserved != total else { return true }
            mine.reserved = total
            transfers[transfer] = mine
            let outstanding = transfers.values.lazy.map(\.outstanding).saturatingSum()
            // An error of the file system is reported by the write.
            let free = (try? available()) ?? .max
            // mutant: min-free
            guard outstanding > free else { return true }
            transfers[transfer]?.reserved = 0
            return false
        }
    }

    fileprivate func update(written: Int, of transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer, default: Transfer()].written = written }
    }

    fileprivate func end(_ transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer] = nil }
    }
}

/// The reservation of one transfer; it ends with this object.
final class SpaceReservation: DiskSpace {
    private let reservations: SpaceReservations

    fileprivate init(of reservations: SpaceReservations) {
        self.reservations = reservations
    }

    deinit { reservations.end(ObjectIdentifier(self)) }

    func reserve(_ total: Int) -> Bool {
        reservations.reserve(total, for: ObjectIdentifier(self))
    }

    func update(written: Int) {
        reservations.update(written: written, of: ObjectIdentifier(self))
    }
}
