import Glibc
import ThumbnailProtocol
import Thumbnailing

/// One order and its two open files, which are closed with it.
struct Job: ~Copyable {
    private let order: ThumbnailOrder
    private let picture: CInt
    private let thumbnail: CInt

    init(_ order: ThumbnailOrder, picture: CInt, thumbnail: CInt) {
        self.order = order
        self.picture = picture
        self.thumbnail = thumbnail
    }

    deinit {
        close(picture)
        close(thumbnail)
    }

    func perform() -> ThumbnailReply {
        ThumbnailReply(id: order.id, answer: answer())
    }

    private func answer() -> ThumbnailAnswer {
        guard let picture = MappedFile(picture) else { return .failed(Self.reason) }
        do throws(PictureError) {
            let bytes = unsafe picture.bytes.span
            return write(
                try Thumbnailer.thumbnail(
                    of: bytes, side: order.side, comment: order.stamp))
        } catch  where error == .outOfMemory {
            return .failed(error.description)
        } catch {
            return .refused(error.description)
        }
    }

    private func write(_ bytes: [UInt8]) -> ThumbnailAnswer {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(thumbnail, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return .failed(Self.reason) }
            rest = rest.dropFirst(count)
        }
        return .made
    }

    /// Why the last call failed.
    private static var reason: String { unsafe String(cString: strerror(errno)) }
}
