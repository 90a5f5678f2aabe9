import APOD
import Favorites
import JSON
import MediaFormat
import Mirror
import PictureSamples
import TestSupport
import Transfer

/// A decoder of foreign data, with what makes up its inputs.
struct Decoder: Sendable {
    let name: String
    /// Returns a function that makes up one input after the other; the same seed yields the same inputs.
    let inputs: @Sendable (_ seed: UInt64) -> () -> [UInt8]
    /// Whether the decoder accepts the input; any result is correct, but it must terminate.
    let accepts: @Sendable ([UInt8]) async -> Bool

    static let all = [text, feed, records, media]

    /// Mutates valid `samples`.
    private init(
        name: String, samples: [[UInt8]], tokens: [[UInt8]],
        accepts: @escaping @Sendable ([UInt8]) async -> Bool
    ) {
        self.name = name
        self.accepts = accepts
        inputs = { seed in
            var mutator = Mutator(seed: seed, tokens: tokens)
            return { mutator.mutated(samples) }
        }
    }

    private init(
        name: String, inputs: @escaping @Sendable (UInt64) -> () -> [UInt8],
        accepts: @escaping @Sendable ([UInt8]) async -> Bool
    ) {
        (self.name, self.inputs, self.accepts) = (name, inputs, accepts)
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    // MARK: What NASA sends

    private static let html = [
        "<p><b>Explanation: </b>A <a href='/apod/ap261120.html'>comet</a> &amp; its tail.</p>",
        "<center><b>Image Credit &amp; <a href=\"lib/about_apod.html\">Copyright:</a></b> A. Person</center>",
        "<img src=\"image/2611/comet_1024.jpg\" alt=\"See Explanation\" width=1024>",
        "<iframe src=\"https://www.youtube.com/embed/abc?rel=0\" allowfullscreen></iframe>",
        "<video><source src='a.mp4' type=\"video/mp4\"></video><script>x</script><!-- no -->",
        "é &eacute; &#233; &#x1F680; &nbsp; \u{200B}\u{FEFF} a\u{301}",
    ]

    private static let markup =
        bytes([
            "<", ">", "</", "/>", "<a href=\"", "<p>", "</p>", "<b>", "&amp;", "&#", "&#x110000;",
            "<!--", "-->", "<![CDATA[", "<script>", "</script>", "<br>", "<table><tr><td>", "\"",
            "'", "=", " ", "\n", "http://", "javascript:", "\u{0}", "\u{202E}", "2026-11-20",
        ]) + [[0xC3], [0xED, 0xA0, 0x80], [0xFF], [0xF4, 0x90, 0x80, 0x80]]

    private static let text = Decoder(name: "text", samples: bytes(html), tokens: markup) {
        let html = String(decoding: $0, as: UTF8.self)
        return !TextLink.all(in: "Explanation: A comet & its tail.", from: html).isEmpty
    }

    private static let basic = """
        [{"date":"2026-11-20","title":"A Comet","media_type":"image","explanation":"<p>It moves.</p>",\
        "permalink":"https://science.nasa.gov/image-article/apod-2026-11-20/",\
        "basic_html":"<p>\(html[2].replacing("\"", with: "\\\""))</p>","credit":"A. Person",\
        "url":"https://apod.nasa.gov/apod/image/2611/comet.jpg"}]
        """
    private static let v1 = """
        [{"date":"2026-11-19","title":"A Galaxy","media_type":"video","explanation":"Far away.",\
        "url":"https://www.youtube.com/embed/x","service_version":"v1","copyright":"B. Person"}]
        """

    private static let json = bytes([
        "\"", "\\", "\\u", "\\ud83d", "{", "}", "[", "]", ",", ":", "null", "true", "-", "1e999",
        "\"date\":", "\"hdurl\":", "\"media_type\":\"other\"", "9223372036854775808", "[[[[[[[[",
        " ",
    ])

    private static let feed = Decoder(
        name: "feed", samples: bytes([basic, v1, "{\"code\":404,\"message\":\"no\"}", "[]"]),
        tokens: json + markup
    ) { body in
        var accepted = false
        let url: WebURL = "https://science.nasa.gov/x"
        for feed in [
            BasicFeed(at: url) { _ in BufferedResponse(body: body) },
            V1Feed(at: url) { _ in BufferedResponse(body: body) },
        ] as [any Feed] {
            if let page = try? await feed.newestPage(), !page.entries.isEmpty { accepted = true }
        }
        return accepted
    }

    /// The headers and ends of pictures and videos, which the daemon itself reads.
    private static let media = Decoder(
        name: "media",
        inputs: { seed in
            var files = MalformedFile(random: SplitMix(state: seed))
            return { files.next() }
        },
        accepts: { file in
            unsafe file.withUnsafeBufferPointer { file in
                let bytes = unsafe MediaBytes(file)
                guard let header = try? MediaHeader(reading: bytes) else { return false }
                return (try? header.checkEnd(of: bytes)) != nil
            }
        })

    // MARK: What the mirror itself wrote

    private static let records = Decoder(
        name: "records",
        samples: bytes([
            """
            {"date":"2026-11-20","title":"A Comet","explanation":"It moves.","media_type":"image",\
            "picture":{"path":"pictures/2026/2026-11/2026-11-20 A Comet.jpg","bytes":1234,\
            "sha256":"\(String(repeating: "ab", count: 32))","type":"image/jpeg","width":3,"height":2},\
            "source":{"feed":"basic","fetched":"2026-11-20T05:00:00Z","revision":2}}
            """,
            """
            {"date":"2026-11-20","added":"2026-11-20T05:00:00Z","names":["a","b/c"],"via":"link",\
            "missing_since":"2026-11-21T05:00:00Z","missing_since_uptime":{"boot":"x","milliseconds":12}}
            """,
        ]),
        tokens: json + bytes(["\"picture\":", "\"no_picture\":", "../", "/etc/", "Z", "-", "T"])
    ) { bytes in
        guard let json = try? JSON(parsing: bytes) else { return false }
        return DayRecord(json) != nil || Favorite(json) != nil
    }
}
