internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

extension Thumbnails {
    /// Makes the ``Rendition`` of the newest picture where it is wanted and not there, once that picture
    /// has its thumbnail; removes those of all others.
    ///
    /// - Returns: Whether there are other renditions than before.
    /// - Throws: ``ThumbnailFailure``, or what the tree says against it; the same picture is not tried again
    ///   before the next start.
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
        var decoder = Decoder(
            program: options.program ?? "", limits: options.limits, patience: options.patience)
        try files.checkRoom(for: day)
        let bytes = try await decoder.make(
            ThumbnailStamp(of: record.sha256), of: open(record), side: Rendition.side)
        try files.publishRendition(bytes, of: day)
        lastRendered.withLock { $0 = nil }
        return true
    }
}
