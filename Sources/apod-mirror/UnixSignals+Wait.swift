import Platform

extension UnixSignals {
    /// Returns when the process is to end.
    ///
    /// - Parameter hangUp: What a SIGHUP does.
    func wait(_ hangUp: () -> Void = {}) async {
        for await signal in self {
            guard signal == 1 else { return }
            hangUp()
        }
    }
}
