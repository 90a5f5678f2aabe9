internal import APOD
internal import JSON

/// The route `/wp-json/wp/v2/image-article/ID`: the post of an entry.
extension SimulatedBasicFeed {
    func article(_ rest: Substring) -> SimulatedResponse {
        guard let post = Int(rest.drop { $0 == "/" }), let (entry, day) = catalog.listed(post: post)
        else { return Self.noRoute }
        // Posts of the new site were not moved from an old page.
        let isMoved = entry.day < Day(compact: "260901") ?? .first
        let source = "https://apod.nasa.gov/apod/ap\(entry.day.compact).html"
        let picture = entry.media.picture.map { address(entry.dynamicPath(of: $0)) }
        let random = String(UInt32.random(in: .min ... .max), radix: 16)
        return .json([
            "id": .integer(post), "date": .string("\(day)T00:05:00"), "type": "image-article",
            "categories": [22766], "migration_source_url": .string(isMoved ? source : ""),
            "title": ["rendered": .string(FeedMarkup.escaped(entry.title))],
            "content": [
                "rendered": .string(
                    "<div id=\"nasa-plus-\(random)\">\(entry.explanationHTML)</div>")
            ],
            "featured_image": [
                "file": .string(picture ?? SimulatedPlaceholder.address(at: origin)), "caption": "",
            ],
        ])
    }
}
