import APOD
import Simulator
import Testing

@Suite(.timeLimit(.minutes(10))) struct BasicFeedTests {
    let simulator: Simulator

    init() throws { simulator = try Simulator(.small(days: 60)) }

    @Test func aDayIsOneObject() throws {
        let entry = try JSONValue(try simulator.basic("/261120"))

        #expect(entry["date"] == .string("2026-11-20"))
        #expect(
            entry["basic_html_url"] == .string(simulator.basicAddressOnLoopback + "/261120/html"))
    }

    @Test(arguments: [
        (
            "/261121", 404,
            #"{"code":"apod_basic_not_found","message":"APOD not found.","data":{"status":404}}"#
        ),
        (
            "/269999", 404,
            #"{"code":"apod_basic_not_found","message":"APOD not found.","data":{"status":404}}"#
        ),
        (
            "/today", 404,
            #"{"code":"rest_no_route","message":"No route was found matching the URL and request method.","data":{"status":404}}"#
        ),
        (
            "?date_from=2026-11-01&date_to=x", 400,
            #"{"code":"rest_invalid_param","message":"Invalid parameter(s): date_from, date_to","data":{"status":400}}"#
        ),
        (
            "?page=0", 400,
            #"{"code":"rest_invalid_param","message":"Invalid parameter(s): page","data":{"status":400}}"#
        ),
        (
            "?page=4", 400,
            #"{"code":"rest_post_invalid_page_number","message":"The page number requested is larger than the number of pages available.","data":{"status":400}}"#
        ),
        (
            "?page=9223372036854775807", 400,
            #"{"code":"rest_post_invalid_page_number","message":"The page number requested is larger than the number of pages available.","data":{"status":400}}"#
        ),
    ])
    func errorsAreThoseOfWordPress(rest: String, status: Int, body: String) throws {
        let reply = try simulator.basic(rest)

        #expect(reply.status == status)
        #expect(reply.text == body)
    }

    @Test(arguments: [
        ("", 25, "2026-11-20"), ("?per_page=3", 3, "2026-11-20"),
        ("?per_page=100", 25, "2026-11-20"),
        ("?page=3", 10, "2026-10-01"), ("?nonsense=1&days=7", 25, "2026-11-20"),
        ("?date_from=261101&date_to=261110", 10, "2026-11-10"),
        ("?date_from=261119", 2, "2026-11-20"),
        ("?date_from=261110&date_to=261101", 0, nil), ("?date_from=270101", 0, nil),
    ])
    func listsAreNewestFirst(query: String, count: Int, first: String?) throws {
        let dates = try JSONValue(try simulator.basic(query)).dates

        #expect(dates.count == count)
        #expect(dates.first == first)
        #expect(dates == dates.sorted(by: >))
    }

    @Test func totalsAreSentAsHeaders() throws {
        let headers = try simulator.basic("?date_from=261001&date_to=261120&per_page=20").headers

        #expect(headers["x-wp-total"] == "51")
        #expect(headers["x-wp-totalpages"] == "3")
    }

    @Test func missingTextsAreFalse() throws {
        let simulator = try Simulator(.single(.lost))
        let entry = try JSONValue(try simulator.basic("/261120"))

        #expect(entry["credit"] == .bool(false))
        #expect(entry["copyright"] == .bool(false))
        #expect(entry["alt"] == .bool(false))
    }

    @Test func titlesHaveEntities() throws {
        let title = "M31: A/B \"Quoted\" <Nebula> & More? l’été"
        let simulator = try Simulator(.single(.lost, title: title))
        let entry = try JSONValue(try simulator.basic("/261120"))

        #expect(
            entry["title"]
                == .string("M31: A/B &quot;Quoted&quot; &lt;Nebula&gt; &amp; More? l&#8217;été"))
    }

    @Test func responsesAreASCII() throws {
        let simulator = try Simulator(.single(.lost, title: "天の川 \u{1F30C} \u{7}\n\\"))
        let reply = try simulator.basic("/261120")

        #expect(reply.body.allSatisfy { $0 < 0x80 })
        #expect(try JSONValue(reply)["title"] == .string("天の川 \u{1F30C} \u{7}\n\\"))
    }

    static let media: [(SimulatedMedia, type: String, hdurl: String, markup: String)] = [
        (.picture(.small), "image", dynamicShelf + "M31.jpg?w=0&h=0&fit=clip", ""),
        (
            .markupOnly(.small), "image", "/news-thumbnail.png",
            "<IMG SRC=\"http://127.0.0.1\(shelf)M31.jpg\">"
        ),
        (.lost, "image", "/news-thumbnail.png", ""),
        (.other, "other", "/news-thumbnail.png", ""),
        (
            .videoFile(SimulatedPicture(name: "A B.mp4", source: .bytes([1]))), "video",
            "/news-thumbnail.png",
            "<source src=\"http://127.0.0.1\(shelf)A%20B.mp4\" type=\"video/mp4\">"
        ),
        (
            .iframe(src: "//www.youtube.com/embed/x?rel=0&a=1", poster: .small), "video",
            dynamicShelf + "M31.jpg", "src=\"//www.youtube.com/embed/x?rel=0&amp;a=1\""
        ),
    ]

    @Test(arguments: media)
    func mediaAreDescribedAsInTheBasicFeed(
        media: SimulatedMedia, type: String, hdurl: String, markup: String
    ) throws {
        let simulator = try Simulator(.single(media))
        let entry = try JSONValue(try simulator.basic("/261120"))
        let html = entry["basic_html"]?.string ?? ""

        #expect(entry["media_type"] == .string(type))
        #expect(entry["hdurl"]?.string?.contains(hdurl) == true)
        #expect(html.contains(markup))
        #expect(html.contains("<IMG") == markup.hasPrefix("<IMG"))
        #expect(try simulator.basic("/261120/html").text == html)
    }

    @Test(arguments: [(0, false, "video"), (1, true, "iframe")])
    func pagesOfDifferentDaysDiffer(ago: Int, hasPicture: Bool, player: String) throws {
        let day = today.advanced(by: -ago)
        var entry = SimulatedEntry(
            day: day, title: "", explanationHTML: "", media: .picture(.small))
        let simulator = try Simulator(Archive([entry]))
        let page = try simulator.basic("/\(day.compact)/html").text
        entry.media = .iframe(src: "//youtu.be/x")
        simulator.publish(entry)

        #expect(page.contains("<IMG SRC=\"http://127.0.0.1\(dynamicShelf)M31.jpg\"") == hasPicture)
        #expect(
            try JSONValue(try simulator.basic("/\(day.compact)"))["media_type"] == .string(player))
    }
}

extension Simulator {
    /// The address as the test client names the host.
    fileprivate var basicAddressOnLoopback: String { "http://127.0.0.1/wp-json/wp/v2/apod-basic" }
}
