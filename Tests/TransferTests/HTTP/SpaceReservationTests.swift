import Platform
import Testing

@testable import Transfer

/// `--min-free` is reserved for all transfers under way together.
@Suite struct SpaceReservationTests {
    private static let megabyte = 1 << 20

    /// Identifiers of transfers.
    private let transfers =
        ([Int.self, Int8.self, Int16.self, Int32.self, Int64.self] as [Any.Type])
        .map { ObjectIdentifier($0) }

    @Test func announcedLengthsOfParallelTransfersDoNotExceedTheFreeSpace() throws {
        let reservations = SpaceReservations { 100 * Self.megabyte }

        let fits = transfers[..<4].map { reservations.reserve(40 * Self.megabyte, for: $0) }

        #expect(fits == [true, true, false, false])
        #expect(!reservations.reserve(21 * Self.megabyte, for: transfers[4]))
        #expect(reservations.reserve(20 * Self.megabyte, for: transfers[4]))
    }

    @Test func aTransferWithoutALengthReservesAsItGrows() {
        let free = Monitor(10 * Self.megabyte)
        let reservations = SpaceReservations { free.withLock(\.self) }
        #expect(reservations.reserve(4 * Self.megabyte, for: transfers[0]))
        let step = Self.megabyte / 4
        var written = 0

        while written < 20 * Self.megabyte,
            reservations.reserve(written + step, for: transfers[1])
        {
            written += step
            // Written bytes are no longer free.
            free.withLock { $0 -= step }
            reservations.update(written: written, of: transfers[1])
        }

        #expect((5 * Self.megabyte...6 * Self.megabyte).contains(written))
    }

    /// Its file is emptied.
    @Test func aRefusedTransferReservesNothing() {
        let reservations = SpaceReservations { 10 * Self.megabyte }
        #expect(reservations.reserve(5 * Self.megabyte, for: transfers[0]))
        #expect(reservations.reserve(4 * Self.megabyte, for: transfers[1]))

        #expect(!reservations.reserve(7 * Self.megabyte, for: transfers[0]))

        #expect(reservations.reserve(9 * Self.megabyte, for: transfers[1]))
    }
}
