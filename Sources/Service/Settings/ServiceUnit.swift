internal import Mirror
internal import Platform

/// The unit of systemd that runs the daemon of a mirror: that of the system, or that of a user.
///
/// Commands ask it for what `service.json` cannot say: the whole address of a feed, which has no query there, and whether
/// the service has failed. What a drop-in sets is not known, but for the mirror of the system's unit.
package struct ServiceUnit: Sendable {
    /// The options of systemctl(1) and journalctl(1) for its manager.
    package let managerOptions: [String]
    /// The variables of its file of settings; empty if there is none, or this user may not read it.
    package let variables: [String: String]
    /// The path of the mirror that it serves, without symbolic links.
    package let root: String

    /// `standardRoot` is the mirror that it serves if its file of settings names none.
    private init(_ managerOptions: [String], settings path: String, standardRoot: String) {
        self.managerOptions = managerOptions
        variables = Self.variables(at: path)
        root = resolvedPath(variables["APOD_MIRROR_ROOT"] ?? standardRoot)
    }

    /// The unit that serves the mirror at `root`, which is absolute, without symbolic links; `nil` if none is known to.
    ///
    /// `environment` says where the user's file of settings is.
    package static func serving(
        _ root: String, environment: [String: String]
    ) -> ServiceUnit? {
        let units: [ServiceUnit?] = [ofSystem, ofUser(environment)]
        // Texts that are equal by Unicode may be two paths.
        return units.compactMap(\.self).first { $0.root.utf8.elementsEqual(root.utf8) }
    }

    /// The unit of the system; the mirror that it opened last is the one that a drop-in names, else StateDirectory=.
    package static var ofSystem: ServiceUnit {
        ServiceUnit(
            [], settings: "/etc/default/apod-mirror",
            standardRoot: KnownMirrors.ofService.last ?? "/var/lib/apod-mirror")
    }

    /// `nil` without a home directory.
    private static func ofUser(_ environment: [String: String]) -> ServiceUnit? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(home)/.config"
        return ServiceUnit(
            ["--user"], settings: "\(folder)/apod-mirror/environment",
            standardRoot: "\(home)/Pictures/APOD")
    }

    /// The variables in a file of lines such as `NAME=value` and `NAME="value"`; see EnvironmentFile= in systemd.exec(5).
    private static func variables(at path: String) -> [String: String] {
        let (folder, name) = Layout.split(resolvedPath(path))
        // No settings are larger.
        guard let bytes = try? Directory(opening: folder).read(name, limit: 1 << 20) else {
            return [:]
        }
        var variables: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            // A comment has a name that is none.
            let value = unquoted(parts[1].withoutBlanks)
            variables[String(decoding: parts[0].withoutBlanks, as: UTF8.self)] =
                value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        return variables
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count > 1, let first = value.first, first == value.last,
            [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(first)
        else { return value }
        return value.dropFirst().dropLast()
    }
}

extension ArraySlice<UInt8> {
    /// Without blanks, tabs and carriage returns at both ends.
    fileprivate var withoutBlanks: Self {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
        let rest = drop(while: isBlank)
        return rest.lastIndex { !isBlank($0) }.map { rest[...$0] } ?? []
    }
}
