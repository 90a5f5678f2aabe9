internal import APOD
internal import Mirror

extension VerifyState {
    /// What one verification could examine, and what it found: it shows which earlier damage is repaired.
    ///
    /// Damage that the examination ``covers(_:)`` and has not found again is repaired. All other damage stays recorded, because
    /// nobody knows whether it is repaired.
    struct Examination {
        private let scope: VerifyScope
        private let foundPaths: Set<String>
        /// The days with a file that could not be read, after which other files of the day may not have been examined.
        private let unreadableDays: Set<Day>
        /// The inventories that could not be read: a missing file that only they list was not noticed.
        private let unknownInventories: Set<FileInventory>

        /// - Parameters:
        ///   - scope: The part of the mirror that was verified.
        ///   - findings: All that the verification found there.
        ///   - unknownInventories: The inventories that could not be read; those that are among the `findings` may be left out.
        init(
            of scope: VerifyScope, _ findings: [VerifyFinding],
            unknownInventories: Set<FileInventory> = []
        ) {
            self.scope = scope
            let foundPaths = Set(findings.map(\.path))
            let unreadable = findings.filter { $0.kind == .unreadable }
            let foundInventories = FileInventory.allCases.filter { foundPaths.contains($0.path) }
            self.foundPaths = foundPaths
            unreadableDays = Set(unreadable.compactMap(\.day))
            self.unknownInventories = unknownInventories.union(foundInventories)
        }

        func hasFound(_ path: String) -> Bool { foundPaths.contains(path) }

        /// Whether the verification has examined the file of `damage`.
        func covers(_ damage: Damage) -> Bool {
            if hasFound(damage.path) { return true }
            if unknownInventories.contains(where: { $0.lists(damage.path) }) { return false }
            if let day = damage.day, unreadableDays.contains(day) { return false }
            return scope.contains(damage.day)
        }
    }
}
