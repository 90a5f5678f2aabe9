internal import Mirror
package import Platform

/// What ``Repairer`` did about one finding of a verification.
package struct Repair: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        /// The contents were copied from this path.
        case restored(from: String)
        /// The file was renamed from this path.
        case movedBack(from: String)
        /// The modification time was set to the day of the file.
        case timeSet
        /// The page of a day was written again.
        case rewritten
        /// The damaged file was moved into `.apod-mirror/damaged/`; no copy of its contents exists.
        case setAside
        /// The damaged pin stays: no copy of its contents exists, or it is not known which picture of the day it was.
        case unrecoverable
        /// The file was removed, to be made again.
        case removed
        /// The next sync downloads the file, or writes it again.
        case leftToSync
        /// The next scan of the favorites repairs the file.
        case leftToScan
        case failed(SystemError)

        /// What was done, for people.
        package var words: String {
            switch self {
            case .restored(let source): "restored from \(source)"
            case .movedBack(let path): "moved back from \(path)"
            case .timeSet: "modification time set"
            case .rewritten: "written again"
            case .setAside: "no copy of the contents exists; moved to \(Layout.damaged)"
            case .unrecoverable:
                "the pinned contents cannot be restored; remove the file to pin the picture of the day"
            case .removed: "removed, to be made again"
            case .leftToSync: "to be downloaded from NASA"
            case .leftToScan: "to be repaired by the next scan of the favorites"
            case .failed(let error): "\(error)"
            }
        }
    }

    package let finding: VerifyFinding
    package let action: Action

    /// Whether the tree is as it must be, or will be so once views are made again.
    package var isDone: Bool {
        switch action {
        case .restored, .movedBack, .timeSet, .rewritten, .removed: true
        case .setAside, .unrecoverable, .leftToSync, .leftToScan, .failed: false
        }
    }

    package var description: String { "\(finding.path): \(action.words)" }
}
