/// The file that macOS writes over SMB instead of a symbolic link: `XSym`, a length, a sum, the target.
enum SymlinkFile {
    /// Where it leads, `nil` if `bytes` are no such file.
    static func target(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: Array("XSym\n".utf8)), bytes.count <= 2048 else { return nil }
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, let length = Int(String(decoding: lines[1], as: UTF8.self)),
            length > 0, length <= lines[3].count
        else { return nil }
        return Array(lines[3].prefix(length))
    }
}
