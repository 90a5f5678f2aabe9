import Platform
import Testing

@testable import Transfer

@Suite struct HostPausesTests {
    @Test func aHostIsBlockedUntilItsRetryTime() {
        let now = Monitor(1000.0)
        let hosts = HostPauses { now.withLock { $0 } }

        let until = hosts.pause("a", for: 60)

        #expect(until == 1060)
        #expect(hosts.endOfPause(of: "a") == 1060)
        #expect(hosts.endOfPause(of: "b") == nil)
        now.withLock { $0 = 1060 }
        #expect(hosts.endOfPause(of: "a") == nil)
        #expect(hosts.endsOfPauses.isEmpty)
    }

    @Test func theLaterOfTwoTimesCounts() {
        let hosts = HostPauses { 1000 }

        _ = hosts.pause("a", for: 60)

        #expect(hosts.pause("a", for: 10) == 1060)
        #expect(hosts.endsOfPauses == ["a": 1060])
        hosts.restore(["a": 1030, "b": 1040])
        #expect(hosts.endsOfPauses == ["a": 1060, "b": 1040])
    }

    @Test func aRetryTimeSetBeforeTheClockWasSetBackIsIgnored() {
        let hosts = HostPauses { 1000 }
        hosts.restore(["a": 1000 + 30 * 86400, "b": 1001])

        #expect(hosts.endOfPause(of: "a") == nil)
        #expect(hosts.endsOfPauses == ["b": 1001])
    }
}
