import JSON
import Mirror

/// A schema in the part of JSON Schema 2020-12 that `docs/record.schema.json` uses.
///
/// An unknown keyword is an error, because it would check nothing.
struct JSONSchema {
    /// A keyword or pattern that this validator does not support.
    struct Unsupported: Error, Hashable {
        let keyword: String
    }

    private static let annotations: Set = ["$defs", "$schema", "description", "title"]

    private let root: JSON

    init(_ root: JSON) {
        self.root = root
    }

    /// The violations of `value` with their paths, such as `/picture/sha256: pattern`.
    func violations(of value: JSON) throws -> [String] {
        try violations(of: value, by: root, at: "")
    }

    private func violations(of value: JSON, by schema: JSON, at place: String) throws -> [String] {
        var found: [String] = []
        for keyword in schema.members where !Self.annotations.contains(keyword.key) {
            if let inner = try nested(keyword, of: value, by: schema, at: place) {
                found += inner
            } else if try !holds(keyword, of: value, by: schema) {
                found.append("\(place): \(keyword.key)")
            }
        }
        return found
    }

    /// The violations of keywords that apply other schemas, `nil` for other keywords.
    private func nested(
        _ keyword: JSON.Member, of value: JSON, by schema: JSON, at place: String
    ) throws -> [String]? {
        switch keyword.key {
        case "$ref":
            let name = keyword.value.string ?? ""
            guard name.hasPrefix("#/$defs/"),
                let target = root["$defs"]?[String(name.dropFirst("#/$defs/".count))]
            else { throw Unsupported(keyword: name) }
            return try violations(of: value, by: target, at: place)
        case "properties":
            return try keyword.value.members.flatMap { property in
                try value[property.key].map {
                    try violations(of: $0, by: property.value, at: "\(place)/\(property.key)")
                } ?? []
            }
        default: return nil
        }
    }

    private func holds(_ keyword: JSON.Member, of value: JSON, by schema: JSON) throws -> Bool {
        let wanted = keyword.value
        switch keyword.key {
        case "anyOf":
            return try elements(wanted).contains {
                try violations(of: value, by: $0, at: "").isEmpty
            }
        case "const": return value == wanted
        case "dependentRequired":
            return try wanted.members.allSatisfy { member in
                try value[member.key] == nil || has(value, all: member.value)
            }
        case "enum": return elements(wanted).contains(value)
        case "minLength":
            return value.string.map { $0.unicodeScalars.count >= wanted.integer ?? 0 } ?? true
        case "minimum": return value.integer.map { $0 >= wanted.integer ?? 0 } ?? true
        case "not": return try !violations(of: value, by: wanted, at: "").isEmpty
        case "pattern":
            let pattern = try Regex(wanted.string ?? "").matchingSemantics(.unicodeScalar)
            return value.string.map { $0.contains(pattern) } ?? true
        case "required": return try has(value, all: wanted)
        case "type": return try type(value, is: wanted)
        default: break
        }
        throw Unsupported(keyword: keyword.key)
    }

    private func has(_ value: JSON, all names: JSON) throws -> Bool {
        guard case .object = value else { return true }
        return try elements(names).allSatisfy { name in
            guard let name = name.string else { throw Unsupported(keyword: "\(name)") }
            return value[name] != nil
        }
    }

    private func type(_ value: JSON, is name: JSON) throws -> Bool {
        switch (name.string, value) {
        case ("object", .object), ("string", .string), ("integer", .integer): true
        case ("object", _), ("string", _), ("integer", _): false
        default: throw Unsupported(keyword: "type \(name)")
        }
    }

    private func elements(_ value: JSON) -> [JSON] {
        guard case .array(let elements) = value else { return [] }
        return elements
    }
}
