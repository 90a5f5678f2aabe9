package import Platform

extension UnixSignals {
    /// Waits for the signal that is to end the process.
    ///
    /// - Parameter hangUp: What a SIGHUP does; where it is `nil`, a closed terminal ends the process.
    /// - Returns: The exit code that names the signal, `nil` where the task was cancelled.
    package func wait(_ hangUp: (() -> Void)? = nil) async -> ExitCode? {
        for await signal in self {
            guard signal == 1, let hangUp else { return ExitCode(rawValue: 128 + signal) }
            hangUp()
        }
        return nil
    }
}
