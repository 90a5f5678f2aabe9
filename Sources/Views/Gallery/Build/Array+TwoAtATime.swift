extension Array where Element: Sendable {
    /// Like `map`, with two calls of `transform` at a time.
    ///
    /// More would take more memory: in the gallery, each call has the texts of a month.
    @discardableResult
    func mapTwoAtATime<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var results: [(index: Int, result: Result)] = []
            for (index, element) in enumerated() {
                let twoAreRunning = index >= 2
                if twoAreRunning, let next = try await group.next() { results.append(next) }
                group.addTask {
                    try Task.checkCancellation()
                    return (index, try transform(element))
                }
            }
            for try await next in group { results.append(next) }
            return results.sorted { $0.index < $1.index }.map(\.result)
        }
    }
}
