import CLinux
import Glibc
import ThumbnailProtocol

/// The socket to the daemon.
struct Channel {
    private let socket = STDIN_FILENO

    /// Waits for the next request; `nil` if the daemon is gone or sent an invalid one, and without a socket.
    func next() -> Job? {
        var message = [UInt8](repeating: 0, count: ThumbnailRequest.maximumSize)
        var files: [CInt] = [-1, -1]
        var count = -1
        repeat {
            count = unsafe clinux_receive(socket, &message, message.count, &files)
        } while count < 0 && errno == EINTR
        guard count > 0, let request = ThumbnailRequest(message: message[..<count]) else {
            return nil
        }
        return Job(request: request, picture: files[0], thumbnail: files[1])
    }

    func send(_ response: ThumbnailResponse) {
        let message = response.message
        // If the daemon is gone, the next receive fails, too.
        _ = unsafe write(socket, message, message.count)
    }
}
