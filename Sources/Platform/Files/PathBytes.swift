/// A path beneath a ``Directory``: a `String`, or bytes, because Linux allows names that are not UTF-8.
package protocol PathBytes {
    /// The bytes of the path, without a zero at the end.
    var pathBytes: [UInt8] { get }
}

extension String: PathBytes {
    package var pathBytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: PathBytes {
    package var pathBytes: [UInt8] { self }

    /// Runs `body` with a C string: these bytes, and a zero at the end.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = map { CChar(bitPattern: $0) } + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { fatalError("the zero is missing") }
            return unsafe body(start)
        }
    }
}
