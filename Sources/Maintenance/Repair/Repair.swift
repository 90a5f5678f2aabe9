/// What ``Repairer`` did about one finding.
package struct Repair: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        /// The file is repaired, or a view makes it again. The text says how.
        case done(String)
        /// The next sync will download the file, or make the record again.
        case leftToSync
        /// The next scan of the favorites will make the pin again, which is the favorite's own hard link to its picture.
        case leftToScan
        /// The text says why, and what to do.
        case failed(String)
        /// The file cannot be read, and may be intact. A person has to check the permissions and the disk.
        case leftToUser
    }

    package let finding: VerifyFinding
    package let action: Action

    package var isDone: Bool { if case .done = action { true } else { false } }

    /// Whether the damaged file was moved to `damaged/`, so that nothing is in its place until a sync or scan makes it again.
    var hasMovedFile: Bool {
        guard finding.kind == .damaged else { return false }
        return switch action {
        case .leftToSync: finding.item != .record
        case .leftToScan: true
        case .done, .failed, .leftToUser: false
        }
    }

    /// What was done, for people.
    package var words: String {
        switch action {
        case .done(let words): words
        case .leftToSync: "to be downloaded from NASA"
        case .leftToScan: "to be made again from the picture of its day"
        case .failed(let reason): reason
        case .leftToUser: "check its permissions and the disk"
        }
    }

    package var description: String { "\(finding.path): \(words)" }
}
