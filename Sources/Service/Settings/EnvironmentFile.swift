internal import Mirror
internal import Platform

/// The settings file of a systemd unit: lines such as `NAME=value` and `NAME="value"`, see EnvironmentFile= in systemd.exec(5).
enum EnvironmentFile {
    /// More bytes than any settings file has: a larger file is not read, and counts as empty.
    private static let largestFile = 1 << 20

    /// The variables in the file at `path`; empty if the file is missing, or if this user may not read it.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read for now.
    static func variables(at path: String) throws(SystemError) -> [String: String] {
        let (folder, name) = Layout.split(resolvedPath(path))
        do {
            let bytes = try Directory(opening: folder).read(name, limit: largestFile)
            return variables(in: bytes ?? [])
        } catch {
            guard error.mayBeTemporary else { return [:] }
            throw error
        }
    }

    private static func variables(in bytes: [UInt8]) -> [String: String] {
        var variables: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            // Of a comment such as “#NAME=value”, the name is “#NAME”, which is no setting.
            let name = String(decoding: parts[0].withoutBlanks, as: UTF8.self)
            let value = unquoted(parts[1].withoutBlanks)
            variables[name] = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        return variables
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count > 1, let first = value.first, first == value.last,
            [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(first)
        else { return value }
        return value.dropFirst().dropLast()
    }
}
