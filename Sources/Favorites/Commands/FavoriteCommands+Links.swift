internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// Creates the links of `favorites add` and `restore`, and says why one cannot be created.
extension FavoriteCommands {
    /// The name `text` for a link to `day`, with the extension of its target, if it has none: file managers need it.
    func linkName(_ text: String, of day: Day, in targets: LinkTargets) throws -> FavoriteName {
        let name = try Self.validName(text)
        // Those of the files of a mirror, and `jpeg` of other programs.
        let extensions = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]
        guard !extensions.contains(where: { text.lowercased().hasSuffix(".\($0)") }),
            let ending = try targets.path(of: day)?.splitAtLastDot?.ending
        else { return name }
        return try Self.validName(text + ending)
    }

    private static func validName(_ text: String) throws(FavoriteError) -> FavoriteName {
        guard let name = FavoriteName(text), !IgnoreRules.ignores(name) else {
            throw .refused(
                "“\(text)” cannot be the name of a favorite: hidden, temporary and too long names are ignored;"
                    + " choose another with --as")
        }
        return name
    }

    /// Creates links to `day` with `names`.
    ///
    /// If there are no names, or some are taken, the day also gets one link that is called like the picture.
    /// Any other error ends the call; the links before it stay.
    func createLinks(
        to day: Day, named names: [FavoriteName], in targets: LinkTargets
    ) throws -> [FavoriteName] {
        var links: [FavoriteName] = []
        var needsDefault = names.isEmpty
        for name in names {
            do {
                links.append(try createLink(to: day, named: name, in: targets).name)
            } catch FavoriteError.nameTaken {
                needsDefault = true
            }
        }
        if needsDefault { links.append(try createLink(to: day, named: nil, in: targets).name) }
        return links
    }

    /// Creates a link to `day`, by default called like its picture, else like the day; one that exists stays.
    func createLink(
        to day: Day, named chosen: FavoriteName?, in targets: LinkTargets
    ) throws -> AddedFavorite {
        // A link to a day that is not mirrored yet leads to a missing file, until the daemon has downloaded the
        // picture and repairs the link.
        let path = try targets.path(of: day) ?? LinkTargets.placeholder(day)
        let isPicture = path.hasPrefix("\(Layout.pictures)/")
        let name = try chosen ?? Self.validName(isPicture ? Layout.split(path).name : "\(day)")
        do throws(SystemError) {
            return AddedFavorite(name: name, isNew: try links.make(name, to: path))
        } catch {
            throw cause(of: error, creating: name)
        }
    }

    /// The error to report if `error` prevented the creation of the link `name`.
    func cause(of error: SystemError, creating name: FavoriteName) -> any Error {
        if error.code == EEXIST { return FavoriteError.nameTaken(name) }
        if error.isNotDirectory {
            // Of the folders above the link, the outer ones come first.
            let obstacle = name.folders.first { folder in
                let kind = (try? tree.root.status(folder.path))??.kind
                return kind.map { $0 != .directory } ?? false
            }
            return obstacle.map(FavoriteError.nameTaken) ?? FavoriteError.notADirectory
        }
        // EPERM also means that the file system has no links.
        if error.code == EACCES { return notPermitted(error, name) }
        guard let folder = try? tree.root.folder(name.folderPath),
            (try? folder.checkTakesFile(after: error)) != nil
        else { return error }
        return FavoriteError.refused(
            "favorites/ is on \(Mount(of: folder)?.type ?? "a file system"), which has no symbolic links; copy the"
                + " picture into favorites/, or put a text file with the address of its page there")
    }

    /// What lets a user write to a folder of `group` who may not yet.
    static func advice(for membership: Account.Membership, of group: String) -> String {
        switch membership {
        case .none:
            "join the group \(group) (“sudo usermod -aG \(group) USER”) and log in again"
        case .afterLogin:
            "you are a member of the group \(group) from your next login on: log in again, or run “newgrp \(group)” first"
        case .ofProcess:
            "give the folder to your group: “sudo systemctl restart apod-mirror”, or run chgrp(1) as its owner"
        }
    }

    /// The error of a link that this user may not create or remove, with the folder that may not be written.
    func notPermitted(_ error: SystemError, _ name: FavoriteName) -> FavoriteError {
        // The innermost folder that exists: missing ones would be created in it. Outer folders come first.
        let path =
            name.folders.map(\.path).last { !tree.root.isCertainlyMissing($0) }
            ?? Array(Layout.favorites.utf8)
        let folder = String(decoding: path, as: UTF8.self)
        var advice = "run the command as the owner of that folder"
        if let rights = try? tree.root.folder(path)?.permissions(), rights.groupMayWrite {
            let name = Account.name(ofGroup: rights.group)
            // The unit gives favorites/ back to its members if chown(1) has given it to the service.
            let group = name == "apod-mirror" ? "apod-favorites" : name
            advice = Self.advice(for: Account.membership(ofGroup: group), of: group)
        }
        return .refused("\(error): this user may not write to \(folder)/; \(advice)")
    }
}
