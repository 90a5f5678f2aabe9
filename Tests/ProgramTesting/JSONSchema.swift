package import JSON
import Platform
import TestSupport

/// A schema of `docs/schemas/`, in the part of JSON Schema 2020-12 that those use.
///
/// An unknown keyword is an error, because it would check nothing.
package struct JSONSchema {
    /// A keyword or pattern that this validator does not support.
    package struct Unsupported: Error, Hashable {
        package let keyword: String

        package init(keyword: String) { self.keyword = keyword }
    }

    private static let annotations: Set = ["$defs", "$schema", "description", "title"]

    package let root: JSON
    private let patterns = Patterns()

    /// Compiles each pattern once, which takes longer than all other checks of a value.
    private final class Patterns {
        private var compiled: [String: Regex<AnyRegexOutput>] = [:]

        func regex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
            if let regex = compiled[pattern] { return regex }
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            compiled[pattern] = regex
            return regex
        }
    }

    package init(_ root: JSON) {
        self.root = root
    }

    /// Reads the schema of that name, such as `status`.
    package init(named name: String) throws {
        let path = "docs/schemas/\(name).schema.json"
        root = try JSON(parsing: Directory(opening: sourceTree).read(path) ?? [])
    }

    /// The violations of `value` with their paths, such as `/picture/sha256: pattern`.
    ///
    /// The schemas permit other keys, which later versions may have. If `isClosed`, these are violations, too.
    package func violations(of value: JSON, isClosed: Bool = false) throws -> [String] {
        try violations(of: value, by: root, at: "", isClosed)
    }

    private func violations(
        of value: JSON, by schema: JSON, at place: String, _ isClosed: Bool = false
    ) throws -> [String] {
        var found: [String] = []
        for keyword in schema.members where !Self.annotations.contains(keyword.key) {
            if let inner = try nested(keyword, of: value, at: place, isClosed) {
                found += inner
            } else if try !holds(keyword, of: value) {
                found.append("\(place): \(keyword.key)")
            }
        }
        return found
    }

    /// The violations of keywords that apply other schemas, `nil` for other keywords.
    private func nested(
        _ keyword: JSON.Member, of value: JSON, at place: String, _ isClosed: Bool
    ) throws -> [String]? {
        switch keyword.key {
        case "$ref":
            return try violations(of: value, by: target(keyword.value), at: place, isClosed)
        case "items":
            return try value.elements.enumerated().flatMap { index, element in
                try violations(of: element, by: keyword.value, at: "\(place)/\(index)", isClosed)
            }
        case "properties":
            return try value.members.flatMap { member in
                let place = "\(place)/\(member.key)"
                guard let schema = keyword.value[member.key] else {
                    return isClosed ? ["\(place): unknown"] : []
                }
                return try violations(of: member.value, by: schema, at: place, isClosed)
            }
        default: return nil
        }
    }

    /// The schema to which a `$ref` leads.
    private func target(_ reference: JSON) throws -> JSON {
        let name = reference.string ?? ""
        guard name.hasPrefix("#/$defs/"),
            let target = root["$defs"]?[String(name.dropFirst("#/$defs/".count))]
        else { throw Unsupported(keyword: name) }
        return target
    }

    private func holds(_ keyword: JSON.Member, of value: JSON) throws -> Bool {
        let wanted = keyword.value
        switch keyword.key {
        case "anyOf":
            return try wanted.elements.contains {
                try violations(of: value, by: $0, at: "").isEmpty
            }
        case "const": return value == wanted
        case "dependentRequired":
            return try wanted.members.allSatisfy { member in
                try value[member.key] == nil || has(value, all: member.value)
            }
        case "enum": return wanted.elements.contains(value)
        case "minLength":
            return value.string.map { $0.unicodeScalars.count >= wanted.integer ?? 0 } ?? true
        case "minimum": return value.integer.map { $0 >= wanted.integer ?? 0 } ?? true
        case "not": return try !violations(of: value, by: wanted, at: "").isEmpty
        case "pattern":
            let pattern = try patterns.regex(wanted.string ?? "")
            return value.string.map { $0.contains(pattern) } ?? true
        case "required": return try has(value, all: wanted)
        case "type":
            let types = wanted.string == nil ? wanted.elements : [wanted]
            return try types.contains { try type(value, is: $0) }
        default: break
        }
        throw Unsupported(keyword: keyword.key)
    }

    private func has(_ value: JSON, all names: JSON) throws -> Bool {
        guard case .object = value else { return true }
        return try names.elements.allSatisfy { name in
            guard let name = name.string else { throw Unsupported(keyword: "\(name)") }
            return value[name] != nil
        }
    }

    private func type(_ value: JSON, is name: JSON) throws -> Bool {
        switch (name.string, value) {
        case ("array", .array), ("boolean", .bool), ("integer", .integer), ("null", .null),
            ("object", .object), ("string", .string):
            true
        case ("array", _), ("boolean", _), ("integer", _), ("null", _), ("object", _),
            ("string", _):
            false
        default: throw Unsupported(keyword: "type \(name)")
        }
    }

    // MARK: Keys

    /// The keys that the schema names, such as `picture/path`; elements of an array have the path of the array.
    package var keys: Set<String> {
        get throws { try keys(in: root, at: "") }
    }

    private func keys(in schema: JSON, at place: String) throws -> Set<String> {
        var found: Set<String> = []
        for property in schema["properties"]?.members ?? [] {
            found.insert("\(place)\(property.key)")
            found.formUnion(try keys(in: property.value, at: "\(place)\(property.key)/"))
        }
        for inner in try [schema["items"], schema["$ref"].map(target)] {
            if let inner { found.formUnion(try keys(in: inner, at: place)) }
        }
        return found
    }

    /// The keys of `value` in the same form.
    package static func keys(of value: JSON) -> Set<String> { keys(of: value, at: "") }

    private static func keys(of value: JSON, at place: String) -> Set<String> {
        var found: Set<String> = []
        for member in value.members {
            found.insert("\(place)\(member.key)")
            found.formUnion(keys(of: member.value, at: "\(place)\(member.key)/"))
        }
        for element in value.elements { found.formUnion(keys(of: element, at: place)) }
        return found
    }
}
