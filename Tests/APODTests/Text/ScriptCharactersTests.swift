import Testing

@testable import APOD

/// What is above or below the line in HTML, in plain text.
@Suite struct ScriptCharactersTests {
    @Test(arguments: [
        ("3 x 10<sup>65</sup> bits", "3 x 10⁶⁵ bits"), ("E=mc<sup>2</sup>.", "E=mc²."),
        ("10<sup>-19</sup> 10<SUP>&minus;<b>1</b>9</SUP>", "10⁻¹⁹ 10⁻¹⁹"),
        ("CO<sub>2</sub> x<sub>n+1</sub> H<sub>2</sub>O", "CO₂ xₙ₊₁ H₂O"),
        ("<sup>14</sup>C <sup>99m</sup>Tc", "¹⁴C ⁹⁹ᵐTc"),
        ("10<sup>0.5</sup> x<sub>0.5</sub> 2<sup>½</sup>", "10^(0.5) x_(0.5) 2^½"),
        ("2<sup>n</sup> A<sup>1,2</sup>", "2ⁿ A¹,²"),
        ("10<sup>10<sup>2</sup></sup> a<sup> </sup>b<sup></sup>", "10^(10²) a b"),
        ("10<sup>6</sup><sub>3</sub>", "10⁶₃"),
        // Letters do not become part of their word either.
        ("e<sup>x</sup> e<sup>x+1</sup> e<sup>-<i>kT</i></sup>", "eˣ eˣ⁺¹ e⁻ᵏᵀ"),
        ("2<sup>q</sup> e<sup>x/2</sup> e<sup>q</sup>x", "2^q e^(x/2) e^(q)x"),
        ("T<sub>eff</sub> T<sub>max</sub> H<sub>α</sub>", "T_(eff) Tₘₐₓ H_α"),
        ("∫<sub>a</sub><sup>b</sup> (x+y)<sup>k</sup>", "∫ₐᵇ (x+y)ᵏ"),
        ("20<sup>o</sup> C<sub>n</sub>H<sub>2n</sub>", "20ᵒ CₙH₂ₙ"),
        // Words and symbols stay as they are.
        (
            "1<sup>st</sup>, 2<sup>nd</sup>, 3<sup>RD</sup>, 5<sup><b>th</b></sup>, n<sup>th</sup>",
            "1st, 2nd, 3RD, 5th, nth"
        ),
        ("M<sup>c</sup>Donald", "McDonald"), ("Sgr A<sup>*</sup> M<sub>☉</sub>", "Sgr A* M☉"),
        ("CO2", "CO2"), ("One. <sub>Small print of 2024.</sub>", "One. Small print of 2024."),
        ("One.<br><sup>Two</sup>", "One. Two"), ("<sup>Two</sup>", "Two"),
    ])
    func exponentsAndIndicesDoNotBecomePartOfTheirNumber(html: String, text: String) {
        #expect(HTMLText(html).explanation == text)
    }

    /// The contents of `<math>`; `HALF` stands for a fraction.
    @Test(arguments: [
        ("<mn>3</mn><mo>×</mo><msup><mn>10</mn> <mn>65</mn></msup>", "3×10⁶⁵"),
        ("<msubsup><mi>x</mi><mn>1</mn><mrow><mo>-</mo><mn>2</mn></mrow></msubsup>", "x₁⁻²"),
        (
            "<semantics><msup><mi>c</mi><mn>2</mn></msup><annotation>c^2</annotation></semantics>",
            "c²"
        ),
        ("HALF", "1/2"), ("<mfrac> <mn>1</mn> <mn>2</mn> </mfrac><mi>m</mi>", "1/2m"),
        ("<mn>3</mn><msqrt><mi>x</mi></msqrt>", "3√x"),
        ("<mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac>", "1/√x"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>",
            "∑ᵢ₌₁ⁿ"
        ),
    ])
    func formulasAreReadableInOneLine(formula: String, text: String) {
        let half = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
        let html = "<math>\(formula.replacing("HALF", with: half))</math> of it."

        #expect(HTMLText(html).explanation == "\(text) of it.")
        let markup = ExplanationMarkup.html(of: HTMLText(html)) { $0 }
        #expect(HTMLText(markup).explanation == "\(text) of it.", "\(markup)")
    }

    @Test func linksKeepTheirPlacesBesideLettersAndFormulas() throws {
        let html = """
            e<sup>x</sup> <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> <a href="https://a.gov/">of \
            T<sub>eff</sub></a>
            """
        let read = HTMLText(html)
        let markup = ExplanationMarkup.html(of: read) { $0 }
        let link = try #require(TextLink.all(in: read.explanation, from: markup).first)

        #expect(read.explanation == "eˣ 1/2 of T_(eff)")
        let linked = Array(read.explanation.utf8)[link.range]
        #expect(String(decoding: linked, as: UTF8.self) == "of T_(eff)")
    }
}
