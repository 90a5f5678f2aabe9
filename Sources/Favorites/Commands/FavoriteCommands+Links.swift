internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The links that the actions create, and why one cannot be created.
extension FavoriteCommands {
    /// Creates the link `name` to `path` as ``FavoriteLinks/make(_:to:)`` does, or only checks that it can be created.
    typealias LinkMaker = (_ name: FavoriteName, _ path: String) throws(SystemError) -> Void

    /// Creates links to `day` with `names`; if there are none, or instead of one that is taken, a link that is
    /// called like the picture.
    func createLinks(
        to day: Day, named names: [FavoriteName], _ targets: LinkTargets, by make: LinkMaker? = nil
    ) throws -> [FavoriteName] {
        guard !names.isEmpty else {
            return [try createLink(to: day, named: nil, targets, by: make)]
        }
        return try names.map { name in
            do {
                return try createLink(to: day, named: name, targets, by: make)
            } catch FavoriteError.taken {
                return try createLink(to: day, named: nil, targets, by: make)
            }
        }
    }

    /// Creates a link to `day`, by default called like its picture, else like the day; one that exists stays.
    func createLink(
        to day: Day, named chosen: FavoriteName?, _ targets: LinkTargets, by make: LinkMaker? = nil
    ) throws -> FavoriteName {
        let path = try targets.path(of: day) ?? LinkTargets.placeholder(day)
        let pictureName = path.hasPrefix(Layout.pictures) ? Layout.split(path).name : nil
        let name = try chosen ?? Self.validName(pictureName ?? "\(day)")
        do throws(SystemError) {
            try (make ?? links.make)(name, path)
        } catch {
            let isSameLink =
                tree.root.target(bytes: name.path) == FavoriteLinks.target(path, from: name)
            guard error.code == EEXIST, isSameLink else { throw cause(of: error, creating: name) }
        }
        return name
    }

    private func cause(of error: SystemError, creating name: FavoriteName) -> any Error {
        if error.code == EEXIST { return FavoriteError.taken(name) }
        if error.isNotDirectory { return obstacle(to: name) }
        if error.isPermissionDenied { return notPermitted(error, name) }
        return fileSystemWithoutLinks(error, name).map { FavoriteError.noLinks(fileSystem: $0) }
            ?? error
    }

    /// The type of the file system if that has no links, such as FAT; see the errors of symlink(2).
    private func fileSystemWithoutLinks(_ error: SystemError, _ name: FavoriteName) -> String? {
        // EPERM is also the error in a folder that may not be changed.
        guard [EPERM, ENOSYS, EOPNOTSUPP].contains(error.code),
            let folder = try? tree.root.folder(name.folderPath),
            (try? folder.checkWritable()) != nil
        else { return nil }
        return Mount(of: folder)?.type ?? "a file system"
    }

    /// The error of a link in whose path another item has the name of a folder.
    private func obstacle(to name: FavoriteName) -> FavoriteError {
        let item = name.folders.first { (try? tree.root.status($0.path))??.kind != .directory }
        let isFolder = (try? tree.root.status(Layout.favorites))??.kind == .directory
        guard isFolder, let item else { return .noFolder }
        return .taken(item)
    }

    /// The error of a link whose folder this user may not write to.
    func notPermitted(_ error: SystemError, _ name: FavoriteName) -> FavoriteError {
        // The folder in which a missing one would be created is the one that may not be written.
        let path =
            name.folders.map(\.path).last { !tree.root.isCertainlyMissing($0) }
            ?? Array(Layout.favorites.utf8)
        return .notPermitted(
            error, folder: String(decoding: path, as: UTF8.self), group: writersGroup(of: path))
    }

    private func writersGroup(of path: [UInt8]) -> String? {
        // Without the group, the advice names the owner.
        guard let rights = try? tree.root.folder(path)?.permissions() else { return nil }
        if rights.groupMayWrite { return Account.name(ofGroup: rights.group) }
        return rights.namedWriters.lazy.compactMap { writer in
            if case .group(let id) = writer { Account.name(ofGroup: id) } else { nil }
        }.first
    }

    /// The name `text` for a link to `day`, with the extension of its target, which file managers need.
    func linkName(_ text: String, of day: Day, _ targets: LinkTargets) throws -> FavoriteName {
        let name = try Self.validName(text)
        let target = try targets.path(of: day).map { Layout.split($0).name }
        guard let target, let dot = target.lastIndex(of: ".") else { return name }
        let hasExtension = PathText.fileExtensions.contains {
            text.lowercased().hasSuffix(".\($0)")
        }
        return hasExtension ? name : try Self.validName(text + target[dot...])
    }

    private static func validName(_ text: String) throws(FavoriteError) -> FavoriteName {
        guard let name = FavoriteName(text), !IgnoreRules.ignores(name) else {
            throw .badName(text)
        }
        return name
    }
}
