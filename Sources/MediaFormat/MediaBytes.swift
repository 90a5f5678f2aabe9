internal import Glibc

/// A buffered reader of a picture or video, from which formats are recognized: the daemon reads an open file, the
/// thumbnailer a mapped one.
package final class MediaBytes {
    /// Returns up to `count` bytes of the file at `offset`; none if they cannot be read, with the error number in `failure`.
    private let read: (_ offset: Int, _ count: Int, _ failure: inout CInt?) -> [UInt8]
    /// The error number of the last read that failed, after which what was recognized says nothing of the file.
    package private(set) var failure: CInt?
    private var buffer: [UInt8] = []
    /// The offset of the first byte of ``buffer`` in the file.
    private var bufferStart = 0
    /// The number of bytes of the file; 0 if the system does not tell it.
    package let fileLength: Int

    /// Reads an open file, which must stay open as long as the reader is used; its file offset does not change.
    ///
    /// A byte that the disk cannot read counts as one past the end; ``failure`` tells them apart.
    package init(descriptor: CInt) {
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        failure = isKnown ? nil : errno
        fileLength = isKnown ? status.st_size : 0
        read = { offset, count, failure in
            var bytes = [UInt8](repeating: 0, count: count)
            let received = unsafe pread(descriptor, &bytes, count, offset)
            if received < 0 { failure = errno }
            bytes.removeLast(count - max(received, 0))
            return bytes
        }
    }

    /// Reads a whole file in memory, which must outlive the reader.
    package init(_ file: UnsafeBufferPointer<UInt8>) {
        fileLength = file.count
        read = { offset, count, _ in unsafe Array(file[offset..<offset + count]) }
    }

    /// How much is read at once where a few bytes of a header are asked for.
    private static let headerReadSize = 8 << 10
    /// How much is read at once where the data of a scan are searched in order; malloc(3) would map and unmap a much
    /// larger buffer.
    private static let searchReadSize = 32 << 10

    /// Makes sure that the byte at `offset` is in the buffer: reads up to `count` bytes there, unless it is.
    ///
    /// - Returns: `false` past the end of the file, and if the file cannot be read there.
    private func load(_ offset: Int, _ count: Int) -> Bool {
        if offset >= bufferStart, offset < bufferStart + buffer.count { return true }
        guard offset >= 0, offset < fileLength else { return false }
        bufferStart = offset
        buffer = read(offset, min(count, fileLength - offset), &failure)
        return !buffer.isEmpty
    }

    /// The byte at `offset`; `nil` past the end of the file.
    package func byte(_ offset: Int) -> UInt8? {
        load(offset, Self.headerReadSize) ? buffer[offset - bufferStart] : nil
    }

    /// The offset of the first `value` at or after `offset`; `nil` if the file has none there; see memchr(3).
    func firstOffset(of value: UInt8, from offset: Int) -> Int? {
        var offset = offset
        while load(offset, Self.searchReadSize) {
            let skipped = offset - bufferStart
            let found = unsafe buffer.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress,
                    let match = unsafe memchr(base + skipped, CInt(value), bytes.count - skipped)
                else { return nil }
                return unsafe UnsafeRawPointer(match) - base
            }
            if let found { return bufferStart + found }
            offset = bufferStart + buffer.count
        }
        return nil
    }

    /// The bytes of `range`, as far as the file has them.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<fileLength)
        guard load(range.lowerBound, Self.headerReadSize) else { return [] }
        guard range.upperBound <= bufferStart + buffer.count else {
            return read(range.lowerBound, range.count, &failure)
        }
        return Array(buffer[range.lowerBound - bufferStart..<range.upperBound - bufferStart])
    }

    /// The unsigned integer of `count` bytes at `offset`; `nil` past the end of the file.
    func integer(at offset: Int, bytes count: Int, isBigEndian: Bool) -> Int? {
        var number = 0
        for index in 0..<count {
            let position = isBigEndian ? index : count - 1 - index
            guard let byte = byte(offset + position) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    /// The unsigned integer of 16 bits at `offset`, with its highest byte first; `nil` past the end of the file, as for
    /// the ones below.
    package func big16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2, isBigEndian: true) }
    func big32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4, isBigEndian: true) }
    func little16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2, isBigEndian: false) }
    func little32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4, isBigEndian: false) }

    /// Whether `text` is at `offset`.
    package func holds(_ text: StaticString, at offset: Int) -> Bool {
        let expected = text.description.utf8
        return bytes(in: offset..<offset + expected.count).elementsEqual(expected)
    }

    /// The name of a chunk or box: four characters at `offset`.
    func name(at offset: Int) -> String? {
        let bytes = bytes(in: offset..<offset + 4)
        return bytes.count == 4 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
