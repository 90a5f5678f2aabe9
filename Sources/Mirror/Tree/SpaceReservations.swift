internal import Platform

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

    /// The bytes that may be written beside the transfers under way.
    func unreserved() throws(SystemError) -> Int {
        let outstanding = transfers.withLock { $0.values.lazy.map(\.outstanding).saturatingSum() }
        return max(0, try available() - outstanding)
    }

    /// Begins a transfer, which reserves nothing yet.
    func begin() -> SpaceReservation { SpaceReservation(of: self) }

    /// Reserves `total` bytes for a transfer that has written some of them.
    ///
    /// - Returns: Whether they fit beside the other transfers; if not, the transfer has no reservation.
    fileprivate func reserve(_ total: Int, written: Int, for transfer: ObjectIdentifier) -> Bool {
        transfers.withLock { transfers in
            let mine = Transfer(reserved: total, written: written)
            if transfers[transfer, default: Transfer()].reserved != total {
                let others = transfers.filter { $0.key != transfer }
                let outstanding = others.values.lazy.map(\.outstanding).saturatingSum()
                // An error of the file system is reported by the write.
                let free = (try? available()) ?? .max
                guard mine.outstanding <= free - outstanding else {
                    transfers[transfer] = nil
                    return false
                }
            }
            transfers[transfer] = mine
            return true
        }
    }

    fileprivate func end(_ transfer: ObjectIdentifier) {
        transfers.withLock { $0[transfer] = nil }
    }
}

/// The reservation of one transfer; it ends with this object.
final class SpaceReservation: Sendable {
    private let reservations: SpaceReservations
    private let refused = Monitor(false)

    fileprivate init(of reservations: SpaceReservations) {
        self.reservations = reservations
    }

    deinit { reservations.end(ObjectIdentifier(self)) }

    /// Whether space was refused.
    var isRefused: Bool { refused.withLock(\.self) }

    /// Reserves `total` bytes, of which `written` are in the file; returns whether they fit.
    func reserve(_ total: Int, written: Int) -> Bool {
        let fits = reservations.reserve(total, written: written, for: ObjectIdentifier(self))
        if !fits { refused.withLock { $0 = true } }
        return fits
    }
}
