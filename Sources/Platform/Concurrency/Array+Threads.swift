extension Array where Element: Sendable {
    /// What `make` returns for each element, in the order of the elements.
    ///
    /// This thread and a second one call `make`. More threads would delay other work of the daemon. If the second one cannot be
    /// started, this one does all the work.
    package func mapOnThreads<Made: Sendable>(
        _ make: @escaping @Sendable (Element) -> Made
    ) -> [Made] {
        let work = Monitor(SharedWork<Made>(count: count))
        let makeUntilDone = { @Sendable in
            while let index = work.withLock({ $0.takeIndex() }) {
                let made = make(self[index])
                work.withLock { $0.made[index] = made }
            }
            work.signal()
        }
        if count > 1 { try? tryToStartThread("worker", makeUntilDone) }
        makeUntilDone()
        return work.wait { $0.allMade }
    }
}

/// The work of the threads of ``Swift/Array/mapOnThreads(_:)``.
private struct SharedWork<Made: Sendable>: Sendable {
    private var nextIndex = 0
    /// The results so far, by the indices of their elements.
    var made: [Made?]

    init(count: Int) { made = Array(repeating: nil, count: count) }

    /// The index of the next element for which `make` is to be called; `nil` if there is none left.
    mutating func takeIndex() -> Int? {
        guard nextIndex < made.count else { return nil }
        defer { nextIndex += 1 }
        return nextIndex
    }

    /// All results; `nil` while a thread still makes one.
    var allMade: [Made]? {
        let results = made.compactMap(\.self)
        return results.count == made.count ? results : nil
    }
}
