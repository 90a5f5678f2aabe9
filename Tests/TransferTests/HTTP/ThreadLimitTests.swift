import Glibc
import Testing

@testable import Platform
@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ThreadLimitTests {
    @Test func aRequestForWhichNoThreadCanBeStartedFailsAndALaterOneSucceeds() async {
        await #expect(processExitsWith: .success) {
            // The limit does not apply to root.
            if getuid() == 0 { try #require(setuid(65_534) == 0) }
            let server = try ScriptedServer(response("200 OK", body: Array("m31".utf8)))
            let client = server.client(retry: .once)
            // The event loop has its thread before the limit is set; the task has its own.
            await EventLoop.shared.run {}
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                // RLIMIT_NPROC.
                let kind = __rlimit_resource_t(6)
                var limit = rlimit()
                guard unsafe getrlimit(kind, &limit) == 0 else { exit(3) }
                let usual = limit.rlim_cur
                limit.rlim_cur = 0
                guard unsafe setrlimit(kind, &limit) == 0 else { exit(3) }
                let error = await failure { _ = try await client.get(server.address()) }
                limit.rlim_cur = usual
                guard unsafe setrlimit(kind, &limit) == 0 else { exit(3) }
                let got = try await client.get(server.address())
                return (error, got.body)
            }

            let (error, body) = try await task.value

            #expect(String(describing: error).contains("cannot start a thread: "))
            #expect(body == Array("m31".utf8))
        }
    }
}
