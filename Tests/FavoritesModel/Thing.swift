package import APOD

/// An item that a user creates.
package enum Thing: Hashable, Sendable {
    /// Each has its own number, like an inode.
    case folder(Int)
    case link(Target)
    case file(Contents, made: Int)
    case fifo

    package var isFolder: Bool {
        if case .folder = self { true } else { false }
    }

    var isFile: Bool {
        if case .file = self { true } else { false }
    }
}

/// The target of a link.
package enum Target: Hashable, Sendable {
    /// The picture of a day, after `up` times `../`: it works at this depth only.
    case relative(Day, up: Int)
    case absolute(Day)
    /// The record of a day.
    case record(Day)
    /// The future path of the picture of a day that is not mirrored.
    case placeholder(Day, up: Int)
    /// A path in a mirror on another machine.
    case foreign(Day)
    /// A file of the user with the date in its name.
    case own(Day)
    /// The newest picture, through `latest.*`.
    case latest
    /// Another item in the same directory.
    case neighbor(String)
    case nowhere
}

/// The contents of a file.
package enum Contents: Hashable, Sendable {
    /// A copy of a day's picture.
    case copy(Day)
    /// A hard link to the picture of a day.
    case hardLink(Day)
    /// A picture that is not in the mirror.
    case edited(Int)
    /// The address of a day.
    case note(Day)
    case nonsense
}
