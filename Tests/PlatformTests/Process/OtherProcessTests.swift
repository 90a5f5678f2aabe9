import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OtherProcessTests {
    /// A command in a container has the ID that the daemon had; an ended process keeps its ID until its parent has asked for it.
    @Test func neitherThisProcessNorOneThatHasEndedIsAnotherOneThatRuns() async throws {
        let child = try spawn(["sleep", "600"], environment: [], (nil, nil, nil))
        // Until the child has begun the program, it has the name of this one.
        while OtherProcess.name(of: child) != "sleep\n" { await Task.yield() }
        let name = OtherProcess.name(of: child)
        let isThere = OtherProcess.exists(child, named: name)
        kill(child, SIGKILL)
        // Waits for its end, and leaves the exit code.
        var information = unsafe siginfo_t()
        unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT)
        let nameOfEnded = OtherProcess.name(of: child)
        let isThereWhenEnded = OtherProcess.exists(child, named: nameOfEnded)
        waitpid(child, nil, 0)

        #expect(isThere && nameOfEnded != nil && !isThereWhenEnded)
        #expect(!OtherProcess.exists(getpid(), named: OtherProcess.name(of: getpid())))
        #expect(OtherProcess.exists(getppid(), named: OtherProcess.name(of: getppid())))
    }
}
