import APOD
import CommandLine
import FoundationEssentials
import Mirror
import Platform
import Service
import Transfer

/// What a verb that fetches is told to do: options, else variables, else what suits most.
struct Settings {
    var root: String
    /// Other absolute paths that lead to it, as the user wrote it for instance.
    var spellings: [String] = []
    var since = Since.days(30)
    var upstream = Self.nasa
    var feed = "auto"
    /// Pictures under way at once.
    var jobs = 4
    /// The time between two requests for lists.
    var pace = Duration.seconds(1)
    /// The bytes of the disk that are never used.
    var minimumFree = 1 << 30
    var downloadsVideos = false
    var makesThumbnails = true
    var isQuiet = false
    /// Where figures for Prometheus are written.
    var metricsFile: MetricsFile?
    /// The least that matters enough to be said.
    var logLevel = Log.Level.info

    static let nasa = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"

    /// The usual settings for the mirror in `root`.
    init(root: String) {
        self.root = root
    }

    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = try arguments.mirror()
        root = mirror.root
        // A link that the user makes may lead there by the path that the user knows.
        spellings = [mirror.spelling].compactMap(\.self)
        since =
            try arguments.value(
                .since, "a number of days (30d), a date from 1995-06-16 until today or “all”",
                Self.since) ?? since
        upstream =
            try arguments.value(.upstream, "a web address, http: or https:", Self.webAddress)
            ?? upstream
        if let address = try? Address(upstream), address.redacted != address.text {
            throw .usage(
                "--upstream holds a key or a password: a key belongs into \(APIKey.variable) or the"
                    + " credential \(APIKey.credential), where it is not shown")
        }
        feed =
            try arguments.value(.feed, "auto, basic or v1") { text in
                ["auto", "basic", "v1"].contains(text) ? text : nil
            } ?? feed
        jobs =
            try arguments.value(.jobs, "a number from 1 to 64") { text in
                Int(text).flatMap { 1...64 ~= $0 ? $0 : nil }
            } ?? jobs
        pace = try arguments.value(.pace, "a time such as 1s or 500ms", Self.duration) ?? pace
        minimumFree =
            try arguments.value(.minimumFree, "a size such as 1GiB, 500MB or 0", Self.size)
            ?? minimumFree
        downloadsVideos = try arguments.isOn(.videos)
        makesThumbnails =
            try arguments.value(.thumbnails, "yes or no") { text in
                ["yes": true, "no": false][text]
            } ?? makesThumbnails
        isQuiet = try arguments.isOn(.quiet)
        logLevel =
            try arguments.value(
                .logLevel, "error, warning, notice, info or debug", Log.Level.init)
            ?? (isQuiet ? .error : logLevel)
        metricsFile = try metricsFile(arguments)
    }

    /// The file that `--metrics-file` names; it must not lie in the mirror.
    private func metricsFile(_ arguments: Arguments) throws(CommandError) -> MetricsFile? {
        guard let typed = try arguments.value(.metricsFile, "a file", { $0.isEmpty ? nil : $0 })
        else { return nil }
        let source = arguments.source(of: .metricsFile)
        let (above, name) = Layout.split(typed)
        guard ![".", "..", ""].contains(name) else {
            throw .usage("\(source): “\(typed)” names a directory, not a file")
        }
        do {
            return try MetricsFile(name, in: Self.resolved(above == "" ? "/" : above), root: root)
        } catch {
            throw .usage(
                "\(source): \(error): name a file in a directory that this user may write to")
        }
    }

    /// The directory of the mirror, absolute and without links where it exists.
    static func root(_ arguments: Arguments) throws(CommandError) -> String {
        try arguments.mirror().root
    }

    /// The path as the kernel sees it, as far as it exists: see realpath(3).
    static func resolved(_ path: String) -> String { resolvedPath(path) }

    /// The path of the file that `word` names from here, without links; `nil` where there is none, or
    /// where the word says something else.
    static func existing(_ word: String) -> String? {
        guard Day(iso: word) == nil, Day(compact: word) == nil, word != "latest" else {
            return nil
        }
        return realPath(word)
    }

    private static func since(_ text: String) -> Since? {
        guard let since = Since(text) else { return nil }
        // Tomorrow has begun somewhere; what lies beyond has nowhere.
        let today = Int(Date().timeIntervalSince1970) / 86_400
        if case .day(let day) = since, day.number > today + 1 { return nil }
        return since
    }

    private static func webAddress(_ text: String) -> String? {
        guard let address = try? Address(text), ["http", "https"].contains(address.scheme),
            !address.host.isEmpty
        else { return nil }
        return text
    }

    /// At most a day.
    private static func duration(_ text: String) -> Duration? {
        if text.hasSuffix("ms") {
            return Int(text.dropLast(2)).flatMap { count in
                0...86_400_000 ~= count ? .milliseconds(count) : nil
            }
        }
        let digits = text.hasSuffix("s") ? String(text.dropLast()) : text
        guard let seconds = Double(digits), seconds.isFinite, 0...86_400 ~= seconds else {
            return nil
        }
        return .milliseconds(Int(seconds * 1000))
    }

    private static func positive(_ number: Int) -> Int? { number >= 0 ? number : nil }

    private static func size(_ text: String) -> Int? {
        let units = [
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
            ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
            ("B", 1),
        ]
        for (unit, factor) in units where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), 0...1e6 ~= number else {
                return nil
            }
            return Int(number * Double(factor))
        }
        return Int(text).flatMap(positive)
    }
}
