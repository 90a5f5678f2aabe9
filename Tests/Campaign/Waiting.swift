import ProgramTesting

extension Capture {
    /// Returns whether `text` was written before so many seconds passed, or the program ended.
    func wait(for text: String, seconds: Int) async -> Bool {
        await first(within: seconds) { [self] in
            (try? await wait(for: text)) != nil
        } ?? false
    }
}

/// The result of `body`; `nil` if it takes longer than so many seconds.
private func first<Result: Sendable>(
    within seconds: Int, _ body: @escaping @Sendable () async -> Result
) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
        group.addTask { await body() }
        group.addTask {
            try? await Task.sleep(for: .seconds(seconds))
            return nil
        }
        let result = await group.next() ?? nil
        group.cancelAll()
        return result
    }
}
