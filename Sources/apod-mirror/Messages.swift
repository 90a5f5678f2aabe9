import Mirror
import Platform

// Messages that several commands print.

/// Prints a problem that does not end the command, on standard error: `apod-mirror: 2026-11-20 is left out: …`.
func warn(_ problem: String) { StandardStream.error.write("apod-mirror: \(problem)\n") }

/// Prints what this process has moved out of the way of the mirror's files since the last call, on standard error.
func warnOfMovedItems(in tree: Tree) {
    for item in tree.takeMovedItems() { warn(item.text.printableLine) }
}

extension SyncSummary {
    /// What failed or is missing after a sync, and what to do about it; `nil` if all went well.
    var message: String? {
        if let obstacle {
            return obstacle.kind == .network
                ? "cannot get NASA's list: \(obstacle.text)" : obstacle.text
        }
        if let failure { return failure }
        guard missing > 0 else { return nil }
        let verb = missing == 1 ? "is" : "are"
        return "\(missing) of \(counted(expected, "day")) \(verb) missing;"
            + " “apod-mirror status” lists the reasons"
    }
}
