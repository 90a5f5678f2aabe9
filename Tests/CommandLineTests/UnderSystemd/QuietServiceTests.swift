import APOD
import Platform
import Testing

extension UnderSystemd {
    /// What the installed service takes while nothing happens.
    @Suite(.timeLimit(.minutes(2))) struct QuietServiceTests {
        @Test func itNeitherWakesNorGrowsWhileNothingHappens() async throws {
            try await withService { service in
                let pid = try await service.property("MainPID")
                try await service.settle(pid)

                let before = try await service.switches(of: pid)
                // The time of silence that is looked at, not one that is waited for.
                try await LoopClock().sleep(for: .seconds(10))
                let after = try await service.switches(of: pid)
                let memory = try await service.machine.read(
                    "awk '/^VmRSS/ { print $2 }' /proc/\(pid)/status")

                #expect(after == before)
                #expect(Int(memory).map { $0 <= 12 << 10 } == true, "\(memory) kB")
            }
        }
    }
}

extension InstalledService {
    /// Returns once the work of the first look is over: nothing was done for two seconds.
    fileprivate func settle(_ pid: String) async throws {
        for _ in 0..<10 {
            let before = try await switches(of: pid)
            try await LoopClock().sleep(for: .seconds(2))
            if try await switches(of: pid) == before { return }
        }
    }

    /// How often a thread of the process was put on or taken off a processor.
    fileprivate func switches(of pid: String) async throws -> Int? {
        Int(
            try await machine.read(
                "cat /proc/\(pid)/task/*/status | awk '/ctxt_switches/ { n += $2 } END { print n }'"
            ))
    }
}
