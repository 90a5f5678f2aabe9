import APOD
import Simulator
import Testing

@Suite(.timeLimit(.minutes(10))) struct V1FeedTests {
    let simulator: Simulator

    init() throws { simulator = try Simulator(.small(days: 60)) }

    @Test(arguments: [
        "?api_key=DEMO_KEY&date=2026-11-18", "?date=2026-11-18&hd=True&concept_tags=1",
    ])
    func aDayIsOneObject(query: String) throws {
        #expect(try JSONValue(try simulator.v1(query))["date"] == .string("2026-11-18"))
    }

    @Test func aRequestWithoutParametersReturnsTheNewest() throws {
        #expect(try JSONValue(try simulator.v1())["date"] == .string("2026-11-20"))
    }

    @Test func rangesAreOldestFirst() throws {
        let range = try JSONValue(try simulator.v1("?start_date=2026-11-18&end_date=2026-11-20"))

        #expect(range.dates == ["2026-11-18", "2026-11-19", "2026-11-20"])
        #expect(try JSONValue(try simulator.v1("?start_date=2026-11-19")).dates.count == 2)
    }

    @Test(arguments: [
        (
            "?day=1", 400,
            "Bad Request: incorrect field passed. Allowed request fields for apod method are 'concept_tags', 'date', 'hd', 'count', 'start_date', 'end_date', 'thumbs'"
        ),
        ("?date=1999-01-01", 404, "No data available for date: 1999-01-01"),
        ("?date=2026-13-01", 400, "time data '2026-13-01' does not match format '%Y-%m-%d'"),
        ("?date=2027-01-01", 400, "Date must be between Jun 16, 1995 and Nov 20, 2026."),
        ("?start_date=2026-11-20&end_date=2026-11-18", 400, "start_date cannot be after end_date"),
        (
            "?start_date=2026-11-20&date=2026-11-18", 400,
            "Bad Request: invalid field combination passed. Allowed request fields for apod method are 'concept_tags', 'date', 'hd', 'count', 'start_date', 'end_date', 'thumbs'"
        ),
    ])
    func errorsAreThoseOfTheService(query: String, status: Int, message: String) throws {
        let reply = try simulator.v1(query)

        #expect(reply.status == status)
        #expect(reply.text == #"{"code":\#(status),"msg":"\#(message)","service_version":"v1"}"#)
    }

    @Test func aBadDayFailsItsRange() throws {
        let bad = today.advanced(by: -1)
        let simulator = try Simulator(.small(days: 5), settings: .init(badDays: [bad]))

        let range = try simulator.v1("?start_date=2026-11-16&end_date=2026-11-20")

        #expect(range.status == 500)
        #expect(
            range.text == #"{"code":500,"msg":"Internal Service Error","service_version":"v1"}"#)
        #expect(try simulator.v1("?date=2026-11-19").status == 500)
        #expect(try simulator.v1("?start_date=2026-11-16&end_date=2026-11-18").status == 200)
    }

    static let media: [(SimulatedMedia, keys: Set<String>, url: String?)] = [
        (.picture(.small), ["hdurl", "url"], "/apod/image/2611/M31.jpg"),
        (.other, [], nil),
        (.iframe(src: "//youtu.be/x"), ["url"], "//youtu.be/x"),
        (.iframe(src: "//youtu.be/x", poster: .small), ["thumbnail_url", "url"], "//youtu.be/x"),
    ]

    @Test(arguments: media)
    func mediaAreDescribedAsInTheV1Feed(
        media: SimulatedMedia, keys: Set<String>, url: String?
    ) throws {
        let simulator = try Simulator(.single(media))
        let entry = try JSONValue(try simulator.v1("?thumbs=True"))
        let constant: Set = ["date", "explanation", "media_type", "service_version", "title"]

        #expect(entry.keys == constant.union(keys))
        #expect(entry["url"]?.string?.hasSuffix(url ?? "none") == (url == nil ? nil : true))
    }

    @Test func explanationsArePlain() throws {
        var entry = SimulatedEntry(day: today, title: " M31\n", explanationHTML: "", media: .other)
        entry.explanationHTML =
            "A <a href=\"x\">galaxy</a> &amp; more &lt;here&gt;.<br><br>& <b>bold</b>"
        let answer = try JSONValue(try Simulator(Archive([entry])).v1())

        #expect(answer["explanation"] == .string("A galaxy & more <here>.  & bold"))
        #expect(answer["title"] == .string(" M31\n"))
    }

    @Test func thePlaceholderIsTheSameForEveryDate() throws {
        let simulator = try Simulator(.small(days: 3), settings: .init(sendsV1Placeholders: true))

        for query in ["", "?date=2026-11-18", "?date=2020-06-10"] {
            let entry = try JSONValue(try simulator.v1(query))
            #expect(entry["title"] == .string("NASA Science"))
            #expect(entry["url"]?.string?.hasSuffix("nasa-logo@2x.png") == true)
        }
    }
}
