internal import Glibc
internal import Synchronization

/// The users and groups of this machine, and the switch of this process from root to one of them.
package enum Account {
    /// The user ID that decides what this process may do; see credentials(7).
    package static var effectiveUserID: UInt32 { geteuid() }

    /// Held until the result of getpwuid(3), getgrgid(3) or getgrnam(3) is copied: all threads share it.
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

    /// Whether this machine has a group of that name.
    package static func hasGroup(_ name: String) -> Bool {
        lookup.withLock { _ in unsafe getgrnam(name) != nil }
    }

    /// Whether `group` is the effective group of this process or one of its supplementary groups.
    package static func isMember(of group: UInt32) -> Bool {
        // NGROUPS_MAX, with which getgroups(2) does not fail.
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(Int(max(count, 0))).contains(group)
    }

    /// Switches this process from root to another user for good; see credentials(7).
    ///
    /// Call this before other threads start: it also replaces root's variables, see setenv(3).
    ///
    /// - Parameters:
    ///   - user: The ID of the user.
    ///   - fallbackGroup: The group of a user whom the machine does not know, such as one of a container.
    ///   - environment: A copy of the variables, which is changed like those of the process.
    /// - Throws: ``SystemError``; the process may have lost some privileges.
    package static func dropPrivileges(
        to user: UInt32, fallbackGroup: UInt32, environment: inout [String: String]
    ) throws(SystemError) {
        let (group, name, home) = lookup.withLock { _ -> (UInt32, String?, String?) in
            let entry = unsafe getpwuid(user)
            let name = unsafe (entry?.pointee.pw_name).map { unsafe String(cString: $0) }
            let home = unsafe (entry?.pointee.pw_dir).map { unsafe String(cString: $0) }
            return unsafe (entry?.pointee.pw_gid ?? fallbackGroup, name, home)
        }
        try retryingInterrupts("setgroups", path: name ?? "\(user)") {
            if let name { unsafe initgroups(name, group) } else { setgroups(0, nil) }
        }
        try retryingInterrupts("setgid", path: "group \(group)") { setgid(group) }
        try retryingInterrupts("setuid", path: "user \(user)") { setuid(user) }
        // Users of services often have a home directory that does not exist.
        set("HOME", home.flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil }, &environment)
        set("USER", name, &environment)
        set("LOGNAME", name, &environment)
        // They name directories of root, such as /run/user/0.
        for variable in environment.keys where variable.hasPrefix("XDG_") {
            set(variable, nil, &environment)
        }
    }

    /// Sets or removes a variable, of this process and in `environment`.
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
