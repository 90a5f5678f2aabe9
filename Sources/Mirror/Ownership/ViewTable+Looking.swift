internal import Platform

/// Compares what is on the disk with the rows of the table.
extension ViewTable {
    /// Examines what is at `path`, which has this `row`.
    ///
    /// A file is read only if it has the size of a file in the row, or the expected `size`; any other file is foreign.
    func look(
        at path: String, _ row: TableRow?, expecting size: Int? = nil
    ) throws(SystemError) -> (found: FoundAtPath, status: FileStatus?) {
        do {
            guard let status = try root.status(path) else { return (.nothing, nil) }
            return (.contents(try contents(of: path, status, row, expecting: size)), status)
        } catch  where error.isNotDirectory {
            return (.contents(.foreign), nil)
        } catch {
            switch error.cause {
            case .absent: return (.nothing, nil)
            case .invalid: return (.contents(.foreign), nil)
            case .denied: return (.unknown(error), nil)
            case .transient where !error.isCancelled: return (.unknown(error), nil)
            case .transient, .shortage: throw error
            }
        }
    }

    private func contents(
        of path: String, _ status: FileStatus, _ row: TableRow?, expecting size: Int?
    ) throws(SystemError) -> GeneratedContents {
        switch status.kind {
        case .symbolicLink:
            return try root.readTarget(of: path).map { .link(target: $0) } ?? .foreign
        case .file:
            let items = row?.ownItems ?? []
            if let item = items.first(where: { $0.stamp == status.stamp }) { return item.contents }
            guard items.contains(where: { $0.stamp?.size == status.size }) || size == status.size,
                let bytes = try root.read(path, limit: status.size)
            else { return .foreign }
            return .file(InputDigest(of: bytes))
        case .directory, .other: return .foreign
        }
    }
}

extension Tree {
    /// Whether the item at `path` is as `view` wrote it; `false` if it cannot be examined.
    func owns(_ path: String, by view: ViewName) throws(SystemError) -> Bool {
        let table = ViewTable(of: view, in: root)
        guard let row = try table.row(of: path),
            case .contents(let contents) = try table.look(at: path, row).found
        else { return false }
        return row.ownItem(with: contents) != nil
    }
}
