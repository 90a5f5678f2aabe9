import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform

/// A complete mirror of generated days, written without a server.
struct SampleTree {
    let path: String
    let days: [Day]

    private let details: (Day) -> JSON

    /// Creates a mirror of `days` days in `folder`, with the `details` of its day in each record.
    init(
        _ count: Int, in folder: Directory, details: @escaping (Day) -> JSON = { _ in [:] }
    ) throws {
        path = folder.path
        self.details = details
        days = (0..<count).map { Day.first.advanced(by: 7 + $0) }
        _ = try open()
        var (month, records, pictures) = ("", folder, folder)
        for day in days {
            if month != Layout.folder(Layout.pictures, of: day) {
                month = Layout.folder(Layout.pictures, of: day)
                pictures = try folder.makeDirectory(month)
                records = try folder.makeDirectory(Layout.folder(Layout.metadata, of: day))
            }
            try add(day, to: records, pictures)
        }
        sync()
    }

    private func add(_ day: Day, to records: Directory, _ pictures: Directory) throws {
        try Self.write(Self.picture(of: day), to: pictures, as: Self.name(of: day))
        try Self.write(record(of: day).document, to: records, as: "\(day).json")
    }

    /// Opens the mirror as its writer.
    func open() throws -> Tree {
        try Tree.writing(path, known: KnownMirrors(environment: [:]))
    }

    /// The target of a link in `favorites/` to the picture of `day`, as a file manager creates it.
    func target(_ day: Day) -> String {
        "\(path)/\(Layout.folder(Layout.pictures, of: day))/\(Self.name(of: day))"
    }

    /// The name of the picture of `day`.
    static func name(of day: Day) -> String { "\(day) The Crab Nebula in Many Colors.jpg" }

    private static func write(_ bytes: [UInt8], to folder: Directory, as name: String) throws {
        try folder.open(name, O_WRONLY | O_CREAT | O_EXCL).write(bytes, path: name)
    }

    private static func picture(of day: Day) -> [UInt8] {
        [0xff, 0xd8, 0xff, 0xe0] + Array("\(day)".utf8)
    }

    private func record(of day: Day) -> JSON {
        let bytes = Self.picture(of: day)
        var hash = SHA256()
        hash.update(bytes)
        let record: JSON = [
            "date": .string("\(day)"), "title": "The Crab Nebula in Many Colors",
            "explanation": .string(String(repeating: "Filaments of a star. ", count: 40)),
            "media_type": "image",
            "picture": [
                "path": .string("\(Layout.folder(Layout.pictures, of: day))/\(Self.name(of: day))"),
                "bytes": .integer(bytes.count), "sha256": .string(hash.hexDigest()),
                "type": "image/jpeg", "width": 4000, "height": 3000, "origin": "http://127.0.0.1/",
            ],
            "source": ["feed": "basic", "fetched": .string(Date().timestamp), "revision": 1],
        ]
        return .object(record.members + details(day).members)
    }
}
