internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// What the arguments of all actions mean: each is a day, see ``DayArgument``, or the path of an item in `favorites/`.
extension FavoriteCommands {
    /// The path in the mirror for an absolute one, as a shell completes it: `favorites/x.jpg` for `/srv/apod/favorites/x.jpg`.
    ///
    /// Any other argument stays as it is. If `x.jpg` is a link, it is not followed to a picture, because a person who removes a
    /// favorite means the link.
    func relativePath(of argument: String) -> String {
        // The address of a web page or of a file is no path.
        guard !argument.contains("://") else { return argument }
        let root = "\(tree.root.path)/"
        if argument.hasPrefix(root) { return String(argument.dropFirst(root.count)) }
        // A name alone, and a file in `/`, is in no folder of the mirror.
        guard argument.dropFirst().contains("/") else { return argument }
        // The folder may be given by a link, or relative to the current one.
        let (folder, name) = Layout.split(argument)
        let path = "\(resolvedPath(folder))/\(name)"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : argument
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(relativePath(of: argument), in: store, at: now())
    }
}
