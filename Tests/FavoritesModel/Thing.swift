package import APOD

/// Something that a user left in a folder.
package enum Thing: Hashable, Sendable {
    /// Each has a number of its own, as it has an inode.
    case folder(Int)
    case link(Target)
    case file(Contents, made: Int)
    case fifo

    package var isFolder: Bool {
        if case .folder = self { true } else { false }
    }
}

/// Where a link leads.
package enum Target: Hashable, Sendable {
    /// To the picture of a day, after so many `../`: it works where that is its depth.
    case relative(Day, up: Int)
    case absolute(Day)
    /// To the record of a day.
    case record(Day)
    /// To where the picture of a day that is not mirrored may come to lie.
    case placeholder(Day, up: Int)
    /// Into a mirror on another machine.
    case foreign(Day)
    /// To a file of the user, which has the date in its name.
    case own(Day)
    /// To whatever is the newest picture.
    case latest(made: Int)
    /// To a neighbour in its folder.
    case neighbour(String)
    case nowhere
}

/// What a file holds.
package enum Contents: Hashable, Sendable {
    /// The bytes of a day's picture, in a file of its own.
    case copy(Day)
    /// The picture of a day itself, by another name.
    case hardLink(Day)
    /// A picture that the mirror never had.
    case edited(Int)
    /// The address of a day.
    case note(Day)
    case nonsense
}
