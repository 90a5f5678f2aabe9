import CLinux
import Glibc
import ThumbnailProtocol
import ThumbnailRenderer

/// `apod-mirror-thumbnailer MEMORY SECONDS BYTES`: makes thumbnails for the daemon.
///
/// Standard input is a socket for requests and responses, see ``ThumbnailRequest``. It enters the
/// sandbox before the first request, and ends with the daemon.
@main enum ThumbnailerMain {
    static func main() {
        let arguments = (1..<max(1, clinux_argument_count())).map {
            unsafe String(cString: clinux_argument($0))
        }
        guard let limits = ThumbnailerLimits(arguments: arguments) else { explain() }
        let channel = Channel()
        if let refusal = Sandbox(limits: limits).enter() {
            channel.send(
                ThumbnailResponse(
                    id: ThumbnailResponse.startID, outcome: .failed(reason: refusal)))
            exit(3)
        }
        channel.send(ThumbnailResponse(id: ThumbnailResponse.startID, outcome: .done))
        while let job = channel.next() {
            channel.send(ThumbnailResponse(id: job.request.id, outcome: job.perform()))
        }
    }

    private static func explain() -> Never {
        let text = "apod-mirror-thumbnailer is an internal program of apod-mirror\n"
        _ = unsafe write(2, text, text.utf8.count)
        exit(2)
    }
}
