internal import Glibc

/// Detects changes of a directory: its names, and a digest of the status of its files.
package struct DirectoryFingerprint: Hashable, Sendable {
    /// The names that are UTF-8, unordered.
    package private(set) var names: [String] = []
    /// Changes with every name and with the content and the status of every file.
    package private(set) var digest: UInt64 = 0
    /// The time of the last change in seconds since 1970.
    ///
    /// Later changes within the same second may be missing: the clock of a file system is coarse.
    package private(set) var changed = 0

    /// Reads the names of a directory and the status of each, without following links.
    fileprivate init(reading reader: consuming DirectoryReader) throws(SystemError) {
        while try reader.advance() {
            let name = reader.name
            let status: stat
            do {
                status = try reader.readStatus()
            } catch  where error.code == ENOENT {
                continue
            }
            // What every change of the file modifies; see inode(7).
            let markers = [
                Int(bitPattern: status.st_ino), status.st_size, status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec,
            ]
            changed = max(changed, status.st_ctim.tv_sec)
            // The order of the names does not matter.
            digest &+= markers.reduce(Self.hash(name)) {
                ($0 ^ UInt64(bitPattern: Int64($1))) &* Self.prime
            }
            if let text = String(validating: name, as: UTF8.self) { names.append(text) }
        }
    }

    /// FNV-1a; the digest is stored, so it must not depend on the process like that of `Hasher`.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* prime }
    }
    private static let prime: UInt64 = 0x100_0000_01b3
}

extension Directory {
    /// The fingerprint of the directory at `relative`; `nil` if it does not exist.
    package func fingerprint(of relative: String) throws(SystemError) -> DirectoryFingerprint? {
        try ifExists(
            DirectoryFingerprint(
                reading: DirectoryReader(opening: Array(relative.utf8), beneath: self)))
    }
}
