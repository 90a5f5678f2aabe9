internal import APOD
internal import Mirror
internal import Platform

/// How a person names a day to a command.
enum DayArgument {
    /// A date, `latest`, a path or a web address; `nil` where `text` is none that names a day.
    static func day(_ text: String, in tree: Tree) -> Day? {
        if let day = Day(iso: text) ?? Day(compact: text) { return day }
        switch WebText.meaning(of: text) {
        case .day(let day): return day
        case .path(let path): return day(path, in: tree)
        case .elsewhere: return nil
        case nil:
            return text == "latest" ? DayFiles.latest(in: tree) : day(PathText(text), in: tree)
        }
    }

    private static func day(_ path: PathText, in tree: Tree) -> Day? {
        if let day = path.mirroredDay { return day }
        let inside = path.below(PathText(tree.root.path)) ?? path
        return inside.isLatest && inside.parts.count == 1 ? DayFiles.latest(in: tree) : path.day
    }
}
