internal import FoundationEssentials
internal import Platform

/// Why a sleeping ``MirrorService`` is woken.
struct WakeReason: OptionSet, Hashable {
    let rawValue: Int

    /// A sync is requested.
    static let sync = WakeReason(rawValue: 1)
}

extension CoalescingSignal<WakeReason> {
    /// Waits until `time`, or until a sync is requested or the clock is set.
    ///
    /// - Returns: Whether the next sync also retries transient failures: `false` at `time`.
    func waitForSync(until time: Date) async throws -> Bool {
        let timer = try WallTimer(at: time.timeIntervalSince1970)
        while true {
            let reasons = try await next(onReadable: timer.descriptor)
            if reasons.contains(.sync) { return true }
            if let ending = timer.ending { return ending == .clockSet }
        }
    }
}
