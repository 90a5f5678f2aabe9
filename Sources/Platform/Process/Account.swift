internal import Glibc

/// The users and groups of this machine.
package enum Account {
    /// The effective user ID of this process.
    package static var current: UInt32 { geteuid() }

    /// getpwuid(3) and getgrgid(3) have one buffer each for all threads.
    private static let buffers = Monitor(())

    /// The name of a user; its number if it has none.
    package static func name(ofUser id: UInt32) -> String {
        buffers.withLock { _ in
            guard let entry = unsafe getpwuid(id) else { return "user \(id)" }
            return unsafe String(cString: entry.pointee.pw_name)
        }
    }

    /// The name of a group; its number if it has none.
    package static func name(ofGroup id: UInt32) -> String {
        buffers.withLock { _ in
            guard let entry = unsafe getgrgid(id) else { return "group \(id)" }
            return unsafe String(cString: entry.pointee.gr_name)
        }
    }

    package static func hasGroup(_ name: String) -> Bool { unsafe getgrnam(name) != nil }

    package static func isMember(of group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(max(Int(count), 0)).contains(group)
    }

    /// Switches this process from root to another user for good; see credentials(7).
    ///
    /// Call this before other threads start: it also replaces root's variables, see setenv(3).
    ///
    /// - Parameters:
    ///   - user: The ID of the user.
    ///   - group: The group of a user whom the machine does not know.
    ///   - environment: A copy of the variables, which is changed like those of the process.
    /// - Throws: ``SystemError``; the process may have lost some privileges.
    package static func dropPrivileges(
        to user: UInt32, group: UInt32, _ environment: inout [String: String]
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
        // Users of services often have a home directory that does not exist.
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
