package import APOD
internal import MediaFormat
package import Platform

/// A picture from `adopted/` that a sync did not use, and moved to `aside/`.
package struct UnusedImport: Hashable, Sendable {
    package let day: Day
    /// Where it was, such as `.apod-mirror/adopted/2026-11-20.jpg`.
    package let path: String
    /// Why it is not used, and where it is now, for people.
    package let reason: String

    /// A line for the log.
    var text: String { "\(path) is not used: \(reason)" }
}

/// Pictures in `adopted/`: a user gave them to `apod-mirror adopt`, and a sync publishes them with NASA's entry.
///
/// `adopted/2026-11-20.jpg` is the picture of a day that has none in the mirror. Any file with such a name counts.
extension Store {
    package func adoptedDays() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.adopted) else { return [] }
        var days: Set<Day> = []
        for day in Set(try folder.textNames().compactMap { FileName.day(of: $0) }) {
            do throws(SystemError) {
                guard try !adoptedNames(of: day, in: folder).isEmpty else { continue }
            } catch  where !error.concernsEveryFile {
                // It may be a picture. The sync reports the error as that of its day, and goes on with the others.
            }
            days.insert(day)
        }
        return days
    }

    /// A copy of the adopted picture of `entry` with its record; `nil` if no file is whole and has the announced shape.
    ///
    /// If it cannot be read whether there is one, a day that the sync knows as adopted fails, and is tried again. Any other day
    /// goes on without one, or else an unreadable `adopted/` would keep each new day away. If it has one, this is moved to
    /// `aside/` once it can be read, unless it is NASA's picture.
    func adoptedPicture(
        of entry: Entry, isKnownAsAdopted: Bool, after earlier: DayRecord?
    ) throws(SystemError) -> (record: PictureRecord, file: DownloadedFile)? {
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

    /// Removes the adopted file of `day` that is published now, and moves other ones to `aside/`.
    ///
    /// These are perhaps a user's only copies. What fails is tried again at the next start. `entry` is NASA's entry, if it is
    /// known.
    ///
    /// - Returns: What was moved to `aside/`.
    @discardableResult
    func removeAdopted(of day: Day, publishedWith entry: Entry? = nil) -> [UnusedImport] {
        guard let folder = try? tree.root.folder(Layout.adopted),
            let names = try? adoptedNames(of: day, in: folder),
            let picture = try? record(of: day)?.picture
        else { return [] }
        var unused: [UnusedImport] = []
        for name in names {
            let path = "\(Layout.adopted)/\(name)"
            // A file that cannot be read may be either, and stays.
            guard let isPublished = try? tree.root.hasContents(of: picture.file, at: path) else {
                continue
            }
            if isPublished {
                _ = try? remove(path, provedBy: .record(picture.file))
                continue
            }
            let reason = reasonNotToUse(path, for: entry)
            guard let newPath = try? moveAside(path) else { continue }
            unused.append(
                UnusedImport(day: day, path: path, reason: "\(reason); it is in \(newPath)"))
        }
        return unused
    }

    /// Why the adopted file at `path` was not published with `entry`; `nil` stands for an entry that is not known any more.
    private func reasonNotToUse(_ path: String, for entry: Entry?) -> String {
        if let entry, (try? hasOtherShape(path, than: entry)) == true {
            return "its shape differs from that of NASA's picture"
        }
        return "the mirror has another picture of the day"
    }

    private func hasOtherShape(_ path: String, than entry: Entry) throws(SystemError) -> Bool {
        let file = try tree.root.openToRead(path)
        return try CheckedFile(file, path: path)?.hasOtherShape(than: entry) ?? false
    }

    /// The days with a picture in `adopted/` that no sync has published yet.
    ///
    /// A published picture stays in `adopted/` if it cannot be removed there, and is not waiting.
    package func daysWaitingInAdopted() throws(SystemError) -> Set<Day> {
        try adoptedDays().filter { !hasPublishedPicture(of: $0) }
    }

    /// Takes out of `adopted/` what an interrupted process left there for days that have a picture now.
    func removePublishedFromAdopted() {
        for day in (try? adoptedDays()) ?? [] where hasPublishedPicture(of: day) {
            removeAdopted(of: day)
        }
    }

    /// Whether the recorded picture of `day` is here; `false` if that cannot be read.
    private func hasPublishedPicture(of day: Day) -> Bool {
        guard let path = try? record(of: day)?.picture?.path else { return false }
        return (try? tree.exists(path)) == true
    }

    /// The adopted files of `day`, in the order in which they are tried.
    private func adoptedNames(of day: Day, in folder: Directory) throws(SystemError) -> [String] {
        var names: [String] = []
        for name in MediaType.allCases.map({ "\(day).\($0.fileExtension)" }).sorted() {
            guard let status = try folder.status(name), status.kind == .file,
                status.size <= Layout.largestFile
            else { continue }
            names.append(name)
        }
        return names
    }
}
