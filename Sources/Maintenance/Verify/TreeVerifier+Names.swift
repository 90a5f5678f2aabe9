internal import APOD
internal import Mirror
internal import Platform

/// Verifies what belongs to no day: items in the root, in `.apod-mirror/`, and beside the directories of months.
///
/// An item that the mirror does not know may be a user's: it is reported as unclaimed, and never changed.
extension TreeVerifier {
    /// The unclaimed items, the unreadable directories, and damaged views: files such as `latest.jpg`.
    package func findingsOfNoDay() -> [VerifyFinding] {
        let views = dayVerifier.expectations.owned.compactMap {
            Self.damagedView($0, in: tree.root)
        }
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
            if let owned = dayVerifier.expectations.owned.first(where: { $0.path == name }) {
                return try owned.isOwn(tree.root)
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
                || dayVerifier.expectations.owned.contains { $0.path == "\(Layout.own)/\(name)" }
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

    /// Reports a view that is damaged; `nil` if it is whole, missing or not the mirror's.
    static func damagedView(_ owned: OwnedPath, in root: Directory) -> VerifyFinding? {
        let path = owned.path
        do throws(SystemError) {
            guard try root.status(path) != nil, try owned.isOwn(root), try !owned.isWhole(root)
            else { return nil }
            let isLink = root.target(of: path) != nil
            let found =
                try isLink
                ? "a link that leads nowhere"
                : root.isBlank(path) ? "an empty file" : "a damaged file"
            return VerifyFinding(path, of: nil, .damagedView(found: found))
        } catch {
            return VerifyFinding(path, of: nil, .unreadable(error))
        }
    }
}
