/// The header fields of an answer, found whatever the case of their names.
package struct Headers: Hashable, Sendable {
    /// The values by name, in lower case.
    package private(set) var fields: [String: String] = [:]

    package init() {}

    /// Adds `Name: value`; of fields with one name the first counts, and other lines are ignored.
    mutating func add(_ line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...]
        if fields[name] == nil { fields[name] = trimmed(value) }
    }

    package subscript(name: String) -> String? {
        fields[name.lowercased()]
    }

    /// The length that the server promises, `nil` where it promises none.
    var contentLength: Int? {
        self["Content-Length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
}
