import Testing

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct HTMLTextTests {
    @Test(arguments: [
        ("APOD&#8217;s &#8220;Quoted&#8221; &amp; More", "APOD’s “Quoted” & More"),
        ("a&nbsp;b &eacute; &#xE9; é", "a b é é é"), ("AT&T & Co", "AT&T & Co"),
        ("<em>Processing</em>: G. Kober", "Processing: G. Kober"), ("a<br>b<p>c", "a b c"),
        ("a\rb\r\nc", "a b c"),
        ("<a href=\"#\">star</a> , it", "star, it"), ("1 < 2 > 0", "1 < 2 > 0"),
        ("a<!-- b --><script>c</script><style>d</style>e", "ae"), ("", ""), ("<p></p>", ""),
        ("<A HREF='x'>Up</A><b>per", "Upper"), ("&unknown; &amp;lt;", "&unknown; &lt;"),
        ("Pozna&nacute;, &Ccaron;a&lstrok; AT&T; &", "Poznań, Čał AT&T; &"),
        ("10 M&odot; &tstar;", "10 M⊙ &tstar;"), ("&half; &star; &approx;", "½ ☆ ≈"),
        ("&amp;#x+41; &amp;#+65; &amp;#x41;", "&#x+41; &#+65; A"),
        ("&rbrace; &NotEqualTilde; &COPY;", "} ≂̸ ©"),
        ("Gas &amp;amp; It&amp;amp;#8217;s", "Gas & It’s"),
        ("&amp;CounterClockwiseContourIntegral; &zwnj;&Tab;x", "∳ \u{200C} x"),
        ("NASA&amp;#8217;s &amp;rsquo;&amp;eacute;&amp;#x2019;", "NASA’s ’é’"),
        ("&amp;#146; &amp;#xD800; &amp;#;", "’ &#xD800; &#;"),
        ("<table><tr><td>Mars</td><td>2</td></tr></table>", "Mars 2"),
        ("a<figure>b<figcaption>c</figcaption></figure>d", "a b c d"),
        ("<unknown>a</unknown>b", "a b"),
        ("the <q>Eagle</q>", "the “Eagle”"), ("a<noscript>b <i>c</i></noscript>d", "ad"),
        ("a<template><p>b</p></template>d", "ad"), ("a\u{FFFE}b\u{FFFF}", "ab"),
        ("a\u{0}b&#0;c\u{1}d", "abcd"), ("<meta charset=latin1>é", "é"),
        ("<meta http-equiv=Content-Type content='text/html; charset=utf-16'>é", "é"),
    ])
    func theLineIsTheVisibleText(html: String, expected: String) {
        #expect(HTMLText(html).wholeText == expected)
    }

    @Test(arguments: [
        "<br><strong>Tomorrow's picture: </strong>a harvest",
        "<br><br><strong>Tomorrow's picture:\u{00A0}</strong>open space",
        "<br><br><strong>APOD's email for image submissions has changed.</strong> Please see: x",
        "<br><br><strong>APOD's main NASA site is <a href=x>moving</a>:</strong> From x<br>To y",
        "<p> <center><b> Tomorrow's picture: </b><a href=x>stars</a> <p> <hr> plain",
        "<br> <br><b>Gallery</b>: <a href=x>more</a>", "<br>Tomorrow’s picture: open space",
        "<br><strong class=\"note\">APOD has moved</strong>", "<p><b>Your Sky Surprise:</b> x",
        "<p><b>Free lecture:</b> x", "<p><b>Follow APOD in Spanish:</b> x",
        "<p><b>Astrophysicists:</b> x",
        "<p><b>Notable Images Submitted to APOD:</b> x", "<p><b>Authors & editors:</b> x",
        "<p><b>Free Download (with Labeled Moons):</b> x",
        "<br><br><b>APOD Year in Review:</b> x", "<p><b>News: all is well</b>",
        "<p><b>Follow APOD on:</b> x", "<p><b>Poll:</b> x", "<p><b>Teachers &amp; Students:</b> x",
        "<p><b>Jigsaw Nebula:</b> x", "<p><b>Piece Together the Universe:</b> x",
    ])
    func theNotesAreRemoved(notes: String) {
        #expect(
            HTMLText("<b>Explanation:</b> Stars &amp; gas.\(notes)").explanation == "Stars & gas.")
    }

    @Test(arguments: [
        "<b>Note:</b> see <a href=x>this</a>.", "<b>News:</b> it moved. <i>More", "APOD has moved.",
        "<b><a href=x>APOD's main NASA site</a> is moving:</b> From x<br>To y",
        "<p> Sky Surprise:  <a href=x>What picture did APOD feature on your birthday?</a> (after 1995) <br />",
        "Image Credit:  <a href=x>ESA</a> , A. B", "Credit: <a href=x>ESA</a>", "Video Credits: A",
        "<b>Gallery:</b> x<br><br><b>Poll:</b> y",
    ])
    func theTextAfterANoteIsKept(note: String) {
        let html = HTMLText(
            "<b>Explanation:</b> <i>Stars</i>.<br><br>\(note)<br><br>Gas &amp; <b>dust</b>.<p>Tomorrow's picture: x<p>y"
        )
        #expect(html.explanation == "Stars.\n\nGas & dust.")
        #expect(
            ExplanationMarkup.html(of: html) { $0 }
                == "<b>Explanation:</b> <i>Stars</i>.<br><br>Gas &amp; <b>dust</b>.")
    }

    /// An entry may have no label "Explanation:", and NASA may send nothing but the foot of the page.
    @Test(arguments: [
        ("<b>Watch:</b> it live.<br><br>One.", "One."),
        ("<b>Tomorrow's picture:</b> <a href=x>stars</a>", ""),
        ("Tomorrow's picture: stars<p>x", ""),
    ])
    func aNoteBeforeTheTextIsNoText(html: String, expected: String) {
        let text = HTMLText(html)
        #expect(text.explanation == expected)
        #expect(ExplanationMarkup.html(of: text) { $0 } == expected)
    }

    /// As the news of 1998-06-05, which are half of its text.
    @Test(arguments: ["<b>News:</b>", "<b>Note:</b>", "<b>Watch:</b>"])
    func aLongParagraphWithALabelIsPartOfTheText(label: String) {
        let words = String(repeating: " word", count: 61)
        let explanation = HTMLText("One.<p>\(label)\(words)<p>Two.").explanation
        #expect(explanation.hasSuffix("word\n\nTwo."))
        #expect(explanation.split(whereSeparator: \.isWhitespace).count == 64)
    }

    @Test func theLinkThatBeginsTheParagraphAfterANoteIsKept() {
        let html = HTMLText(
            "One.<br><br><b>Poll:</b> <i>y</i><br><br><a href=x><b>Two</b></a> three.")
        #expect(
            ExplanationMarkup.html(of: html) { $0 }
                == "One.<br><br><a href=\"x\"><b>Two</b></a> three.")
    }

    @Test func anElementAroundANoteAndTextsIsBalanced() {
        let html = HTMLText(
            "<b>One <i>two</i>.<br><br><b>Gallery:</b> <a href=x>more</a></i><br><br>Three</b>.")
        #expect(
            ExplanationMarkup.html(of: html) { $0 } == "<b>One <i>two</i>.<br><br>Three</b>.")
    }

    @Test(arguments: [
        // Of bold text, only the label at the beginning is left out.
        ("<strong>Explanation:\u{00A0}</strong>This sight", "This sight"),
        ("<b> Explanation: </b> constructed record.", "constructed record."),
        ("<b>Explanation</b>: Text", "Text"), ("Explanation: Text", "Text"), ("Text", "Text"),
        ("Explanations abound", "Explanations abound"),
        ("<b>APOD moved.</b> Here.<p><b>Explanation:</b> Text", "Text"),
        ("One.<br><br>Two.<br>Three.", "One.\n\nTwo. Three."),
        ("One.<p>Two.</p><p> </p>Three.", "One.\n\nTwo.\n\nThree."),
        ("One.<br><br><b>M31</b> is a galaxy.", "One.\n\nM31 is a galaxy."),
        ("One.<br><br><b>It is big.</b> And more.", "One.\n\nIt is big. And more."),
        ("One.<br><br><b>Look up:</b> it is there.", "One.\n\nLook up: it is there."),
        (
            "One.<br><br><b>A note on size:</b> two.<br><br><b>Big news:</b> three.",
            "One.\n\nA note on size: two.\n\nBig news: three."
        ),
        ("One.<p><b>The gallery:</b> it is there.", "One.\n\nThe gallery: it is there."),
        ("One.<p><b>Note the star:</b> there.", "One.\n\nNote the star: there."),
        ("One.<p><b>Update:</b> it is there.", "One.\n\nUpdate: it is there."),
        ("One.<p><b>Editor's note:</b> it is.", "One.\n\nEditor's note: it is."),
        ("One.<p>Note: it is. Watch: two.", "One.\n\nNote: it is. Watch: two."),
        ("One.<p>Left: a star.", "One.\n\nLeft: a star."),
        ("One.<br><b>Why?</b> Nobody knows.", "One. Why? Nobody knows."),
        ("<b>Look up:</b> it is there.", "Look up: it is there."),
        ("One.<br><br>Explanation: two.", "One.\n\nExplanation: two."),
        ("It is <b>big:</b> very.", "It is big: very."), ("", ""),
    ])
    func otherBoldTextIsKept(html: String, expected: String) {
        #expect(HTMLText(html).explanation == expected)
    }

    @Test(arguments: ["<b>", "<div>", "<a href=x>", "<table><tr><td>"])
    func deepNestingIsParsed(tag: String) {
        let nodes = HTMLDocument.nodes(of: String(repeating: tag, count: 3_000) + "deep")
        let opened = nodes.count { if case .opening = $0 { true } else { false } }
        let closed = nodes.count { if case .closing = $0 { true } else { false } }

        #expect(opened > 100)
        #expect(opened == closed)
    }

    /// A tag of 26,000 attributes would take seconds.
    @Test(arguments: [(0, true), (1, false)])
    func htmlAboveTheLimitIsNotParsed(excess: Int, isParsed: Bool) {
        let start = "<b>"
        let length = HTMLDocument.largestText + excess - start.utf8.count
        let html = start + String(repeating: "a", count: length)

        #expect(HTMLDocument.nodes(of: html).isEmpty == !isParsed)
    }

    @Test func noTextWithinItsLimitIsTooLong() {
        let article = String(repeating: "\u{80}", count: TextLimit.article / 2)

        #expect(article.withWindowsCharacters.utf8.count <= HTMLDocument.largestText)
    }

    // MARK: White space

    @Test(arguments: [
        ("", ""), (" \n\t", ""), (" a\r\n b\u{00A0}\u{2003}c ", "a b c"),
        ("a\u{0}\u{7}\u{85}b", "a b"), ("a\u{1B}[31mb", "a[31mb"), ("\u{FEFF}a\u{200B}b", "ab"),
        ("\u{202E}gpj.a\u{2069}", "gpj.a"), ("\u{FFFD} é", "\u{FFFD} é"), ("👩‍🚀", "👩‍🚀"),
    ])
    func whiteSpaceIsFoldedIntoOneLine(text: String, expected: String) {
        #expect(TextNormalizer.line(text) == expected)
    }

    @Test(arguments: [
        ("a\nb", "a b"), ("a\n\nb", "a\n\nb"), ("a .\n\nb ?\n\nc", "a.\n\nb?\n\nc"),
        ("a\r\n \r\n\r\nb\n", "a\n\nb"), ("\n\n", ""),
    ])
    func paragraphsAreKept(text: String, expected: String) {
        #expect(TextNormalizer.paragraphs(text) == expected)
    }

    @Test(arguments: [
        ("a neutron star , it", "a neutron star, it"), ("Jerry Bonnell .", "Jerry Bonnell."),
        ("(M31) ; the", "(M31); the"), ("Note : this", "Note: this"), ("Why ?\"", "Why?\""),
        ("the Moon ... and", "the Moon ... and"), ("of .5 meters", "of .5 meters"),
        ("stay tuned :)", "stay tuned :)"), ("really ;)", "really ;)"), ("(a star .)", "(a star.)"),
        ("- , -", "- , -"), ("a ,", "a,"), (" ", " "), ("Saturn 's moon", "Saturn's moon"),
        ("Saturn ’s, NASA 's", "Saturn’s, NASA's"), ("the letter 's' is", "the letter 's' is"),
        ("Mars 's—and Io ’s\"", "Mars's—and Io’s\""), ("the 's-process'", "the 's-process'"),
        ("(50 % ) [a , ] (: )", "(50 %) [a,] (: )"), ("so ?! Yes .” No", "so?! Yes.” No"),
        ("( Hyperion )", "(Hyperion)"), ("[ a ] (b. )", "[a] (b.)"), ("sad :( but", "sad :( but"),
        ("above , raw", "above, raw"), ("a\n\n(b )", "a\n\n(b)"),
    ])
    func spacesBeforePunctuationAreRemoved(text: String, expected: String) {
        #expect(TextNormalizer.removingStrayBlanks(text) == expected)
    }
}

extension HTMLText {
    /// The text of `html`; empty if it has too many tags.
    init(_ html: String) {
        self.init(HTMLDocument.nodes(of: html))
    }
}
