import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// Which mirror a command uses; ``Arguments/chooseMirror()`` decides this before the command reads anything.
///
/// The user may name the mirror; otherwise it is found. A mirror that cannot be read for now is chosen nevertheless, and the
/// command ends with the error of opening it. With another mirror instead, the command would change or show the wrong one.
struct MirrorChoice: Sendable {
    enum Origin {
        /// An option, a variable, the service manager or a file to add names the mirror.
        case named
        /// Nothing names a mirror, and this is the one of the system service, to which only the service itself may write.
        case foundOfService
        /// Nothing names a mirror, and this is the user's.
        case found
    }

    /// The absolute path of the mirror; symbolic links are resolved as far as the path exists.
    let root: String
    let origin: Origin

    /// - Throws: ``CommandError`` if nothing is named and there is no home directory, or if what names the mirror cannot be read.
    init(_ arguments: Arguments) throws(CommandError) {
        if let namedRoot = try Self.rootNamed(by: arguments) {
            root = try Self.absolutePath(namedRoot)
            origin = .named
            return
        }
        let currentDirectory = try Self.absolutePath(".")
        let serviceRoot: String?
        let foundRoot: String?
        do throws(SystemError) {
            serviceRoot = try Self.rootOfService(for: arguments.command)
            foundRoot = try Self.rootFound(
                around: currentDirectory, serviceRoot: serviceRoot, arguments)
        } catch {
            throw Self.unreadable(error)
        }
        guard let foundRoot else { throw .usage("no mirror directory; use --root DIR") }
        root = foundRoot
        origin = foundRoot == serviceRoot ? .foundOfService : .found
    }

    var isFound: Bool { origin != .named }

    var exists: Bool { Self.mayBeMirror(root) }

    /// The error of a command that cannot read what it needs to choose the mirror.
    private static func unreadable(_ error: SystemError) -> CommandError {
        CommandError("\(error.advice); then try again, or name the mirror with --root")
    }

    private static func absolutePath(_ path: String) throws(CommandError) -> String {
        let resolved = resolvedPath(path)
        // Only the path of the current directory makes a relative path absolute.
        guard resolved.hasPrefix("/") else {
            throw .usage(
                "the path of the current directory is not UTF-8, or it was removed; use another")
        }
        return resolved
    }

    // MARK: A mirror that is named

    /// The path of the mirror that `--root`, a file to add, a variable or the service manager names, in this order.
    private static func rootNamed(by arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let rootOfOptionOrVariable = try arguments.value(option, expectedPath) { path in
            // A shell does not replace “~” and “$” in `--root=~/apod`, nor systemd in a file of settings.
            path.isEmpty || path.hasPrefix("~") || path.hasPrefix("$") ? nil : path
        }
        if arguments.isTyped(option) { return rootOfOptionOrVariable }
        // `favorites add /other/pictures/x.jpg` is about `/other`, whatever `APOD_MIRROR_ROOT` says for all commands.
        if let root = try rootOfFileToAdd(arguments) { return root }
        return rootOfOptionOrVariable ?? rootByServiceManager(arguments)
    }

    private static let expectedPath =
        "the path of a directory; write the whole path, without “~” and “$” at its beginning"

    /// The mirror that contains the first file of `favorites add FILE…` that is in a mirror; `nil` for other commands.
    private static func rootOfFileToAdd(_ arguments: Arguments) throws(CommandError) -> String? {
        guard arguments.command == .favorites,
            arguments.operands.first == FavoritesAction.add.rawValue
        else { return nil }
        do throws(SystemError) {
            for file in arguments.operands.dropFirst().compactMap(Arguments.existingFile) {
                if let location = try Tree.location(of: file) { return location.root }
            }
            return nil
        } catch {
            throw unreadable(error)
        }
    }

    /// The directory of the service that runs this process as `run`; `nil` for other commands.
    ///
    /// Any other unit may have a `StateDirectory=`, too, such as one that sends alerts.
    private static func rootByServiceManager(_ arguments: Arguments) -> String? {
        guard arguments.command == .run else { return nil }
        // STATE_DIRECTORY is a list, see systemd.exec(5); the unit has the mirror as its first item.
        return arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    // MARK: A mirror that is found

    /// The mirror that a command uses if nothing names one; `nil` without a home directory.
    private static func rootFound(
        around directory: String, serviceRoot: String?, _ arguments: Arguments
    ) throws(SystemError) -> String? {
        if let root = try rootOfMirror(containing: directory) { return root }
        if let serviceRoot, mayBeMirror(serviceRoot) { return serviceRoot }
        // This mirror comes before one that the service has lost, even if it is not there, because the user has named it.
        if let root = try ServiceUnit.rootNamedByUser(arguments.environment) { return root }
        let userRoot = rootOfUser(arguments)
        if let userRoot, mayBeMirror(userRoot) { return userRoot }
        // The disk of the service may not be mounted, or the service will create its mirror. `run` creates that of the user.
        return serviceRoot ?? userRoot
    }

    /// The mirror of the system service: on the disk, opened before, or perhaps created later; `nil` if there is none.
    ///
    /// - Throws: ``SystemError`` if what the service wrote outside of its mirror cannot be read for now.
    private static func rootOfService(for command: Command) throws(SystemError) -> String? {
        let note = try ServiceNote.ofService
        let wasOpened = try KnownMirrors.ofService.lastOpened != nil
        let includesFutureMirror =
            switch command {
            case .doctor: ServiceUnit.isInstalled || note != nil
            case .status: note != nil
            case .run, .verify, .favorites, .show, .search, .adopt, .help, .version: false
            }
        let root = ServiceUnit.ofSystem.root
        return wasOpened || includesFutureMirror || mayBeMirror(root) ? root : nil
    }

    /// The mirror in the user's directory for pictures; `nil` without a home directory.
    private static func rootOfUser(_ arguments: Arguments) -> String? {
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        return pictures.map { resolvedPath("\($0)/APOD") }
    }

    /// Whether `path` has a mirror, or one that cannot be read for now or by this user.
    private static func mayBeMirror(_ path: String) -> Bool {
        do {
            return try rootOfMirror(containing: path) == path
        } catch {
            return true
        }
    }

    /// The root of the mirror that is `directory`, or contains it.
    private static func rootOfMirror(
        containing directory: String
    ) throws(SystemError) -> String? {
        // `Tree.location` looks for a mirror above a file: “.” stands for one in the directory.
        try Tree.location(of: "\(directory)/.")?.root
    }
}
