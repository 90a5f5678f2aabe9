/// A path beneath a directory: a text, or any bytes but zero.
package protocol PathBytes {
    var pathBytes: [UInt8] { get }
}

extension String: PathBytes {
    package var pathBytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: PathBytes {
    package var pathBytes: [UInt8] { self }

    /// Runs `body` with these bytes and a zero as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = map { CChar(bitPattern: $0) } + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { fatalError("the buffer is not empty") }
            return unsafe body(start)
        }
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The path of the directory and the name in it; `nil` without a slash.
    ///
    /// Bytes are compared: a slash and a combining mark after it are one character.
    package var splitAtLastSlash: (above: SubSequence, name: SubSequence)? {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }
}
