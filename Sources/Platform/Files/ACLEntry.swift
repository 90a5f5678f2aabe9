/// An entry of an access control list in the kernel's format; see `linux/posix_acl_xattr.h`.
///
/// A list is its version in four bytes, then eight bytes an entry: tag, rights, ID.
struct ACLEntry {
    static let owner: UInt32 = 0x01
    static let user: UInt32 = 0x02
    static let group: UInt32 = 0x04
    static let namedGroup: UInt32 = 0x08
    static let mask: UInt32 = 0x10
    static let others: UInt32 = 0x20

    private static let version: UInt32 = 2
    /// The ID of entries that name nobody.
    static let noID = UInt32.max

    let tag: UInt32
    /// The bits of a mode: 4 for read, 2 for write, 1 for search.
    let rights: UInt32
    var id: UInt32 = noID

    /// Whether both write and search are allowed, which creating and removing files needs.
    var mayWrite: Bool { rights & 3 == 3 }

    /// Whether the entry is of one user or one group, by its ID.
    var isNamed: Bool { tag == Self.user || tag == Self.namedGroup }

    /// Parses a list; one of another version has no entries.
    static func all(in bytes: [UInt8]) -> [ACLEntry] {
        guard bytes.count >= 4, number(bytes[..<4]) == version else { return [] }
        return stride(from: 4, through: bytes.count - 8, by: 8).map { start in
            ACLEntry(
                tag: number(bytes[start..<start + 2]),
                rights: number(bytes[start + 2..<start + 4]),
                id: number(bytes[start + 4..<start + 8]))
        }
    }

    static func list(of entries: [ACLEntry]) -> [UInt8] {
        entries.reduce(into: bytes(version, count: 4)) { list, entry in
            list += bytes(entry.tag, count: 2)
            list += bytes(entry.rights, count: 2)
            list += bytes(entry.id, count: 4)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32, count: UInt32) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
