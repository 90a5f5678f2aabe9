import APOD
import Testing

struct ArchiveLinkTests {
    private func day(_ text: String) throws -> Day { try #require(Day(iso: text)) }

    @Test(arguments: [
        "https://apod.nasa.gov/apod/ap120503.html", "http://apod.nasa.gov/apod/ap120503.html#x",
        "https://science.nasa.gov/ap120503.html", "https://antwrp.gsfc.nasa.gov/apod/ap120503.html",
        "//apod.nasa.gov/ap120503.html?a=b", "ap120503.html", "./ap120503.html#a:b",
        "https://www.apod.com/en/ap120503.html", "http://apod.com/en/ap120503.html",
        "../apod/AP120503.HTML",
        "HTTP://APOD.NASA.GOV/apod/ap120503.htm",
        "http://www.star.ucl.ac.uk/~apod/apod/ap120503.html", "https://apod.com/en/ap120503.html",
    ])
    func aLinkToADayIsRecognizedInAllItsForms(_ link: String) throws {
        let found = try #require(ArchiveLink(link))
        #expect(try found.day == day("2012-05-03"))
        #expect(found.webAddress == "https://apod.nasa.gov/apod/ap120503.html")
    }

    /// A user may name any mirror of the old site by `--mirrors`; each has pages of these names.
    @Test(arguments: [
        "https://mirror.example.edu/apod/ap120503.html", "http://mirror.example.edu/AP120503.html",
        "//mirror.example.edu/a/b/ap120503.htm",
    ])
    func aPageOnAnotherMirrorIsThatOfItsDayAndKeepsItsAddress(_ link: String) throws {
        let found = try #require(ArchiveLink(link))
        #expect(try found.day == day("2012-05-03"))
        #expect(found.webAddress == (link.hasPrefix("//") ? "https:\(link)" : link))
    }

    @Test func anArticleKeepsItsAddress() throws {
        let link = "https://science.nasa.gov/image-article/apod-1996-january-13-lunokhod-1/"
        let found = try #require(ArchiveLink(link))
        #expect(try found.day == day("1996-01-13"))
        #expect(found.webAddress == link)
    }

    @Test(arguments: [
        "", "#", "https://apod.nasa.gov/apod/", "https://apod.nasa.gov/apod/ap.html",
        "https://apod.nasa.gov/apod/ap1205031.html", "https://apod.nasa.gov/apod/ap991332.html",
        "https://apod.nasa.gov/apod/calendar/ca1205.html", "https://example.org/apod/ap120532.html",
        "https://example.org/apod/calendar/ca1205.html", "ftp://apod.nasa.gov/apod/ap120503.html",
        "https://example.org/image-article/apod-1996-january-13-lunokhod-1/",
        "https://example.org/map120503.html",
        "https://science.nasa.gov/image-article/a-star/", "javascript:ap120503.html",
        "https://apod.nasa.gov/apod/image/1205/crab.jpg", "https:", "//", "http://\u{FFFD}",
        "///Users/jtbonnel/Desktop/apodT/ap120503.html",
        "https://science.nasa.gov/image-article/apod-2026-november-31-nothing/",
    ])
    func otherLinksAreNone(_ link: String) {
        #expect(ArchiveLink(link) == nil)
    }

    @Test func theLinksOfATextAreFound() {
        let html = """
            <a href="https://science.nasa.gov/ap120503.html">a</a> <a href='ap950616.html'>b</a>
            <a href="https://example.org/">c</a> <a href=ap120503.html>d</a> <a href="
            """
        #expect(
            ArchiveLink.all(in: html).map(\.day)
                == ["2012-05-03", "1995-06-16"].compactMap { Day(iso: $0) })
    }
}
