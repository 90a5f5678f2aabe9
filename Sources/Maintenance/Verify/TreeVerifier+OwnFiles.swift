internal import APOD
internal import Mirror
internal import Platform

/// The files in `previous/`, and the names in the root and in `.apod-mirror/`.
extension TreeVerifier {
    /// Verifies the files in `previous/`, whose names contain their SHA-256; others are unclaimed.
    func previousFindings(in scope: VerifyScope) throws(VerifyStopped) -> [VerifyFinding] {
        let previous = days.previous
        var findings: [VerifyFinding] = []
        if let error = previous.error {
            findings.append(VerifyFinding(Layout.previous, of: nil, .unreadable(error)))
        }
        for (name, day, sha256) in previous.names where scope.contains(day) {
            let path = "\(Layout.previous)/\(name)"
            if let sha256 {
                let problem = try days.files.problem(
                    at: path, "a file that an edit replaced", sha256: [sha256])
                if let problem { findings.append(VerifyFinding(path, of: day, problem)) }
            } else if let problem = unclaimed(path) {
                findings.append(VerifyFinding(path, of: day, problem))
            }
        }
        return findings
    }

    private func unclaimed(_ path: String) -> VerifyFinding.Problem? {
        do throws(SystemError) {
            return try tree.root.status(path).map { .unclaimed($0.kind) }
        } catch {
            return .unreadable(error)
        }
    }

    /// Verifies the names in the root and in `.apod-mirror/`, and the files that are made from the tree.
    func ownFindings() -> [VerifyFinding] {
        let owned = days.expectations.owned
        let unknownInRoot = unknown(in: ".") { name throws(SystemError) in
            if let file = owned.first(where: { $0.path == name }) {
                return try file.isOwn(tree.root)
            }
            return Layout.topNames.contains(name) || Tree.isExpectedInNewMirror(name)
        }
        // `requests.old` is an item that was in place of the directory of requests.
        let replaced = "\(Layout.split(Layout.requests).name).old"
        let unknownInOwn = unknown(in: Layout.own) { name in
            Layout.ownNames.contains(name) || name.hasPrefix(replaced)
                || owned.contains { $0.path == "\(Layout.own)/\(name)" }
        }
        return unknownInRoot + unknownInOwn + owned.compactMap(finding)
    }

    private func finding(_ owned: OwnedPath) -> VerifyFinding? {
        do throws(SystemError) {
            return try owned.problem(in: tree.root).map {
                VerifyFinding(owned.path, of: nil, $0)
            }
        } catch {
            return VerifyFinding(owned.path, of: nil, .unreadable(error))
        }
    }

    /// The items in `folder`, `"."` for the root, that are not known.
    private func unknown(
        in folder: String, except isKnown: (String) throws(SystemError) -> Bool
    ) -> [VerifyFinding] {
        let names: [[UInt8]]
        do throws(SystemError) {
            names = try tree.root.names(in: folder) ?? []
        } catch {
            return [VerifyFinding(folder, of: nil, .unreadable(error))]
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap {
            bytes -> VerifyFinding? in
            let name = String(decoding: bytes, as: UTF8.self)
            do throws(SystemError) {
                if try isKnown(name) { return nil }
            } catch {
                return VerifyFinding(
                    folder == "." ? name : "\(folder)/\(name)", of: nil, .unreadable(error))
            }
            return VerifyFinding(unknown: bytes, in: folder, of: tree.root)
        }
    }
}

extension OwnedPath {
    /// How the item at ``path`` is damaged; `nil` if it is whole, missing or not the mirror's.
    fileprivate func problem(in root: Directory) throws(SystemError) -> VerifyFinding.Problem? {
        guard try root.status(path) != nil, try isOwn(root), try !isWhole(root) else { return nil }
        if root.target(of: path) != nil { return .damagedView(found: "a broken link") }
        return .damagedView(found: try root.isBlank(path) ? "an empty file" : "a damaged one")
    }
}
