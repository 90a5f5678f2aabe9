package import APOD
internal import Platform

/// What a sync keeps and removes, by ``Keep`` and the tree.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all are kept.
    private(set) var oldestKept: Day?
    /// Why nothing may be removed; `nil` if all favorites are known.
    let obstacle: (any Error)?
    /// The bytes of the complete days; zeros unless ``keep`` limits bytes.
    private var sizes: [Day: Int] = [:]
    private let protected: Set<Day>
    /// The recorded days without files.
    private let others: Set<Day>
    private let store: Store

    /// `favorites` lists all favorites; its error is the ``obstacle``.
    init(
        _ keep: Keep, store: Store, snapshot: TreeSnapshot, complete: Set<Day>,
        favorites: () throws -> Set<Day>
    ) {
        self.keep = keep
        self.store = store
        others = snapshot.recorded.subtracting(complete)
        guard keep != .all else {
            (protected, obstacle) = ([], nil)
            return
        }
        do {
            (protected, obstacle) = (try favorites().union(store.shownDays), nil)
        } catch {
            (protected, obstacle) = (snapshot.recorded, error)
        }
        sizes = Dictionary(uniqueKeysWithValues: complete.map { ($0, 0) })
        guard case .bytes = keep else { return }
        for files in snapshot.days where sizes[files.day] != nil {
            sizes[files.day] = files.mediaBytes
        }
    }

    /// Whether `day` is not kept, and so is not downloaded.
    func excludes(_ day: Day) -> Bool {
        oldestKept.map { day < $0 } ?? false && !protected.contains(day)
    }

    /// Updates ``oldestKept`` for NASA's newest day.
    mutating func update(newest: Day?) {
        oldestKept = newest.flatMap { plan(newest: $0, protected: protected).oldestKept }
    }

    mutating func add(_ day: Day, bytes: Int) {
        guard keep != .all else { return }
        sizes[day] = (sizes[day] ?? 0).addingSaturating(bytes)
    }

    /// The plan; `protected` days are added to those at the start of the sync.
    func plan(newest: Day, protected: Set<Day>) -> RetentionPlan {
        RetentionPlan(
            keep, newest: newest, sizes: sizes, protected: protected.union(self.protected),
            removed: others
        ) { day in
            let record = try? store.record(of: day)
            return record?.removed == nil ? 0 : record?.bytes ?? 0
        }
    }
}

extension Store {
    /// The days in `snapshot`, without those in `complete`, whose picture or video retention removed.
    package func removedDays(in snapshot: TreeSnapshot, complete: Set<Day>) -> Set<Day> {
        snapshot.recorded.subtracting(complete).filter { day in
            (try? record(of: day))?.removed != nil
        }
    }

    /// The day whose picture `latest.jpg` shows, if there is one: retention does not remove it.
    var shownDays: [Day] { [tree.latestPictureDay].compactMap(\.self) }
}
