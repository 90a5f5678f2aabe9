import APOD
import Mirror
import ProgramTesting
import Simulator

/// The initial states of scenarios.
extension Scenario {
    /// The number of published days.
    static let days = 6
    /// The directory with the pictures of an older program, beside the mirrors of a rig.
    static let source = "source"

    static func day(_ age: Int) -> Day { Site.day(age) }

    /// Prepares the mirror at `root`, once.
    func prepare(_ rig: Rig, at root: String) async throws {
        let site = rig.site
        try site.addVideo()
        switch self {
        case .firstSync, .videos: return
        case .edits:
            try await rig.sync(root, options)
            // A photo manager adds a tag; the picture will get another type.
            try await rig.shell(
                "sed -i 's,</rdf:Description>,\(TreeImage.foreignTag)&,' '\(root)'/pictures/*/*/\(Self.day(1))*.xmp"
            )
            try site.editAll()
        case .thumbnails:
            try await rig.sync(root, options.map { $0 == "yes" ? "no" : $0 })
        case .favoriteAdded: try await rig.sync(root, options)
        case .favoriteRemoved:
            try await rig.sync(root, options)
            try await addFavorites([1, 3], rig, root)
        case .daemon:
            let newest = site.simulator.entry(of: Site.today)
            site.simulator.withdraw(Site.today)
            // One day is missing.
            _ = try await rig.run(["run", "--once", "-q"], root, options)
            try await addFavorites([1], rig, root)
            if let newest { site.simulator.publish(newest) }
            try await rig.makeLink(root, to: Self.day(3))
        case .repair:
            try await rig.sync(root, options)
            try await addFavorites([1, 2], rig, root)
            try await damage(rig, root)
        case .adoption: try await makeSource(rig, root)
        case .retention:
            // The oldest day is a favorite, and the next one a video.
            try await rig.sync(root, options + ["--keep", "all"])
            try await rig.makeLink(root, to: Self.day(3))
            try await rig.sync(root, options + ["--keep", "all"])
        }
    }

    private func addFavorites(_ ages: [Int], _ rig: Rig, _ root: String) async throws {
        try await rig.succeed(["favorites", "add"] + ages.map { "\(Self.day($0))" }, root)
    }

    /// Each kind of damage, and each source of repairs.
    private func damage(_ rig: Rig, _ root: String) async throws {
        let days = (0..<6).map { "\(Self.day($0))" }
        let previous = "\(root)/\(Layout.previous)"
        try await rig.shell(
            """
            cd '\(root)' && set -e
            # The other names of a file stay whole.
            flip() { cp -p "$1" ../x; printf X | dd of=../x bs=1 seek=60 conv=notrunc status=none
                touch -r "$1" ../x; mv ../x "$1"; }
            flip pictures/*/*/\(days[0])*.jpg
            rm pictures/*/*/\(days[1])*.jpg
            flip \(Layout.favoriteStore)/\(days[2]).jpg
            flip pictures/*/*/\(days[2])*.mp4
            mkdir -p '\(previous)'
            hash=$(cat pictures/*/*/\(days[3])*.jpg | sha256sum)
            cp -p pictures/*/*/\(days[3])*.jpg '\(previous)'/"\(days[3]) ${hash%% *}.jpg"
            flip pictures/*/*/\(days[3])*.jpg
            truncate -s 100 metadata/*/*/\(days[4]).json
            for file in pictures/*/*/\(days[5])*.jpg; do mv "$file" "${file%/*}/renamed.jpg"; done
            echo mine >pictures/mine.txt
            """)
    }

    /// Three days are mirrored; another program has downloaded one of them, three others and half a picture.
    private func makeSource(_ rig: Rig, _ root: String) async throws {
        let all = "\(rig.site.folder)/all"
        try await rig.sync(all, options + ["--since", "\(Self.days)d"])
        try await rig.sync(root, options)
        let days = (0..<6).map { "\(Self.day($0))" }
        let compact = Self.day(4).compact
        try await rig.shell(
            """
            cd '\(rig.site.folder)' && set -e; mkdir -p \(Self.source)/sub
            get() { cat '\(all)'/pictures/*/*/"$1"*.jpg; }
            get \(days[0]) >\(Self.source)/\(days[0]).jpg
            get \(days[3]) >\(Self.source)/apod-\(days[3]).jpg
            get \(days[4]) >\(Self.source)/sub/ap\(compact).jpg
            get \(days[5]) >\(Self.source)/'\(days[5]) Some Title.jpg'
            get \(days[5]) | head -c 300 >\(Self.source)/half.jpg
            ln -s sub/ap\(compact).jpg \(Self.source)/2020-01-01.jpg
            """)
    }

    /// The downloads of days that the older program has: there must be none.
    func violations(in requests: [SimulatedRequest]) -> [String] {
        let adopted = self == .adoption ? [0, 3, 4, 5].map(Self.day) : []
        return requests.filter { $0.kind == .media }.compactMap(\.day)
            .filter(adopted.contains).map { "\($0) was there and downloaded" }
    }
}
