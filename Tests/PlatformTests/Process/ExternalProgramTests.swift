import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ExternalProgramTests {
    private let path = "/usr/bin:/bin"

    @Test(arguments: [("true", true), ("false", false)])
    func theResultSaysWhetherTheProgramSucceeded(name: String, isDone: Bool) async throws {
        let command = try #require(ExternalProgram(name, in: path))

        #expect(await command.run(limit: .hang) == isDone)
    }

    @Test(arguments: [nil, "", "relative:also/relative", "/nowhere"])
    func programsAreSearchedInAbsoluteDirectoriesOnly(path: String?) {
        #expect(ExternalProgram("true", in: path) == nil)
    }

    @Test func aProgramIsKilledAfterItsTimeLimit() async throws {
        try await withTemporaryFolder { folder in
            let script = "echo $$ > \(folder)/pid; exec sleep 600"
            let command = try #require(ExternalProgram("sh", ["-c", script], in: path))

            #expect(await !command.run(limit: .seconds(1)))
            // A busy machine may not have started it.
            guard let text = try Directory(opening: folder).read("pid") else { return }
            let pid = try #require(pid_t(String(decoding: text.dropLast(), as: UTF8.self)))
            #expect(kill(pid, 0) == -1 && errno == ESRCH)
        }
    }

    @Test func aProgramHasNoInputAndDefaultSignalHandlers() async throws {
        // SIGPIPE is the thirteenth bit.
        let script = "read line && exit 1; grep -q 'SigIgn:.*[02468ace]...$' /proc/self/status"
        let command = try #require(ExternalProgram("sh", ["-c", script], in: path))
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }

        #expect(await command.run(limit: .hang))
    }

    @Test(
        arguments: [
            ("\u{1b}[?62;4;6c", [62, 4, 6]), ("typed\u{1b}[?64c", [64]), ("", []),
            ("\u{1b}[?62;4", []),
            ("c", []), ("\u{1b}[?;x;4c", [4]),
        ] as [(String, Set<Int>)])
    func theResponseOfATerminalIsParsed(answer: String, attributes: Set<Int>) {
        #expect(StandardStream.terminalAttributes(in: answer) == attributes)
    }
}
