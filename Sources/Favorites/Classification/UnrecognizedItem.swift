internal import Mirror
package import Platform

/// An item in `favorites/` that refers to no day; it is left in place.
package struct UnrecognizedItem: Hashable, Sendable {
    package let name: FavoriteName
    /// Follows the name in a sentence: `leads out of the mirror, to …`.
    package let reason: String
    /// Whether the item is a file that may still be being copied, so that the reason may end in a moment.
    let mayBeIncomplete: Bool

    init(_ name: FavoriteName, _ reason: UnrecognizedReason, mayBeIncomplete: Bool = false) {
        self.name = name
        self.reason = reason.text
        self.mayBeIncomplete = mayBeIncomplete
    }
}

/// Why an item in `favorites/` refers to no day; its ``text`` also tells the user what to do.
///
/// The bytes that some cases have are the path to which a link leads.
package enum UnrecognizedReason: Hashable, Sendable {
    /// A FIFO, a socket or a device.
    case specialFile
    case longLinkTarget
    case linkChain(longerThan: Int)
    /// A link to an item in `favorites/` that is no favorite.
    case linkToItem([UInt8])
    case linkToFolder([UInt8])
    case linkToOtherFile([UInt8])
    case linkOutOfMirror([UInt8])
    case empty
    /// A file that is being copied, as the error of reading it shows.
    case growing(SystemError)
    case unreadable(SystemError)
    /// A copy of the text that the daemon writes into `favorites/`, or an earlier one: ``FavoritesReport``.
    case copyOfReport
    case namesSeveralDays
    case foreignPicture
    case foreignFile

    /// Follows the name of the item in a sentence.
    var text: String {
        switch self {
        case .specialFile: "is a FIFO, a socket or a device, which is never opened"
        case .longLinkTarget: "is a link whose target is longer than any path of a mirror"
        case .linkChain(let limit): "leads into a loop, or through more than \(limit) links"
        case .linkToItem(let name): "leads to \(quoted(name)), which is no favorite"
        case .linkToFolder(let target):
            "leads to the folder \(quoted(target)): link the pictures in it, each by itself"
        case .linkToOtherFile(let target):
            "leads to \(quoted(target)), which is no picture: link a picture"
        case .linkOutOfMirror(let target):
            "leads out of the mirror, to \(quoted(target)), and names no day"
        case .empty: "is empty, or is being copied"
        case .growing(let error): "is being copied: \(error.reason)"
        case .unreadable(let error) where error.cause == .denied:
            "cannot be read (\(error.reason)): run “chmod a+rX” on it, so that \(Self.user) may read it"
        case .unreadable(let error): "cannot be read (\(error.reason))"
        case .copyOfReport:
            "is a copy of “\(Layout.favoritesReport)”, or an earlier one: delete it"
        case .namesSeveralDays: "names several days: link one of them"
        case .foreignPicture:
            "is a picture that the mirror does not have: link one that it has, or begin its name with the date"
        case .foreignFile:
            "is no picture of the mirror and names no day: link a picture, or write the address of its page into"
                + " a text file"
        }
    }

    /// The user of this process: the daemon, or a command of a person who may read less or more than the daemon.
    private static let user = Account.effectiveName

    /// A path on one line and shortened.
    private func quoted(_ path: [UInt8]) -> String {
        "“\(String(decoding: path, as: UTF8.self).excerpt(120))”"
    }
}
