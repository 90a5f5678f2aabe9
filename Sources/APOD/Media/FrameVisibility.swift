/// Whether a person sees a frame of an article: services that count visitors use invisible frames, no players.
enum FrameVisibility {
    /// Whether a browser with scripts shows nothing of what is in an element.
    static func hidesContents(_ name: String, _ attributes: [String: String]) -> Bool {
        let style = properties(in: attributes["style"])
        // A value may continue, as in `none !important`.
        return name == "noscript" || attributes["hidden"] != nil
            || style["display"]?.hasPrefix("none") == true
            || style["visibility"]?.hasPrefix("hidden") == true
    }

    /// Whether a frame with these attributes is hidden, or a point or line of at most one pixel.
    static func isHidden(_ name: String, _ attributes: [String: String]) -> Bool {
        if hidesContents(name, attributes) { return true }
        let style = properties(in: attributes["style"])
        return ["width", "height"].contains { dimension in
            // A frame of `width: 1px; min-width: 100%` is as wide as its page.
            let hasMinimum = style["min-\(dimension)"] != nil
            return isTiny(attributes[dimension]) || (!hasMinimum && isTiny(style[dimension]))
        }
    }

    /// Whether a length such as `0`, `1px` or `0%` is at most one pixel.
    private static func isTiny(_ length: String?) -> Bool {
        guard let length, let number = Int(length.prefix(while: \.isNumber)) else { return false }
        return number == 0 || (number == 1 && !length.hasSuffix("%"))
    }

    /// The CSS properties in an attribute `style` with their values, all in lower case.
    private static func properties(in style: String?) -> [String: String] {
        var properties: [String: String] = [:]
        for declaration in (style ?? "").lowercased().split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1).map {
                TextNormalizer.trimmed($0)
            }
            if parts.count == 2 { properties[parts[0]] = parts[1] }
        }
        return properties
    }
}
