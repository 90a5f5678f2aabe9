import CLinux
import Glibc
import ThumbnailProtocol
import Thumbnailing

/// `apod-mirror-thumbnailer MEMORY SECONDS`: makes thumbnails for the process that started it.
///
/// Standard input is a socket: orders come, answers go, see ``ThumbnailOrder``. It ends when the other
/// side does. Before the first order it gives up all that decoding does not need.
@main enum Main {
    static func main() {
        let words = (1..<max(clinux_argument_count(), 1)).compactMap {
            unsafe clinux_argument($0).map { unsafe String(cString: $0) }
        }[...]
        guard let limits = ThumbnailerLimits(words: words), let channel = Channel() else {
            explain()
        }
        guard Sandbox(limits).enter() else { exit(3) }
        channel.answer(ThumbnailAnswer.ready.message)
        while let job = channel.next() { channel.answer(job.perform().message) }
    }

    private static func explain() -> Never {
        let text = "apod-mirror-thumbnailer is a part of apod-mirror, which starts it itself\n"
        _ = unsafe write(2, text, text.utf8.count)
        exit(2)
    }
}
