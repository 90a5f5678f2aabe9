internal import Glibc

/// Lists what is in a directory, but not beneath its directories: the names, or the names with their status.
extension Directory {
    /// The names in the directory, without `.` and `..`, in any order.
    package func names() throws(SystemError) -> [[UInt8]] {
        try DirectoryReader(beneath: self).names()
    }

    /// The names in the directory at `relative`; `nil` if it does not exist, see ``nilForENOENT(_:)``.
    ///
    /// Names of files of the kinds `excluded` are left out, unless the kind cannot be read.
    package func names(
        in relative: some PathBytes, except excluded: Set<FileStatus.Kind> = []
    ) throws(SystemError) -> [[UInt8]]? {
        try nilForENOENT(
            DirectoryReader(opening: relative.pathBytes, beneath: self).names(except: excluded))
    }

    /// The names in the directory at `relative`, each with the status of its file; `nil` if the directory does not exist.
    ///
    /// `report` is called instead for a name whose status cannot be read.
    package func items(
        in relative: String, reportingUnreadable report: (_ name: [UInt8], SystemError) -> Void
    ) throws(SystemError) -> [DirectoryItem]? {
        try nilForENOENT(
            DirectoryReader(opening: relative.pathBytes, beneath: self)
                .items(reportingUnreadable: report))
    }

    /// The names in the directory that are UTF-8, as all names are that the mirror makes.
    package func textNames() throws(SystemError) -> [String] {
        try names().compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// The names in the directory at `path` that are UTF-8; none if the directory does not exist or is not a directory.
    package func textNames(in path: String) throws(SystemError) -> [String] {
        do {
            return try folder(path)?.textNames() ?? []
        } catch  where error.isNotDirectory {
            return []
        }
    }
}

/// A name in a directory with the status of its file; if that is a link, the status of the link itself.
package struct DirectoryItem: Sendable {
    package let name: [UInt8]
    package let status: FileStatus

    /// The name as text; `nil` if it is not UTF-8.
    package var text: String? { String(validating: name, as: UTF8.self) }
}

extension DirectoryReader {
    /// Reads the names of all entries, except those that certainly are of one of the kinds `excluded`.
    fileprivate consuming func names(
        except excluded: Set<FileStatus.Kind> = []
    ) throws(SystemError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while try advance() {
            if excluded.isEmpty || !isCertainly(oneOf: excluded) { names.append(name) }
        }
        return names
    }

    private func isCertainly(oneOf kinds: Set<FileStatus.Kind>) -> Bool {
        if let kind { return kinds.contains(kind) }
        guard let status = try? status() else { return false }
        return kinds.contains(status.kind)
    }

    /// Reads all entries with the status of each.
    ///
    /// `report` is called instead for an entry whose status cannot be read.
    ///
    /// - Throws: ``SystemError`` of reading the directory, or one that ``SystemError/concernsEveryFile``.
    fileprivate consuming func items(
        reportingUnreadable report: (_ name: [UInt8], SystemError) -> Void
    ) throws(SystemError) -> [DirectoryItem] {
        var items: [DirectoryItem] = []
        while try advance() {
            do throws(SystemError) {
                items.append(DirectoryItem(name: name, status: try status()))
            } catch  where !error.concernsEveryFile {
                // ENOENT means that the file was removed since its entry was read.
                if error.code != ENOENT { report(name, error) }
            }
        }
        return items
    }
}
