import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The mirror that a command uses; ``Arguments/chooseMirror()`` chooses it before anything is read.
struct MirrorChoice: Sendable {
    enum Reason: Equatable {
        /// An option, a variable, the service manager or a file to add names the mirror.
        case named
        /// Nothing names a mirror. Only the service itself may write to the mirror of the system service.
        case found(isOfService: Bool)
    }

    /// The absolute path of the mirror; symbolic links are resolved as far as the path exists.
    let root: String
    let reason: Reason

    /// Chooses the first of these mirrors.
    ///
    /// 1. the mirror that `arguments` name;
    /// 2. the mirror that contains the current directory;
    /// 3. the mirror of the system service, if it is on the disk;
    /// 4. the mirror that the settings of the user's own service name, on the disk or not;
    /// 5. the mirror in the user's directory for pictures, if it is on the disk;
    /// 6. the mirror of the system service, if the service opened it before: its disk may not be mounted;
    /// 7. the mirror that the system service will create, for `doctor` and `status`;
    /// 8. the mirror in the user's directory for pictures, which `run` creates.
    ///
    /// A mirror that cannot be read for now counts as there: the command opens it, and ends with the error of that. Another
    /// mirror in its place would get what is meant for this one.
    ///
    /// - Throws: ``CommandError`` if nothing is named and there is no home directory, or if what names the mirror cannot be read.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.namedRoot(arguments) {
            (root, reason) = (resolvedPath(named), .named)
            try Self.checkIsAbsolute(root)
            return
        }
        let current = resolvedPath(".")
        try Self.checkIsAbsolute(current)
        let service: String?
        let found: String?
        do throws(SystemError) {
            service = try Self.rootOfService(arguments.command)
            found = try Self.foundRoot(around: current, service: service, arguments)
        } catch {
            throw Self.unreadable(error)
        }
        guard let found else { throw .usage("no mirror directory; use --root DIR") }
        root = found
        reason = .found(isOfService: found == service)
    }

    /// Chooses a mirror that nothing names, in the order of the list at ``init(_:)``.
    private static func foundRoot(
        around directory: String, service: String?, _ arguments: Arguments
    ) throws(SystemError) -> String? {
        if let root = try root(around: directory) { return root }
        if let service, mayBeMirror(service) { return service }
        // The user has named this mirror, so that it comes before one that the service has lost.
        if let named = try ServiceUnit.rootNamedByUser(arguments.environment) { return named }
        let user = rootOfUser(arguments)
        if let user, mayBeMirror(user) { return user }
        return service ?? user
    }

    var isFound: Bool { reason != .named }

    var exists: Bool { Self.mayBeMirror(root) }

    /// The error of a command that cannot read what it needs to choose the mirror.
    private static func unreadable(_ error: SystemError) -> CommandError {
        CommandError("\(error.advice); then try again, or name the mirror with --root")
    }

    /// The path of the mirror that `--root`, a file to add, a variable or the service manager names, in this order.
    ///
    /// The file overrides the variable: `favorites add /other/pictures/x.jpg` is about `/other`, whatever
    /// `APOD_MIRROR_ROOT` says for all commands.
    private static func namedRoot(_ arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let root = try arguments.value(option, Self.expectedPath) { path in
            // In `--root=~/apod` and in files of settings, nothing replaces them.
            path.isEmpty || path.hasPrefix("~") || path.hasPrefix("$") ? nil : path
        }
        if arguments.isTyped(option) { return root }
        if let rootOfFile = try rootOfFileToAdd(arguments) { return rootOfFile }
        return root ?? rootByServiceManager(arguments)
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

    /// Checks that ``resolvedPath(_:)`` made `path` absolute, which needs the path of the current directory.
    private static func checkIsAbsolute(_ path: String) throws(CommandError) {
        guard path.hasPrefix("/") else {
            throw .usage(
                "the path of the current directory is not UTF-8, or it was removed; use another")
        }
    }

    /// The mirror of the system service, or for some commands the mirror that it will create; `nil` if there is none.
    ///
    /// - Throws: ``SystemError`` if what the service wrote outside of its mirror cannot be read for now.
    private static func rootOfService(_ command: Command) throws(SystemError) -> String? {
        let note = try ServiceNote.ofService
        let wasOpened = try KnownMirrors.ofService.lastOpened != nil
        // Whether the command can be about a mirror that the service has not created yet.
        let includesFutureMirror =
            switch command {
            case .doctor: ServiceUnit.isInstalled || note != nil
            case .status: note != nil
            case .run, .verify, .favorites, .show, .search, .adopt, .help, .version: false
            }
        let root = ServiceUnit.ofSystem.root
        let isChoice = wasOpened || includesFutureMirror || mayBeMirror(root)
        return isChoice ? root : nil
    }

    /// The mirror in the user's directory for pictures; `nil` without a home directory.
    private static func rootOfUser(_ arguments: Arguments) -> String? {
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        return pictures.map { resolvedPath("\($0)/APOD") }
    }

    /// Whether `path` has a mirror, or cannot be read for now.
    private static func mayBeMirror(_ path: String) -> Bool {
        do {
            return try root(around: path) == path
        } catch {
            return true
        }
    }

    /// The root of the mirror that is `directory`, or contains it.
    private static func root(around directory: String) throws(SystemError) -> String? {
        // `Tree.location` looks for a mirror above a file: “.” stands for one in the directory.
        try Tree.location(of: "\(directory)/.")?.root
    }
}
