import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct ExternalProgramTests {
    private let path = "/usr/bin:/bin"

    @Test(arguments: [("true", true), ("false", false)])
    func theResultSaysWhetherTheProgramSucceeded(name: String, isDone: Bool) async throws {
        let command = try #require(ExternalProgram(name, in: path))

        #expect(await command.succeeds(within: .hang) == isDone)
    }

    @Test func aNonblockingOutputThatIsFullIsWaitedFor() async throws {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        // It blocks its thread, which is none of those that all tests share.
        let thread = Task.detached(executorPreference: ThreadPoolExecutor.shared) {
            let code = StandardStream.writeAll(bytes, to: writer)
            close(writer)
            return code
        }
        var (count, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let read = unsafe Glibc.read(reader, &buffer, buffer.count)
            if read == 0 { break }
            count += max(read, 0)
            if read < 0 { await Task.yield() }
        }
        close(reader)

        #expect(await thread.value == nil && count == bytes.count)
    }

    @Test(arguments: [nil, "", "relative:also/relative", "/nowhere"])
    func programsAreSearchedInAbsoluteDirectoriesOnly(path: String?) {
        #expect(ExternalProgram("true", in: path) == nil)
    }

    @Test func aProgramIsKilledAfterItsTimeLimit() async throws {
        try await withTemporaryFolder { folder in
            let script = "echo $$ > \(folder)/pid; exec sleep 600"
            let command = try #require(ExternalProgram("sh", ["-c", script], in: path))

            #expect(await !command.succeeds(within: .seconds(1)))
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

        #expect(await command.succeeds(within: .hang))
    }
}
