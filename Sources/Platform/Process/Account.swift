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

    /// Whether this machine has a group of that name.
    package static func hasGroup(_ name: String) -> Bool { unsafe getgrnam(name) != nil }

    /// Whether this process is of the group.
    package static func isMember(of group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(max(Int(count), 0)).contains(group)
    }

    /// Makes this process, which is root's, one of another user for good: see credentials(7).
    ///
    /// To be called before other threads run. What was root's in the environment goes.
    ///
    /// - Parameters:
    ///   - user: Its number; it need not have a name.
    ///   - group: The group of a user without a name.
    ///   - environment: The variables of the process, changed like those of the process itself.
    /// - Throws: ``SystemError``; the process is still root's then, or nobody's who may do more.
    package static func become(
        _ user: UInt32, group: UInt32, _ environment: inout [String: String]
    ) throws(SystemError) {
        let entry = unsafe getpwuid(user)
        let group = unsafe entry?.pointee.pw_gid ?? group
        let name = unsafe (entry?.pointee.pw_name).map { unsafe String(cString: $0) }
        let home = unsafe (entry?.pointee.pw_dir).map { unsafe String(cString: $0) }
        try retryingInterrupts("setgroups", path: name ?? "\(user)") {
            if let name { unsafe initgroups(name, group) } else { setgroups(0, nil) }
        }
        try retryingInterrupts("setgid", path: "\(group)") { setgid(group) }
        try retryingInterrupts("setuid", path: "\(user)") { setuid(user) }
        // Users of services often name one that is not there.
        set("HOME", home.flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil }, &environment)
        set("USER", name, &environment)
        set("LOGNAME", name, &environment)
        for variable in environment.keys where variable.hasPrefix("XDG_") {
            set(variable, nil, &environment)
        }
    }

    private static func set(
        _ variable: String, _ value: String?, _ environment: inout [String: String]
    ) {
        environment[variable] = value
        if let value {
            unsafe setenv(variable, value, 1)
        } else {
            unsafe unsetenv(variable)
        }
    }
}
