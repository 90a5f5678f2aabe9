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
    /// each. A failed copy is retried with growing delays, by later calls.
    ///
    /// - Throws: The first ``ThumbnailFailure``, after all days were tried, or at once if it affects all; ``SystemError``
    ///   at once if a copy cannot be published.
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
            let bytes: [UInt8]
            do {
                try Task.checkCancellation()
                try checkSpace(for: day)
                bytes = try await decoding.withPermit {
                    try await makeCopy(of: picture, at: copyPath, side: side, with: &process)
                }
            } catch {
                let failure = ThumbnailFailure(error)
                if failure.affectsAllPictures { throw failure }
                firstFailure = firstFailure ?? failure
                continue
            }
            // After an error, the others would probably be decoded for nothing, too.
            try store.publishDayFile(bytes, of: day, at: copyPath)
            didChange()
        }
        if let firstFailure { throw firstFailure }
    }

    /// Makes a JPEG of `picture` for the reduced copy or conversion at `path`, or records the failure for
    /// ``mayMakeCopy(of:at:now:)``.
    ///
    /// A file that cannot be opened, or does not have the recorded size, takes no time and is not recorded.
    func makeCopy(
        of picture: PictureRecord, at path: String, side: Int,
        with process: inout ThumbnailerProcess
    ) async throws -> [UInt8] {
        let file = try open(picture)
        do throws(ThumbnailFailure) {
            let bytes = try await decode(picture, from: file, side: side, with: &process)
            failedCopies.withLock { $0.forget(path, picture.sha256) }
            return bytes
        } catch {
            if !error.affectsAllPictures {
                failedCopies.withLock { $0.record(error, of: path, picture.sha256, at: Date()) }
            }
            throw error
        }
    }

    /// Whether the copy of `picture` at `path` did not fail, or is to be retried.
    func mayMakeCopy(of picture: PictureRecord, at path: String, now: Date = Date()) -> Bool {
        failedCopies.withLock { $0.mayMake(path, of: picture.sha256, at: now) }
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
            && original != picture.sha256 && mayMakeCopy(of: picture, at: path)
    }
}
