internal import Favorites
internal import Mirror
internal import Platform

/// Checks who may create links in favorites/.
struct FavoritesCheck {
    private let context: DoctorContext

    init(_ context: DoctorContext) {
        self.context = context
    }

    private static let name = "favorites"

    var result: CheckResult {
        guard let root = context.tree?.root else {
            return .note(
                Self.name, "there is no favorites/ yet", "start apod-mirror, which creates it")
        }
        do throws(SystemError) {
            guard let folder = try root.folder(Scan.folder) else {
                return .note(
                    Self.name, "there is no favorites/", "start apod-mirror, which creates it")
            }
            return result(of: try folder.permissions())
        } catch  where error.isNotDirectory {
            return .problem(
                Self.name, "favorites/ is a link or a file",
                "move it away; apod-mirror creates the directory again")
        } catch {
            return .problem(Self.name, "\(error)", "give the daemon read permission")
        }
    }

    private func result(of rights: DirectoryPermissions) -> CheckResult {
        let mode = String(rights.mode, radix: 8)
        guard rights.ownerMayWrite else {
            return .problem(
                Self.name,
                "not even \(Account.name(ofUser: rights.owner)) may write (mode \(mode))",
                "chmod u+rwx \(folder)")
        }
        let writers = Self.writers(rights)
        let text = "\(writers.joined(separator: ", ")) may create links (mode \(mode))"
        if rights.othersMayWrite, !rights.isSticky {
            return .note(
                Self.name, "\(text), and delete those of others",
                "chmod o-w \(folder), unless you want that")
        }
        // A system user is not a person who creates links.
        if writers.count == 1, 1..<1000 ~= rights.owner {
            return .note(
                Self.name, text,
                "give a group write permission: install -d -o \(Account.name(ofUser: rights.owner)) -g \(Self.group)"
                    + " -m 2775 \(folder)")
        }
        if rights.groupMayWrite, !rights.othersMayWrite, rights.namedWriters.isEmpty,
            ![0, rights.owner].contains(Account.current), !Account.isMember(of: rights.group)
        {
            let user = Account.name(ofUser: Account.current)
            return .note(
                Self.name, "\(text); \(user) may not",
                "sudo adduser \(user) \(Account.name(ofGroup: rights.group)), and log in again")
        }
        return .ok(Self.name, text)
    }

    private var folder: String { "\(context.root)/\(Scan.folder)".shellWord }

    /// The group that the package creates, if it is installed.
    private static var group: String {
        Account.hasGroup("apod-favorites") ? "apod-favorites" : "GROUP"
    }

    private static func writers(_ rights: DirectoryPermissions) -> [String] {
        var writers = [Account.name(ofUser: rights.owner)]
        if rights.groupMayWrite { writers.append("group \(Account.name(ofGroup: rights.group))") }
        writers += rights.namedWriters.map { writer in
            switch writer {
            case .user(let id): Account.name(ofUser: id)
            case .group(let id): "group \(Account.name(ofGroup: id))"
            }
        }
        if rights.othersMayWrite { writers.append("anybody") }
        return writers
    }
}
