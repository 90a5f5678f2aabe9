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

    /// Decodes the picture and writes the thumbnail.
    func perform() -> ThumbnailResponse.Outcome {
        let count = lseek(picture, 0, SEEK_END)
        guard count >= 0 else { return .failed(reason: Self.reason) }
        // A mapping cannot be empty.
        let start = unsafe mmap(nil, max(count, 1), PROT_READ, MAP_PRIVATE, picture, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            return .failed(reason: Self.reason)
        }
        defer { unsafe munmap(start, max(count, 1)) }
        let bytes = unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self), count: count)
        do throws(PictureError) {
            let picture = unsafe bytes.span
            return write(
                try Thumbnailer.thumbnail(
                    of: picture, side: request.side, comment: request.stamp))
        } catch {
            return .rejected(reason: error.description)
        }
    }

    private func write(_ bytes: [UInt8]) -> ThumbnailResponse.Outcome {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(thumbnail, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return .failed(reason: Self.reason) }
            rest = rest.dropFirst(count)
        }
        return .done
    }

    /// The message of `errno`.
    private static var reason: String { unsafe String(cString: strerror(errno)) }
}
