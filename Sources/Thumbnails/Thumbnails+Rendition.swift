package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Makes renditions, JPEGs that are smaller than a large original and larger than its thumbnail, after each round of
/// thumbnails: each ``Rendition``, which the gallery shows, and those in `v1/`, which answers as NASA's API did.
///
/// Each holds the SHA-256 of its original. A file without is a user's.
extension Thumbnails {
    /// Makes renditions of the pictures of `days` where they are missing, after the current thumbnails.
    ///
    /// `path` returns the path for that of a day, which has a long side of `side` pixels; `report` receives the outcome
    /// of each that was tried. One that failed is retried with growing delays, by later calls.
    ///
    /// - Throws: A ``ThumbnailFailure`` that affects all pictures; ``SystemError`` if a file cannot be published.
    package func render(
        _ days: [Day], side: Int, at path: (Day) -> String, report: (ThumbnailOutcome) -> Void
    ) async throws {
        guard isAvailable else { return }
        // Waits for the thumbnails: only pictures whose thumbnail could be made are decoded again.
        await latestTask.withLock { $0 }?.value
        var process = try makeProcess(options.limits)
        for day in days {
            let renditionPath = path(day)
            // Throws only if descriptors or memory are used up, which affects all pictures.
            guard let picture = try store.record(of: day)?.picture,
                needsRendition(of: picture, on: day, at: renditionPath)
            else { continue }
            let bytes: [UInt8]
            do {
                try Task.checkCancellation()
                try checkSpace(for: day)
                bytes = try await decoding.withPermit {
                    try await makeJPEG(
                        of: picture, at: renditionPath, side: side, with: &process)
                }
            } catch {
                let failure = ThumbnailFailure(error)
                if failure.affectsAllPictures { throw failure }
                recordFailure(failure, of: picture, at: renditionPath)
                report(ThumbnailOutcome(day: day, result: .failure(failure)))
                continue
            }
            // After an error, the others would probably be decoded for nothing, too.
            try store.publishDayFile(bytes, of: day, at: renditionPath)
            report(ThumbnailOutcome(day: day, result: .success(renditionPath)))
        }
    }

    /// When the first rendition that failed is retried, of those that were not due at `start`; `nil` if none is.
    package func firstRenditionRetry(after start: Date, at now: Date = Date()) -> Date? {
        failedJPEGs.withLock {
            $0.firstRetry(after: start, except: OwnedPath.latestPicture.path, at: now)
        }
    }

    /// Makes a JPEG of `picture` for the rendition or conversion at `path`.
    func makeJPEG(
        of picture: PictureRecord, at path: String, side: Int,
        with process: inout ThumbnailerProcess
    ) async throws -> [UInt8] {
        let file = try open(picture)
        let bytes = try await decode(picture, from: file, side: side, with: &process)
        failedJPEGs.withLock { $0.forget(path, picture.sha256) }
        return bytes
    }

    /// Records a failure of ``makeJPEG(of:at:side:with:)`` for ``mayMakeJPEG(of:at:now:)``.
    func recordFailure(_ failure: ThumbnailFailure, of picture: PictureRecord, at path: String) {
        failedJPEGs.withLock { $0.record(failure, of: path, picture.sha256, at: Date()) }
    }

    /// Whether the rendition or conversion of `picture` at `path` did not fail, or is to be retried.
    func mayMakeJPEG(of picture: PictureRecord, at path: String, now: Date = Date()) -> Bool {
        failedJPEGs.withLock { $0.mayMake(path, of: picture.sha256, at: now) }
    }

    /// The newest days whose pictures are so large that they need a ``Rendition``, newest first.
    package func daysThatNeedRendition(in snapshot: TreeSnapshot) throws -> [Day] {
        let illustrated = snapshot.illustrated
        // A file of a day in the future is a user's.
        let dates = try store.plausibleDates(store.state(), recorded: illustrated, at: Date())
        let newest = illustrated.filter(dates.contains).sorted(by: >).prefix(Rendition.days)
        return try newest.filter { day in
            guard let picture = try store.record(of: day)?.picture else { return false }
            return picture.removed == nil && Rendition.isUseful(of: picture)
        }
    }

    /// Removes each ``Rendition`` but those of `days`; returns whether there were any.
    package func removeRenditions(except days: Set<Day>) throws(SystemError) -> Bool {
        guard let folder = try store.tree.root.folder(Rendition.folder) else { return false }
        let others = try folder.textNames().filter { name in
            guard let found = FileName.day(of: name), !days.contains(found) else { return false }
            let path = Rendition.path(of: found)
            return Layout.split(path).name == name && originalSHA256(storedIn: path) != nil
        }
        for name in others { try folder.remove(name) }
        return !others.isEmpty
    }

    /// Whether the rendition of `picture` at `path` is missing or that of another picture, and may be made.
    ///
    /// A file of the user stays. The thumbnail must be there, as it shows that the picture can be decoded.
    private func needsRendition(
        of picture: PictureRecord, on day: Day, at path: String
    ) -> Bool {
        let original = originalSHA256(storedIn: path)
        guard original != nil || store.tree.root.isCertainlyMissing(path) else { return false }
        return originalSHA256(storedIn: Layout.thumbnail(of: day)) == picture.sha256
            && original != picture.sha256 && mayMakeJPEG(of: picture, at: path)
    }
}
