import Transfer

/// The kind of an error, without its address and reason.
enum TransferFailure {
    case unreachable, refused, throttled, broken, tooLong, forbidden
}

extension TransferError {
    /// `nil` for errors of this machine or its user.
    var failure: TransferFailure? {
        switch self {
        case .forbidden, .blocked: .forbidden
        case .unreachable: .unreachable
        case .throttled: .throttled
        case .refused: .refused
        case .broken: .broken
        case .tooLong: .tooLong
        case .skipped, .rejected, .noSpace, .file, .cancelled, .notModified: nil
        }
    }
}
