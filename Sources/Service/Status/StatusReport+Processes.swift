internal import Mirror
package import Platform

extension StatusReport {
    /// The daemon and the other processes that write the mirror, by its lock and by what they wrote about themselves.
    struct Processes: Sendable {
        /// The process that has the mirror open for writing: the daemon or a command.
        let writer: FileLock.Holder?
        /// What the daemon of this mirror wrote outside of it; `nil` if there is no note.
        let note: ServiceNote?
        /// ``note``; `nil` if that daemon has ended, so that nobody knows what it would write now.
        let noteOfRunningDaemon: ServiceNote?
        /// The ID of the daemon that runs, but no longer has this mirror open; `nil` if there is none.
        let daemonOfExchangedMirror: Int32?
        /// What the last process of `apod-mirror run`, which may still run, wrote into the mirror.
        let lastRun: LastRun?
        /// The settings of that process; the defaults if no run is known.
        let settingsOfLastRun: Settings

        /// `service` reads the ``note``.
        init(
            of tree: Tree, service: () throws -> ServiceNote?, reader: inout PartialReader
        ) throws {
            let note = try reader.read { try service() }
            let holder = Tree.writer(in: tree.root)
            self.note = note
            writer = Self.writer(holder, note)
            noteOfRunningDaemon = note.flatMap { $0.hasEnded(unlessItIs: holder) ? nil : $0 }
            daemonOfExchangedMirror = note.flatMap { $0.hasLostMirror(at: tree) ? $0.process : nil }
            lastRun = try reader.read { try LastRun.read(from: tree) }
            settingsOfLastRun = Settings(root: tree.root.path, typed: lastRun?.settings ?? [:])
        }

        /// ``lastRun`` if its process has the mirror open; `nil` if no process has, or one that is not `apod-mirror run`.
        var runningDaemon: LastRun? { lastRun?.process == writer?.process ? lastRun : nil }

        /// The settings of the process that has the mirror open; `nil` if they are not known.
        var settingsOfWriter: Settings? { runningDaemon == nil ? nil : settingsOfLastRun }

        /// The `holder` of the lock of the mirror, with the ID in the `note` of the daemon if that runs.
        ///
        /// The ID in the lock may be another one, which a restore has written into the locked files.
        private static func writer(
            _ holder: FileLock.Holder?, _ note: ServiceNote?
        ) -> FileLock.Holder? {
            guard holder?.role == .daemon, let note, case .running = note.state, note.isAlive else {
                return holder
            }
            return FileLock.Holder(process: note.process, role: .daemon)
        }
    }

    package var writer: FileLock.Holder? { processes.writer }

    package var daemonOfExchangedMirror: Int32? { processes.daemonOfExchangedMirror }
}
