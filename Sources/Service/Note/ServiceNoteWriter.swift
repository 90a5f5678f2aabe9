internal import Mirror
package import Platform

/// Writes what keeps a running daemon from its work into its ``ServiceNote``, whenever that changes.
///
/// If the note cannot be written, or if somebody has deleted it, the next report of the daemon writes it. The daemon reports
/// after each sync.
package struct ServiceNoteWriter: Sendable {
    private struct Contents: Hashable {
        var obstacle: Obstacle?
        var failures: ServiceNote.Failures = [:]
    }

    private struct State {
        /// What the note is to say.
        var current = Contents()
        /// What the note says; `nil` if it has not been written, or if the last attempt to write it has failed.
        var written: Contents?
        /// Whether the last attempt to write it has failed, which was logged.
        var isFailing = false
    }

    private let settings: Settings
    private let file: ServiceNoteFile
    private let log: Log
    /// Locked while the note is written, so that an older one never replaces a newer one.
    private let state = SharedValue(State())

    /// Prepares the note of a daemon with these settings, without writing it; `log` receives errors of writing.
    package init(_ settings: Settings, to file: ServiceNoteFile, log: Log) {
        self.settings = settings
        self.file = file
        self.log = log
    }

    /// Writes that the daemon runs.
    package func writeStart() { change { _ in } }

    /// Records what keeps all days away; `nil` if nothing does.
    func record(_ obstacle: Obstacle?) {
        change { $0.obstacle = obstacle?.following($0.obstacle) }
    }

    /// Records why `service` could not read or write its files; `nil` if it could.
    func record(_ failure: SyncState.Failure?, of service: LastRun.ServiceName) {
        change { $0.failures[service] = failure }
    }

    /// Changes what the note is to say, and writes the note unless it says that already.
    private func change(_ body: (inout Contents) -> Void) {
        state.withLock { state in
            body(&state.current)
            let new = state.current
            guard new != state.written || file.isMissing else { return }
            do throws(SystemError) {
                try file.write(
                    .running(
                        obstacle: new.obstacle,
                        failures: new.failures.isEmpty ? nil : new.failures), for: settings)
                state.written = new
                state.isFailing = false
            } catch {
                state.written = nil
                guard !state.isFailing else { return }
                state.isFailing = true
                let remedy = error.remedy ?? "check the permissions"
                log.warning(
                    "“status” and “doctor” may not show what keeps this daemon from its work: \(error);"
                        + " \(remedy)")
            }
        }
    }
}
