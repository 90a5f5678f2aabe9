package import Platform
internal import Synchronization

/// Reserves disk space for downloads, so that all of them together leave free what `--min-free` says.
///
/// Each download reserves its announced length, or what it has received so far. If it has reserved 10 MB and has written
/// 6 MB, 4 MB are outstanding: the file system still counts them as free, but no other download may use them.
package final class SpaceReservations: Sendable {
    private struct Reservation {
        var reserved = 0
        var written = 0

        var outstanding: Int { max(0, reserved - written) }
    }

    /// The reservations by the object that downloads; a download ends its reservation.
    private let reservations = Mutex<[ObjectIdentifier: Reservation]>([:])
    private let bytesAvailable: @Sendable () throws(SystemError) -> Int

    /// - Parameter bytesAvailable: Returns how many bytes may be written if there is no reservation.
    package init(_ bytesAvailable: @escaping @Sendable () throws(SystemError) -> Int) {
        self.bytesAvailable = bytesAvailable
    }

    /// How many bytes may be written if there is no reservation.
    package func available() throws(SystemError) -> Int { try bytesAvailable() }

    /// Changes the reservation of a download to `total` bytes, the length of its file as far as it is known.
    ///
    /// - Returns: Whether the file fits beside the other downloads. If it does not, the download has no reservation.
    func reserve(_ total: Int, for download: ObjectIdentifier) -> Bool {
        reservations.withLock { reservations in
            let reserved = reservations[download]?.reserved ?? 0
            if reserved == total { return true }
            reservations[download, default: Reservation()].reserved = total
            let outstanding = reservations.values.lazy.map(\.outstanding).saturatingSum()
            // If the file system fails, the write will report it.
            let available = (try? bytesAvailable()) ?? .max
            // mutation test: min-free (see Tests/Mutants)
            guard outstanding > available else { return true }
            reservations[download]?.reserved = 0
            return false
        }
    }

    /// Records how many bytes of the file of a download are written.
    func update(written: Int, of download: ObjectIdentifier) {
        reservations.withLock { $0[download, default: Reservation()].written = written }
    }

    /// Ends the reservation of a download.
    func end(_ download: ObjectIdentifier) {
        reservations.withLock { $0[download] = nil }
    }
}
