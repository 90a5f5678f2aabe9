import ProgramTesting
import TestSupport

extension Capture {
    /// Returns whether `text` was written before the program ended, and within `limit`.
    func includes(_ text: String, within limit: Duration = .hang) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.wait(for: text)) != nil }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
