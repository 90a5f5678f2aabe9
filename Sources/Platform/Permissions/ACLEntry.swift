/// An entry of an access control list (ACL): what one user or group may do with a directory; see acl(5).
///
/// ``DirectoryPermissions`` reads and writes whole lists. In the kernel's format, a list is its version in four bytes, and then
/// for each entry eight bytes: the tag, the rights, and the ID; see `linux/posix_acl_xattr.h`.
struct ACLEntry {
    // The tags: for whom an entry is.
    static let owner: UInt32 = 0x01
    static let user: UInt32 = 0x02
    static let group: UInt32 = 0x04
    static let namedGroup: UInt32 = 0x08
    static let mask: UInt32 = 0x10
    static let others: UInt32 = 0x20

    private static let version: UInt32 = 2
    /// The ID of entries that name nobody.
    static let noID = UInt32.max

    /// One of the constants above.
    let tag: UInt32
    /// The bits of a mode: 4 for read, 2 for write, 1 for search.
    let rights: UInt32
    /// The ID of the user or group of a `user` or `namedGroup` entry.
    var id: UInt32 = noID

    /// Whether files may be created and removed in the directory, for which both write and search must be allowed.
    var mayWrite: Bool {
        let writeAndSearch: UInt32 = 2 | 1
        return rights & writeAndSearch == writeAndSearch
    }

    /// Whether the entry names one user or one group by its ID.
    var isNamed: Bool { tag == Self.user || tag == Self.namedGroup }

    /// The entries of a list; none if it has another version than 2.
    static func entries(of bytes: [UInt8]) -> [ACLEntry] {
        guard bytes.count >= 4, number(bytes[..<4]) == version else { return [] }
        return stride(from: 4, through: bytes.count - 8, by: 8).map { start in
            ACLEntry(
                tag: number(bytes[start..<start + 2]),
                rights: number(bytes[start + 2..<start + 4]),
                id: number(bytes[start + 4..<start + 8]))
        }
    }

    /// The entries that give the rights of a mode such as 0750, and a mask, which a list with named users or groups needs.
    static func entries(ofMode mode: UInt32) -> [ACLEntry] {
        // Each digit of the octal number has three bits.
        let (ownerRights, groupRights, otherRights) = (mode >> 6 & 7, mode >> 3 & 7, mode & 7)
        return [
            ACLEntry(tag: owner, rights: ownerRights), ACLEntry(tag: group, rights: groupRights),
            ACLEntry(tag: mask, rights: groupRights), ACLEntry(tag: others, rights: otherRights),
        ]
    }

    /// The list with these entries.
    static func list(of entries: [ACLEntry]) -> [UInt8] {
        entries.reduce(into: bytes(version, count: 4)) { list, entry in
            list += bytes(entry.tag, count: 2)
            list += bytes(entry.rights, count: 2)
            list += bytes(entry.id, count: 4)
        }
    }

    // The format has little-endian numbers on every machine.

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ number: UInt32, count: UInt32) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
