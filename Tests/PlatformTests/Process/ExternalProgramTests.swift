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
            defer { close(writer) }
            try StandardStream.writeAll(bytes, to: writer, named: "a socket")
        }
        var (count, buffer) = (0, [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let read = unsafe Glibc.read(reader, &buffer, buffer.count)
            if read == 0 { break }
            count += max(read, 0)
            if read < 0 { await Task.yield() }
        }
        close(reader)

        try await thread.value
        #expect(count == bytes.count)
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

    // MARK: Groups

    /// Runs a script of the shell as the leader of a group, with `limit`.
    private func run(
        _ script: String, in folder: String = "/", within limit: Duration = .hang,
        grace: Duration = .seconds(1)
    ) async throws -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        try await #require(ExternalProgram("sh", ["-c", script], in: path)).run(
            ["PATH": path], in: folder, ownGroup: true, outputLimit: 1000, within: limit,
            grace: grace)
    }

    /// The process whose number a script wrote into the file `name`.
    private func process(_ name: String, in folder: String) throws -> pid_t {
        let text = try #require(try Directory(opening: folder).read(name))
        return try #require(pid_t(String(decoding: text.dropLast(), as: UTF8.self)))
    }

    @Test func whatAGroupPrintsIsReadToItsEndAndItsBeginningReturned() async throws {
        let outcome = try await run("echo first >&2; head -c 100000000 /dev/zero; exit 3")

        #expect(outcome.ending == .exit(code: 3))
        #expect(outcome.output.starts(with: "first\n".utf8) && outcome.output.count == 1000)
    }

    /// The loop that reads its output would wake up again and again.
    @Test func aGroupMayCloseItsOutput() async throws {
        let outcome = try await run("echo done; exec >&- 2>&-; sleep 0.1")

        #expect(outcome.ending == .exit(code: 0) && outcome.output == Array("done\n".utf8))
    }

    @Test func aGroupStartsInItsDirectoryWithItsVariablesAndNoOpenFile() async throws {
        try await withTemporaryFolder { folder in
            let other = try FileDescriptor(opening: "/", O_RDONLY)
            let outcome = try await run(
                "env | grep -v PWD; [ . -ef '\(folder)' ] && echo here; read x || ls /proc/self/fd | wc -l",
                in: folder)
            withExtendedLifetime(other) {}

            // ls(1) itself opens the fourth.
            let text = String(decoding: outcome.output, as: UTF8.self)
            #expect(text == "PATH=\(path)\nhere\n4\n")
        }
    }

    @Test func aGroupThatIgnoresSIGTERMIsKilledAfterItsLimitWithItsChildren() async throws {
        try await withTemporaryFolder { folder in
            let script = """
                trap '' TERM; sh -c 'echo $$ > child; sleep 600' & echo $$ > leader
                while [ ! -s child ]; do sleep 0.01; done; echo > ready; while :; do sleep 600; done
                """
            let outcome = try await run(
                script, in: folder, within: .seconds(2), grace: .milliseconds(100))

            #expect(outcome.ending == nil)
            // A busy machine may not have started it.
            guard try Directory(opening: folder).read("ready") != nil else { return }
            for name in ["leader", "child"] { try await end(of: process(name, in: folder)) }
        }
    }

    /// It holds the output open, and prints later.
    @Test func whatAGroupLeavesInTheBackgroundGoesOnAfterTheEndOfItsLeader() async throws {
        try await withTemporaryFolder { folder in
            try #require(unsafe mkfifo("\(folder)/start", 0o600) == 0)
            let start = try FileDescriptor(opening: "\(folder)/start", O_RDWR)
            let script = """
                (read line < start; echo late; echo late >&2; echo > done) & echo $! > child; echo first
                """

            let outcome = try await run(script, in: folder)
            let child = try process("child", in: folder)
            try start.write(Array("\n".utf8), path: "start")
            try await end(of: child)
            withExtendedLifetime(start) {}

            #expect(outcome.ending == .exit(code: 0) && outcome.output == Array("first\n".utf8))
            #expect(try Directory(opening: folder).status("done") != nil)
        }
    }

    @Test func aCancellationEndsAGroupInOrder() async throws {
        try await withTemporaryFolder { folder in
            let script =
                "trap 'echo > ended; exit 0' TERM; echo > ready; while :; do sleep 0.01; done"
            try #require(unsafe mkfifo("\(folder)/ready", 0o600) == 0)
            let ready = try FileDescriptor(opening: "\(folder)/ready", O_RDONLY | O_NONBLOCK)
            let task = Task { try await run(script, in: folder, grace: .hang) }
            // It can be read once the script has written into it.
            try await CancellableContinuation().wait(onReadable: ready.rawValue)
            task.cancel()

            #expect(try await task.value.ending == nil)
            #expect(try Directory(opening: folder).status("ended") != nil)
        }
    }

    /// Waits until a process has ended, also if no parent reaps it: a zombie has no command line, see proc_pid_cmdline(5).
    private func end(of process: pid_t) async throws {
        while let line = FileDescriptor.kernelFile("/proc/\(process)/cmdline"), !line.isEmpty {
            try await LoopClock().sleep(for: .milliseconds(10))
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
