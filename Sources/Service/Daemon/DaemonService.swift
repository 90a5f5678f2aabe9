/// Something that keeps one thing true for as long as the process lives.
///
/// Keepers run side by side and know nothing of each other: see ``Daemon``.
package protocol DaemonService: Sendable {
    /// Works until the task is cancelled; what is durable is whole at any moment.
    ///
    /// - Throws: What it cannot go on after, which ends the daemon; or `CancellationError`.
    func run() async throws
}
