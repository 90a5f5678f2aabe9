internal import APOD
internal import Platform

/// Lists the directories of the tree for a ``TreeSnapshot``, and collects the errors of those that cannot be read.
///
/// The files of a month are in directories such as `metadata/2026/2026-11` and `pictures/2026/2026-11`. An item that has
/// another name than the program gives is left out.
struct TreeListing: Sendable {
    let root: Directory
    /// How much is read: this decides which directories are listed, and for which files the status is read.
    let scope: TreeSnapshot.Scope
    /// The errors of all paths that could not be read so far.
    private(set) var unreadable: [String: SystemError] = [:]

    /// Lists the directories of all years; returns the months for which there is a directory.
    ///
    /// - Throws: ``SystemError`` if the directory `metadata/` or `pictures/` itself cannot be read.
    mutating func months() throws(SystemError) -> Set<Month> {
        var months: Set<Month> = []
        for top in scope.topFolders {
            for year in names(in: top).compactMap(Self.year) {
                for name in names(in: "\(top)/\(year)") {
                    let month = Month(String(decoding: name, as: UTF8.self))
                    if let month, month.first.year == year { months.insert(month) }
                }
            }
            if let error = unreadable[top], top != Layout.thumbnails, !error.isNotDirectory {
                throw error
            }
        }
        return months
    }

    /// The year that is the name of a directory; `nil` if APOD has no days of such a year.
    private static func year(ofFolder name: [UInt8]) -> Int? {
        guard name.count == 4, let year = Int(String(decoding: name, as: UTF8.self)),
            (Day.first.year...Day.last.year).contains(year)
        else { return nil }
        return year
    }

    /// Lists the directories of `month`; returns the files of its days in ascending order, without the other items.
    mutating func files(of month: Month) -> [TreeSnapshot.DayFiles] {
        let dates = month.days
        var days = dates.map { TreeSnapshot.DayFiles(day: $0) }
        for top in scope.topFolders {
            let folder = Layout.folder(top, of: month)
            let yearFolder = Layout.split(folder).folder
            guard unreadable[top] == nil, unreadable[yearFolder] == nil else { continue }
            for (name, status) in items(of: folder, below: top) {
                guard let day = FileName.day(of: name), dates.contains(day) else { continue }
                days[day.number - dates.lowerBound.number]
                    .addIfRecognized(name, status, below: top, in: folder)
            }
        }
        return days.filter { !$0.isEmpty }
    }

    // MARK: One directory

    /// The items in `folder`, which is below the directory `top`; without the status if the scope does not ask for it.
    private mutating func items(
        of folder: String, below top: String
    ) -> [(name: [UInt8], status: FileStatus?)] {
        guard scope == .all || top == Layout.pictures else {
            return names(in: folder, except: [.directory]).map { ($0, nil) }
        }
        var failures: [String: SystemError] = [:]
        do throws(SystemError) {
            let items = try root.items(in: folder) { name, error in
                failures["\(folder)/\(String(decoding: name, as: UTF8.self))"] = error
            }
            unreadable.merge(failures) { _, new in new }
            return items?.map { ($0.name, $0.status) } ?? []
        } catch {
            unreadable[folder] = error
            return []
        }
    }

    /// The names of the items in the directory at `path`, without the items that have a type in `excluded`.
    private mutating func names(
        in path: String, except excluded: Set<FileStatus.Kind> = []
    ) -> [[UInt8]] {
        do throws(SystemError) {
            return try root.names(in: path, except: excluded) ?? []
        } catch {
            unreadable[path] = error
            return []
        }
    }
}

extension TreeSnapshot {
    /// The directories in which each month has a directory.
    package static let topFolders = [Layout.metadata, Layout.pictures, Layout.thumbnails]
}

extension TreeSnapshot.Scope {
    /// The directories that a walk of this scope lists.
    var topFolders: [String] { self == .records ? [Layout.metadata] : TreeSnapshot.topFolders }
}
