import Glibc
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    /// The timeout of poll(2) would stop while the machine is suspended; see proc_pid_fdinfo(5).
    @Test func deadlinesAreOfAClockThatGoesOnDuringSuspension() async throws {
        let sleeper = EventLoop.shared.at(.now + .seconds(3600)) {}
        defer { sleeper.cancel() }
        while try !hasBootTimer() { await Task.yield() }
    }

    private func hasBootTimer() throws -> Bool {
        let folder = try Directory(opening: "/proc/self/fdinfo")
        return try folder.textNames().contains { name in
            let bytes = (try? folder.read(name, limit: 4096)) ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains("clockid: \(CLOCK_BOOTTIME)\n")
                && !text.contains("it_value: (0, 0)")
        }
    }
}
