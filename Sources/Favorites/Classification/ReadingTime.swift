/// How long one scan may read files in `favorites/`: a new link is not to wait until large files are read.
enum ReadingTime: Sendable {
    case unlimited
    /// No other file is opened once `isOver` returns true.
    case limited(isOver: @Sendable () -> Bool)

    var isLimited: Bool { if case .limited = self { true } else { false } }

    var isOver: Bool { if case .limited(let isOver) = self { isOver() } else { false } }
}
