internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Views

/// The result of one round of ``ViewService``, which updates all views.
struct ViewRound: Sendable {
    /// The merged outcomes of all views.
    private var outcome = ViewOutcome()
    /// Which views could not be updated, and why.
    private(set) var failedViews: [WriteFailure] = []
    /// Whether the round was not interrupted, so that ``inTheWay`` has all such items.
    var isComplete = false

    /// The paths that were written.
    var changedPaths: [String] { outcome.changedPaths }
    /// The newest day that the views show; `nil` if the round ended before that was known.
    var shownDay: Day? { outcome.shownDay }
    /// When a view wants another update, even if nothing changes; `nil` if none does.
    var nextUpdate: Date? { outcome.nextUpdate }
    /// The paths of the items in the places of generated files; `nil` if not all of them are known.
    var inTheWay: [String]? { isComplete && failedViews.isEmpty ? outcome.inTheWay : nil }

    /// Which views failed; if none did, the first error because of which a view left out something.
    var failures: [WriteFailure] {
        guard failedViews.isEmpty, let error = outcome.readError else { return failedViews }
        return [WriteFailure(text: "cannot update all views: \(error)", error: error)]
    }

    mutating func add(_ outcome: ViewOutcome) { self.outcome.merge(outcome) }

    mutating func addFailure(of title: String, _ error: any Error) {
        failedViews.append(
            WriteFailure(text: "cannot update \(title): \(error)", error: error as? SystemError))
    }
}
