import APOD
import FavoritesModel
import Testing

@testable import Favorites

@Suite(.timeLimit(.minutes(1))) struct LinkReaderTests {
    private static let reader = LinkReader(roots: ["/srv/mirror", "/home/favorites"])
    private static let words = [
        "", ".", "..", "..", "favorites", "pictures", "srv", "mirror", "home", "2026", "2026-11",
        "2026-11-20 X.jpg", "2026/2026-11/2026-11-20 X.jpg", "2026/2026-11/2026-11-20",
        "latest.jpg",
    ]

    /// Of 20,000 links that lead anywhere, the quick reading says what the slow one says.
    @Test func whatIsToldByTheBytesIsTrue() throws {
        var user = RandomUser(seed: 1, days: [])
        var (days, paths) = (0, 0)
        for _ in 0..<20_000 {
            let name = try #require(FavoriteName(["x", "a/x", "a/b/x"][user.number(below: 3)]))
            let parts = (0...user.number(below: 6)).map { _ in
                Self.words[user.number(below: Self.words.count)]
            }
            let text =
                ["", "/", "/srv/mirror/", "../", "../../"][user.number(below: 5)]
                + parts.joined(separator: "/")
            // A part of a longer text, as a listing has it.
            let target = Array("../x/../\(text)".utf8)[8...]
            let lead = Self.reader.lead(target, from: name)
            if let day = Self.reader.plainDay(target, from: name) {
                days += 1
                #expect(lead.path.mirroredDay == day, "\(text) from \(name.text)")
                #expect(!lead.isInFavorites, "\(text) from \(name.text)")
            }
            if let path = Self.reader.plainPath(target, from: name) {
                paths += 1
                #expect(lead == .inside(PathText(Array(path))), "\(text) from \(name.text)")
                #expect(lead.path.bytes == Array(path), "\(text) from \(name.text)")
            }
        }
        #expect(days > 1000)
        #expect(paths > 1000)
    }

    @Test(arguments: [
        "/srv/mirror/pictures/2026/2026-11/2026-11-20 X.jpg",
        "../pictures/2026/2026-11/2026-11-20 X.jpg",
        "/run/user/1000/gvfs/sftp:host=nas/apod/2026/2026-11/2026-11-20.json",
    ]) func theLinksOfFileManagersAreToldByTheirBytes(target: String) throws {
        let name = try #require(FavoriteName("x"))

        #expect(Self.reader.plainDay(Array(target.utf8)[...], from: name) == Day("2026-11-20"))
    }
}

extension LinkReader.Lead {
    fileprivate var path: PathText {
        switch self {
        case .inside(let path), .outside(let path): path
        }
    }

    fileprivate var isInFavorites: Bool {
        guard case .inside(let path) = self else { return false }
        return path.parts.first?.elementsEqual("favorites".utf8) == true
    }
}
