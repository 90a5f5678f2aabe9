package import APOD
internal import FoundationEssentials
package import Mirror
internal import Platform

/// What is made beside the other thumbnails: that of the newest picture, and ``Rendition``s.
extension Thumbnails {
    /// Makes the thumbnail of the newest picture if it is missing, while ``thumbnails(of:)`` makes others.
    ///
    /// - Returns: `nil` if there is nothing to make.
    package func makeNewest(in snapshot: TreeSnapshot) async -> Thumbnail? {
        guard isAvailable, let day = try? missing(in: snapshot).first,
            day == snapshot.days.last(where: \.canHaveThumbnail)?.day
        else { return nil }
        var process = process(options.limits)
        let thumbnail = try? await decoding.withPermit { await make(day, &process) }
        try? failedPictures.save()
        return thumbnail
    }

    /// Makes the missing ``Rendition``s of the newest days, newest first, after their thumbnails; removes
    /// those of other days.
    ///
    /// - Throws: The first ``ThumbnailFailure`` or ``SystemError``, after all renditions were tried; a failed
    ///   one is not retried before the next start. At once if the disk is full.
    package func renderNewest(in snapshot: TreeSnapshot, _ didChange: () -> Void) async throws {
        let days = try daysWithRendition(in: snapshot)
        if try removeRenditions(but: Set(days)) { didChange() }
        try await render(days, side: Rendition.side, at: Rendition.path, didChange)
    }

    /// Makes reduced copies of the pictures of `days` where they are missing, after the thumbnails, as
    /// ``renderNewest(in:_:)`` does.
    package func render(
        _ days: [Day], side: Int, at path: (Day) -> String, _ didChange: () -> Void
    ) async throws {
        await latestTask.withLock { $0 }?.value
        guard isAvailable else { return }
        var process = process(options.limits)
        var failure: (any Error)?
        for day in days {
            let path = path(day)
            guard let picture = try store.record(of: day)?.picture,
                isMissingRendition(of: day, picture, at: path)
            else { continue }
            try Task.checkCancellation()
            do {
                try checkSpace(for: day)
                let bytes = try await decoding.withPermit {
                    try await process.make(picture.sha256, of: open(picture), side: side)
                }
                try store.publish(bytes, of: day, at: path)
                didChange()
            } catch let error as SystemError where error.isNoSpace {
                throw error
            } catch {
                try Task.checkCancellation()
                failedRenditions.withLock { _ = $0.insert("\(path) \(picture.sha256)") }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The newest days whose pictures want a rendition, newest first.
    private func daysWithRendition(in snapshot: TreeSnapshot) throws -> [Day] {
        let illustrated = snapshot.illustrated
        let dates = try store.plausibleDates(store.state(), illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.filter { day in
            guard let picture = try store.record(of: day)?.picture else { return false }
            return picture.removed == nil && Rendition.isUseful(of: picture)
        }
    }

    /// Removes all renditions except those of `days`; returns whether there were any.
    private func removeRenditions(but days: Set<Day>) throws(SystemError) -> Bool {
        guard let folder = try store.tree.root.folder(Rendition.folder) else { return false }
        let others = try folder.textNames().filter { name in
            guard let found = FileName.day(of: name), !days.contains(found) else { return false }
            let path = Rendition.path(of: found)
            return Layout.split(path).name == name && originalSHA256(of: path) != nil
        }
        for name in others { try folder.remove(name) }
        return !others.isEmpty
    }

    /// Whether the thumbnail is of this picture, the rendition is not and did not fail before.
    ///
    /// A file of the user in place of the rendition stays.
    private func isMissingRendition(
        of day: Day, _ picture: PictureRecord, at path: String
    ) -> Bool {
        let original = originalSHA256(of: path)
        guard original != nil || store.tree.root.isCertainlyMissing(path) else { return false }
        return originalSHA256(of: Layout.thumbnail(of: day)) == picture.sha256
            && original != picture.sha256
            && failedRenditions.withLock { !$0.contains("\(path) \(picture.sha256)") }
    }
}
