/// Removes what identifies a home from a text that its user publishes: names, keys, addresses and paths.
///
/// `apod-mirror status --report` prints through it. In doubt a word is removed; addresses of NASA and paths of the
/// system stay.
package struct HomeFilter: Sendable {
    private let key: SecretFilter?
    /// What is replaced wherever it stands as a whole word, and by what.
    private let known: [(text: String, mark: String)]

    private static let pathMark = "PATH"
    /// The last parts of names that only a home network knows.
    private static let homeDomains: Set<String> = [
        "arpa", "box", "home", "internal", "intranet", "lan", "local", "localdomain", "private",
    ]
    private static let systemFolders = ["/dev/", "/etc/", "/proc/", "/sys/", "/usr/", "/var/"]

    /// - Parameters:
    ///   - roots: The directories of the mirror. They are replaced before `home`, which may contain them.
    ///   - home: The home directory.
    ///   - users: The names of users.
    ///   - hosts: The names of this machine.
    ///   - key: The API key.
    package init(
        roots: [String], home: String?, users: [String], hosts: [String], key: String?
    ) {
        self.key = SecretFilter(key)
        let labels = hosts.compactMap { $0.split(separator: ".").first.map(String.init) }
        let spellings = (hosts + labels).flatMap { [$0, $0.lowercased(), $0.uppercased()] }
        let all =
            roots.map { ($0, "MIRROR") } + [home].compactMap(\.self).map { ($0, "~") }
            + users.map { ($0, "USER") } + spellings.map { ($0, "HOST") }
        // A single letter says nothing. The names of this program and of its account are no secret, nor is the first
        // part of the name of a public mirror.
        known = all.filter { text, _ in
            text.utf8.count > 1 && !["root", "apod", "apod-mirror"].contains(text)
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
        // A path may contain blanks and brackets: it ends with the line, or with a word that ends with a colon or a
        // quotation mark. A word that is in brackets alone is a whole path.
        var isInPath = false
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        for word in line.split(omittingEmptySubsequences: false, whereSeparator: isBlank) {
            let last = word.last ?? " "
            if isInPath {
                isInPath = !":”\"".contains(last)
                if !isInPath { words[words.count - 1].append(last) }
                continue
            }
            let replaced = replaced(word)
            words.append(replaced)
            let isInBrackets = ")]".contains(last) && "([".contains(word.first ?? " ")
            isInPath =
                !isInBrackets && !":”\"".contains(last) && replaced != word
                && replaced.contains(pathMark)
        }
        return words.joined(separator: " ")
    }

    /// The quotation marks and brackets before `word`, without the bracket that begins an IPv6 address.
    private static func prefix(of word: Substring) -> Substring {
        var rest = word
        while let first = rest.first, "“\"'([".contains(first), !isBracketedAddress(rest) {
            rest.removeFirst()
        }
        return word[..<rest.startIndex]
    }

    /// Whether `word` begins with an IPv6 address in brackets, as before a port.
    private static func isBracketedAddress(_ word: Substring) -> Bool {
        word.hasPrefix("[") && IPAddress(String(word.prefix { $0 != "]" }) + "]") != nil
    }

    /// The word with a mark in place of what identifies the home.
    private static func replaced(_ word: Substring) -> String {
        // Without quotation marks and brackets around it, and punctuation after it.
        let start = prefix(of: word)
        var core = word.dropFirst(start.count)
        // In `--root=/mnt/x` and `Options=rw,upperdir=/mnt/x`, each by itself. The names of directories and the queries
        // of URLs contain such a sign, too, after a slash; mail addresses may, anywhere.
        let isAddress = core.contains("@") && !core.contains("/")
        if !isAddress, let equals = core.firstIndex(of: "="), equals > core.startIndex,
            !core[..<equals].contains("/")
        {
            return replaced(word[..<equals]) + "=" + replaced(word[core.index(after: equals)...])
        }
        let ends = isBracketedAddress(core) ? "”\"'),.;:" : "”\"')],.;:"
        while let last = core.last, ends.contains(last) { core.removeLast() }
        guard let mark = mark(for: String(core)) else { return String(word) }
        return start + mark + word[core.endIndex...]
    }

    /// What stands for `word` instead; `nil` if it may stay.
    private static func mark(for word: String) -> String? {
        if word.contains("://") {
            guard let url = try? WebURL(word) else { return "ADDRESS" }
            let isPublic = url.isNASA || AddressPolicy.posterHosts.contains(url.host)
            return isPublic ? nil : "\(url.scheme)://HOST"
        }
        // Without a port; an IPv6 address before one is in brackets.
        let host = word.hasPrefix("[") ? word.prefix { $0 != "]" } + "]" : word.prefix { $0 != ":" }
        if word.contains("@") || [word, String(host)].contains(where: { IPAddress($0) != nil }) {
            return "ADDRESS"
        }
        let labels = host.split(separator: ".")
        if labels.count > 1, let last = labels.last, homeDomains.contains(last.lowercased()) {
            return "HOST"
        }
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
