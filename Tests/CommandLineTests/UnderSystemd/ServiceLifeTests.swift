import APOD
import Simulator
import Testing

extension UnderSystemd {
    /// Events of the installed service, each in its own container.
    @Suite(.timeLimit(.minutes(10))) struct ServiceLifeTests {
        @Test func aReloadScansAtOnce() async throws {
            try await withService(days: 11, newest: Site.day(1)) { service in
                service.site.simulator.newest = Site.today
                let journal = try await service.newJournal()

                let ending = try await service.machine.run("systemctl reload apod-mirror")
                try await journal.output.wait(for: "\(Site.today) “")

                #expect(ending.code == 0, "\(ending)")
                #expect(try await service.property("NRestarts") == "0")
            }
        }

        @Test func aHangingServiceIsRestartedWithoutLoss() async throws {
            try await withService { service in
                let day = Site.day(3)
                try await service.favor(day)
                try await service.configure("WatchdogSec=4s\nRestartSec=100ms")
                try await service.machine.run("systemctl restart apod-mirror")
                let before = try service.tree().treasure
                let pid = try await service.property("MainPID")
                let journal = try await service.newJournal()

                try await service.machine.run("kill -STOP \(pid)")
                try await journal.output.wait(for: "Watchdog timeout")
                try await journal.output.wait(for: "Started apod-mirror.service")

                #expect(try await service.property("NRestarts") == "1")
                #expect(try await service.property("MainPID") != pid)
                #expect(try await service.property("ActiveState") == "active")
                #expect(try service.tree().treasure == before)
            }
        }
    }
}
