/// A request as received.
struct SentRequest: Sendable {
    let line: String
    private let fields: [String]

    init(_ text: String) {
        let lines = text.split(separator: "\r\n").map(String.init)
        line = lines.first ?? ""
        fields = Array(lines.dropFirst())
    }

    /// Empty for a malformed line.
    var path: String {
        line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }

    subscript(name: String) -> String? {
        fields.first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}
