internal import APOD
internal import Platform

/// What belongs to no day: `previous/`, and the names in the root and in `.apod-mirror/`.
extension TreeVerifier {
    /// Verifies the files in `previous/`, whose names contain their SHA-256.
    func previousFindings(_ scope: VerifyScope) throws(VerifyStopped) -> [VerifyFinding] {
        let previous = days.previous
        var findings: [VerifyFinding] = []
        if let error = previous.error {
            findings.append(VerifyFinding(Layout.previous, of: nil, .unreadable(error)))
        }
        for (name, day, sha256) in previous.names where scope.contains(day) {
            let path = "\(Layout.previous)/\(name)"
            if let sha256 {
                let problem = try days.files.problem(
                    at: path, "a file that an edit replaced", bytes: nil, sha256: [sha256],
                    day: nil)
                if let problem { findings.append(VerifyFinding(path, of: day, problem)) }
            } else if let kind = (try? tree.root.status(path))??.kind {
                findings.append(VerifyFinding(path, of: day, .unclaimed(kind)))
            }
        }
        return findings
    }

    /// Verifies the names in the root and in `.apod-mirror/`, and what follows from the newest days.
    func ownFindings() -> [VerifyFinding] {
        let inRoot = unknown(in: ".") { name throws(SystemError) in
            if let file = DerivedFile(rawValue: name) { return try file.isOwn(in: tree.root) }
            return Layout.topNames.contains(name) || Tree.isExpectedInNewMirror(name)
        }
        // `requests.old` was replaced as it was not a writable directory.
        let replaced = "\(Layout.split(Layout.requests).name).old"
        let own = unknown(in: Layout.own) {
            Layout.ownNames.contains($0) || $0.hasPrefix(replaced)
        }
        return inRoot + own + derivedFindings()
    }

    /// `latest.json`, `latest.jpg` and the feed must have their end, and a link must lead to a picture.
    private func derivedFindings() -> [VerifyFinding] {
        DerivedFile.allCases.compactMap { file -> VerifyFinding? in
            do throws(SystemError) {
                guard try tree.root.status(file.rawValue) != nil, try file.isOwn(in: tree.root),
                    let problem = try file.problem(in: tree.root)
                else { return nil }
                return VerifyFinding(file.rawValue, of: nil, problem)
            } catch {
                return VerifyFinding(file.rawValue, of: nil, .unreadable(error))
            }
        }
    }

    private func unknown(
        in folder: String, where isKnown: (String) throws(SystemError) -> Bool
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
