import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The mirror that a command uses; ``Arguments/chooseMirror()`` chooses it before anything is read.
struct MirrorChoice: Sendable {
    /// The absolute path of the mirror; symbolic links are resolved as far as the path exists.
    let root: String
    /// Whether the mirror was found, rather than named by an option, a variable or a file.
    let isFound: Bool
    /// Whether the mirror was found and is that of the system service, to which no other daemon may write.
    private(set) var isOfService = false

    /// Takes the mirror at `path`.
    private init(_ path: String, isFound: Bool = false) {
        root = resolvedPath(path)
        self.isFound = isFound
    }

    // MARK: The choice

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
            self.init(named)
            try Self.checkIsAbsolute(root)
            return
        }
        let current = resolvedPath(".")
        try Self.checkIsAbsolute(current)
        let around = Self.root(around: current).map { Self($0, isFound: true) }
        let service = Self.ofService(arguments.command)
        let candidates = [service, Self.ofUser(arguments)].compactMap(\.self)
        guard let choice = around ?? candidates.first(where: \.exists) ?? candidates.first else {
            throw .usage("no mirror directory; use --root DIR")
        }
        self = choice
        isOfService = root == service?.root
    }

    /// Throws if `path`, from ``resolvedPath(_:)``, is relative: the mirror around the current directory would be missed.
    private static func checkIsAbsolute(_ path: String) throws(CommandError) {
        guard path.hasPrefix("/") else {
            throw .usage(
                "the path of the current directory is not UTF-8, or it was removed; use another")
        }
    }

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
            for word in arguments.operands.dropFirst() {
                if let file = existingFile(word), let mirror = Tree.location(of: file) {
                    return mirror.root
                }
            }
        }
        // STATE_DIRECTORY is a list, see systemd.exec(5); the unit has the mirror as its first item.
        return root ?? arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    /// The mirror of the system service, for some commands also one that it will create; `nil` if there is none.
    private static func ofService(_ command: Command) -> Self? {
        let service = Self(ServiceUnit.ofSystem.root, isFound: true)
        // The disk of one that the service has opened may not be mounted.
        let mayBeAway = KnownMirrors.ofService.last != nil
        let isExpected =
            switch command {
            case .doctor: ServiceUnit.isInstalled || ServiceNote.ofService != nil
            case .status: ServiceNote.ofService != nil
            default: false
            }
        return service.exists || mayBeAway || isExpected ? service : nil
    }

    /// The mirror in the user's directory for pictures; `nil` without a home directory.
    private static func ofUser(_ arguments: Arguments) -> Self? {
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        return pictures.map { Self("\($0)/APOD", isFound: true) }
    }

    /// The resolved path of the file `word`; `nil` if it does not exist, or if `word` is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
    }

    /// The root of the mirror that is `directory`, or contains it.
    private static func root(around directory: String) -> String? {
        // Tree looks for a mirror above the path of a file.
        Tree.location(of: "\(directory)/.")?.root
    }

    /// Whether there is a mirror at ``root`` now.
    var exists: Bool { Self.root(around: root) == root }
}
