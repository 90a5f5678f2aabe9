import APOD
import CommandLine
import Derived
import FoundationEssentials
import Mirror
import Platform
import Service
import Transfer

extension Settings {
    /// Reads options, else variables, else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = try arguments.mirror()
        self.init(root: mirror.root)
        // Links that the user creates may contain the path that the user knows.
        spellings = [mirror.spelling].compactMap(\.self)
        since =
            try arguments.value(
                .since, "a number of days (30d), a date from 1995-06-16 until today or “all”",
                Self.since) ?? since
        keep =
            try arguments.value(
                .keep, "“all”, a number of days (365d) or a size (20GB), more than 0", Keep.init)
            ?? keep
        rechecks =
            try arguments.value(.recheck, "on or off", Self.isOn)
            ?? rechecks
        upstream =
            try arguments.value(.upstream, "a web address, http: or https:", Self.webURL)
            ?? upstream
        if upstream.redacted != upstream.text.excerpt {
            throw .usage(
                "--upstream contains a key or a password; put the key into \(APIKey.variable) or the"
                    + " credential \(APIKey.credential), which are never printed")
        }
        let kinds = ["auto"] + FeedKind.allCases.map(\.rawValue)
        let expected = "\(kinds.dropLast().joined(separator: ", ")) or \(kinds.last ?? "")"
        feed =
            try arguments.value(.feed, expected) { text in
                text == "auto" ? FeedKind??.some(nil) : FeedKind(rawValue: text).map(Optional.some)
            } ?? feed
        jobs =
            try arguments.value(.jobs, "a number from 1 to 64") { text in
                Int(text).flatMap { 1...64 ~= $0 ? $0 : nil }
            } ?? jobs
        pace =
            try arguments.value(.pace, "a time such as 1s or 500ms") { text in
                Duration(argument: text).flatMap { $0 <= .seconds(86_400) ? $0 : nil }
            } ?? pace
        minimumFree =
            try arguments.value(.minimumFree, "a size such as 1GiB, 500MB or 0", Self.size)
            ?? minimumFree
        downloadsVideos = try arguments.isOn(.videos)
        makesThumbnails =
            try arguments.value(.thumbnails, "yes or no") { text in
                ["yes": true, "no": false][text]
            } ?? makesThumbnails
        writesSidecars = try arguments.isOn(.sidecars)
        derived.hasLatest =
            try arguments.value(.latest, "on or off", Self.isOn)
            ?? derived.hasLatest
        derived.hasHint =
            try arguments.value(.hint, "on or off", Self.isOn)
            ?? derived.hasHint
        derived.hasFeeds =
            try arguments.value(.feeds, "on or off", Self.isOn)
            ?? derived.hasFeeds
        derived.baseURL = try arguments.value(
            .baseURL, "a web address without user and question mark, http: or https:", Self.baseURL)
        derived.wallpapers = try wallpapers(arguments)
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
            return try MetricsFile(name, in: resolvedPath(above == "" ? "/" : above), root: root)
        } catch {
            throw .usage(
                "\(source): \(error); name a file in a directory that this user may write to")
        }
    }

    private static func since(_ text: String) -> Since? {
        guard let since = Since(text) else { return nil }
        // Some time zone has tomorrow already, none has a later day.
        let today = Int(Date().timeIntervalSince1970) / 86_400
        if case .day(let day) = since, day.number > today + 1 { return nil }
        return since
    }

    private static func webURL(_ text: String) -> WebURL? {
        (try? WebURL(text)).flatMap { $0.isWeb && !$0.host.isEmpty ? $0 : nil }
    }

    private func wallpapers(_ arguments: Arguments) throws(CommandError) -> WallpaperOptions {
        var options = WallpaperOptions()
        options.count =
            try arguments.value(.wallpapers, "a number from 0 to 1000") { text in
                Int(text).flatMap { 0...1000 ~= $0 ? $0 : nil }
            } ?? options.count
        if let screen = try arguments.value(
            .wallpaperSize, "a size in pixels such as 1920x1080", Self.screen)
        {
            (options.longSide, options.shortSide) = screen
        }
        options.orientation =
            try arguments.value(
                .wallpaperOrientation, "landscape, portrait or any",
                WallpaperOptions.Orientation.init) ?? options.orientation
        return options
    }

    /// The longer and the shorter side of a size such as `1920x1080`.
    private static func screen(_ text: String) -> (Int, Int)? {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            1...65_535 ~= width, 1...65_535 ~= height
        else { return nil }
        return (max(width, height), min(width, height))
    }

    /// A URL with a slash at its end, to which paths are appended.
    private static func baseURL(_ text: String) -> String? {
        // A password would stand in the feeds, which everyone may read.
        guard let url = webURL(text), !url.hasCredentials,
            !text.contains(where: { "?#".contains($0) })
        else { return nil }
        return url.path.hasSuffix("/") ? url.text : url.text + "/"
    }

    private static func positive(_ number: Int) -> Int? { number >= 0 ? number : nil }

    private static func isOn(_ text: String) -> Bool? { ["on": true, "off": false][text] }

    private static func size(_ text: String) -> Int? {
        if let bytes = ByteSize.bytes(in: text) { return bytes }
        return Int(text).flatMap(positive)
    }
}
