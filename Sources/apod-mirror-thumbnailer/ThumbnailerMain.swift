import CLinux
import Glibc
import ThumbnailProtocol
import ThumbnailRenderer

/// `apod-mirror-thumbnailer MEMORY SECONDS BYTES`: makes thumbnails for the daemon, within these ``ThumbnailerLimits``.
///
/// Standard input is a socket for requests and responses; see ``ThumbnailRequest``. The process enters its ``Sandbox``
/// before the first request, and ends with the daemon.
@main enum ThumbnailerMain {
    static func main() {
        let arguments = (1..<max(1, clinux_argument_count())).map {
            unsafe String(cString: clinux_argument($0))
        }
        guard let limits = ThumbnailerLimits(arguments: arguments) else { exitWithExplanation() }
        let channel = Channel()
        do {
            try Sandbox(limits: limits).enter()
        } catch {
            channel.send(.failed(reason: error.reason))
            exit(exitCodeWithoutSandbox)
        }
        channel.send(.done)
        while let job = channel.next() { channel.send(job.perform()) }
    }

    private static func exitWithExplanation() -> Never {
        let text = "apod-mirror-thumbnailer is an internal program of apod-mirror\n"
        _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
        exit(exitCodeOfWrongUsage)
    }

    private static let exitCodeOfWrongUsage: CInt = 2
    private static let exitCodeWithoutSandbox: CInt = 3
}

/// The socket to the daemon.
struct Channel {
    private let socket = STDIN_FILENO

    /// Waits for the next request; `nil` if the daemon is gone, if the request is invalid, or if there is no socket.
    func next() -> Job? {
        var message = [UInt8](repeating: 0, count: ThumbnailRequest.maximumSize)
        var files: [CInt] = [-1, -1]
        var size = -1
        repeat {
            size = unsafe clinux_receive(socket, &message, message.count, &files)
        } while size < 0 && errno == EINTR
        guard size > 0, let request = ThumbnailRequest(message: message[..<size]) else {
            return nil
        }
        return Job(request: request, picture: files[0], thumbnail: files[1])
    }

    func send(_ response: ThumbnailResponse) {
        let message = response.message
        // If the daemon is gone, next() returns nil.
        _ = unsafe write(socket, message, message.count)
    }
}

/// A request with its two open files, which are closed with it.
struct Job: ~Copyable {
    let request: ThumbnailRequest
    let picture: CInt
    let thumbnail: CInt

    deinit {
        close(picture)
        close(thumbnail)
    }

    /// Decodes the picture and writes the thumbnail.
    func perform() -> ThumbnailResponse {
        let size = lseek(picture, 0, SEEK_END)
        guard size >= 0 else { return .failed(reason: Self.messageOfErrno) }
        // A mapping cannot be empty.
        let start = unsafe mmap(nil, max(size, 1), PROT_READ, MAP_PRIVATE, picture, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            return .failed(reason: Self.messageOfErrno)
        }
        defer { unsafe munmap(start, max(size, 1)) }
        let bytes = unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: size)
        do throws(PictureError) {
            let picture = unsafe bytes.span
            return write(
                try Thumbnailer.thumbnail(
                    of: picture, side: request.side, comment: request.stamp))
        } catch {
            return .rejected(reason: error.description)
        }
    }

    private func write(_ bytes: [UInt8]) -> ThumbnailResponse {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(thumbnail, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return .failed(reason: Self.messageOfErrno) }
            rest = rest.dropFirst(count)
        }
        return .done
    }

    private static var messageOfErrno: String { unsafe String(cString: strerror(errno)) }
}
