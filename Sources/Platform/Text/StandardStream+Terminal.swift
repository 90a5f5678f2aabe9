internal import CLinux

extension StandardStream {
    /// Requests the terminal's primary device attributes, see console_codes(4); 4 is sixel graphics.
    ///
    /// Blocks this thread until the response or for half a second.
    package func terminalAttributes() -> Set<Int> {
        var response = [CChar](repeating: 0, count: 256)
        let count = unsafe clinux_query_terminal(
            rawValue, "\u{1b}[c", CChar(UInt8(ascii: "c")), &response,
            response.count, 500)
        guard count > 0 else { return [] }
        let bytes = response[..<count].map { UInt8(bitPattern: $0) }
        return Self.terminalAttributes(in: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses `ESC [ ? 62 ; 4 c` after any typed text.
    static func terminalAttributes(in response: String) -> Set<Int> {
        guard let start = response.firstRange(of: "\u{1b}[?") else { return [] }
        let rest = response[start.upperBound...]
        guard let end = rest.firstIndex(of: "c") else { return [] }
        return Set(rest[..<end].split(separator: ";").compactMap { Int($0) })
    }
}
