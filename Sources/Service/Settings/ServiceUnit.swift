internal import Mirror
package import Platform

/// The unit of systemd that runs the daemon of a mirror: the unit of the system, or of a user.
///
/// Commands find by it which mirror the service keeps, and how a person starts it. Its settings file has what `service.json` in
/// the mirror omits, such as the key in the address of a feed. Settings in a drop-in of the unit, see systemd.unit(5), are not
/// read.
package struct ServiceUnit: Sendable {
    private enum Scope { case system, user }

    /// StateDirectory= of the unit of the system.
    package static let stateDirectory = "/var/lib/apod-mirror"

    private let scope: Scope
    /// The path of the settings file.
    package let settingsPath: String
    /// The variables in the settings file; empty if the file is missing, or if this user may not read it.
    package let variables: [String: String]
    /// The path of the mirror that the unit serves, without symbolic links.
    package let root: String

    /// `defaultRoot` is the mirror that the unit serves if its settings file names none.
    private init(_ scope: Scope, settingsPath: String, defaultRoot: String) {
        self.scope = scope
        self.settingsPath = settingsPath
        variables = (try? EnvironmentFile.variables(at: settingsPath)) ?? [:]
        root = resolvedPath(variables["APOD_MIRROR_ROOT"] ?? defaultRoot)
    }

    /// The unit that serves the mirror at `root`, an absolute path without symbolic links; `nil` if no unit does.
    ///
    /// `HOME` and `XDG_CONFIG_HOME` in `environment` say where the user's settings file is.
    package static func serving(
        _ root: String, environment: [String: String]
    ) -> ServiceUnit? {
        let units = [ofSystem, ofUser(environment)].compactMap(\.self)
        // Bytes are compared: `==` takes “é” and “e” with an accent for equal, but they are two paths.
        return units.first { $0.root.utf8.elementsEqual(root.utf8) }
    }

    // MARK: The process of the unit

    /// Whether the process is the daemon of this unit, and not one that a person started, for example in a terminal.
    package func runs(_ process: Int32) -> Bool {
        // Processes of other users may be hidden, but the system service alone writes its note.
        if scope == .system, (try? ServiceNote.ofService)?.process == process { return true }
        guard let controlGroups = OtherProcess.controlGroups(of: process) else { return false }
        return contains(controlGroups)
    }

    /// Whether `controlGroups`, as in `/proc/PID/cgroup`, are those of a process of this unit.
    ///
    /// `0::/user.slice/user-1000.slice/user@1000.service/app.slice/apod-mirror.service` is of the unit of a user.
    func contains(_ controlGroups: String) -> Bool {
        controlGroups.split(separator: "\n").contains { line in
            let names = line.split(separator: "/")
            return names.last == "apod-mirror.service"
                && names.contains("user.slice") == (scope == .user)
        }
    }

    /// Whether `process`, the daemon of the mirror, reads the settings file; without a daemon, whether there is such a file.
    package func hasSettings(of process: Int32?) -> Bool {
        if let process { return runs(process) }
        return realPath(settingsPath) != nil
    }

    // MARK: The unit of the system

    package static var ofSystem: ServiceUnit {
        ServiceUnit(
            .system, settingsPath: "/etc/default/apod-mirror", defaultRoot: defaultRootOfSystem)
    }

    /// The mirror of the system service if its settings file names none.
    ///
    /// An error is ignored here: `MirrorChoice` in the program reads the same files, and throws it.
    private static var defaultRootOfSystem: String {
        // A drop-in of the unit may name the mirror: then only the note of the service has its path.
        if let note = try? ServiceNote.ofService, !note.root.isEmpty { return note.root }
        // A service that failed before it read its settings may have opened its mirror earlier.
        if let lastOpened = try? KnownMirrors.ofService.lastOpened { return lastOpened }
        return stateDirectory
    }

    /// Whether the unit of the system is installed: by the package or “make install”, or by a person.
    package static var isInstalled: Bool {
        let places = [Installation.program.map { "\(Layout.split($0).folder)/../lib" }, "/etc"]
        return places.compactMap(\.self).contains {
            realPath("\($0)/systemd/system/apod-mirror.service") != nil
        }
    }

    // MARK: The unit of a user

    static func ofUser(_ environment: [String: String]) -> ServiceUnit? {
        guard let home = environment["HOME"], let path = settingsPathOfUser(environment) else {
            return nil
        }
        return ServiceUnit(.user, settingsPath: path, defaultRoot: "\(home)/Pictures/APOD")
    }

    /// The path of the mirror that the settings file of the user's unit names, without symbolic links; `nil` if it names none.
    ///
    /// - Throws: ``SystemError`` if the file cannot be read for now.
    package static func rootNamedByUser(
        _ environment: [String: String]
    ) throws(SystemError) -> String? {
        guard let path = settingsPathOfUser(environment) else { return nil }
        let root = try EnvironmentFile.variables(at: path)["APOD_MIRROR_ROOT"]
        return root.flatMap { $0.hasPrefix("/") ? resolvedPath($0) : nil }
    }

    /// The path of the settings file in the user's directory for configuration; `nil` without a home directory.
    private static func settingsPathOfUser(_ environment: [String: String]) -> String? {
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        var configFolder = "\(home)/.config"
        // The XDG Base Directory Specification says that a relative path is ignored.
        if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { configFolder = path }
        return "\(configFolder)/apod-mirror/environment"
    }

    // MARK: Command lines

    /// The options by which systemctl(1) and journalctl(1) find the unit.
    package var managerOptions: [String] {
        switch scope {
        case .system: []
        case .user: ["--user"]
        }
    }

    /// The command line that starts the unit, now and at each later start of the system or session.
    package var startCommand: String { commandLine("systemctl", "enable", "--now", "apod-mirror") }

    /// A command line for a person, such as `sudo journalctl -u apod-mirror`, or `journalctl --user -u apod-mirror`.
    package func commandLine(_ program: String, _ words: String...) -> String {
        let sudo = scope == .system ? ["sudo"] : []
        return (sudo + [program] + managerOptions + words).joined(separator: " ")
    }
}
