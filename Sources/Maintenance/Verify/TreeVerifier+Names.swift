internal import APOD
internal import Mirror
internal import Platform

/// Verifies what belongs to no day: items in the root, in `.apod-mirror/`, and beside the directories of months.
///
/// An item that the mirror does not know may be a user's: it is reported as unclaimed, and never changed.
extension TreeVerifier {
    /// The unclaimed items, the unreadable directories, and damaged views: files such as `latest.jpg`.
    package func findingsOfNoDay() -> [VerifyFinding] {
        let views = ViewName.rootNames.compactMap { Self.damagedView($0, in: tree) }
        return unreadableFolders() + unclaimedBesideMonths() + unclaimedInRoot()
            + unclaimedInOwnFolder() + views
    }

    /// The unreadable directories above those of the months; ``MonthVerifier`` reports those of its month.
    private func unreadableFolders() -> [VerifyFinding] {
        snapshot.unreadable.filter { Self.month(ofFolder: $0.key) == nil }
            .sorted { $0.key < $1.key }.map { path, error in
                // In place of a directory may be another item; one that cannot be examined counts as a directory.
                let kind = (try? tree.root.status(path))?.kind ?? .directory
                return VerifyFinding(
                    path, of: nil, kind == .directory ? .unreadable(error) : .unclaimed(kind))
            }
    }

    private func unclaimedBesideMonths() -> [VerifyFinding] {
        snapshot.others.filter { $0.month == nil }.compactMap { item in
            // Only to be shown: bytes that are no UTF-8 are replaced.
            let path = String(decoding: item.path, as: UTF8.self)
            // The mirror makes this file: it hides the thumbnails from photo apps on phones.
            guard path != "\(Layout.thumbnails)/.nomedia" else { return nil }
            return VerifyFinding(path, of: nil, .unclaimed(item.kind))
        }
    }

    private func unclaimedInRoot() -> [VerifyFinding] {
        unclaimed(in: ".") { name throws(SystemError) in
            // A user may have a file of such a name, which the mirror does not replace.
            if ViewName.rootNames.contains(name) {
                if try tree.root.status(name)?.kind == .directory { return true }
                if try tree.root.isBlank(name) { return true }
                return try Ownership(of: tree).owner(of: name) != .user
            }
            if Tree.isExpectedInNewMirror(name) { return true }  // `lost+found` and the like
            return Layout.topNames.contains(name)
        }
    }

    private func unclaimedInOwnFolder() -> [VerifyFinding] {
        // Earlier versions of this program gave this name, with a suffix, to what was in place of requests/.
        let movedAside = "\(Layout.split(Layout.requests).name).old"
        return unclaimed(in: Layout.own) { name in
            Layout.ownNames.contains(name) || name.hasPrefix(movedAside)
        }
    }

    /// The items in `folder`, `"."` for the root, that are not known.
    private func unclaimed(
        in folder: String, except isKnown: (String) throws(SystemError) -> Bool
    ) -> [VerifyFinding] {
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try tree.root.names(in: folder) ?? []
        } catch {
            return [VerifyFinding(folder, of: nil, .unreadable(error))]
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            do throws(SystemError) {
                if try isKnown(name) { return nil }
            } catch {
                let path = folder == "." ? name : "\(folder)/\(name)"
                return VerifyFinding(path, of: nil, .unreadable(error))
            }
            return VerifyFinding(unknown: bytes, in: folder, of: tree.root)
        }
    }

    /// Reports what a power cut left of the file of a view in the root, or a link of the mirror that leads nowhere.
    static func damagedView(_ path: String, in tree: Tree) -> VerifyFinding? {
        do throws(SystemError) {
            if try tree.root.isBlank(path) {
                return VerifyFinding(path, of: nil, .damagedView(found: "an empty file"))
            }
            guard let target = tree.root.target(of: path),
                try ifReadable(tree.root.status(target))?.kind != .file,
                try Ownership(of: tree).owner(of: path) != .user
            else { return nil }
            return VerifyFinding(path, of: nil, .damagedView(found: "a link that leads nowhere"))
        } catch {
            return VerifyFinding(path, of: nil, .unreadable(error))
        }
    }
}
