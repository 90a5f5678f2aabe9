import APOD
import Platform

/// Creates links in the `favorites/` of a mirror as fast as possible.
struct LinkMaker {
    let tree: SampleTree

    /// Creates `count` links, one day after another, repeatedly.
    func make(_ count: Int) throws {
        let folder = try Directory(opening: tree.path).makeDirectory("favorites")
        for index in 0..<count {
            let day = tree.days[index % tree.days.count]
            try folder.symlink("\(index) \(SampleTree.name(of: day))", to: tree.target(day))
        }
    }
}
