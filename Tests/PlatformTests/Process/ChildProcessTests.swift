import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChildProcessTests {
    /// Writes to its standard input, which is the socket.
    private static func child(writing text: String) async throws -> ChildProcess {
        try await ChildProcess("/bin/sh", ["-c", "printf \(text) >&0"])
    }

    @Test func aMessageAboveTheLimitIsNeitherCutNorAnEnd() async throws {
        var child = try await Self.child(writing: "123456789")
        let reply = try await child.reply(limit: 8, by: .now + .hang)
        _ = child.end()

        #expect(reply == .tooLong)
    }

    /// A process ID of 0 would mean this process.
    @Test func aChildThatHasEndedIsNotLimited() async throws {
        var child = try await Self.child(writing: "1")
        _ = child.end()

        #expect(throws: SystemError.self) { try child.limitProcessor(seconds: 1 << 20) }
    }
}
