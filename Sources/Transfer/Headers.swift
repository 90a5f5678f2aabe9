/// The header fields of an answer, found whatever the case of their names.
package struct Headers: Hashable, Sendable {
    /// The values by name, in lower case.
    package private(set) var fields: [String: String] = [:]

    package init() {}

    /// Adds `Name: value`; of fields with one name the first counts, and other lines are ignored.
    ///
    /// Lengths that contradict each other are no length.
    mutating func add(_ line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        let value = trimmed(line[line.index(after: colon)...])
        if fields[name] == nil {
            fields[name] = value
        } else if name == "content-length", fields[name] != value {
            fields[name] = ""
        }
    }

    package subscript(name: String) -> String? {
        fields[name.lowercased()]
    }

    /// The length that the server promises, `nil` where it promises none.
    var contentLength: Int? {
        guard let text = self["Content-Length"], text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int(text)
    }

    /// There is a promise that cannot be compared with what comes; see RFC 9112, 6.3.
    var hasUnreadableLength: Bool {
        self["Content-Length"] != nil && contentLength == nil && self["Transfer-Encoding"] == nil
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
}
