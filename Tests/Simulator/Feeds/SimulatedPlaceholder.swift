internal import APOD
internal import JSON

/// What NASA serves instead of a missing picture or entry.
enum SimulatedPlaceholder {
    static let thumbnailPath =
        "/dynamicimage/assets/science/astro/programs/cosmic-origins/images/misc/news-thumbnail.png"
    static let logoPath = "/wp-content/themes/nasa-child/assets/images/nasa-logo@2x.png"

    static let file = SimulatedPicture(
        name: "news-thumbnail.png",
        source: .drawn(Drawing(seed: 0, width: 198, height: 172, format: .png)))

    /// The value of `hdurl` for a day without a picture.
    static func address(at origin: String) -> String {
        origin + thumbnailPath + "?w=594&h=516&fit=clip&crop=faces%2Cfocalpoint"
    }

    /// The same entry for every date, as the v1 feed has sent it since 2026-09-29.
    static func v1Entry(of day: Day, at origin: String) -> JSON {
        [
            "date": .string(day.description), "explanation": .string(explanation),
            "hdurl": .string(origin + logoPath), "media_type": "image", "service_version": "v1",
            "title": "NASA Science", "url": .string(origin + logoPath),
        ]
    }

    /// The same entry in the shape of the basic feed.
    static func basicEntry(of day: Day, at origin: String) -> JSON {
        [
            "date": .string(day.description), "post_id": 1, "title": "NASA Science",
            "permalink": "https://science.nasa.gov/", "media_type": "image",
            "explanation": .string(explanation), "credit": false, "copyright": false, "alt": false,
            "url": "https://science.nasa.gov/", "hdurl": .string(address(at: origin)),
            "basic_html": "<!doctype html>\n<html></html>",
            "basic_html_url": "https://science.nasa.gov/",
        ]
    }

    private static let explanation = "Discover the cosmos! Each day a different image"
}
