internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

extension Thumbnails {
    /// Makes the missing ``Rendition``s of the newest days, newest first, after their thumbnails; removes
    /// all others.
    ///
    /// - Parameter didChange: Called after each change.
    /// - Throws: The first ``ThumbnailFailure`` or ``SystemError``, after the others were made; the same
    ///   picture is not retried before the next start.
    package func renderNewest(_ didChange: () -> Void) async throws {
        await latest.withLock { $0 }?.value
        let wanted = try wantedRenditions()
        if try files.removeRenditions(but: Set(wanted.map(\.day))) { didChange() }
        tried.withLock { $0.formIntersection(wanted.map(\.picture.sha256)) }
        guard isAvailable else { return }
        var process = process(options.limits)
        var failure: (any Error)?
        for (day, picture) in wanted where isMissingRendition(of: day, picture) {
            try Task.checkCancellation()
            do {
                try files.checkSpace(for: day)
                tried.withLock { _ = $0.insert(picture.sha256) }
                let bytes = try await decoding.withPermit {
                    try await process.make(
                        ThumbnailStamp(of: picture.sha256), of: open(picture), side: Rendition.side)
                }
                try store.publish(bytes, of: day, at: Rendition.path(of: day))
                tried.withLock { _ = $0.remove(picture.sha256) }
                didChange()
            } catch let error as SystemError where error.isNoSpace {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The newest days whose pictures want a rendition, newest first.
    private func wantedRenditions() throws -> [(day: Day, picture: PictureRecord)] {
        let illustrated = try TreeIndex.illustrated(in: store.tree)
        let dates = try store.plausibleDates(store.state(), illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.compactMap { day in
            guard let picture = try store.record(of: day)?.picture,
                Rendition.isUseful(of: picture)
            else { return nil }
            return (day, picture)
        }
    }

    /// Whether the thumbnail is of this picture, the rendition is not, and it was not tried before.
    private func isMissingRendition(of day: Day, _ picture: PictureRecord) -> Bool {
        source(at: Layout.thumbnail(of: day)) == picture.sha256
            && source(at: Rendition.path(of: day)) != picture.sha256
            && tried.withLock { !$0.contains(picture.sha256) }
    }
}
