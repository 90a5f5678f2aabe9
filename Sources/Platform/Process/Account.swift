internal import Glibc

/// The users and groups of this machine.
package enum Account {
    /// The effective user ID of this process.
    package static var current: UInt32 { geteuid() }

    /// The name of a user; its number if it has none.
    package static func name(ofUser id: UInt32) -> String {
        // getpwuid(3) has one buffer for all threads.
        var (entry, buffer) = unsafe (passwd(), textBuffer)
        let name = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            var found: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress,
                unsafe getpwuid_r(id, &entry, start, buffer.count, &found) == 0, unsafe found != nil
            else { return nil }
            return unsafe String(cString: entry.pw_name)
        }
        return name ?? "user \(id)"
    }

    /// The name of a group; its number if it has none.
    package static func name(ofGroup id: UInt32) -> String {
        var (entry, buffer) = unsafe (Glibc.group(), textBuffer)
        let name = unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            var found: UnsafeMutablePointer<Glibc.group>?
            guard let start = buffer.baseAddress,
                unsafe getgrgid_r(id, &entry, start, buffer.count, &found) == 0, unsafe found != nil
            else { return nil }
            return unsafe String(cString: entry.gr_name)
        }
        return name ?? "group \(id)"
    }

    /// For the texts of one entry, also of a group with many members.
    private static var textBuffer: [CChar] { [CChar](repeating: 0, count: 1 << 20) }

    package static func hasGroup(_ name: String) -> Bool { unsafe getgrnam(name) != nil }

    package static func isMember(of group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(max(Int(count), 0)).contains(group)
    }

    /// Switches this process from root to another user for good; see credentials(7).
    ///
    /// Call this before other threads start. It replaces root's variables in the environment.
    ///
    /// `group` is that of a user without a name; `environment` is changed like that of the process.
    ///
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
