import Platform
import Testing

@testable import Mirror

/// `--min-free` is reserved for all transfers under way together.
@Suite struct SpaceReservationTests {
    private static let megabyte = 1 << 20

    @Test func announcedLengthsOfParallelTransfersDoNotExceedTheFreeSpace() throws {
        let reservations = SpaceReservations { 100 * Self.megabyte }
        let transfers = (0..<4).map { _ in reservations.begin() }

        let fits = transfers.map { $0.reserve(40 * Self.megabyte) }

        #expect(fits == [true, true, false, false])
        #expect(!reservations.begin().reserve(21 * Self.megabyte))
        #expect(reservations.begin().reserve(20 * Self.megabyte))
    }

    @Test func anEndedTransferReleasesItsSpace() throws {
        let reservations = SpaceReservations { 100 * Self.megabyte }
        do {
            let first = reservations.begin()
            #expect(first.reserve(80 * Self.megabyte))
            #expect(!reservations.begin().reserve(40 * Self.megabyte))
        }

        #expect(reservations.begin().reserve(40 * Self.megabyte))
    }

    @Test func aTransferWithoutALengthReservesAsItGrows() {
        let free = Monitor(10 * Self.megabyte)
        let reservations = SpaceReservations { free.withLock(\.self) }
        let announced = reservations.begin()
        #expect(announced.reserve(4 * Self.megabyte))
        let growing = reservations.begin()
        let step = Self.megabyte / 4
        var written = 0

        while written < 20 * Self.megabyte, growing.reserve(written + step) {
            written += step
            // Written bytes are no longer free.
            free.withLock { $0 -= step }
            growing.update(written: written)
        }

        #expect((5 * Self.megabyte...6 * Self.megabyte).contains(written))
    }

    /// Its file is emptied.
    @Test func aRefusedTransferReservesNothing() {
        let reservations = SpaceReservations { 10 * Self.megabyte }
        let (first, second) = (reservations.begin(), reservations.begin())
        #expect(first.reserve(5 * Self.megabyte))
        #expect(second.reserve(4 * Self.megabyte))

        #expect(!first.reserve(7 * Self.megabyte))

        #expect(second.reserve(9 * Self.megabyte))
    }

    @Test func whatIsWrittenIsNotReservedTwice() {
        let free = Monitor(10 * Self.megabyte)
        let reservations = SpaceReservations { free.withLock(\.self) }
        let first = reservations.begin()
        #expect(first.reserve(6 * Self.megabyte))
        free.withLock { $0 -= 6 * Self.megabyte }
        #expect(!reservations.begin().reserve(3 * Self.megabyte))
        first.update(written: 6 * Self.megabyte)

        #expect(reservations.begin().reserve(3 * Self.megabyte))
        #expect(!reservations.begin().reserve(5 * Self.megabyte))
    }
}
