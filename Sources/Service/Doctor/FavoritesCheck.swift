internal import Favorites
internal import Mirror
internal import Platform

/// Who may drop links into favorites/.
struct FavoritesCheck {
    private let patient: DoctorContext

    init(_ patient: DoctorContext) {
        self.patient = patient
    }

    private static let name = "favorites"

    var finding: CheckResult {
        guard let root = patient.tree?.root else {
            return .note(Self.name, "there is no favorites/ yet", "the first run makes it")
        }
        do throws(SystemError) {
            guard let folder = try root.folder(Scan.folder) else {
                return .note(Self.name, "there is no favorites/", "the next run makes it")
            }
            return judgement(of: try folder.rights())
        } catch  where error.isNoFolder {
            return .problem(
                Self.name, "favorites/ is a link or a file", "move it away, and it is made again")
        } catch {
            return .problem(Self.name, "\(error)", "give the daemon the right to read it")
        }
    }

    private func judgement(of rights: DirectoryPermissions) -> CheckResult {
        let mode = String(rights.mode, radix: 8)
        guard rights.ownerMayWrite else {
            return .problem(
                Self.name,
                "not even \(Account.name(ofUser: rights.owner)) may write (mode \(mode))",
                "chmod u+rwx \(folder)")
        }
        let writers = Self.writers(rights)
        let text = "\(writers.joined(separator: ", ")) may drop links (mode \(mode))"
        if rights.othersMayWrite, !rights.isSticky {
            return .note(
                Self.name, "\(text), and remove those of others",
                "chmod o-w \(folder), unless you want that")
        }
        // A user of the system is nobody who drops links.
        if writers.count == 1, 1..<1000 ~= rights.owner {
            return .note(
                Self.name, text,
                "to let a group: install -d -o \(Account.name(ofUser: rights.owner)) -g \(Self.group)"
                    + " -m 2775 \(folder)")
        }
        if rights.groupMayWrite, !rights.othersMayWrite, rights.namedWriters.isEmpty,
            ![0, rights.owner].contains(Account.current), !Account.isMember(of: rights.group)
        {
            let user = Account.name(ofUser: Account.current)
            return .note(
                Self.name, "\(text), \(user) may not",
                "sudo adduser \(user) \(Account.name(ofGroup: rights.group)), and log in again")
        }
        return .ok(Self.name, text)
    }

    private var folder: String { "\(patient.root)/\(Scan.folder)".shellWord }

    /// The one that the package makes, where it is installed.
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
