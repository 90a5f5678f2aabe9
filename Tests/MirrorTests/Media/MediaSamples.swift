import Glibc
import MediaFormat
import Platform
import TestSupport
import Testing

@testable import Mirror

/// A file of some media type, and its name in the list of a test.
struct MediaSample: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
}

/// The header of a file of `bytes`, whose end is checked, too, if `isWhole`.
func mediaHeader(of bytes: [UInt8], isWhole: Bool = false) async throws -> MediaHeader {
    try await withTemporaryFolder { path in
        let file = try FileDescriptor(opening: "\(path)/file", O_RDWR | O_CREAT)
        try file.write(bytes, path: path)
        let header = try MediaHeader(reading: file)
        if isWhole { try header.checkEnd(of: MediaBytes(descriptor: file.rawValue)) }
        return header
    }
}

/// Four bytes, as most formats write a number.
func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// A box of ISO 14496-12, section 4.2.
func box(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
    bigEndian(content.count + 8) + Array(name.utf8) + content
}

/// The shortest file that counts as a film, with the bytes `data` in it.
func minimalFilm(_ data: [UInt8]? = nil) -> [UInt8] {
    box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + box("moov")
        + (data.map { box("mdat", $0) } ?? [])
}

/// Why a file of `bytes`, whose end is checked, too, if `isWhole`, is rejected; `nil` if it is accepted.
func mediaRefusal(of bytes: [UInt8], isWhole: Bool = false) async throws -> String? {
    do {
        _ = try await mediaHeader(of: bytes, isWhole: isWhole)
        return nil
    } catch let error as MediaHeader.Refusal {
        return error.description
    }
}
