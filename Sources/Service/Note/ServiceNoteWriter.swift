internal import Mirror
internal import Platform

/// Writes what keeps a running daemon from its work into its ``ServiceNote``, whenever that changes.
///
/// If the note cannot be written, the next report of the daemon writes it.
package struct ServiceNoteWriter: Sendable {
    private struct Contents: Hashable {
        var obstacle: Obstacle?
        var failures: ServiceNote.Failures = [:]
    }

    private struct Progress {
        var current = Contents()
        /// What the note has; `nil` if that is not known, because the last attempt to write it has failed.
        var written: Contents? = Contents()
    }

    private let settings: Settings
    private let file: ServiceNoteFile
    /// Locked while the note is written, so that an older one never replaces a newer one.
    private let progress = SharedValue(Progress())

    /// Begins with a `file` that has the note of a daemon with these settings, which has met nothing yet.
    package init(_ settings: Settings, to file: ServiceNoteFile) {
        self.settings = settings
        self.file = file
    }

    /// Records what keeps all days away; `nil` if nothing does.
    func record(_ obstacle: Obstacle?) {
        change { $0.obstacle = obstacle?.following($0.obstacle) }
    }

    /// Records why `service` could not read or write its files; `nil` if it could.
    func record(_ failure: SyncState.Failure?, of service: LastRun.ServiceName) {
        change { $0.failures[service] = failure }
    }

    private func change(_ body: (inout Contents) -> Void) {
        progress.withLock { progress in
            body(&progress.current)
            let new = progress.current
            guard new != progress.written else { return }
            do {
                try file.write(
                    .running(
                        obstacle: new.obstacle,
                        failures: new.failures.isEmpty ? nil : new.failures), for: settings)
                progress.written = new
            } catch {
                progress.written = nil
            }
        }
    }
}
