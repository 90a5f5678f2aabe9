internal import Glibc

/// The bytes of a picture or video, or of a part of it, from which the parsers of formats read.
///
/// Only this type computes with offsets in the file; parsers read numbers and parts. A length in a file may be wrong or
/// hostile: a part never extends beyond the bytes that it was taken from, and bytes that are not there are `nil`.
package struct MediaBytes {
    private let file: BufferedFile
    /// The offset of the first byte in the file.
    private var start: Int
    package private(set) var count: Int

    /// More segments, or more chunks before the pixels, than any real picture has; a hostile file may have millions.
    static let maximumParts = 10_000

    private init(_ file: BufferedFile, start: Int, count: Int) {
        self.file = file
        self.start = start
        self.count = count
    }

    /// The bytes of an open file, which must stay open as long as this value is used; its file offset does not change.
    ///
    /// If a part of the file cannot be read, it counts as missing, as if the file were shorter; ``failure`` says so.
    package init(descriptor: CInt) {
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let failure = isKnown ? nil : errno
        let count = isKnown ? max(status.st_size, 0) : 0
        let file = BufferedFile(length: count, failure: failure) { offset, count, failure in
            var bytes = [UInt8](repeating: 0, count: count)
            let received = unsafe pread(descriptor, &bytes, count, offset)
            if received < 0 { failure = errno }
            bytes.removeLast(count - max(received, 0))
            return bytes
        }
        self.init(file, start: 0, count: count)
    }

    /// The bytes of a file in memory, which must outlive this value.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let file = BufferedFile(length: bytes.count) { offset, count, _ in
            unsafe Array(bytes[offset..<offset + count])
        }
        self.init(file, start: 0, count: bytes.count)
    }

    // MARK: Parts

    /// The `count` bytes from `offset` on, fewer at the end; `nil` if a number is negative or the offset is past the end.
    package func part(from offset: Int, count: Int = .max) -> MediaBytes? {
        guard offset >= 0, offset <= self.count, count >= 0 else { return nil }
        return MediaBytes(file, start: start + offset, count: min(count, self.count - offset))
    }

    /// Drops the first `length` bytes; if there are fewer, or if `length` is negative, drops all, and returns `false`.
    @discardableResult mutating func skip(_ length: Int) -> Bool {
        let isPresent = length >= 0 && length <= count
        let skipped = isPresent ? length : count
        start += skipped
        count -= skipped
        return isPresent
    }

    /// Drops the bytes up to and including the first `value`; if there is none, drops all, and returns `false`.
    mutating func skip(past value: UInt8) -> Bool {
        let offset = file.firstOffset(of: value, from: start, to: start + count)
        return skip(offset.map { $0 - start + 1 } ?? .max)
    }

    // MARK: Contents

    /// The error number of the last read that failed, or `nil`; after a failure, nothing that was recognized is certain.
    package var failure: CInt? { file.failure }

    /// The byte at `offset`; like the numbers below, it is `nil` past the end, and if the file cannot be read.
    package func byte(_ offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? file.byte(start + offset) : nil
    }

    /// The unsigned integer of `length` bytes at `offset`: `01 02` is 0x0102 if `isBigEndian`, else 0x0201.
    ///
    /// The result may be negative if the number has 64 bits.
    func integer(at offset: Int, bytes length: Int, isBigEndian: Bool) -> Int? {
        guard offset >= 0, offset <= count, length <= count - offset else { return nil }
        var number = 0
        for index in 0..<length {
            let place = start + offset + (isBigEndian ? index : length - 1 - index)
            guard let byte = file.byte(place) else { return nil }
            number = number << 8 | Int(byte)
        }
        return number
    }

    /// The unsigned integer of 16 bits at `offset`, the highest byte first.
    package func big16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2, isBigEndian: true) }
    func big32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4, isBigEndian: true) }
    func big64(_ offset: Int) -> Int? { integer(at: offset, bytes: 8, isBigEndian: true) }
    func little16(_ offset: Int) -> Int? { integer(at: offset, bytes: 2, isBigEndian: false) }
    func little24(_ offset: Int) -> Int? { integer(at: offset, bytes: 3, isBigEndian: false) }
    func little32(_ offset: Int) -> Int? { integer(at: offset, bytes: 4, isBigEndian: false) }

    /// The first bytes, at most `length`; fewer if the file cannot be read.
    package func prefix(_ length: Int) -> [UInt8] {
        file.bytes(from: start, count: min(max(length, 0), count))
    }

    package func begins(with text: StaticString) -> Bool {
        let expected = text.description.utf8
        return prefix(expected.count).elementsEqual(expected)
    }

    /// The name of a chunk or box: four characters at `offset`.
    func name(at offset: Int) -> String? {
        guard let bytes = part(from: offset)?.prefix(4), bytes.count == 4 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A file that is read piece by piece; all ``MediaBytes`` of the file share the last piece, which stays in memory.
private final class BufferedFile {
    let length: Int
    /// Returns up to `count` bytes at `offset`; if they cannot be read, returns none, and sets `failure` to the error number.
    private let read: (_ offset: Int, _ count: Int, _ failure: inout CInt?) -> [UInt8]
    private(set) var failure: CInt?
    private var buffer: [UInt8] = []
    /// The offset of the first byte of ``buffer`` in the file.
    private var bufferStart = 0

    init(
        length: Int, failure: CInt? = nil,
        read: @escaping (_ offset: Int, _ count: Int, _ failure: inout CInt?) -> [UInt8]
    ) {
        self.length = length
        self.failure = failure
        self.read = read
    }

    /// How many bytes are read at once when a few bytes of a header are wanted.
    private static let headerReadSize = 8 << 10
    /// How many bytes are read at once in a search; malloc(3) would map and unmap a much larger buffer each time.
    private static let searchReadSize = 32 << 10

    /// Makes sure that the buffer has the byte at `offset`; if it does not, reads up to `count` bytes from there.
    ///
    /// - Returns: Whether the buffer has the byte: `false` past the end of the file, and if the file cannot be read.
    private func load(from offset: Int, atMost count: Int) -> Bool {
        if offset >= bufferStart, offset < bufferStart + buffer.count { return true }
        guard offset < length else { return false }
        bufferStart = offset
        buffer = read(offset, min(count, length - offset), &failure)
        return !buffer.isEmpty
    }

    func byte(_ offset: Int) -> UInt8? {
        load(from: offset, atMost: Self.headerReadSize) ? buffer[offset - bufferStart] : nil
    }

    /// The offset of the first `value` between `offset` and `end`; `nil` if there is none; see memchr(3).
    func firstOffset(of value: UInt8, from offset: Int, to end: Int) -> Int? {
        var offset = offset
        while offset < end, load(from: offset, atMost: Self.searchReadSize) {
            let skipped = offset - bufferStart
            let found = unsafe buffer.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress,
                    let match = unsafe memchr(base + skipped, CInt(value), bytes.count - skipped)
                else { return nil }
                return unsafe UnsafeRawPointer(match) - base
            }
            if let found { return bufferStart + found < end ? bufferStart + found : nil }
            offset = bufferStart + buffer.count
        }
        return nil
    }

    /// The `count` bytes at `offset`, as far as they can be read.
    func bytes(from offset: Int, count: Int) -> [UInt8] {
        guard count > 0, load(from: offset, atMost: Self.headerReadSize) else { return [] }
        let start = offset - bufferStart
        guard count <= buffer.count - start else { return read(offset, count, &failure) }
        return Array(buffer[start..<start + count])
    }
}
