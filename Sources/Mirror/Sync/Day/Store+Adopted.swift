package import APOD
internal import MediaFormat
package import Platform

/// The directory `adopted/`: pictures that a user gave to `apod-mirror adopt` for days that have none in the mirror.
///
/// Each file has its day as name, such as `adopted/2026-11-20.jpg`. A sync publishes it together with NASA's entry of the day,
/// if it is whole and has the shape of NASA's picture, which is the ratio of width and height. A file may be the only copy that
/// a user has. So a file that is not used is moved to `aside/`, and one that cannot be read stays.
extension Store {
    /// The days with a picture in `adopted/`, including the days of which that cannot be read.
    package func adoptedDays() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.adopted) else { return [] }
        let days = Set(try folder.textNames().compactMap { FileName.day(of: $0) })
        var daysWithPicture: Set<Day> = []
        for day in days {
            do throws(SystemError) {
                if try adoptedNames(of: day, in: folder).isEmpty { continue }
            } catch  where !error.concernsEveryFile {
                // It may be a picture. The sync reports the error as that of its day, and goes on with the others.
            }
            daysWithPicture.insert(day)
        }
        return daysWithPicture
    }

    /// The days with a picture in `adopted/` that no sync has published yet.
    ///
    /// A published picture stays in `adopted/` if it cannot be removed there, and is not waiting.
    package func daysWaitingInAdopted() throws(SystemError) -> Set<Day> {
        try adoptedDays().filter { !hasPublishedPicture(of: $0) }
    }

    // MARK: The picture of a day

    /// The update with a copy of the adopted picture of `entry`; `nil` if no file is whole and has the announced shape.
    ///
    /// If the directory cannot be read:
    /// - A day that the sync knows as adopted fails with the error, and is tried again.
    /// - Any other day goes on without a picture from there. Otherwise, each new day would fail. If the day has a file there,
    ///   ``clearAdopted(of:publishedWith:)`` deals with it once it can be read.
    func adoptedPicture(
        of entry: Entry, isKnownAsAdopted: Bool, after earlier: DayRecord?
    ) throws(SystemError) -> PictureDownload.Update? {
        let names: [String]
        do throws(SystemError) {
            guard let folder = try tree.root.folder(Layout.adopted) else { return nil }
            names = try adoptedNames(of: entry.day, in: folder)
        } catch  where !isKnownAsAdopted && !error.concernsEveryFile {
            return nil
        }
        for name in names {
            let draft = try duplicate(
                "\(Layout.adopted)/\(name)",
                as: UnfinishedDownloads.draftName(of: entry.day, source: "adopted"))
            guard let found = try CheckedFile(draft.file, path: draft.path),
                found.header.type.isPicture, !found.hasOtherShape(than: entry)
            else { continue }
            var picture = PictureRecord(found, of: entry)
            picture.path = try freePath(
                of: entry, found.header.type, for: picture.file, after: earlier)
            return PictureDownload.Update(
                record: picture, file: IncomingFile(draft, received: 0),
                problem: PictureDownload.problemIfReduced(picture))
        }
        return nil
    }

    /// The adopted files of `day`, in the order in which they are tried.
    private func adoptedNames(of day: Day, in folder: Directory) throws(SystemError) -> [String] {
        let possibleNames = MediaType.allCases.map { "\(day).\($0.fileExtension)" }.sorted()
        var names: [String] = []
        for name in possibleNames {
            guard let status = try folder.status(name), status.kind == .file else { continue }
            if status.size <= Layout.largestFile { names.append(name) }
        }
        return names
    }

    // MARK: After the publication

    /// Takes the files of `day`, which has a record with a picture now, out of `adopted/`.
    ///
    /// The published file is deleted, and others are moved to `aside/`. After an error, the next start tries it without `entry`.
    func clearAdopted(of day: Day, publishedWith entry: Entry? = nil) {
        guard let folder = try? tree.root.folder(Layout.adopted),
            let names = try? adoptedNames(of: day, in: folder),
            let picture = try? record(of: day)?.picture
        else { return }
        for name in names {
            try? clear("\(Layout.adopted)/\(name)", published: picture, with: entry)
        }
    }

    /// Deletes the adopted file at `path` if it is the `published` picture, and otherwise moves it to `aside/`.
    private func clear(
        _ path: String, published picture: PictureRecord, with entry: Entry?
    ) throws(SystemError) {
        switch try tree.root.match(of: picture.file, at: path) {
        case .noFile: break
        case .same: try remove(path, provedBy: .record(picture.file))
        case .different:
            try moveForeignItem(
                at: path,
                because: hasOtherShape(path, than: entry)
                    ? "its shape differs from that of NASA's picture"
                    : "the mirror has another picture of the day")
        }
    }

    /// Whether the picture at `path` has another shape than that of `entry`; `false` if one of these is not known.
    private func hasOtherShape(_ path: String, than entry: Entry?) -> Bool {
        guard let entry, let file = try? tree.root.openToRead(path),
            let picture = try? CheckedFile(file, path: path)
        else { return false }
        return picture.hasOtherShape(than: entry)
    }

    /// Clears `adopted/` of the days that have a picture now, after an earlier process was interrupted before it did so.
    func clearPublishedDaysInAdopted() {
        for day in (try? adoptedDays()) ?? [] where hasPublishedPicture(of: day) {
            clearAdopted(of: day)
        }
    }

    /// Whether the recorded picture of `day` is here; `false` if that cannot be read.
    private func hasPublishedPicture(of day: Day) -> Bool {
        guard let path = try? record(of: day)?.picture?.path else { return false }
        return (try? tree.exists(path)) == true
    }
}
