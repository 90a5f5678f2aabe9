internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// What a daemon without a mirror leaves outside of all trees while it waits for NASA's first answer.
///
/// Commands read it: there is no mirror that could tell them. It is in the directory of ``KnownMirrors``.
package struct FirstAnswerNote: Hashable, Codable, Sendable {
    private static let fileName = "waiting.json"

    /// The process that waits; the note counts while it runs.
    package let process: Int32
    /// The directory in which it will create the mirror.
    package let root: String
    /// Why there is no answer yet.
    package let reason: String

    init(root: String, reason: String) {
        process = getpid()
        self.root = root
        self.reason = reason
    }

    /// Writes the note below the state directory of `environment`; an error costs only the note.
    func write(_ environment: [String: String]) {
        guard let path = KnownMirrors.stateDirectory(environment),
            let folder = try? Directory(opening: "/")
                .makeDirectory(String(path.dropFirst()), mode: 0o700)
        else { return }
        try? AtomicFile.publish(
            stateDocument, in: folder, as: Self.fileName, through: folder)
    }

    /// Removes the note, if there is one.
    static func remove(_ environment: [String: String]) {
        guard let path = KnownMirrors.stateDirectory(environment) else { return }
        try? Directory(opening: path).remove(fileName)
    }

    /// The note of another process, the running daemon of this user or the system service; `nil` if none waits.
    package static func find(_ environment: [String: String]) -> FirstAnswerNote? {
        let places = [environment, ["XDG_STATE_HOME": "/var/cache"]]
        return places.compactMap(KnownMirrors.stateDirectory).lazy.compactMap { path in
            guard let bytes = try? Directory(opening: path).read(fileName) else { return nil }
            return try? JSONDecoder().decode(FirstAnswerNote.self, from: Data(bytes))
        }.first { $0.process != getpid() && (kill($0.process, 0) == 0 || errno == EPERM) }
    }
}
