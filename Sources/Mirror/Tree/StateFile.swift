internal import FoundationEssentials
package import Platform

/// State files: internal files such as `verify.json`, in which a service stores a `Codable` value as JSON.
///
/// Unknown keys are ignored. A file that is damaged or lacks a key counts as missing. A file that cannot be read for now does
/// not count as missing, because the next write would replace its contents.
extension Tree {
    /// Reads the state file at `path`; `nil` if it is missing or damaged.
    package func state<State: Decodable>(
        at path: String, as type: State.Type = State.self
    ) throws(SystemError) -> State? {
        // `nil` if the file is missing, too large, or no file at all.
        let bytes = try ifValid(root.read(path, limit: largestStateFile))
        return bytes.flatMap(State.init(stateDocument:))
    }
}

/// The most bytes of a state file that are read: more than the state of 11,500 missing days has.
private let largestStateFile = 16 << 20

extension Decodable {
    /// Decodes the contents of a state file; `nil` if it is damaged or lacks a key.
    package init?(stateDocument bytes: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let state = try? decoder.decode(Self.self, from: Data(bytes)) else { return nil }
        self = state
    }
}

extension Encodable {
    /// The contents of a state file with this value: no number in it may be infinite or “not a number”.
    ///
    /// Dates lose the fractions of their seconds.
    package var stateDocument: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("a state file cannot have this value: \(error)")
        }
    }
}

// MARK: Settings in state files

/// A setting that a state file stores as the text that a person types, such as `30d` for `--since`.
package protocol StateText: Codable, LosslessStringConvertible, RawRepresentable<String> {}

extension StateText {
    package init?(rawValue: String) { self.init(rawValue) }
    package var rawValue: String { description }
}
