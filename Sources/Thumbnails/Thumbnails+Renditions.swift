internal import APOD
internal import FoundationEssentials
package import Mirror
package import Platform

/// Which renditions, the smaller copies of large new pictures, are needed, missing, or no longer needed.
extension Thumbnails {
    /// The renditions that the gallery needs, newest first: those of large pictures among the newest days with a picture.
    package func neededRenditions(in snapshot: TreeSnapshot) throws -> [JPEGJob] {
        let days = snapshot.days(where: \.canHaveThumbnail)
        // A picture of a day in the future is a user's.
        let dates = try store.plausibleDates(store.knownState(), recorded: days, at: Date())
        let newest = days.filter(dates.contains).sorted(by: >).prefix(Rendition.maximumCount)
        return try newest.filter(mayNeedRendition).map(JPEGJob.init(renditionOf:))
    }

    /// Whether the picture of `day` is large, or may be large because its record cannot be read.
    private func mayNeedRendition(of day: Day) throws(SystemError) -> Bool {
        do {
            guard let picture = try store.record(of: day)?.picture else { return false }
            return picture.removed == nil && Rendition.isWorthMaking(of: picture)
        } catch  where !error.concernsEveryFile {
            // The rendition stays, if there is one.
            return true
        }
    }

    /// The `jobs` whose rendition is missing or of another picture, and whose thumbnail shows that the picture can be decoded.
    package func missingRenditions(among jobs: [JPEGJob]) throws -> [JPEGJob] {
        let root = store.tree.root
        failedPictures.forgetAttempts(in: Rendition.folder, except: Set(jobs.map(\.path)))
        return try jobs.filter { job in
            guard let picture = try store.knownRecord(of: job.day)?.picture else { return false }
            if Self.originalSHA256(storedIn: job.path, in: root) == picture.sha256 {
                failedPictures.forget(job.path)
                return false
            }
            let thumbnail = Layout.thumbnail(of: job.day)
            return Self.originalSHA256(storedIn: thumbnail, in: root) == picture.sha256
                && failedPictures.mayTry(job.path, from: picture.sha256, at: Date())
        }
    }

    /// Removes all renditions except those of `jobs`; returns whether it removed any.
    package func removeRenditions(except jobs: [JPEGJob]) throws(SystemError) -> Bool {
        let names = try store.tree.root.folder(Rendition.folder)?.textNames() ?? []
        let needed = Set(jobs.map(\.path))
        let others = names.map { "\(Rendition.folder)/\($0)" }.filter { !needed.contains($0) }
        return try !ViewFiles(of: .renditions, in: store).remove(others).changed.isEmpty
    }
}
