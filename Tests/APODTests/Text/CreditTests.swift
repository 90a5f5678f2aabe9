import Testing

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct CreditTests {
    @Test(arguments: [
        ("Image Credit & Copyright: Robert Schwarz", "Image Credit & Copyright", "Robert Schwarz"),
        ("Video Credit & Copyright: A", "Video Credit & Copyright", "A"),
        ("Illustration Credit: A; Text: B", "Illustration Credit", "A; Text: B"),
        ("Credit: NASA", "Credit", "NASA"), ("Copyright: A", "Copyright", "A"),
        ("Image Credit : A", "Image Credit", "A"), ("Image Credit:", "Image Credit", ""),
        ("NASA; Processing: G. Kober", nil, "NASA; Processing: G. Kober"),
        ("MelodySheep Music Credit: Our Story", nil, "MelodySheep Music Credit: Our Story"),
        ("Till Credner: AlltheSky", nil, "Till Credner: AlltheSky"), ("", nil, ""),
    ])
    func aCreditIsSplitIntoLabelAndNames(text: String, label: String?, names: String) {
        #expect(Credit(text).label == label)
        #expect(Credit(text).names == names)
    }

    @Test(
        arguments: [
            ("Image Credit & Copyright: A", nil, "A"), ("Image Credit: A", nil, nil),
            ("Image Credit: A; Music Copyright: B", nil, "A; Music Copyright: B"),
            ("Image Credit: A", "Image Credit & Copyright", nil), ("A", nil, "A"),
            ("A", "Image Credit & Copyright", "A"), ("A", "Image Credit", nil),
            ("Image Credit & Copyright:", nil, nil), ("", nil, nil),
            ("NASA", nil, nil),
            ("NASA, CSA, ESA, F. Belfiore (ESO)", "Image Credit & Copyright", nil),
            ("ESA/Hubble & NASA", nil, nil), ("Image Credit & Copyright: NASA", nil, nil),
            ("NASA; Processing & Copyright: A", nil, "NASA; Processing & Copyright: A"),
            ("Nasarin, A.", nil, "Nasarin, A."),
            ("Copyright A", "Image Credit", "Copyright A"),
        ] as [(String, String?, String?)])
    func theLabelDecidesAboutTheCopyright(text: String, pageLabel: String?, holder: String?) {
        #expect(Credit(text).holder(articleLabel: pageLabel) == holder)
    }

    @Test(arguments: [
        (
            "<b> A Title </b> <br>\n<b>Image Credit &\n<a href=x>Copyright</a>:</b> A",
            "Image Credit & Copyright"
        ),
        (
            "<b>A Title</b><br><b>Image Credit & </b><b><a href=x>Copyright:</a></b> A",
            "Image Credit & Copyright"
        ),
        ("<b>Image</b> <b>Credit:</b> A", "Image Credit"),
        ("<b>Title</b><br><strong>Image Credit:</strong> A<p><b>Explanation:</b>", "Image Credit"),
        ("2007 July 16 <b>Image Credit:</b> A", "Image Credit"),
        ("<b>A Title</b> by <b>Copyright</b> <b>:</b> A", "Copyright"),
        ("<b>Explanation:</b> Image Credit: none", nil), ("Copyright: A, <b>not B</b>", nil),
        ("", nil),
    ])
    func theLabelOnAPageIsFound(html: String, label: String?) {
        #expect(HTMLText(html).creditLabel == label)
    }

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
    func theLicenseIsTheOneThatTheCreditLinksTo(credit: String, license: License?) throws {
        let element = basicElement("2026-09-24", ["credit": credit])

        #expect(try decode(Array(element.utf8)).entries.first?.license == license)
    }
}
