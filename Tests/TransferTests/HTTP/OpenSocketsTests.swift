import Glibc
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct OpenSocketsTests {
    /// In a process of its own: another thread could take the number of the closed socket.
    @Test func onlyItsOwnSocketsAreShutDown() async {
        await #expect(processExitsWith: .success) {
            let sockets = OpenSockets()
            let own = sockets.open(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            // As libcurl closes a socket whose connection fails.
            close(own)
            var pair: [CInt] = [-1, -1]
            #expect(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
            #expect(pair.contains(own))

            sockets.shutDown()

            #expect(unsafe write(pair[0], [1], 1) == 1)
        }
    }
}
