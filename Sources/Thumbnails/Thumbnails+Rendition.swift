internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

extension Thumbnails {
    /// Makes the ``Rendition`` of the newest picture if it is wanted and missing, after its thumbnail;
    /// removes all others.
    ///
    /// - Returns: Whether the renditions have changed.
    /// - Throws: ``ThumbnailFailure`` or ``SystemError``; the same picture is not retried before the
    ///   next start.
    package func renderNewest() async throws -> Bool {
        await latest.withLock { $0 }?.value
        let illustrated = try TreeIndex.illustrated(in: store.tree)
        let dates = try store.plausibleDates(store.state(), illustrated, at: Date())
        guard let day = dates.newest(of: illustrated),
            let record = try store.record(of: day)?.picture
        else { return false }
        let isWanted = Rendition.isWanted(of: record)
        let didRemove = try files.removeRenditions(but: isWanted ? day : nil)
        guard isWanted, isAvailable, files.stamp(of: day)?.sha256 == record.sha256,
            files.renditionStamp(of: day)?.sha256 != record.sha256,
            lastRendered.withLock({ $0 != record.sha256 })
        else { return didRemove }
        lastRendered.withLock { $0 = record.sha256 }
        var process = ThumbnailerProcess(
            program: options.program ?? "", limits: options.limits, timeout: options.timeout)
        try files.checkSpace(for: day)
        let bytes = try await decoding.withPermit {
            try await process.make(
                ThumbnailStamp(of: record.sha256), of: open(record), side: Rendition.side)
        }
        try files.publishRendition(bytes, of: day)
        lastRendered.withLock { $0 = nil }
        return true
    }
}
