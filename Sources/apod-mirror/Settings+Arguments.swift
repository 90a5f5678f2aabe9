import APOD
import CommandLine
import FoundationEssentials
import Mirror
import Platform
import Service
import Transfer
import Views

extension Settings {
    /// Reads options, else variables, else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = try arguments.mirror()
        self.init(root: mirror.root)
        typedRoot = mirror.typedRoot
        try arguments.read(
            .since, "a number of days (30d), a date from 1995-06-16 on or “all”", into: &since,
            Since.init(argument:))
        try arguments.read(
            .keep, "“all”, a number of days (365d) or a size (20GB), more than 0", into: &keep,
            Keep.init)
        rechecks = try arguments.isOn(.recheck, default: true)
        try arguments.read(
            .upstream, "a web address, http: or https:", into: &upstream, Self.webURL)
        if upstream.hasSecrets {
            throw .usage(
                "--upstream contains a key or a password; put the key into \(APIKey.variable) or the"
                    + " credential \(APIKey.credential), which are never printed")
        }
        let kinds = ["auto"] + FeedKind.allCases.map(\.rawValue)
        let expected = "\(kinds.dropLast().joined(separator: ", ")) or \(kinds.last ?? "")"
        try arguments.read(.feed, expected, into: &feed) { text in
            text == "auto" ? FeedKind??.some(nil) : FeedKind(rawValue: text).map(Optional.some)
        }
        try arguments.read(.jobs, "a number from 1 to 64", into: &jobs) { text in
            Int(text).flatMap { 1...64 ~= $0 ? $0 : nil }
        }
        // The daemon would count as stalled during a longer pause.
        try arguments.read(.pace, "a time such as 1s or 500ms, at most 15m", into: &pace) { text in
            Duration(argument: text).flatMap { $0 <= .seconds(900) ? $0 : nil }
        }
        try arguments.read(
            .minimumFree, "a size such as 1GiB, 500MB or 0", into: &minimumFree, Self.size)
        downloadsVideos = try arguments.isOn(.videos)
        views.makesThumbnails = try arguments.isOn(.thumbnails, default: true)
        views.writesSidecars = try arguments.isOn(.sidecars)
        views.baseURL = try arguments.value(
            .baseURL,
            "a web address without user, question mark and fragment, http: or https:",
            Self.baseURL)
        views.wallpapers = try wallpapers(arguments)
        isQuiet = try arguments.isOn(.quiet)
        if isQuiet { logLevel = .error }
        try arguments.read(
            .logLevel, "error, warning, notice, info or debug", into: &logLevel, Log.Level.init)
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

    private static func webURL(_ text: String) -> WebURL? {
        (try? WebURL(text)).flatMap { $0.isWeb && !$0.host.isEmpty ? $0 : nil }
    }

    private func wallpapers(_ arguments: Arguments) throws(CommandError) -> WallpaperOptions {
        var options = WallpaperOptions()
        try arguments.read(.wallpapers, "a number from 0 to 1000", into: &options.count) { text in
            Int(text).flatMap { 0...1000 ~= $0 ? $0 : nil }
        }
        if let screen = try arguments.value(
            .wallpaperSize, "a size in pixels such as 1920x1080", Self.screen)
        {
            (options.longSide, options.shortSide) = screen
        }
        try arguments.read(
            .wallpaperOrientation, "landscape, portrait or any", into: &options.orientation,
            WallpaperOptions.Orientation.init)
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
        // A password would stand in the feed, which everyone may read.
        guard let url = webURL(text), !url.hasCredentials,
            !text.contains(where: { "?#".contains($0) })
        else { return nil }
        return url.path.hasSuffix("/") ? url.text : url.text + "/"
    }

    private static func size(_ text: String) -> Int? {
        if let bytes = ByteSize.bytes(in: text) { return bytes }
        return Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
}
