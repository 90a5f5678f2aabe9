internal import Platform

extension String {
    /// An address fit to be shown and logged: without user, password, and the values of keys, and short.
    ///
    /// Works on any text, because addresses that cannot be read are shown as well.
    var withoutSecrets: String {
        let parts = split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let place = withoutUser(parts[0])
        guard parts.count > 1 else { return place.excerpt }
        let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        return (place + "?" + pairs.map(withoutKey).joined(separator: "&")).excerpt
    }
}

private func withoutUser(_ place: Substring) -> String {
    let start = place.firstRange(of: "//")?.upperBound ?? place.startIndex
    let end = place[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? place.endIndex
    guard let at = place[start..<end].lastIndex(of: "@") else { return String(place) }
    return String(place[..<start] + place[place.index(after: at)...])
}

private func withoutKey(_ pair: Substring) -> String {
    let name = pair.prefix { $0 != "=" }
    let isSecret = ["key", "token", "secret", "password", "signature"].contains {
        name.lowercased().contains($0)
    }
    return isSecret && name.endIndex < pair.endIndex ? "\(name)=..." : String(pair)
}
