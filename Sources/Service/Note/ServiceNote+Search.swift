package import Platform

/// Finds the notes of other processes: of a daemon of this user, and of the system service.
extension ServiceNote {
    /// The note of the system service; `nil` if the service was never started, or if this user may not read the note.
    package static var ofService: ServiceNote? {
        get throws(SystemError) { try ServiceNoteFile.ofSystemService.read() }
    }

    /// The latest note of a daemon of the mirror at `root`, an absolute path; `nil` if there is none.
    package static func find(
        root: String, _ environment: [String: String]
    ) throws(SystemError) -> ServiceNote? {
        // Bytes are compared: Swift takes “é” and “e” with an accent for equal, but they name two directories.
        try notes(visibleIn: environment).filter { $0.root.utf8.elementsEqual(root.utf8) }
            .max { $0.since < $1.since }
    }

    /// The note of another process that waits for NASA's first answer, and the reason why; `nil` if there is none.
    package static func waiting(
        _ environment: [String: String]
    ) throws(SystemError) -> (note: ServiceNote, reason: String)? {
        for note in try notes(visibleIn: environment) where note.isAlive {
            if case .waiting(let reason) = note.state { return (note, reason) }
        }
        return nil
    }

    /// The notes of a daemon of this user and of the system service, as far as there are any.
    private static func notes(
        visibleIn environment: [String: String]
    ) throws(SystemError) -> [ServiceNote] {
        [try ServiceNoteFile(environment).read(), try ofService].compactMap(\.self)
    }
}
