/// Removes what identifies a home from a text that its user publishes: names, keys, addresses and paths.
///
/// Rather a word too many: addresses of NASA and paths of the system stay.
package struct HomeFilter: Sendable {
    private let key: SecretFilter?
    /// What is replaced wherever it stands as a whole word, and by what.
    private let known: [(text: String, mark: String)]

    /// The root directories of the mirror are named before `home`, which may contain them; `names` are those of users,
    /// `hosts` those of machines.
    package init(
        roots: [String], home: String?, users: [String], hosts: [String], key: String?
    ) {
        self.key = SecretFilter(key)
        let shorts = hosts.compactMap { $0.split(separator: ".").first.map(String.init) }
        let all =
            roots.map { ($0, "MIRROR") } + [home].compactMap(\.self).map { ($0, "~") }
            + users.map { ($0, "USER") } + (hosts + shorts).map { ($0, "HOST") }
        // The names of this program and of its account say nothing about the home.
        known = all.filter { text, _ in
            text.utf8.count > 1 && !["root", "apod-mirror"].contains(text)
        }
    }

    package func filtered(_ text: String) -> String {
        var text = key?.redacted(text) ?? text
        for (word, mark) in known { text = text.replacing(word: word, by: mark) }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(Self.filtered(line:)).joined(separator: "\n")
    }

    private static func filtered(line: Substring) -> String {
        var words: [String] = []
        // A path may contain blanks: it ends with punctuation or the line.
        var isInPath = false
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if isInPath {
                guard let last = word.last, ":”".contains(last) else { continue }
                words[words.count - 1].append(last)
                isInPath = false
                continue
            }
            // The word without quotation marks and brackets around it, and punctuation after it.
            let start = word.prefix { "“\"'(".contains($0) }
            var core = word.dropFirst(start.count)
            while let last = core.last, "”\"'),.;:".contains(last) { core.removeLast() }
            guard let mark = mark(for: String(core)) else {
                words.append(String(word))
                continue
            }
            isInPath = mark.hasSuffix(pathMark) && core.endIndex == word.endIndex
            words.append(start + mark + word[core.endIndex...])
        }
        return words.joined(separator: " ")
    }

    private static let pathMark = "PATH"
    /// The last parts of names that only a home network knows.
    private static let homeDomains: Set<Substring> = [
        "arpa", "box", "home", "internal", "intranet", "lan", "local", "localdomain", "private",
    ]
    private static let systemFolders = ["/dev/", "/etc/", "/proc/", "/sys/", "/usr/", "/var/"]

    /// What stands for `word` instead; `nil` if it may stay.
    private static func mark(for word: String) -> String? {
        if word.contains("://") {
            guard let url = try? WebURL(word) else { return "ADDRESS" }
            let isPublic = url.isNASA || AddressPolicy.posterHosts.contains(url.host)
            return isPublic ? nil : "\(url.scheme)://HOST"
        }
        let host = word.prefix { $0 != ":" }
        if word.contains("@") || [word, String(host)].contains(where: { IPAddress($0) != nil }) {
            return "ADDRESS"
        }
        let labels = host.split(separator: ".")
        if labels.count > 1, let last = labels.last, homeDomains.contains(last) { return "HOST" }
        if word.hasPrefix("/"), word.utf8.count > 1,
            !systemFolders.contains(where: word.hasPrefix)
        {
            return pathMark
        }
        // The names in this folder are the user's.
        let folder = "favorites/"
        guard let range = word.firstRange(of: folder), range.upperBound < word.endIndex else {
            return nil
        }
        return folder + pathMark
    }
}

extension String {
    /// Replaces `word` wherever no letter and no digit is beside it.
    fileprivate func replacing(word: String, by mark: String) -> String {
        func isBoundary(_ neighbor: Character?) -> Bool {
            neighbor.map { !$0.isLetter && !$0.isNumber } ?? true
        }
        var (result, rest) = ("", self[...])
        while let range = rest.firstRange(of: word) {
            let before = rest[..<range.lowerBound].last ?? result.last
            let isWhole = isBoundary(before) && isBoundary(rest[range.upperBound...].first)
            result += rest[..<range.lowerBound] + (isWhole ? mark : word)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
