import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(10))) struct LicenseTests {
    @Test(arguments: [
        (
            "<a href='https://a.org'>A. B</a> (<a href='https://creativecommons.org/licenses/by/4.0/'>CC BY 4.0</a>)",
            License(name: "CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/")
        ),
        (
            "<b>Image Credit:</b> A; <em>Licence</em>: <A HREF=\"http://creativecommons.org/publicdomain/zero/1.0/\">public\ndomain</A>",
            License(name: "public domain", url: "http://creativecommons.org/publicdomain/zero/1.0/")
        ),
        (
            "<a href='https://creativecommons.org/about/'>CC</a>",
            License(name: "CC", url: "https://creativecommons.org/about/")
        ),
        ("<a href='https://a.org/ccd'>CCD camera</a>", nil), ("A. B (CC BY 4.0)", nil),
        ("<a href='javascript:x'>CC BY</a>", nil),
        ("<a href='https://creativecommons.org/licenses/by/4.0/'></a>", nil),
    ])
    func theLicenseIsTheOneThatTheCreditLinksTo(credit: String, license: License?) async throws {
        let element = basicElement("2026-09-24", ["credit": credit])
        let feed = BasicFeed(at: "https://science.nasa.gov/apod-basic") { _ in
            .text("[\(element)]")
        }

        #expect(try await feed.newest().entries.first?.license == license)
    }
}
