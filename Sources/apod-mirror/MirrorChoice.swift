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
    /// 4. the user's mirror, if it is on the disk; the user may have replaced the service by a daemon of their own;
    /// 5. the mirror of the system service, if the service opened it before: its disk may not be mounted;
    /// 6. the mirror that the system service will create, for `doctor` and `status`;
    /// 7. the user's mirror, which `run` creates.
    ///
    /// A mirror that cannot be read for now counts as there: the command opens it, and ends with the error of that. Another
    /// mirror in its place would get what is meant for this one.
    ///
    /// - Throws: ``CommandError`` if nothing is named and there is no home directory, or if what names the mirror cannot be read.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.named(arguments) {
            (root, reason) = (resolvedPath(named), .named)
            try Self.checkIsAbsolute(root)
            return
        }
        let current = resolvedPath(".")
        try Self.checkIsAbsolute(current)
        let service = try Self.known { () throws(SystemError) in
            try Self.rootOfService(arguments.command)
        }
        let candidates = [service, Self.rootOfUser(arguments)].compactMap(\.self)
        let around = try Self.known { () throws(SystemError) in try Self.root(around: current) }
        let existing = around ?? candidates.first(where: Self.mayBeMirror)
        guard let root = existing ?? candidates.first else {
            throw .usage("no mirror directory; use --root DIR")
        }
        self.root = root
        reason = .found(isOfService: root == service)
    }

    /// Whether nothing named the mirror.
    var isFound: Bool { reason != .named }

    var exists: Bool { Self.mayBeMirror(root) }

    /// What `body` finds out about the mirror.
    ///
    /// - Throws: ``CommandError`` that says what cannot be read.
    private static func known<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(CommandError) -> Value {
        do {
            return try body()
        } catch {
            throw CommandError("\(error.advice); then try again, or name the mirror with --root")
        }
    }

    /// The path of the mirror that `--root`, a file to add, a variable or the service manager names, in this order.
    ///
    /// The service manager names the mirror of `run` alone: any unit may have a `StateDirectory=`, such as one for alerts.
    /// The file overrides the variable: `favorites add /other/pictures/x.jpg` is about `/other`, whatever
    /// `APOD_MIRROR_ROOT` says for all commands.
    private static func named(_ arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let root = try arguments.value(option, Self.expectedPath) { path in
            // In `--root=~/apod` and in files of settings, nothing replaces them.
            path.isEmpty || path.hasPrefix("~") || path.hasPrefix("$") ? nil : path
        }
        if arguments.isTyped(option) { return root }
        if arguments.command == .favorites,
            arguments.operands.first == FavoritesAction.add.rawValue
        {
            for file in arguments.operands.dropFirst().compactMap(existingFile) {
                let location = try known { () throws(SystemError) in try Tree.location(of: file) }
                if let location { return location.root }
            }
        }
        guard root == nil, arguments.command == .run else { return root }
        // STATE_DIRECTORY is a list, see systemd.exec(5); the unit has the mirror as its first item.
        return arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    private static let expectedPath =
        "the path of a directory; write the whole path, without “~” and “$” at its beginning"

    /// The resolved path of the file `word`; `nil` if it does not exist, or if `word` is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
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
        return mayBeMirror(root) || wasOpened || includesFutureMirror ? root : nil
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
