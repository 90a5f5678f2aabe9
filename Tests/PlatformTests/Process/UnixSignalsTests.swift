import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnixSignalsTests {
    /// The documents promise it; that a process ends so is tested with disks that hang, and with floods.
    @Test(arguments: ["apod-mirror.service", "apod-mirror.user.service"])
    func aProcessEndsThreeSecondsAfterASignalBeforeSystemdKillsIt(unit: String) throws {
        let bytes = try #require(try Directory(opening: "\(sourceTree)/systemd").read(unit))
        let text = String(decoding: bytes, as: UTF8.self)
        let limit = try #require(text.firstMatch(of: #/\nTimeoutStopSec=([0-9]+)s\n/#))
        let seconds = try #require(Int(limit.1))

        #expect(UnixSignals.longestEnd == .seconds(3))
        #expect(UnixSignals.longestEnd < .seconds(seconds))
    }
}
