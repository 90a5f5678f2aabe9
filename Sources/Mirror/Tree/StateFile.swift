internal import FoundationEssentials
package import Platform

/// Internal files of JSON that hold a state, such as `verify.json`.
///
/// Unknown keys are ignored. A file that is damaged, or lacks a key, counts as missing. A file that cannot be read does not,
/// because its next writer would replace what it has.
extension Tree {
    /// Reads the state at `path`; `nil` if it is missing or damaged.
    package func state<State: Decodable>(
        at path: String, as type: State.Type = State.self
    ) throws(SystemError) -> State? {
        try ifValid(root.read(path, limit: 16 << 20)).flatMap(State.init(stateDocument:))
    }
}

extension Decodable {
    /// Decodes the contents of the file of a state; `nil` if it is damaged or lacks a key.
    package init?(stateDocument bytes: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let state = try? decoder.decode(Self.self, from: Data(bytes)) else { return nil }
        self = state
    }
}

/// A value that a state holds as its text.
package protocol StateText: Codable, LosslessStringConvertible, RawRepresentable<String> {}

extension StateText {
    package init?(rawValue: String) { self.init(rawValue) }
    package var rawValue: String { description }
}

extension Encodable {
    /// The contents of the file of a state; each value must be one that JSON can express.
    package var stateDocument: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
