import JSON
import MediaFormat
import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct ClassicMirrorTests {
    private static let mirror = ClassicMirror("https://apod.com/en")
    private static let assets = "https://assets.science.nasa.gov"
    private static let shelf = "science/cds/apod/apod/2018/march"

    private func entry(
        _ fields: [String: String] = [:], title: String = "The Crab's Core: X-Ray"
    ) throws -> Entry {
        let fields = fields.merging(["title": title]) { $1 }
        let json = RawJSON(Array(basicElement("2018-03-17", fields).utf8)[...])
        return try EntryDecoder(upstream: "https://science.nasa.gov/apod-basic")
            .entry(from: RawEntry(json: json))
    }

    private func offer(
        _ entry: Entry, date: String = "2018 March 17", title: String = "The Crab’s Core: X-Ray",
        media: String = "<a href=\"image/1803/crab_lg.jpg\"><IMG SRC=\"image/1803/crab.jpg\"></a>",
        earlier: [String] = [], mirror: ClassicMirror = mirror
    ) -> ClassicMirror.Offer? {
        let page = """
            <html><head><title> APOD: \(date) - \(title)</title></head><body>
            <center><h1>Astronomy Picture of the Day</h1><p>\(date)<br>\(media)</center>
            <center><b> \(title) </b></center> <p> <b> Explanation: </b> A supernova remnant.
            <a href="ap180316.html">March 16, 2018</a> <img src="lib/logo.gif"></body></html>
            """
        return mirror.offer(for: entry, on: Array(page.utf8), earlierURLs: earlier)
    }

    private static let large = "https://apod.com/en/image/1803/crab_lg.jpg"

    @Test func thePageOfADayIsInTheDirectory() throws {
        let day = try day("2018-03-17")

        #expect(Self.mirror.webPage(of: day).text == "https://apod.com/en/ap180317.html")
        #expect(ClassicMirror.standard == [Self.mirror])
    }

    @Test(arguments: ["crab_lg.jpg", "CRAB.jpg"])
    func aPictureOfTheSameNameIsOffered(name: String) throws {
        let entry = try entry(["hdurl": "\(Self.assets)/content/dam/\(Self.shelf)/\(name)"])

        #expect(offer(entry)?.address == PictureAddress(Self.large))
        #expect(offer(entry)?.mustHaveAnnouncedSize == false)
    }

    @Test func aPictureOfANameThatNASAHadIsOffered() throws {
        let earlier = ["https://apod.nasa.gov/apod/image/1803/crab_lg.jpg"]

        #expect(try offer(entry(), title: "Other", earlier: earlier)?.address.url == Self.large)
        #expect(try offer(entry(), earlier: ["https://apod.nasa.gov/apod/image/x.jpg"]) == nil)
    }

    @Test func aPictureOfAnotherNameMustHaveTheAnnouncedSize() throws {
        let entry = try entry([
            "hdurl": "\(Self.assets)/dynamicimage/assets/\(Self.shelf)/m1.jpg?w=40&h=30"
        ])

        let size = PixelSize(width: 40, height: 30)
        #expect(offer(entry)?.address == PictureAddress(Self.large, announcedSize: size))
        #expect(offer(entry)?.mustHaveAnnouncedSize == true)
    }

    @Test(arguments: ["The Crab's Core: X-Ray", "The Crabs Core: X Ray", "THE CRAB’S CORE: XRAY"])
    func whereNASANamesNoPictureTheTitleDecides(title: String) throws {
        let entry = try entry(title: title)

        #expect(offer(entry)?.address.url == Self.large)
        #expect(offer(entry, title: "The Core of a Crab") == nil)
        // Another title contains it.
        #expect(offer(entry, title: "\(title) II") == nil)
    }

    @Test(arguments: [
        "2018 March 16", "2018 April 17", "2017 March 17", "17", "", "March 18, 2018",
        "2018 March 16 - see 2018 March 17", "2018 Mar 17",
    ])
    func aPageOfAnotherDayOffersNothing(date: String) throws {
        let entry = try entry(["hdurl": "\(Self.assets)/content/dam/\(Self.shelf)/crab_lg.jpg"])

        #expect(offer(entry, date: date) == nil)
        #expect(offer(entry, date: "March 17, 2018") != nil)
        #expect(offer(entry, date: "Taken on 2018 Feb 3. 2018 March 17") != nil)
    }

    @Test(arguments: [
        "", "A text.", "<a href='image/1803/crab_lg.jpg'>The picture</a>",
        "<img src='https://apod.nasa.gov/apod/image/1803/crab_lg.jpg'>",
        "<img src='//evil.example.org/image/1803/crab_lg.jpg'>",
        "<img src='https://apod.com:8443/en/image/crab_lg.jpg'>",
        "<img src='http://127.0.0.1/image/crab_lg.jpg'>", "<img src='file:///image/crab_lg.jpg'>",
        "<img src='image/nasa-logo.png'>", "<img src='image/1803/crab_lg.html'>",
        "<img src='lib/crab_lg.jpg'>", "<a href='image/1803/crab_lg.jpg'>the picture</a>",
    ])
    func aPageWithoutAPictureOfTheMirrorOffersNothing(media: String) throws {
        #expect(try offer(entry(), media: media) == nil)
    }

    @Test(arguments: [
        ("<img src='image/1803/crab.jpg'>", "https://apod.com/en/image/1803/crab.jpg"),
        ("<img src='../image/1803/crab.jpg'>", "https://apod.com/image/1803/crab.jpg"),
        (
            "<a href='image/1803/crab.mov'><img src='image/1803/crab.jpg'></a>",
            "https://apod.com/en/image/1803/crab.jpg"
        ),
        (
            "<a href='ap180101.html'>x</a><img src='image/1803/crab.jpg'>",
            "https://apod.com/en/image/1803/crab.jpg"
        ),
    ])
    func theShownPictureIsOfferedWhereThereIsNoLargerOne(media: String, url: String) throws {
        #expect(try offer(entry(), media: media)?.address.url == url)
    }

    @Test func aMirrorWithoutTLSOffersItsOwnPictures() throws {
        let mirror = ClassicMirror("http://www.star.ucl.ac.uk/~apod/apod/")

        #expect(
            try offer(entry(), mirror: mirror)?.address.url
                == "http://www.star.ucl.ac.uk/~apod/apod/image/1803/crab_lg.jpg")
    }

    @Test(arguments: [
        "", "<html>", "\0\u{1}", "%PDF", "<html><title>Log in</title><form></form>",
        "<title>apod.example is for sale! 2018 March 17</title><a href='/'>Buy this domain</a>",
        String(repeating: "<a href=2018>", count: 2_000),
    ])
    func whatIsNoPageOfAPODOffersNothing(page: String) throws {
        #expect(try Self.mirror.offer(for: entry(), on: Array(page.utf8)) == nil)
    }
}
