package import APOD
internal import MediaFormat
package import Platform

/// Pictures in `adopted/`: a user gave them to `apod-mirror adopt`, and a sync publishes them with NASA's entry.
///
/// Adoption puts a picture there only for a day without one, as `2026-11-20.jpg`; any file of such a name counts.
extension Store {
    /// The days with an adopted file.
    package func adoptedDays() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.adopted) else { return [] }
        var days: Set<Day> = []
        for day in Set(try folder.textNames().compactMap { FileName.day(of: $0) })
        where try !adoptedNames(of: day, in: folder).isEmpty {
            days.insert(day)
        }
        return days
    }

    /// A copy of the adopted picture of `entry`, ready to be published, and its record; returns `nil` if there is
    /// none that is undamaged and has the proportions that NASA announces.
    func adoptedPicture(
        of entry: Entry, after earlier: DayRecord?
    ) throws(SystemError) -> (record: PictureRecord, file: DownloadedFile)? {
        for name in try readableNames(of: entry.day) {
            let draft = try duplicate(
                "\(Layout.adopted)/\(name)",
                as: UnfinishedDownloads.draft(of: entry.day, "adopted"))
            guard let found = try CheckedFile(draft.file, path: draft.path),
                found.header.type.isPicture, !found.hasOtherShape(than: entry)
            else { continue }
            var picture = PictureRecord(found, of: entry)
            picture.path = try freePath(
                of: entry, found.header.type, for: picture.file, after: earlier)
            return (picture, DownloadedFile(draft, received: 0))
        }
        return nil
    }

    /// Removes the adopted file of `day` whose picture is published, and moves refused ones, perhaps a user's only
    /// copies, to `aside/`; after a failure, such as of reading one, the next start tries again.
    func removeAdopted(of day: Day) {
        guard let folder = try? tree.root.folder(Layout.adopted),
            let names = try? adoptedNames(of: day, in: folder),
            let picture = try? record(of: day)?.picture
        else { return }
        for name in names {
            let path = "\(Layout.adopted)/\(name)"
            // What cannot be read may be either.
            guard let isPublished = try? tree.root.hasContents(of: picture.file, at: path) else {
                continue
            }
            if isPublished {
                _ = try? remove(path, provedBy: .record(picture.file))
            } else {
                try? moveAside(path)
            }
        }
    }

    /// Takes the files of days with a picture out of `adopted/`, as an interrupted process left them.
    func removePublishedFromAdopted() {
        for day in (try? adoptedDays()) ?? [] {
            guard let path = try? record(of: day)?.picture?.path, (try? tree.exists(path)) == true
            else { continue }
            removeAdopted(of: day)
        }
    }

    /// The adopted files of `day`; none if `adopted/` cannot be opened: what is there waits, and moves to `aside/` once
    /// NASA's picture is published.
    ///
    /// - Throws: ``SystemError`` for a file of the day, and if memory or descriptors are used up.
    private func readableNames(of day: Day) throws(SystemError) -> [String] {
        let folder: Directory?
        do throws(SystemError) {
            folder = try tree.root.folder(Layout.adopted)
        } catch {
            guard error.cause != .shortage else { throw error }
            return []
        }
        guard let folder else { return [] }
        return try adoptedNames(of: day, in: folder)
    }

    /// The adopted files of `day`, in the order in which they are tried.
    private func adoptedNames(of day: Day, in folder: Directory) throws(SystemError) -> [String] {
        var names: [String] = []
        for name in MediaType.allCases.map({ "\(day).\($0.fileExtension)" }).sorted() {
            let status: FileStatus?
            do throws(SystemError) {
                status = try folder.status(name)
            } catch {
                // Without the right to search the folder, names that are not there are denied, too.
                guard error.cause == .denied, try !folder.textNames().contains(name) else {
                    throw error
                }
                continue
            }
            guard let status, status.kind == .file, status.size <= Layout.largestFile else {
                continue
            }
            names.append(name)
        }
        return names
    }
}
