internal import Platform

/// The right to start one request.
///
/// Whoever lets go of it without ``begin()`` has started none, and passes it on.
final class Turn: Sendable {
    private let isOver = Monitor(false)
    private let pass: @Sendable (_ hasBegun: Bool) -> Void

    init(_ pass: @escaping @Sendable (_ hasBegun: Bool) -> Void) {
        self.pass = pass
    }

    deinit {
        end(hasBegun: false)
    }

    /// The request starts now.
    func begin() {
        end(hasBegun: true)
    }

    private func end(hasBegun: Bool) {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        if !wasOver { pass(hasBegun) }
    }
}
