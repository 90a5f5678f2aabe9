internal import CMicroHTTPD
internal import Glibc
internal import Platform

/// A response body that is sent in pieces: slowly or incompletely.
final class BodyStream {
    private let response: SimulatedResponse
    private let held: HeldRequests
    /// The file of the body; invalid if the body is no file.
    private let file: FileDescriptor
    private let end: () -> Void

    /// `end` is called before the client can receive the last byte.
    init(
        _ response: SimulatedResponse, held: HeldRequests, end: @escaping () -> Void
    ) throws(SystemError) {
        self.response = response
        self.held = held
        self.end = end
        if case .file(let path, _, _) = response.body {
            file = try FileDescriptor(opening: path, O_RDONLY)
        } else {
            file = FileDescriptor(owning: -1)
        }
    }

    /// The number of bytes that are sent.
    private var limit: Int { min(response.cut ?? .max, response.body.count) }

    /// The `Content-Length`; `nil` for none.
    var claimedLength: UInt64? {
        if case .repeated = response.body { return nil }
        return UInt64(response.claimedLength ?? response.body.count)
    }

    /// Copies bytes at `position` into `buffer`; see MHD_ContentReaderCallback.
    func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard position < limit else {
            end()
            return response.isWhole ? Self.finished : Self.failure
        }
        var count = min(buffer.count, limit - position)
        if let pace = response.pace {
            count = min(count, max(1, pace / 20))
            guard held.pause(.seconds(1) * count / pace) else { return Self.failure }
        }
        if position + count >= limit { end() }
        return unsafe fill(.init(rebasing: buffer[..<count]), from: position)
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from position: Int) -> Int {
        switch response.body {
        case .bytes(let bytes):
            unsafe buffer.copyBytes(from: bytes[position..<position + buffer.count])
        case .repeated(let pattern, _):
            for index in buffer.indices {
                unsafe buffer[index] = pattern[(position + index) % pattern.count]
            }
        case .file(_, let offset, _):
            let count = unsafe pread(
                file.rawValue, buffer.baseAddress, buffer.count, offset + position)
            // 0: the file was truncated meanwhile.
            return count > 0 ? count : Self.failure
        }
        return buffer.count
    }

    // The macros MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR.
    private static let finished = -1
    private static let failure = -2
}
