package import APOD
package import Gallery
package import Platform

/// Keeps the gallery true to the tree: looks after every change, and rests after each look.
package struct GalleryKeeper: Keeper {
    private let gallery: Gallery
    private let favorites: @Sendable () throws -> Set<Day>
    private let changes: Mailbox<TreeChange>
    private let log: Log

    /// Of all time, the part that goes into the gallery while day after day comes in.
    private static let share = 1.0 / 20
    /// The time between two looks, in seconds, at least; and after one that failed.
    private static let rest = 1.0
    private static let minute = 60.0

    /// - Parameters:
    ///   - gallery: Of a tree that is open for writing.
    ///   - favorites: The days that are favorites now.
    ///   - changes: Says when to look.
    ///   - log: Where it tells what stands in its way.
    package init(
        _ gallery: Gallery, favorites: @escaping @Sendable () throws -> Set<Day>,
        changes: Mailbox<TreeChange>, log: Log
    ) {
        self.gallery = gallery
        self.favorites = favorites
        self.changes = changes
        self.log = log
    }

    package func run() async throws {
        var trouble: String?
        var earliest = ContinuousClock.now
        while true {
            let change = try await nextChange(notBefore: earliest)
            let start = ContinuousClock.now
            let error = await look(change == .all ? .files : .folders)
            if let error, "\(error)" != trouble { log.error("\(error)") }
            if error == nil, trouble != nil { log.notice("the gallery is written again") }
            trouble = error.map { "\($0)" }
            // There may have been no change since, and there is still something to be done.
            if error != nil { changes.put(.all) }
            let time = start.duration(to: .now) / .seconds(1)
            let pause = error == nil ? max(Self.rest, time / Self.share) : Self.minute
            earliest = .now + .seconds(pause)
        }
    }

    /// Waits for a change, and then for the moment; where there is no change nothing wakes it.
    private func nextChange(
        notBefore earliest: ContinuousClock.Instant
    ) async throws -> TreeChange {
        let change = try await changes.next()
        guard earliest > .now else { return change }
        try await LoopClock().sleep(until: earliest, tolerance: nil)
        changes.put(change)
        return try await changes.next()
    }

    /// Looks at the tree once.
    ///
    /// - Returns: What stood in the way.
    package func look(_ look: Gallery.Look = .files) async -> GalleryError? {
        defer { returnFreeMemory() }
        do {
            try await gallery.refresh(favorites: try favorites(), look: look)
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return GalleryError(error)
        }
    }
}
