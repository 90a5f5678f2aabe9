internal import Glibc
internal import Synchronization

/// The users and groups of this machine.
package enum Account {
    /// The user ID that decides what this process may do; see credentials(7).
    package static var effectiveUserID: UInt32 { geteuid() }

    /// Held until the result of getpwuid(3) or getgrgid(3) is copied: all threads share it.
    private static let lookup = Mutex(())

    /// The name of a user; `user 1000` if it has none.
    package static func name(ofUser id: UInt32) -> String {
        lookup.withLock { _ in
            guard let entry = unsafe getpwuid(id) else { return "user \(id)" }
            return unsafe String(cString: entry.pointee.pw_name)
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
