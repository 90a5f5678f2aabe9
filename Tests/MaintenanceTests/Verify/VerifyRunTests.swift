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

    @Test func aCancelledVerificationStops() async throws {
        try await withSyncedMirror { mirror in
            let snapshot = try TreeSnapshot(of: mirror.tree.root)
            let days = Monitor(0)
            let verifier = try TreeVerifier(mirror.tree, snapshot) {
                guard case .day = $0,
                    days.withLock({
                        $0 += 1; return $0
                    }) == 3
                else { return }
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }

            let work = Task { try verifier.findings(in: .all) }

            await #expect(throws: VerifyStopped.self) { try await work.value }
            #expect(days.withLock(\.self) == 3)
        }
    }
}
