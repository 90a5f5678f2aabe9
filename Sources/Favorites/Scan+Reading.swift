internal import Glibc
internal import Mirror
package import Platform

extension Scan {
    /// The name of the folder in the tree.
    package static let folder = "favorites"

    /// Folders inside each other that are looked into; what lies deeper is an error of the scan.
    private static let maximumDepth = 64

    /// Looks at `favorites/` of the tree at `root`, through no link, opening folders only.
    package init(of root: Folder) {
        do {
            guard let status = try root.status(Self.folder) else {
                self.init(place: .missing)
                return
            }
            guard status.kind == .directory, let folder = try root.folder(Self.folder) else {
                self.init(place: .somethingElse)
                return
            }
            var walk = Walk()
            walk.read(folder, above: [], depth: 0)
            self.init(
                place: .folder(try folder.status().identity), items: walk.items,
                errors: walk.errors)
        } catch {
            self.init(place: error.isNoFolder ? .somethingElse : .unreadable(error))
        }
    }

    private struct Walk {
        var items: [FoundItem] = []
        var errors: [SystemError] = []

        mutating func read(_ folder: Folder, above: [UInt8], depth: Int) {
            do throws(SystemError) {
                guard depth < maximumDepth else {
                    throw SystemError("opendir", path: folder.path, code: ELOOP)
                }
                for name in try folder.names() where !Ignored.isHidden(name) {
                    take(name, in: folder, above: above, depth: depth)
                }
            } catch {
                errors.append(error)
            }
        }

        private mutating func take(
            _ name: [UInt8], in folder: Folder, above: [UInt8], depth: Int
        ) {
            do throws(SystemError) {
                // Gone since it was listed: as if it had never been there.
                guard let status = try folder.status(bytes: name),
                    let path = FavoriteName(above + name)
                else { return }
                guard status.kind == .directory else {
                    items.append(
                        FoundItem(
                            name: path, kind: status.kind, identity: status.identity,
                            size: status.size,
                            linkTarget: status.kind == .symbolicLink
                                ? folder.target(bytes: name) : nil,
                            modified: status.modified))
                    return
                }
                if let inner = try folder.folder(bytes: name) {
                    read(inner, above: path.bytes + [UInt8(ascii: "/")], depth: depth + 1)
                }
            } catch {
                errors.append(error)
            }
        }
    }
}
