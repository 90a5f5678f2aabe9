/// An access control list (ACL): what the owner, users and groups may do with a directory; see acl(5).
///
/// ``bytes`` is the format in which the kernel stores a list: its version in four bytes, and then for each entry eight bytes: the
/// tag, the rights, and the ID; see `linux/posix_acl_xattr.h`.
struct AccessControlList {
    /// What one user or group may do.
    struct Entry {
        let tag: Tag
        let rights: Rights
        /// The ID of the user or group, if the entry names one.
        var id = noID

        /// The ID of entries that name nobody.
        static let noID = UInt32.max

        /// Whether the entry names one user or one group by its ID.
        var isNamed: Bool { tag == .user || tag == .namedGroup }
    }

    /// For whom an entry is.
    struct Tag: RawRepresentable, Equatable {
        let rawValue: UInt32

        static let owner = Tag(rawValue: 0x01)
        static let user = Tag(rawValue: 0x02)
        static let group = Tag(rawValue: 0x04)
        static let namedGroup = Tag(rawValue: 0x08)
        /// The most that users and groups get, except the owner and others.
        static let mask = Tag(rawValue: 0x10)
        static let others = Tag(rawValue: 0x20)
    }

    /// The rights of one digit of a mode such as 0750.
    struct Rights: OptionSet {
        let rawValue: UInt32

        static let search = Rights(rawValue: 1)
        static let write = Rights(rawValue: 2)

        /// Whether files may be created and removed in the directory, for which both write and search must be allowed.
        var mayChangeNames: Bool { isSuperset(of: [.write, .search]) }
    }

    private(set) var entries: [Entry]

    subscript(tag: Tag) -> Entry? { entries.first { $0.tag == tag } }

    /// The list with the rights of a mode such as 0750, and a mask, which a list with named users or groups needs.
    init(mode: UInt32) {
        // Each digit of the octal number has three bits.
        let group = Rights(rawValue: mode >> 3 & 7)
        entries = [
            Entry(tag: .owner, rights: Rights(rawValue: mode >> 6 & 7)),
            Entry(tag: .group, rights: group), Entry(tag: .mask, rights: group),
            Entry(tag: .others, rights: Rights(rawValue: mode & 7)),
        ]
    }

    /// Names a group, which gets the rights of the owning group.
    mutating func nameGroup(_ id: UInt32) {
        guard let owning = entries.firstIndex(where: { $0.tag == .group }) else { return }
        // The kernel accepts named groups only after the owning group.
        let entry = Entry(tag: .namedGroup, rights: entries[owning].rights, id: id)
        entries.insert(entry, at: owning + 1)
    }

    // MARK: The kernel's format, which has little-endian numbers on every machine

    private static let version: UInt32 = 2

    /// Reads a list; it has no entries if `bytes` are empty or of another version.
    init(_ bytes: [UInt8]) {
        func number(at start: Int, count: Int) -> UInt32 {
            bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let isKnown = bytes.count >= 4 && number(at: 0, count: 4) == Self.version
        let starts = isKnown ? Array(stride(from: 4, through: bytes.count - 8, by: 8)) : []
        entries = starts.map { start in
            Entry(
                tag: Tag(rawValue: number(at: start, count: 2)),
                rights: Rights(rawValue: number(at: start + 2, count: 2)),
                id: number(at: start + 4, count: 4))
        }
    }

    var bytes: [UInt8] {
        func bytes(_ number: UInt32, count: UInt32) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return entries.reduce(into: bytes(Self.version, count: 4)) { list, entry in
            list += bytes(entry.tag.rawValue, count: 2)
            list += bytes(entry.rights.rawValue, count: 2)
            list += bytes(entry.id, count: 4)
        }
    }
}
