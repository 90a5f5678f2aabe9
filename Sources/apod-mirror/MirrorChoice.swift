import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The mirror that a command uses.
struct MirrorChoice: Sendable {
    /// Absolute; symbolic links are resolved as far as the path exists.
    let root: String
    /// Another absolute path of it, as the user knows it: links in `favorites/` may contain it.
    let typedRoot: String?
    /// Whether it was found, rather than named by an option, a variable or a file.
    let isFound: Bool
    /// Whether it was found, and the service writes it: no other daemon may.
    private(set) var isOfService = false
    /// Another mirror that the command would find elsewhere, or without a service.
    private(set) var other: String?
    /// Whether root made the choice; the process may have become the owner of the mirror since.
    let isOfRoot = Account.current == 0
    /// Its directory, opened by root before it became the owner; else `nil`.
    ///
    /// The owner may not reach it: a home directory around it may be closed.
    private(set) var directory: Directory?

    /// `StateDirectory=` of the unit of the service.
    private static let serviceRoot = "/var/lib/apod-mirror"

    /// The mirror that the service opened last; `nil` if it has none.
    ///
    /// Where a drop-in moved it, the old mirror may still exist, but no daemon watches it.
    private static var service: Self? {
        if let recorded = KnownMirrors.ofService.last { return Self(recorded, isFound: true) }
        let service = Self(serviceRoot, isFound: true)
        return service.isMirror ? service : nil
    }

    /// `typed` is an absolute path of the mirror or of a directory in it, if that differs from `path`; links are
    /// not resolved.
    private init(_ path: String, typed: String? = nil, isFound: Bool = false) {
        let root = resolvedPath(path)
        self.root = root
        typedRoot = Self.typedRoot(typed ?? path, of: root)
        self.isFound = isFound
    }

    /// The part of `path` that leads to `root`, `nil` if none does, or if it is `root`.
    private static func typedRoot(_ path: String, of root: String) -> String? {
        // The text of a path with “..” does not say where it leads.
        var parts = path.utf8.split(separator: UInt8(ascii: "/"))
            .map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
        guard path.hasPrefix("/"), !parts.contains("..") else { return nil }
        while !parts.isEmpty {
            let typed = "/\(parts.joined(separator: "/"))"
            // Other bytes are another path, also where Unicode says that the text is the same.
            if resolvedPath(typed).utf8.elementsEqual(root.utf8) {
                return typed.utf8.elementsEqual(root.utf8) ? nil : typed
            }
            parts.removeLast()
        }
        return nil
    }

    /// The named mirror, else the one around the current directory, else that of the service, else that of the
    /// user.
    ///
    /// Of the last two, one that exists comes before one that does not: the mirror of a service that was given up
    /// for one in the session of the user. `run` creates none beside that of the service.
    ///
    /// - Throws: ``CommandError`` if nothing is named and there is no home directory.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.named(arguments) {
            self.init(
                named, typed: named.hasPrefix("/") ? nil : arguments["PWD"].map { "\($0)/\(named)" }
            )
            return
        }
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        let around = Self.mirror(around: "\(resolvedPath("."))/.")
            .map { Self($0, typed: arguments["PWD"], isFound: true) }
        let service = Self.service
        let own = pictures.map { Self("\($0)/APOD", isFound: true) }
        let found = [service, own].compactMap(\.self)
        guard let choice = around ?? found.first(where: \.isMirror) ?? found.first else {
            throw .usage("no mirror directory; use --root DIR")
        }
        self = choice
        isOfService = root == service?.root
        let known = KnownMirrors(environment: arguments.environment) { _ in }
        let existing = own.flatMap { $0.isMirror || known.contains($0.root) ? $0.root : nil }
        let ofService = service.flatMap { $0.isMirror ? $0.root : nil }
        other = [ofService, existing].compactMap(\.self).first { $0 != root }
    }

    /// The path that an option, a variable, the service manager or a file to add names.
    private static func named(_ arguments: Arguments) throws(CommandError) -> String? {
        let option = Settings.directory.option
        let root = try arguments.value(option, "a directory") { $0.isEmpty ? nil : $0 }
        if arguments.isTyped(option) { return root }
        if arguments.operands.first == FavoritesAction.add.rawValue, arguments.command == .favorites
        {
            let files = arguments.operands.dropFirst().lazy.compactMap(Self.existingFile)
            if let mirror = files.compactMap(mirror).first { return mirror }
        }
        // A list of paths: the first is that of our unit.
        return root ?? arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    /// The path of the existing file that `word` names, links resolved; `nil` if there is none, or if the
    /// word is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
    }

    private static func mirror(around path: String) -> String? { Tree.location(of: path)?.root }

    private var isMirror: Bool { Self.mirror(around: "\(root)/.") == root }

    // MARK: As root

    /// The owner and group of the mirror; `nil` if there is no directory.
    ///
    /// The directory itself may be a mount point that root owns.
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

    /// Switches a process of root to the owner of the mirror, and opens its directory before.
    ///
    /// The owner could neither change nor remove files that root created.
    ///
    /// - Parameter environment: The variables of the process, replaced by those of the owner.
    /// - Throws: ``CommandError`` if the process cannot become the owner.
    mutating func actAsOwner(_ environment: inout [String: String]) throws(CommandError) {
        guard Account.current == 0, let owner, owner.user != 0 else { return }
        let name = Account.name(ofUser: owner.user)
        directory = try? Tree.open(root)
        do {
            try Account.dropPrivileges(to: owner.user, group: owner.group, &environment)
        } catch {
            throw CommandError(
                "cannot become \(name), the owner of \(root): \(error.reason);"
                    + " run the command as \(name)", .noMirror)
        }
    }

    /// Checks that a command of root may also write to the mirror at `other`: as its owner only.
    ///
    /// Other users may add favorites to mirrors of any owner.
    ///
    /// - Throws: ``CommandError`` if the process is not the owner of that mirror, and root started it.
    func checkOwner(of other: String) throws(CommandError) {
        guard isOfRoot, let owner = Self(other).owner, owner.user != Account.current else { return }
        throw CommandError(
            "the mirror in \(other) belongs to \(Account.name(ofUser: owner.user)), and this command acts as"
                + " \(Account.name(ofUser: Account.current)): nothing was added there; run the command for"
                + " it alone", .noMirror)
    }
}
