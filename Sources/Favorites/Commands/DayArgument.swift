internal import APOD
internal import Mirror
internal import Platform

/// A day as an argument of a command.
enum DayArgument {
    /// Reads a date, `latest`, a path or a web address; `nil` if `text` names no day.
    static func day(_ text: String, in tree: Tree) -> Day? {
        if let day = Day(iso: text) ?? Day(compact: text) { return day }
        switch AddressText.meaning(of: text) {
        case .day(let day): return day
        case .path(let path): return day(path, in: tree)
        case .elsewhere: return nil
        case nil:
            return text == "latest" ? DayFiles.latest(in: tree) : day(PathText(text), in: tree)
        }
    }

    private static func day(_ path: PathText, in tree: Tree) -> Day? {
        if let day = path.mirroredDay { return day }
        let destination = (try? LinkResolver(of: tree))?.destination(path)
        let inside: PathText = if case .inside(let own) = destination { own } else { path }
        guard inside.parts.count == 1, let name = inside.latestName else { return path.day }
        return DayFiles.latest(in: tree, by: name)
    }
}
