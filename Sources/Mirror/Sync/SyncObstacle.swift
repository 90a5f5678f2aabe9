internal import APOD
internal import Platform
internal import Transfer

extension SyncSummary.Obstacle {
    /// Maps an error of this machine to the result of the sync.
    init(_ error: any Error) {
        let isNoSpace = (error as? SystemError)?.isNoSpace ?? false
        let isReadOnly = (error as? SystemError)?.isReadOnly ?? false
        self =
            isNoSpace
            ? .noSpace("\(error)") : isReadOnly ? .readOnly("\(error)") : .failed("\(error)")
    }
}

extension FeedError {
    /// The cause for the requested day.
    var cause: RetryState.Cause {
        switch self {
        case .notPublished, .transfer(.refused(_, 404, _)), .transfer(.refused(_, 410, _)):
            .unpublished
        case .transfer(.file): .failed
        case .transfer(let error):
            error.isOfServer ? .unreachable : .unusable
        case .unusable: .unusable
        }
    }
}
