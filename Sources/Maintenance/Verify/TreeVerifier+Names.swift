internal import APOD
internal import Mirror
internal import Platform

/// The names that belong to no day: in the root, in `.apod-mirror/`, and beside the directories of months.
///
/// An item that the mirror does not know is reported and never changed.
extension TreeVerifier {
    /// The unknown items, the unreadable directories, and damaged files that are made from the newest days.
    package func findingsOfNoDay() -> [VerifyFinding] {
        unreadableFolders() + itemsBesideMonths() + unknownInRoot() + unknownInOwnFolder()
            + dayVerifier.expectations.owned.compactMap(damage)
    }

    /// The directories above those of the months; each ``MonthVerifier`` has those of its month.
    private func unreadableFolders() -> [VerifyFinding] {
        snapshot.unreadable.filter { Self.month(ofFolder: $0.key) == nil }
            .sorted { $0.key < $1.key }.map { path, error in
                // In place of a directory may be another item.
                let kind = (try? tree.root.status(path))?.kind ?? .directory
                return VerifyFinding(
                    path, of: nil, kind == .directory ? .unreadable(error) : .unclaimed(kind))
            }
    }

    private func itemsBesideMonths() -> [VerifyFinding] {
        snapshot.others.filter { $0.month == nil }.compactMap { item in
            let path = String(decoding: item.path, as: UTF8.self)
            // The mirror makes this file: it hides the thumbnails from photo apps on phones.
            guard path != "\(Layout.thumbnails)/.nomedia" else { return nil }
            return VerifyFinding(path, of: nil, .unclaimed(item.kind))
        }
    }

    private func unknownInRoot() -> [VerifyFinding] {
        unknown(in: ".") { name throws(SystemError) in
            // A user may have a file of such a name, which the mirror does not replace.
            if let owned = dayVerifier.expectations.owned.first(where: { $0.path == name }) {
                return try owned.isOwn(tree.root)
            }
            // The second: `lost+found` and the like, which also an empty file system has.
            return Layout.topNames.contains(name) || Tree.isExpectedInNewMirror(name)
        }
    }

    private func unknownInOwnFolder() -> [VerifyFinding] {
        // The mirror moved an item that was in place of the directory of requests to this name.
        let movedAside = "\(Layout.split(Layout.requests).name).old"
        return unknown(in: Layout.own) { name in
            Layout.ownNames.contains(name) || name.hasPrefix(movedAside)
                || dayVerifier.expectations.owned.contains { $0.path == "\(Layout.own)/\(name)" }
        }
    }

    /// The items in `folder`, `"."` for the root, that are not known.
    private func unknown(
        in folder: String, except isKnown: (String) throws(SystemError) -> Bool
    ) -> [VerifyFinding] {
        func unreadable(_ path: String, _ error: SystemError) -> VerifyFinding {
            VerifyFinding(path, of: nil, .unreadable(error))
        }
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try tree.root.names(in: folder) ?? []
        } catch {
            return [unreadable(folder, error)]
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { bytes in
            let name = String(decoding: bytes, as: UTF8.self)
            do throws(SystemError) {
                if try isKnown(name) { return nil }
            } catch {
                return unreadable(folder == "." ? name : "\(folder)/\(name)", error)
            }
            return VerifyFinding(unknown: bytes, in: folder, of: tree.root)
        }
    }

    /// How a file that is made from the tree is damaged; `nil` if it is whole, missing or not the mirror's.
    private func damage(of owned: OwnedPath) -> VerifyFinding? {
        let (root, path) = (tree.root, owned.path)
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
