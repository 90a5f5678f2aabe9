import Glibc
import ThumbnailProtocol
import ThumbnailRenderer

/// A request with its two open files, which are closed at the end.
struct Job: ~Copyable {
    let request: ThumbnailRequest
    let picture: CInt
    let thumbnail: CInt

    deinit {
        close(picture)
        close(thumbnail)
    }

    func perform() -> ThumbnailResponse {
        ThumbnailResponse(id: request.id, outcome: outcome())
    }

    private func outcome() -> ThumbnailOutcome {
        guard let picture = MappedFile(picture) else { return .failed(Self.reason) }
        do throws(PictureError) {
            let bytes = unsafe picture.bytes.span
            return write(
                try Thumbnailer.thumbnail(
                    of: bytes, side: request.side, comment: request.stamp))
        } catch  where error == .outOfMemory {
            return .failed(error.description)
        } catch {
            return .rejected(error.description)
        }
    }

    private func write(_ bytes: [UInt8]) -> ThumbnailOutcome {
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

    /// The message of `errno`.
    private static var reason: String { unsafe String(cString: strerror(errno)) }
}
