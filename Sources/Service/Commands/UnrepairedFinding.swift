internal import FoundationEssentials
package import Maintenance
internal import Mirror
internal import Platform

/// Damage that a repair left, and why.
package struct UnrepairedFinding: Sendable, CustomStringConvertible {
    package let finding: VerifyFinding
    /// A sentence for people; `nil` if it is not known.
    package let reason: String?

    package var description: String { reason.map { "\(finding); \($0)" } ?? "\(finding)" }
}

/// Finds out why damage is left, after the rest was repaired.
struct Unrepaired {
    private let store: Store
    /// When the repair began.
    private let start: Date
    /// What this process did last.
    private let repairs: [String: Repair]
    private let state: SyncState?

    init(_ store: Store, since start: Date, _ repairs: [Repair]) {
        self.store = store
        // Times are stored in seconds.
        self.start = start.addingTimeInterval(-1)
        self.repairs = Dictionary(
            repairs.map { ($0.finding.path, $0) }, uniquingKeysWith: { $1 })
        state = try? store.state()
    }

    /// Returns `left` with reasons, and those files of `damage` that are lost.
    func findings(_ left: [VerifyFinding], of damage: [VerifyFinding]) -> [UnrepairedFinding] {
        let paths = Set(left.map(\.path))
        let lost = damage.filter { !paths.contains($0.path) && isLost($0) }
        return left.map { UnrepairedFinding(finding: $0, reason: reason($0)) }
            + lost.map { UnrepairedFinding(finding: $0, reason: Repair.Action.setAside.words) }
    }

    /// Whether a replaced file was moved away, as nothing has its contents.
    private func isLost(_ finding: VerifyFinding) -> Bool {
        finding.path.hasPrefix("\(Layout.previous)/")
            && store.tree.root.isCertainlyMissing(finding.path)
    }

    private func reason(_ finding: VerifyFinding) -> String? {
        switch repairs[finding.path]?.action {
        case .failed(let error): return "\(error)"
        case .unrecoverable: return Repair.Action.unrecoverable.words
        default: break
        }
        if let retry = finding.day.flatMap({ state?.retries[$0] }), retry.last >= start {
            return retry.reason
        }
        if let error = state?.lastError, error.at >= start { return error.message }
        let isPin = finding.path.hasPrefix("\(Layout.favoriteStore)/") && finding.kind == .damaged
        return isPin ? Repair.Action.unrecoverable.words : nil
    }
}
