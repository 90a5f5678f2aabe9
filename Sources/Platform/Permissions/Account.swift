internal import Glibc
internal import Synchronization

/// The users and groups of this machine.
package enum Account {
    /// The user ID that decides what this process may do; see credentials(7).
    package static var effectiveUserID: UInt32 { geteuid() }
    package static var effectiveName: String { name(ofUser: effectiveUserID) }

    /// Locked while a result of getpwuid(3) or getgrgid(3) is copied, because all threads share its memory.
    private static let lookup = Mutex(())

    /// The name of a user for people; `user 1000` if it has none.
    package static func name(ofUser id: UInt32) -> String { knownName(ofUser: id) ?? "user \(id)" }

    /// The name of a user for a command line; `nil` if it has none, so that the command needs the number.
    package static func knownName(ofUser id: UInt32) -> String? {
        lookup.withLock { _ in
            guard let entry = unsafe getpwuid(id) else { return nil }
            return unsafe String(cString: entry.pointee.pw_name)
        }
    }

    /// The start of a command line that runs the rest as a user: `sudo -u apod-mirror`; see sudo(8) for numbers.
    package static func sudo(asUser id: UInt32) -> String {
        "sudo -u \(knownName(ofUser: id) ?? "'#\(id)'")"
    }

    /// Whether this process has the rights of a group.
    package enum Membership: Hashable, Sendable {
        /// The user of this process is not a member.
        case none
        /// The process has the rights of the group.
        case ofProcess
        /// The user has become a member since this login, so that the process gets the rights after the next one.
        case afterLogin
    }

    /// Whether this process has the rights of the group `name`; ``Membership/none`` if there is no such group.
    package static func membership(ofGroup name: String) -> Membership {
        let user = effectiveName
        return lookup.withLock { _ in
            guard let entry = unsafe getgrnam(name) else { return .none }
            let id = unsafe entry.pointee.gr_gid
            let maximumOfLinux = 1 << 16
            var groups = [gid_t](repeating: 0, count: maximumOfLinux)
            let count = unsafe getgroups(CInt(groups.count), &groups)
            if getegid() == id || groups.prefix(max(0, Int(count))).contains(id) {
                return .ofProcess
            }
            // The names of the members, with a null pointer at their end.
            var member = unsafe entry.pointee.gr_mem
            while let name = unsafe member?.pointee {
                if unsafe String(cString: name) == user { return .afterLogin }
                unsafe member = member?.advanced(by: 1)
            }
            return .none
        }
    }

    /// The name of a group; `group 1000` if it has none.
    package static func name(ofGroup id: UInt32) -> String {
        lookup.withLock { _ in
            guard let entry = unsafe getgrgid(id) else { return "group \(id)" }
            return unsafe String(cString: entry.pointee.gr_name)
        }
    }
}
