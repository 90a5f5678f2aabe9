package import APOD
package import Mirror
package import Platform

/// Asks the process that writes the tree to repair days: one file `requests/….repair` each, with a date per line.
package enum RepairRequest {
    private static let ending = ".repair"

    /// Leaves a request to repair `days`, which may be none.
    package static func leave(_ days: Set<Day>, in tree: Tree) throws(SystemError) {
        let text = days.sorted().map { "\($0)\n" }.joined()
        let folder = try tree.root.makeDirectory(Layout.requests)
        let name = "\(UInt64.random(in: 0 ... .max))\(ending)"
        try AtomicFile.publish(Array(text.utf8), in: folder, as: name, through: folder)
    }

    /// The requests in `tree`: by the name of each file its days, or why it cannot be read.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    package static func all(
        in tree: Tree
    ) throws(SystemError) -> [String: Result<Set<Day>, SystemError>] {
        var requests: [String: Result<Set<Day>, SystemError>] = [:]
        // The scan of favorites reads this folder, too, and reports why it cannot be listed.
        guard let folder = try ifReadable(tree.root.folder(Layout.requests)),
            let names = try ifReadable(folder.textNames())
        else { return requests }
        for name in names where name.hasSuffix(ending) {
            do throws(SystemError) {
                guard let bytes = try folder.read(name, limit: 1 << 20) else { continue }
                let lines = bytes.split(separator: UInt8(ascii: "\n"))
                requests[name] = .success(Set(lines.compactMap { Day(iso: $0) }))
            } catch {
                guard !error.isShortage, !error.isCancelled else { throw error }
                requests[name] = .failure(error)
            }
        }
        return requests
    }

    /// Removes the request in the file `name`, which is carried out.
    static func remove(_ name: String, from tree: Tree) throws(SystemError) {
        guard let folder = try tree.root.folder(Layout.requests) else { return }
        try folder.remove(name)
        try folder.flush()
    }

    /// Removes the requests that ask for no other days than `days`, which are repaired.
    package static func remove(_ days: Set<Day>, from tree: Tree) throws(SystemError) {
        for case (let name, .success(let requested)) in try all(in: tree)
        where requested.isSubset(of: days) {
            try remove(name, from: tree)
        }
    }
}
