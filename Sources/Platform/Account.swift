internal import Glibc

/// The users and groups of this machine.
package enum Account {
    /// The user that this process acts as.
    package static var current: UInt32 { geteuid() }

    /// The name of a user, its number where it has none.
    package static func name(ofUser id: UInt32) -> String {
        guard let entry = unsafe getpwuid(id) else { return "user \(id)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }

    /// The name of a group, its number where it has none.
    package static func name(ofGroup id: UInt32) -> String {
        guard let entry = unsafe getgrgid(id) else { return "group \(id)" }
        return unsafe String(cString: entry.pointee.gr_name)
    }
}
