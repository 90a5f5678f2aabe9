package import APOD
package import Gallery
package import Platform

/// Keeps the gallery true to the tree: looks after every change, and rests after each look.
package struct GalleryService: DaemonService {
    private let gallery: Gallery
    private let favorites: @Sendable () throws -> Set<Day>
    private let collections: @Sendable () throws -> [String: Set<Day>]
    private let news: ChangeListener
    private let log: Log

    /// Of all time, the part that goes into the gallery while day after day comes in.
    private static let share = 1.0 / 20
    /// The time between two looks, in seconds, at least; and after one that failed.
    private static let rest = 1.0
    private static let minute = 60.0

    /// - Parameters:
    ///   - gallery: Of a tree that is open for writing.
    ///   - favorites: The days that are favorites now.
    ///   - collections: Those of each folder inside `favorites/`.
    ///   - news: Says when to look.
    ///   - log: Where it tells what stands in its way.
    package init(
        _ gallery: Gallery, favorites: @escaping @Sendable () throws -> Set<Day>,
        collections: @escaping @Sendable () throws -> [String: Set<Day>] = { [:] },
        news: ChangeListener, log: Log
    ) {
        self.gallery = gallery
        self.favorites = favorites
        self.collections = collections
        self.news = news
        self.log = log
    }

    /// Returns once the loop has gone round, or a look under way got on; see ``Watchdog``.
    package func answer() async throws { try await news.answer() }

    package func run() async throws {
        var trouble: String?
        var earliest = ContinuousClock.now
        while true {
            let change = try await news.next(notBefore: earliest)
            let start = ContinuousClock.now
            let error = await news.whileWorking { await look(change == .all ? .files : .folders) }
            if let error, "\(error)" != trouble { log.error("\(error)") }
            if error == nil, trouble != nil { log.notice("the gallery is written again") }
            trouble = error.map { "\($0)" }
            // There may have been no change since, and there is still something to be done.
            if error != nil { news.put(.all) }
            let time = start.duration(to: .now) / .seconds(1)
            let pause = error == nil ? max(Self.rest, time / Self.share) : Self.minute
            earliest = .now + .seconds(pause)
        }
    }

    /// Looks at the tree once.
    ///
    /// - Returns: What stood in the way.
    package func look(_ look: Gallery.Look = .files) async -> GalleryError? {
        defer { returnFreeMemory() }
        do {
            try await gallery.refresh(
                favorites: try favorites(), collections: try collections(), look: look)
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return GalleryError(error)
        }
    }
}
