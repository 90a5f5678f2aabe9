import CommandLine
import Glibc
import Mirror
import Platform

/// Which mirror a command is about.
struct MirrorChoice: Sendable {
    /// Absolute, without links as far as it exists.
    let root: String
    /// The path as it was written, where that is another absolute one: links may lead there by it.
    let spelling: String?
    /// Whether it was found, rather than named by an option, a variable or a file.
    let isFound: Bool

    /// Where the packaged service keeps its mirror: `StateDirectory=` of its unit.
    private static let ofService = "/var/lib/apod-mirror"

    private init(_ path: String, isFound: Bool = false) {
        root = resolvedPath(path)
        spelling = path.hasPrefix("/") && path != root ? path : nil
        self.isFound = isFound
    }

    /// The mirror that is named, else the one around the current directory, else that of the user, else
    /// that of the service; where there is none, the place of the user's.
    ///
    /// `run` takes the service's mirror only where it is the service: two programs would keep it.
    ///
    /// - Throws: ``CommandError`` where not even a home says where one would be.
    init(_ arguments: Arguments) throws(CommandError) {
        if let named = try Self.named(arguments) {
            self.init(named)
            return
        }
        if let around = Self.mirror(around: "\(resolvedPath("."))/.") {
            self.init(around, isFound: true)
            return
        }
        let known = KnownMirrors(environment: arguments.environment) { _ in }
        let pictures = arguments["XDG_PICTURES_DIR"] ?? arguments["HOME"].map { "\($0)/Pictures" }
        let own = pictures.map { Self("\($0)/APOD", isFound: true) }
        if let own, own.isMirror || known.contains(own.root) {
            self = own
            return
        }
        let service = Self(Self.ofService, isFound: true)
        if arguments.command != .run, service.isMirror {
            self = service
        } else if let own {
            self = own
        } else {
            throw .usage("no mirror directory; use --root DIR")
        }
    }

    /// What an option, a variable, the service manager or a file to add names.
    private static func named(_ arguments: Arguments) throws(CommandError) -> String? {
        let root = try arguments.value(.root, "a directory") { $0.isEmpty ? nil : $0 }
        if arguments.isTyped(.root) { return root }
        if arguments.operands.first == FavoritesAction.add.rawValue, arguments.command == .favorites
        {
            let files = arguments.operands.dropFirst().lazy.compactMap(Settings.existing)
            if let mirror = files.compactMap(mirror).first { return mirror }
        }
        // Under systemd there may be several: the first is ours.
        return root ?? arguments["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
    }

    private static func mirror(around path: String) -> String? { Tree.location(of: path)?.root }

    private var isMirror: Bool { Self.mirror(around: "\(root)/.") == root }

    // MARK: As root

    /// The user whose mirror it is, and their group; `nil` where nothing is there yet.
    ///
    /// The folder itself may be a mount point of root's.
    private var owner: (user: UInt32, group: UInt32)? {
        guard let folder = try? Directory(opening: root), let rights = try? folder.permissions()
        else {
            return nil
        }
        let own = (try? folder.folder(Layout.own)?.permissions()).map { ($0.owner, $0.group) }
        let owners = [own, (rights.owner, rights.group)].compactMap(\.self)
        return owners.first { $0.0 != 0 } ?? owners.first
    }

    /// Makes this process, where it is root's, the owner of the mirror, before anything in it is opened.
    ///
    /// A file of root's among those of a service could be neither changed nor removed by it.
    ///
    /// - Parameter environment: The variables of the process, which become those of the owner.
    /// - Throws: ``CommandError`` where that cannot be.
    func actAsOwner(_ environment: inout [String: String]) throws(CommandError) {
        guard Account.current == 0, let owner, owner.user != 0 else { return }
        let name = Account.name(ofUser: owner.user)
        do {
            try Account.dropPrivileges(to: owner.user, group: owner.group, &environment)
        } catch {
            throw CommandError(
                "\(root) belongs to \(name), and this process cannot act as \(name): \(error.reason):"
                    + " run the command as \(name)", .noMirror)
        }
    }
}
