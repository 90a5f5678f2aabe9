internal import Glibc
internal import Mirror
internal import Platform

/// Checks of who may write to the mirror, and create links in `favorites/`.
extension Doctor {
    /// Checks whether this user may write to the mirror: ``scratch`` has tried it.
    func checkWriting() -> Outcome {
        let user = Account.name(ofUser: Account.effectiveUserID)
        switch scratch {
        case .success:
            return .ok("\(user) may write in \(place.path)")
        case .failure(let error) where error.code == EROFS:
            return .problem(
                "\(place.path) is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw), or choose another --root")
        case .failure(let error) where error.isNotWritable && tree != nil:
            // The mirror of another user works, and most checks need that user.
            let status = try? place.status()
            let owner = status.map { Account.name(ofUser: $0.owner) } ?? "its owner"
            return .note(
                "\(user) may not write in \(place.path); \(owner) may",
                remedy: "run all checks as \(owner): sudo -u \(owner) apod-mirror doctor"
                    + " --root \(root.shellWord)")
        case .failure(let error): return Self.problem(error)
        }
    }

    // MARK: favorites/

    /// Checks whether links can be created in `favorites/`, and who may create them.
    func checkFavorites() -> Outcome {
        let remedy = "start apod-mirror, which creates it"
        do throws(SystemError) {
            guard let folder = try tree?.root.folder(Layout.favorites) else {
                return .note("there is no favorites/", remedy: remedy)
            }
            if let obstacle = try obstacleToLinks(in: folder) { return obstacle }
            return judge(try folder.permissions(), ownerID: try folder.status().owner)
        } catch  where error.isNotDirectory {
            return .problem(
                "favorites/ is a link or a file",
                remedy: "move it away; apod-mirror creates the directory again")
        } catch {
            return Self.problem(error, else: nil)
        }
    }

    /// Creates and removes a link with a hidden name, which the daemon ignores.
    ///
    /// - Returns: Why nobody can create links; `nil` if this user can, or just lacks permission.
    private func obstacleToLinks(in folder: Directory) throws(SystemError) -> Outcome? {
        let name = "\(Layout.doctor)\(getpid())"
        do throws(SystemError) {
            try folder.symlink(name, to: "missing")
            try folder.remove(name)
            return nil
        } catch  where error.code == EROFS {
            return .problem(
                "favorites/ is on a file system that is mounted read-only",
                remedy: "remount it writable (mount -o remount,rw)")
        } catch  where [EPERM, ENOSYS, EOPNOTSUPP].contains(error.code) {
            // Seldom because the directory is immutable, see chattr(1): no file could be made there either.
            let type = Mount(of: folder)?.type ?? "its file system"
            return .note(
                "favorites/ takes no links: \(type) refuses them (\(error.reason))",
                remedy: "drop copies or shortcuts, or put the mirror on ext4, XFS or btrfs")
        } catch  where error.code == EACCES {
            return nil
        }
    }

    /// Judges who may create links: the first problem counts, from the gravest on.
    private func judge(_ rights: DirectoryPermissions, ownerID: UInt32) -> Outcome {
        let folder = "\(root)/\(Layout.favorites)".shellWord
        let mode = String(rights.mode, radix: 8)
        let owner = Account.name(ofUser: ownerID)
        guard rights.ownerMayWrite else {
            return .problem(
                "\(owner), the owner, may not write (mode \(mode))", remedy: "chmod u+rwx \(folder)"
            )
        }
        let writers = [owner] + rights.otherWriters
        let text = "\(writers.joined(separator: ", ")) may create links (mode \(mode))"
        if rights.othersMayWrite, !rights.isSticky {
            return .note(
                "\(text), and delete those of others",
                remedy: "chmod o-w \(folder), unless you want that")
        }
        // The user of a service, as whom nobody logs in; see SYS_UID_MAX in login.defs(5).
        let isServiceUser = 1..<1000 ~= ownerID
        if writers.count == 1, isServiceUser {
            // The group that the package creates, if it is installed.
            let group = Account.hasGroup("apod-favorites") ? "apod-favorites" : "GROUP"
            return .note(
                text,
                remedy: "give a group write permission: install -d -o \(owner) -g \(group)"
                    + " -m 2775 \(folder)")
        }
        // With an access list, other groups may write, too.
        let isForGroup =
            rights.groupMayWrite && !rights.othersMayWrite && rights.accessList.isEmpty
        let mayWriteAnyway = [0, ownerID].contains(Account.effectiveUserID)
        if isForGroup, !mayWriteAnyway, !Account.isMember(of: rights.group) {
            let user = Account.name(ofUser: Account.effectiveUserID)
            return .note(
                "\(text); \(user) may not",
                remedy:
                    "sudo adduser \(user) \(Account.name(ofGroup: rights.group)), and log in again")
        }
        return .ok(text)
    }
}

extension DirectoryPermissions {
    /// The names of those who may write, besides the owner.
    fileprivate var otherWriters: [String] {
        var writers: [String] = []
        if groupMayWrite { writers.append("group \(Account.name(ofGroup: group))") }
        if !accessList.isEmpty { writers.append("those of its access list (getfacl)") }
        if othersMayWrite { writers.append("anybody") }
        return writers
    }
}
