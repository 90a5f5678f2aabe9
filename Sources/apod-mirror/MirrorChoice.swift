import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The mirror that a command uses; ``Arguments/chooseMirror()`` chooses it before anything is read.
struct MirrorChoice: Sendable {
    /// Why it is this one.
    enum Reason: Equatable {
        /// An option, a variable, the service manager, or a picture in it to be added names it.
        case named
        /// Nothing named one. To the mirror of the system service, no other daemon may write.
        case found(isOfService: Bool)
    }

    /// The absolute path of the mirror; symbolic links are resolved as far as the path exists.
    let root: String
    let reason: Reason

    /// Chooses the first of several mirrors.
    ///
    /// 1. the one that `arguments` name;
    /// 2. the one around the current directory;
    /// 3. that of the system service, if it is on the disk: it may have been given up for a daemon of the user;
    /// 4. that of the user, if it is on the disk;
    /// 5. that of the system service, whose disk is not mounted, if there is a service;
    /// 6. for `doctor` and `status`, that which a service will create: one that was started, for `doctor` also one that is
    ///    only installed;
    /// 7. that of the user, which `run` creates.
    ///
    /// - Throws: ``CommandError`` if nothing is named and there is no home directory.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.named(arguments) {
            (root, reason) = (resolvedPath(named), .named)
            try Self.checkIsAbsolute(root)
            return
        }
        let current = resolvedPath(".")
        try Self.checkIsAbsolute(current)
        let service = Self.rootOfService(arguments.command)
        let expected = [service, Self.rootOfUser(arguments)].compactMap(\.self)
        let existing = Self.root(around: current) ?? expected.first(where: Self.isMirror)
        guard let root = existing ?? expected.first else {
            throw .usage("no mirror directory; use --root DIR")
        }
        self.root = root
        reason = .found(isOfService: root == service)
    }

    /// Whether the mirror was found, rather than named.
    var isFound: Bool { reason != .named }

    /// Whether there is a mirror at ``root`` now.
    var exists: Bool { Self.isMirror(root) }

    // MARK: A mirror that is named

    /// The path of the mirror that an option, a file to add, a variable or the service manager names, in this order.
    ///
    /// A file that is in a mirror says more than a variable, which is set for all commands.
    private static func named(_ arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let root = try arguments.value(option, "a directory") { $0.isEmpty ? nil : $0 }
        if arguments.isTyped(option) { return root }
        if arguments.command == .favorites,
            arguments.operands.first == FavoritesAction.add.rawValue
        {
            let files = arguments.operands.dropFirst().lazy.compactMap(existingFile)
            if let mirror = files.compactMap(Tree.location).first { return mirror.root }
        }
        // STATE_DIRECTORY is a list, see systemd.exec(5); the unit has the mirror as its first item.
        return root ?? arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    /// The resolved path of the file `word`; `nil` if it does not exist, or if `word` is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
    }

    /// Throws if `path`, from ``resolvedPath(_:)``, is relative: the mirror around the current directory would be missed.
    private static func checkIsAbsolute(_ path: String) throws(CommandError) {
        guard path.hasPrefix("/") else {
            throw .usage(
                "the path of the current directory is not UTF-8, or it was removed; use another")
        }
    }

    // MARK: A mirror that is found

    /// The mirror of the system service, for some commands also one that it will create; `nil` if there is none.
    private static func rootOfService(_ command: Command) -> String? {
        let root = ServiceUnit.ofSystem.root
        // The disk of one that the service has opened may not be mounted.
        let mayBeAway = KnownMirrors.ofService.last != nil
        return isMirror(root) || mayBeAway || isExpected(command) ? root : nil
    }

    /// Whether `command` is also about a mirror that the system service is still to create.
    private static func isExpected(_ command: Command) -> Bool {
        switch command {
        case .doctor: ServiceUnit.isInstalled || ServiceNote.ofService != nil
        case .status: ServiceNote.ofService != nil
        case .run, .verify, .favorites, .show, .search, .adopt, .help, .version: false
        }
    }

    /// The mirror in the user's directory for pictures; `nil` without a home directory.
    private static func rootOfUser(_ arguments: Arguments) -> String? {
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        return pictures.map { resolvedPath("\($0)/APOD") }
    }

    private static func isMirror(_ path: String) -> Bool { root(around: path) == path }

    /// The root of the mirror that is `directory`, or contains it.
    private static func root(around directory: String) -> String? {
        // Tree looks for a mirror above the path of a file.
        Tree.location(of: "\(directory)/.")?.root
    }
}
