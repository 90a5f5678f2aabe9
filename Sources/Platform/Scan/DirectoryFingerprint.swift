internal import CLinux
internal import Glibc

/// What tells a directory from what it was: its names, and a number that changes with its files.
package struct DirectoryFingerprint: Hashable, Sendable {
    /// The names that are UTF-8, in no order.
    package private(set) var names: [String] = []
    /// Another one as soon as a name, or the contents or the status of a file behind one, is another.
    package private(set) var digest: UInt64 = 0
    /// When the last of that happened, in seconds since 1970.
    ///
    /// A change within the same second may have gone unseen: the clock of a file system is coarse.
    package private(set) var changed = 0

    /// Reads the names of a directory, and the status of each through no link.
    fileprivate init(reading reader: consuming DirectoryReader) throws(SystemError) {
        while try reader.advance() {
            let name = reader.name
            guard let traces = try reader.traces() else { continue }
            changed = max(changed, traces.changed)
            // The order of the names says nothing.
            digest &+= traces.values.reduce(Self.hash(name)) { ($0 ^ $1) &* Self.prime }
            if let text = String(validating: name, as: UTF8.self) { names.append(text) }
        }
    }

    /// FNV-1a, which has no key: the number outlives the process.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* prime }
    }
    private static let prime: UInt64 = 0x100_0000_01b3
}

extension Directory {
    /// The imprint of the directory at `relative`, `nil` where there is none.
    package func imprint(of relative: String) throws(SystemError) -> DirectoryFingerprint? {
        do {
            return try DirectoryFingerprint(
                reading: DirectoryReader(opening: Array(relative.utf8), beneath: self))
        } catch  where error.code == ENOENT {
            return nil
        }
    }
}

extension DirectoryReader {
    /// What changes with every change of the file behind the entry, `nil` where that is gone by now: see
    /// inode(7).
    fileprivate func traces() throws(SystemError) -> (values: [UInt64], changed: Int)? {
        var status = stat()
        do {
            try readStatus(into: &status)
        } catch  where error.code == ENOENT {
            return nil
        }
        let values = [
            UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_ctim.tv_sec)),
            UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
        ]
        return (values, status.st_ctim.tv_sec)
    }
}
