package import APOD
internal import FoundationEssentials
package import Mirror
internal import Platform

/// Makes reduced copies that are larger than thumbnails, after each round of those: ``Rendition``s, which the gallery shows
/// instead of large originals of the newest days, and the copies in `v1/`, which answers as NASA's API did.
///
/// Each copy holds the SHA-256 of its original. A file without is a user's.
extension Thumbnails {
    /// Makes the missing ``Rendition``s of the newest days, newest first, as ``render(_:side:at:_:)`` does; removes those
    /// of other days.
    package func renderNewest(in snapshot: TreeSnapshot, _ didChange: () -> Void) async throws {
        let days = try daysThatNeedRendition(in: snapshot)
        if try removeRenditions(except: Set(days)) { didChange() }
        try await render(days, side: Rendition.side, at: Rendition.path, didChange)
    }

    /// Makes reduced copies of the pictures of `days` where they are missing, after the current thumbnails.
    ///
    /// `path` returns the path for the copy of a day, which has a long side of `side` pixels; `didChange` is called after
    /// each. A picture that cannot be decoded is not tried again before the next start.
    ///
    /// - Throws: The first ``ThumbnailFailure``, after all days were tried; at once if it affects all.
    package func render(
        _ days: [Day], side: Int, at path: (Day) -> String, _ didChange: () -> Void
    ) async throws {
        guard isAvailable else { return }
        // Waits for the thumbnails: only pictures whose thumbnail could be made are decoded again.
        await latestTask.withLock { $0 }?.value
        var process = try makeProcess(options.limits)
        var firstFailure: ThumbnailFailure?
        for day in days {
            let copyPath = path(day)
            // Throws only if descriptors or memory are used up, which affects all pictures.
            guard let picture = try store.record(of: day)?.picture,
                needsCopy(of: picture, on: day, at: copyPath)
            else { continue }
            do {
                try Task.checkCancellation()
                try checkSpace(for: day)
                let bytes = try await decoding.withPermit {
                    try await process.make(of: open(picture), sha256: picture.sha256, side: side)
                }
                try store.publishDayFile(bytes, of: day, at: copyPath)
                didChange()
            } catch {
                let failure = ThumbnailFailure(error)
                if failure.affectsAllPictures { throw failure }
                if failure.blamesPicture {
                    failedCopies.withLock { _ = $0.insert("\(copyPath) \(picture.sha256)") }
                }
                firstFailure = firstFailure ?? failure
            }
        }
        if let firstFailure { throw firstFailure }
    }

    /// The newest days whose pictures are so large that they need a rendition, newest first.
    private func daysThatNeedRendition(in snapshot: TreeSnapshot) throws -> [Day] {
        let illustrated = snapshot.illustrated
        // A file of a day in the future is a user's.
        let dates = try store.plausibleDates(store.state(), recorded: illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.filter { day in
            guard let picture = try store.record(of: day)?.picture else { return false }
            return picture.removed == nil && Rendition.isUseful(of: picture)
        }
    }

    /// Removes all renditions except those of `days`; returns whether there were any.
    private func removeRenditions(except days: Set<Day>) throws(SystemError) -> Bool {
        guard let folder = try store.tree.root.folder(Rendition.folder) else { return false }
        let others = try folder.textNames().filter { name in
            guard let found = FileName.day(of: name), !days.contains(found) else { return false }
            let path = Rendition.path(of: found)
            return Layout.split(path).name == name && originalSHA256(of: path) != nil
        }
        for name in others { try folder.remove(name) }
        return !others.isEmpty
    }

    /// Whether the copy of `picture` at `path` is missing or that of another picture, and may be made.
    ///
    /// A file of the user stays. The thumbnail must be there, as it shows that the picture can be decoded.
    private func needsCopy(of picture: PictureRecord, on day: Day, at path: String) -> Bool {
        let original = originalSHA256(of: path)
        guard original != nil || store.tree.root.isCertainlyMissing(path) else { return false }
        return originalSHA256(of: Layout.thumbnail(of: day)) == picture.sha256
            && original != picture.sha256
            && failedCopies.withLock { !$0.contains("\(path) \(picture.sha256)") }
    }
}
