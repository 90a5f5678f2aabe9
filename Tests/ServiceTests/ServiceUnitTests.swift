import Testing

@testable import Service

/// A daemon may also run in a terminal, which systemctl(1) does not stop.
@Suite struct ServiceUnitTests {
    private static let slice = "user.slice/user-1000.slice"

    @Test(
        arguments: [
            ("0::/\(slice)/user@1000.service/app.slice/apod-mirror.service\n", [false, true]),
            ("0::/system.slice/apod-mirror.service\n", [true, false]),
            ("12:pids:/\n1:name=systemd:/system.slice/apod-mirror.service\n0::/\n", [true, false]),
            ("0::/\(slice)/session-2.scope\n", [false, false]),
            ("0::/\(slice)/user@1000.service/tmux-spawn-1.scope\n", [false, false]),
            ("0::/system.slice/cron.service\n", [false, false]),
            ("0::/\n", [false, false]),
        ] as [(String, [Bool])])
    func theControlGroupSaysWhichUnitRunsAProcess(groups: String, isOfUnit: [Bool]) throws {
        let units = [ServiceUnit.ofSystem, try #require(ServiceUnit.ofUser(["HOME": "/home/a"]))]

        #expect(units.map { $0.contains(groups) } == isOfUnit)
    }
}
