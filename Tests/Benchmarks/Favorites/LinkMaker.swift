import APOD
import Platform

/// Makes links in the `favorites/` of a mirror, as fast as they can be made.
struct LinkMaker {
    let tree: SampleTree

    /// Makes so many links, one day after the other, over and over.
    func make(_ count: Int) throws {
        let folder = try Directory(opening: tree.path).makeDirectory("favorites")
        for index in 0..<count {
            let day = tree.days[index % tree.days.count]
            try folder.symlink("\(index) \(SampleTree.name(of: day))", to: tree.target(day))
        }
    }
}
