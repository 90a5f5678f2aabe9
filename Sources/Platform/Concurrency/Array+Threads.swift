extension Array where Element: Sendable {
    /// The results of `transform` for all elements, in their order; this thread and a second one call it.
    ///
    /// More threads would delay other work of the daemon. If the second one cannot be started, this one does all the work.
    package func mapOnTwoThreads<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Output
    ) -> [Output] {
        let work = Monitor(SharedWork<Output>(count: count))
        let workUntilDone = { @Sendable in
            while let index = work.withLock({ $0.takeIndex() }) {
                let output = transform(self[index])
                work.withLock { $0.outputs[index] = output }
            }
            work.signal()
        }
        if count > 1 { try? startOptionalThread("worker", workUntilDone) }
        workUntilDone()
        return work.wait { $0.allOutputs }
    }
}

/// The work that the threads of ``Swift/Array/mapOnTwoThreads(_:)`` share.
private struct SharedWork<Output: Sendable>: Sendable {
    private var nextIndex = 0
    /// The outputs by the indices of their elements; `nil` for an element that is not transformed yet.
    var outputs: [Output?]

    init(count: Int) { outputs = Array(repeating: nil, count: count) }

    /// The index of the next element to transform; `nil` if a thread has taken the last one.
    mutating func takeIndex() -> Int? {
        guard nextIndex < outputs.count else { return nil }
        defer { nextIndex += 1 }
        return nextIndex
    }

    /// The outputs of all elements; `nil` while one of them is still being transformed.
    var allOutputs: [Output]? {
        let finished = outputs.compactMap(\.self)
        return finished.count == outputs.count ? finished : nil
    }
}
