internal import Glibc
internal import Mirror
package import Platform

/// The file `service.json` outside of all mirrors, in which the daemons of one user write their ``ServiceNote``.
///
/// The file is beside the list of ``KnownMirrors``, for example in `~/.local/state/apod-mirror/`. A second daemon of the same
/// user does not replace the note of the first one while that runs. Because a daemon also works without a note, a caller may
/// ignore an error of writing.
package struct ServiceNoteFile: Sendable {
    /// The file of the system service, whose unit sets this variable.
    static let ofSystemService = ServiceNoteFile(["XDG_STATE_HOME": "/var/cache"])
    private static let name = "service.json"
    /// A note has a few kilobytes; a larger file is not read.
    private static let largestFile = 1 << 20

    private let environment: [String: String]
    /// The directory of the file; `nil` if this user has no home directory, and so no note.
    private var directory: String? { KnownMirrors.stateDirectory(environment) }

    /// The variables `XDG_STATE_HOME` and `HOME` of `environment` say in which directory the file is.
    package init(_ environment: [String: String]) { self.environment = environment }

    /// Writes the note of this process, a daemon with `settings`.
    package func write(_ state: ServiceNote.State, for settings: Settings) throws(SystemError) {
        try write(ServiceNote(root: settings.root, settings: settings.typed, state))
    }

    /// Writes that this process, a daemon, has failed; it need not have read its settings.
    package func writeFailure(_ reason: String) throws(SystemError) {
        let last = try? read()
        // If there is none, this process has failed before it read its settings.
        let ownNote = last?.process == getpid() ? last : nil
        try write(
            ServiceNote(
                root: ownNote?.root ?? rootInVariables, settings: ownNote?.settings ?? [:],
                .failed(reason: reason)))
    }

    /// The path of the mirror that variables of a service name; empty if none does.
    private var rootInVariables: String {
        if let root = environment["APOD_MIRROR_ROOT"] { return resolvedPath(root) }
        // STATE_DIRECTORY is a list, see systemd.exec(5).
        let first = environment["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
        return first.map(resolvedPath) ?? ""
    }

    /// Writes `note`, unless the file has that of another daemon that runs.
    ///
    /// - Throws: Also an error of reading, because a note that cannot be read for now may be that of another daemon.
    private func write(_ note: ServiceNote) throws(SystemError) {
        guard let directory else { return }
        if let present = try read(), present.isOfOtherRunningDaemon { return }
        let folder = try Directory(opening: "/")
            .makeDirectory(String(directory.dropFirst()), mode: 0o700)
        try AtomicFile.publish(note.stateDocument, in: folder, as: Self.name, through: folder)
    }

    /// Whether it is certain that there is no note, because none was written yet, or because somebody has deleted it.
    var isMissing: Bool {
        guard let directory, let system = try? Directory(opening: "/") else { return false }
        return system.isCertainlyMissing("\(directory.dropFirst())/\(Self.name)")
    }

    /// Reads the note; `nil` if there is none, or if it is damaged or this user may not read it.
    ///
    /// - Throws: ``SystemError`` if the note cannot be read for now: it may say that a daemon is about to create its mirror.
    func read() throws(SystemError) -> ServiceNote? {
        guard let directory else { return nil }
        do {
            let bytes = try Directory(opening: directory).read(Self.name, limit: Self.largestFile)
            return bytes.flatMap(ServiceNote.init(stateDocument:))
        } catch {
            guard error.mayBeTemporary else { return nil }
            throw error
        }
    }
}
