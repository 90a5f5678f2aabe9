internal import Platform

/// A failed attempt, and what it says about the next one.
struct Setback: Error {
    let error: TransferError
    let isWorthRetrying: Bool
    /// How long the server wants to be left alone, and which host said so.
    let request: (host: String, after: RetryAfter)?

    init(
        _ error: TransferError, isWorthRetrying: Bool? = nil,
        request: (host: String, after: RetryAfter)? = nil
    ) {
        self.error = error
        self.isWorthRetrying = isWorthRetrying ?? error.isWorthRetrying
        self.request = request
    }

    /// An answer that would not be better the next time.
    static func hopeless(_ address: Address, _ reason: String) -> Setback {
        Setback(.broken(address: address.shown, reason: reason.excerpt), isWorthRetrying: false)
    }

    /// An answer that went wrong on its way.
    static func broken(_ address: Address, _ reason: String) -> Setback {
        Setback(.broken(address: address.shown, reason: reason.excerpt))
    }
}
