internal import JSON

/// The WordPress post of an entry: NASA's second view of a day, at `image-article/ID`.
///
/// It is requested only where the day of an entry is doubtful or its picture is missing. Its text, in which identifiers
/// are random, is not used.
struct ImageArticle {
    /// The day of the old page that was moved to this post, such as `ap070713.html`; `nil` for new posts.
    let day: Day?
    let picture: String?

    /// Reads the body of a response; `nil` results from one that is not the post of that number.
    init?(body: [UInt8], post: Int) {
        let names: Set = ["id", "migration_source_url", "featured_image"]
        guard let fields = try? RawJSON(body[...]).members(named: names),
            fields["id"]?.integer == post
        else { return nil }
        let link = Self.address(fields["migration_source_url"]).flatMap(ArchiveLink.init)
        day = link.flatMap { $0.isOnKnownHost ? $0.day : nil }
        let image = try? fields["featured_image"]?.members(named: ["file"])
        picture = Self.address(image?["file"])
    }

    private static func address(_ value: RawJSON?) -> String? {
        value.flatMap { $0.bytes.count <= TextLimit.address ? $0.string : nil }
    }
}

extension RawJSON {
    /// The number; `nil` for other values.
    var integer: Int? { Int(String(decoding: bytes.prefix(20), as: UTF8.self)) }
}
