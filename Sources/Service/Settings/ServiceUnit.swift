internal import Mirror
package import Platform

/// The unit of systemd that runs the daemon of a mirror: the unit of the system, or of a user.
///
/// Its settings file has what `service.json` in the mirror omits, such as the key in the address of a feed. Settings in a
/// drop-in of the unit, see systemd.unit(5), are not read.
package struct ServiceUnit: Sendable {
    /// The options by which systemctl(1) and journalctl(1) find the unit: none for a unit of the system, else `--user`.
    package let managerOptions: [String]
    /// The path of the settings file.
    package let settingsPath: String
    /// The variables in the settings file; empty if the file is missing, or if this user may not read it.
    package let variables: [String: String]
    /// The path of the mirror that the unit serves, without symbolic links.
    package let root: String

    /// `defaultRoot` is the mirror that the unit serves if its settings file names none.
    private init(managerOptions: [String], settingsPath: String, defaultRoot: String) {
        self.managerOptions = managerOptions
        self.settingsPath = settingsPath
        variables = (try? Self.variables(at: settingsPath)) ?? [:]
        root = resolvedPath(variables["APOD_MIRROR_ROOT"] ?? defaultRoot)
    }

    /// The unit that serves the mirror at `root`, an absolute path without symbolic links; `nil` if no unit does.
    ///
    /// `HOME` and `XDG_CONFIG_HOME` in `environment` say where the user's settings file is.
    package static func serving(
        _ root: String, environment: [String: String]
    ) -> ServiceUnit? {
        let units: [ServiceUnit?] = [ofSystem, ofUser(environment)]
        // Bytes are compared: `==` takes “é” and “e” with an accent for equal, but they are two paths.
        return units.compactMap(\.self).first { $0.root.utf8.elementsEqual(root.utf8) }
    }

    /// The unit of the system.
    ///
    /// If its settings file names no mirror, a drop-in may name it. The service has noted which mirror it opened.
    package static var ofSystem: ServiceUnit {
        // An error is ignored here: `MirrorChoice` reads both files, too, and throws it.
        let noted = (try? ServiceNote.ofService).flatMap { $0.root.isEmpty ? nil : $0.root }
        let lastOpened = try? KnownMirrors.ofService.lastOpened
        return ServiceUnit(
            managerOptions: [], settingsPath: "/etc/default/apod-mirror",
            defaultRoot: noted ?? lastOpened ?? stateDirectory)
    }

    /// StateDirectory= of the unit of the system.
    package static let stateDirectory = "/var/lib/apod-mirror"

    /// Whether the unit of the system is installed: by the package or “make install”, or by a person.
    package static var isInstalled: Bool {
        let places = [Installation.program.map { "\(Layout.split($0).folder)/../lib" }, "/etc"]
        return places.compactMap(\.self).contains {
            realPath("\($0)/systemd/system/apod-mirror.service") != nil
        }
    }

    /// `sudo systemctl enable --now apod-mirror`, or `systemctl --user enable --now apod-mirror`.
    package var startCommand: String { commandLine("systemctl", "enable", "--now", "apod-mirror") }

    /// A command line for a person: `sudo journalctl -u apod-mirror`, or `journalctl --user -u apod-mirror`.
    package func commandLine(_ program: String, _ words: String...) -> String {
        ((managerOptions.isEmpty ? ["sudo"] : []) + [program] + managerOptions + words)
            .joined(separator: " ")
    }

    private static func ofUser(_ environment: [String: String]) -> ServiceUnit? {
        guard let home = environment["HOME"], let path = settingsPathOfUser(environment) else {
            return nil
        }
        return ServiceUnit(
            managerOptions: ["--user"], settingsPath: path, defaultRoot: "\(home)/Pictures/APOD")
    }

    /// The path of the mirror that the settings file of the user's unit names, without symbolic links; `nil` if it names none.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read for now.
    package static func rootNamedByUser(
        _ environment: [String: String]
    ) throws(SystemError) -> String? {
        guard let path = settingsPathOfUser(environment) else { return nil }
        let root = try variables(at: path)["APOD_MIRROR_ROOT"]
        return root.flatMap { $0.hasPrefix("/") ? resolvedPath($0) : nil }
    }

    /// `nil` without a home directory.
    private static func settingsPathOfUser(_ environment: [String: String]) -> String? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        // The XDG Base Directory Specification says that a relative path is ignored.
        let configFolder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? "\(home)/.config"
        return "\(configFolder)/apod-mirror/environment"
    }

    /// More bytes than any settings file has; a larger file is not read.
    private static let largestFile = 1 << 20

    /// The variables in a file of lines such as `NAME=value` and `NAME="value"`; see EnvironmentFile= in systemd.exec(5).
    ///
    /// - Returns: Nothing if the file is missing, or if this user may not read it.
    /// - Throws: ``SystemError`` if the file cannot be read for now.
    private static func variables(at path: String) throws(SystemError) -> [String: String] {
        let (folder, name) = Layout.split(resolvedPath(path))
        let bytes: [UInt8]
        do {
            bytes = try Directory(opening: folder).read(name, limit: largestFile) ?? []
        } catch {
            guard !error.isForNow else { throw error }
            return [:]
        }
        var variables: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            // Of a comment such as “#NAME=value”, the name is “#NAME”, which is no setting.
            let variable = String(decoding: parts[0].withoutBlanks, as: UTF8.self)
            let value = unquoted(parts[1].withoutBlanks)
            variables[variable] = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
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
