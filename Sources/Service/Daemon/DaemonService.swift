/// A long-running part of the daemon; services run concurrently and do not know each other.
package protocol DaemonService: Sendable {
    /// Runs until the task is cancelled; files are consistent at any time.
    ///
    /// - Throws: A fatal error, which ends the daemon; or `CancellationError`.
    func run() async throws
}
