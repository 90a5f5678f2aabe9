import APOD
import MirrorTesting
import Platform
import Testing

@testable import Maintenance
@testable import Mirror

/// A run of the verification: its scope, its order and its end.
@Suite(.timeLimit(.minutes(10))) struct VerifyRunTests {
    @Test(arguments: [1, 4])
    func severalDaysAtATimeGiveTheSameInTheSameOrder(width: Int) async throws {
        try await withSyncedMirror(days: 100) { mirror in
            for age in [3, 40, 41, 80] { try mirror.flipBit(mirror.picture(age)) }
            let alone = try mirror.findings()

            let days = Monitor(0)
            let verifier = try TreeVerifier(mirror.tree, try TreeSnapshot(of: mirror.tree.root)) {
                if case .day = $0 { days.withLock { $0 += 1 } }
            }
            var together: [VerifyFinding] = []
            try await verifier.run(.all, width: width) { together += $0 }

            #expect(together == alone && alone.count == 4)
            #expect(days.withLock(\.self) == 100)
        }
    }

    @Test func theBytesReadAreThoseOfThePictureAndOfItsPin() async throws {
        try await withSyncedMirror { mirror in
            let picture = try mirror.picture()
            let size = try #require(try mirror.tree.root.status(picture)?.size)
            _ = try mirror.makePin(with: mirror.tree.root.read(picture) ?? [])

            let read = Monitor(0)
            let verifier = try TreeVerifier(mirror.tree, try TreeSnapshot(of: mirror.tree.root)) {
                if case .read(let bytes) = $0 { read.withLock { $0 += bytes } }
            }
            let day = MirrorUnderTest.newest.advanced(by: -1)

            #expect(try verifier.findings(of: day) == [])
            #expect(read.withLock(\.self) == 2 * size)
        }
    }
}
