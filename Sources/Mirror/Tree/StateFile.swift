internal import FoundationEssentials
package import Platform

/// State files: internal files such as `verify.json`, in which a service stores a `Codable` value as JSON.
///
/// ``Store/write(_:to:)`` writes them. Unknown keys are ignored. A file that is damaged or lacks a key counts as missing. A file
/// that cannot be read does not count as missing, because the next write would replace its contents. If it is one of
/// ``Layout/deletableFiles``, the remedy of the error says that a person may delete it.
extension Tree {
    /// The most bytes of a state file that are read: more than the state of 11,500 missing days has.
    private static let largestStateFile = 16 << 20

    /// Reads the state file at `path`; `nil` if it is missing or damaged.
    package func state<Value: Decodable>(at path: String) throws(SystemError) -> Value? {
        try stateBytes(at: path).flatMap(Value.init(stateDocument:))
    }

    /// Throws if the state file at `path` cannot be read.
    func checkStateFile(at path: String) throws(SystemError) { _ = try stateBytes(at: path) }

    /// The contents; `nil` if the file is missing, too large, or no file at all.
    private func stateBytes(at path: String) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try ifValid(root.read(path, limit: Self.largestStateFile))
        } catch {
            throw Layout.deletableFiles.contains(path) ? error.ofDeletableFile : error
        }
    }
}

extension Decodable {
    /// Decodes the contents of a state file; `nil` if it is damaged or lacks a key.
    package init?(stateDocument bytes: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let value = try? decoder.decode(Self.self, from: Data(bytes)) else { return nil }
        self = value
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

/// A setting that a state file stores as the text that a person types, such as `30d` for `--since`.
package protocol StateText: Codable, LosslessStringConvertible, RawRepresentable<String> {}

extension StateText {
    package init?(rawValue: String) { self.init(rawValue) }
    package var rawValue: String { description }
}
