import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ServiceManagerTests {
    enum Kind: CaseIterable { case path, abstract }

    @Test(arguments: Kind.allCases) func theServiceManagerReceivesEachMessage(
        kind: Kind
    ) async throws {
        try await withTemporaryFolder { folder in
            let name = kind == .path ? "\(folder)/notify" : "@\(folder)"
            let socket = try NotifySocket(name)
            let manager = ServiceManager(environment: ["NOTIFY_SOCKET": name])
            for message: ServiceManager.Message in [
                .ready, .alive, .stopping,
            ] {
                manager.notify(message)
            }
            try await socket.wait(for: "STOPPING")

            #expect(socket.messages == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
        }
    }

    @Test func aServiceManagerThatDoesNotReadDoesNotBlock() async throws {
        try await withTemporaryFolder { folder in
            let socket = try NotifySocket("@\(folder)", isDeaf: true)
            let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.address])

            var longest = Duration.zero
            // Until the queue of the socket is full.
            while longest < .milliseconds(500) {
                longest = ContinuousClock().measure { manager.notify(.alive) }
            }

            #expect(longest < .seconds(10))
        }
    }

    @Test(arguments: [
        nil, "", "/", "relative", "/nowhere/at/all", String(repeating: "/x", count: 99),
    ])
    func aMissingServiceManagerIsNoError(address: String?) {
        ServiceManager(environment: address.map { ["NOTIFY_SOCKET": $0] } ?? [:]).notify(.ready)
    }

    @Test(
        arguments: [
            ("2000000", nil, 2.0), ("500000", "own", 0.5), ("2000000", "1", nil), ("0", nil, nil),
            ("-5", nil, nil), ("soon", nil, nil), ("2000000", "nobody", nil),
        ] as [(String, String?, Double?)])
    func theWatchdogAppliesToOneProcess(time: String, pid: String?, seconds: Double?) {
        var environment = ["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": time]
        environment["WATCHDOG_PID"] = pid == "own" ? "\(getpid())" : pid

        let watchdog = ServiceManager(environment: environment).watchdogTimeout

        #expect(watchdog == seconds.map { .seconds($0) })
        environment["NOTIFY_SOCKET"] = nil
        #expect(ServiceManager(environment: environment).watchdogTimeout == nil)
    }

    @Test func childrenDoNotInheritTheNotifySocket() async {
        await #expect(processExitsWith: .success) {
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "OTHER"] {
                _ = unsafe setenv(name, "1", 1)
            }
            ServiceManager.withdrawVariables()
            let left = processEnvironment().keys
            #expect(left.contains("OTHER"))
            #expect(!left.contains { $0.hasPrefix("NOTIFY") || $0.hasPrefix("WATCHDOG") })
        }
    }
}
