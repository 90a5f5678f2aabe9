internal import APOD
internal import FoundationEssentials
package import Mirror
internal import Platform

extension Thumbnails {
    /// Makes the thumbnail of the newest picture if it is missing, while ``thumbnails(of:)`` makes others.
    ///
    /// - Returns: `nil` if there is nothing to make.
    package func makeNewest(in snapshot: TreeSnapshot) async -> Thumbnail? {
        guard isAvailable, let day = try? missing(in: snapshot).first,
            day == snapshot.days.last(where: \.isIllustrated)?.day
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
        await latestTask.withLock { $0 }?.value
        let wanted = try wantedRenditions(in: snapshot)
        if try removeRenditions(but: Set(wanted.map(\.day))) { didChange() }
        failedRenditions.withLock { $0.formIntersection(wanted.map(\.picture.sha256)) }
        guard isAvailable else { return }
        var process = process(options.limits)
        var failure: (any Error)?
        for (day, picture) in wanted where isMissingRendition(of: day, picture) {
            try Task.checkCancellation()
            do {
                try checkSpace(for: day)
                let bytes = try await decoding.withPermit {
                    try await process.make(
                        picture.sha256, of: open(picture), side: Rendition.side)
                }
                try store.publish(bytes, of: day, at: Rendition.path(of: day))
                didChange()
            } catch let error as SystemError where error.isNoSpace {
                throw error
            } catch {
                try Task.checkCancellation()
                failedRenditions.withLock { _ = $0.insert(picture.sha256) }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The newest days whose pictures want a rendition, newest first.
    private func wantedRenditions(
        in snapshot: TreeSnapshot
    ) throws -> [(day: Day, picture: PictureRecord)] {
        let illustrated = snapshot.illustrated
        let dates = try store.plausibleDates(store.state(), illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.compactMap { day in
            guard let picture = try store.record(of: day)?.picture, picture.removed == nil,
                Rendition.isUseful(of: picture)
            else { return nil }
            return (day, picture)
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

    private func isMissingRendition(of day: Day, _ picture: PictureRecord) -> Bool {
        let path = Rendition.path(of: day)
        let original = originalSHA256(of: path)
        // A file of the user in place of the rendition stays.
        let isUsers = original == nil && (try? store.tree.root.status(path)) != nil
        guard !isUsers else { return false }
        let hasThumbnail = originalSHA256(of: Layout.thumbnail(of: day)) == picture.sha256
        let hasFailed = failedRenditions.withLock { $0.contains(picture.sha256) }
        return hasThumbnail && original != picture.sha256 && !hasFailed
    }
}
