/// Texts and what people type to find them: the search of the command and that of the gallery must agree.
package let searchExamples: [(text: String, query: String, isFound: Bool)] = [
    ("Ångström’s Comet", "angstrom", true), ("Ångström’s Comet", "angstroms comet", true),
    ("Ångström’s Comet", "Ångström's", true), ("Rømer and Łódź", "romer", true),
    ("Rømer and Łódź", "LODZ", true), ("Đorđe Ðæs", "dorde daes", true),
    ("Œuvre, Ærø, Straße", "oeuvre", true), ("Œuvre, Ærø, Straße", "aero", true),
    ("Œuvre, Ærø, Straße", "strasse", true), ("ʻOumuamua", "oumuamua", true),
    ("Oumuamua", "'Oumuamua", true), ("Hubble's View", "hubbles view", true),
    ("A Wide-Field View", "wide field", true), ("A Wide Field View", "wide-field", true),
    ("Herbig–Haro 211", "herbig-haro", true), ("Herbig–Haro 211", "herbig haro", true),
    ("A Neb\u{AD}ula in 10\u{A0}000 Colors", "nebula", true),
    ("A Neb\u{AD}ula in 10\u{A0}000 Colors", "10 000", true),
    ("A blue\n nebula", "blue nebula", true), ("2026-05-01", "2026-05-01", true),
    ("CO₂ and E = mc²", "CO2", true), ("CO₂ and E = mc²", "mc2", true), ("CO2", "CO₂", true),
    ("10⁻¹⁹ and x₍ₙ₋₁₎", "10-19", true), ("10⁻¹⁹ and x₍ₙ₋₁₎", "x(n-1)", true),
    ("10⁶⁵", "1065", true), ("10⁶⁵", "65", true), ("mc²", "mc3", false),
    ("A Wide Field", "widefield", false), ("Rømer", "rmer", false), ("Nebula", "nebular", false),
]
