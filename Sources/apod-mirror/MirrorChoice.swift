import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The mirror that a command uses.
struct MirrorChoice: Sendable {
    /// The absolute path of the mirror; symbolic links are resolved as far as the path exists.
    let root: String
    /// The path as the user knows it, which links in `favorites/` may contain; `nil` if it is ``root``.
    let typedRoot: String?
    /// Whether the mirror was found, rather than named by an option, a variable or a file.
    let isFound: Bool
    /// Whether the mirror was found and belongs to the service: no other daemon may write to it.
    private(set) var isOfService = false
    /// The root of a second mirror that this user may have meant; `nil` if there is none.
    private(set) var other: String?
    /// Whether root started the process, which may have become the owner of the mirror since.
    let isOfRoot = Account.effectiveUserID == 0
    /// The directory of the mirror, opened before root became its owner; `nil` in all other cases.
    ///
    /// The owner may have no access to a directory above the mirror.
    private(set) var directory: Directory?

    /// `StateDirectory=` of the unit of the service.
    private static let serviceRoot = "/var/lib/apod-mirror"

    /// The mirror of the service, which a drop-in may have moved; `nil` if there is none.
    private static var service: Self? {
        if let recorded = KnownMirrors.ofService.last { return Self(recorded, isFound: true) }
        let service = Self(serviceRoot, isFound: true)
        return service.isMirror ? service : nil
    }

    /// `typed` is the path as the user knows it: of the mirror, or of a directory in it.
    private init(_ path: String, typed: String? = nil, isFound: Bool = false) {
        let root = resolvedPath(path)
        self.root = root
        typedRoot = Self.typedRoot(typed ?? path, of: root)
        self.isFound = isFound
    }

    /// The beginning of `path` that leads to `root`; `nil` if none does, or if it is `root` itself.
    private static func typedRoot(_ path: String, of root: String) -> String? {
        // The text of a path with “..” does not say where it leads.
        var parts = path.utf8.split(separator: UInt8(ascii: "/"))
            .map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
        guard path.hasPrefix("/"), !parts.contains("..") else { return nil }
        while !parts.isEmpty {
            let typed = "/\(parts.joined(separator: "/"))"
            // Texts that are equal by Unicode may be two paths.
            if resolvedPath(typed).utf8.elementsEqual(root.utf8) {
                return typed.utf8.elementsEqual(root.utf8) ? nil : typed
            }
            parts.removeLast()
        }
        return nil
    }

    /// Chooses the named mirror, else the one around the current directory, else that of the service or the user.
    ///
    /// Of the last two, the first that exists on the disk is chosen: the service may have been given up for a daemon in
    /// the session of the user. If neither exists, the first is chosen.
    ///
    /// - Throws: ``CommandError`` if nothing is named and there is no home directory.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.named(arguments) {
            let typed = arguments["PWD"].map { "\($0)/\(named)" }
            self.init(named, typed: named.hasPrefix("/") ? nil : typed)
            return
        }
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        let around = Self.mirror(around: "\(resolvedPath("."))/.")
            .map { Self($0, typed: arguments["PWD"], isFound: true) }
        let service = Self.service
        let own = pictures.map { Self("\($0)/APOD", isFound: true) }
        let candidates = [service, own].compactMap(\.self)
        let preferred = candidates.first(where: \.isMirror) ?? candidates.first
        guard let choice = around ?? preferred else {
            throw .usage("no mirror directory; use --root DIR")
        }
        self = choice
        isOfService = root == service?.root
        let known = KnownMirrors(environment: arguments.environment) { _ in }
        let ofService = service.flatMap { $0.isMirror ? $0.root : nil }
        // The disk of a known mirror may not be mounted.
        let ofUser = own.flatMap { $0.isMirror || known.contains($0.root) ? $0.root : nil }
        other = [ofService, ofUser].compactMap(\.self).first { $0 != root }
    }

    /// The path of the mirror that an option, a file to add, a variable or the service manager names.
    private static func named(_ arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let root = try arguments.value(option, "a directory") { $0.isEmpty ? nil : $0 }
        if arguments.isTyped(option) { return root }
        if arguments.operands.first == FavoritesAction.add.rawValue, arguments.command == .favorites
        {
            let files = arguments.operands.dropFirst().lazy.compactMap(Self.existingFile)
            if let mirror = files.compactMap(mirror).first { return mirror }
        }
        // STATE_DIRECTORY is a list, see systemd.exec(5); the unit has the mirror as its first item.
        return root ?? arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    /// The resolved path of the file `word`; `nil` if it does not exist, or if `word` is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
    }

    /// The root of the mirror that contains `path`, an absolute one.
    private static func mirror(around path: String) -> String? { Tree.location(of: path)?.root }

    private var isMirror: Bool { Self.mirror(around: "\(root)/.") == root }

    // MARK: As root

    /// The owner and group of the mirror; `nil` if they cannot be read.
    ///
    /// Those of `.apod-mirror/` count if root owns the directory around it, which may be a mount point.
    private var owner: (user: UInt32, group: UInt32)? {
        guard let directory = try? Directory(opening: root), let outer = Self.owner(of: directory)
        else { return nil }
        let inner = (try? directory.folder(Layout.own)).flatMap(Self.owner)
        let owners = [inner, outer].compactMap(\.self)
        return owners.first { $0.user != 0 } ?? owners.first
    }

    private static func owner(of directory: Directory) -> (user: UInt32, group: UInt32)? {
        guard let status = try? directory.status(), let permissions = try? directory.permissions()
        else { return nil }
        return (status.owner, permissions.group)
    }

    /// Opens the directory of the mirror as root and makes the process act as its owner.
    ///
    /// The owner could neither change nor remove files that root creates.
    ///
    /// - Parameter environment: The variables of the process, replaced by those of the owner.
    /// - Throws: ``CommandError`` if the process cannot become the owner.
    mutating func actAsOwner(_ environment: inout [String: String]) throws(CommandError) {
        guard Account.effectiveUserID == 0, let owner, owner.user != 0 else { return }
        let name = Account.name(ofUser: owner.user)
        directory = try? Tree.open(root)
        do {
            try Account.dropPrivileges(
                to: owner.user, fallbackGroup: owner.group, environment: &environment)
        } catch {
            throw CommandError(
                "cannot become \(name), the owner of \(root): \(error.reason);"
                    + " run the command as \(name)", .noMirror)
        }
    }

    /// Checks that a command that root started writes to the mirror at `other` as its owner.
    ///
    /// Other users may add favorites to mirrors of any owner.
    ///
    /// - Throws: ``CommandError`` if root started the process and it is not the owner of that mirror.
    func checkOwner(of other: String) throws(CommandError) {
        guard isOfRoot, let owner = Self(other).owner, owner.user != Account.effectiveUserID else {
            return
        }
        throw CommandError(
            "the mirror in \(other) belongs to \(Account.name(ofUser: owner.user)), and this command acts as"
                + " \(Account.name(ofUser: Account.effectiveUserID)): nothing was added there; run the command for"
                + " it alone", .noMirror)
    }
}
