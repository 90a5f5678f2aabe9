internal import APOD
internal import JSON

/// The rules of `docs/record.schema.json`, with the day and the directory that a record belongs to.
///
/// Additional keys are accepted everywhere: a newer program may write them.
enum RecordRules {
    /// The places where `json` breaks a rule, such as `picture.sha256`; at most ten.
    static func violations(of json: JSON, day: Day) -> [String] {
        var check = Check(place: "")
        check.require(json, "date") { $0 == "\(day)" }
        check.require(json, "title", Self.isText)
        check.require(json, "explanation", Self.isText)
        check.require(json, "media_type") { !$0.isEmpty }
        for key in ["url", "hdurl", "permalink"] { check.allow(json, key, Self.isAddress) }
        for key in ["copyright", "credit", "alt", "explanation_html"] {
            check.allow(json, key) { !$0.isEmpty }
        }
        check.nested(json, "license") { check, license in
            check.require(license, "name") { !$0.isEmpty }
            check.require(license, "url", Self.isAddress)
        }
        check.nested(json, "picture") { checkPicture(&$0, $1, day) }
        check.nested(json, "video") { checkVideo(&$0, $1, day) }
        check.nested(json, "missing") { check, missing in
            check.require(missing, "reason") { !$0.isEmpty }
            check.require(missing, "since", Self.isTime)
        }
        check.require(json, object: "source") { check, source in
            check.require(source, "feed") { FeedKind(rawValue: $0) != nil }
            check.require(source, "fetched", Self.isTime)
            check.require(source, number: "revision", atLeast: 1)
            check.allow(source, "modified") { 1...40 ~= $0.utf8.count }
        }
        let (hasPicture, isMissing) = (json["picture"] != nil, json["missing"] != nil)
        let hasVideo = json["video"]?["path"] != nil
        if hasPicture && isMissing || !hasPicture && !isMissing && !hasVideo {
            check.fail("missing")
        }
        return Array(check.violations.prefix(10))
    }

    /// Whether `path` is a path for media of `day`, with one of these extensions.
    private static func isPath(_ path: String, of day: Day, _ extensions: [String]) -> Bool {
        let start = "\(Layout.folder(Layout.pictures, of: day))/\(day) ".utf8
        guard path.utf8.starts(with: start) else { return false }
        let rest = path.utf8.dropFirst(start.count)
        return !rest.contains(UInt8(ascii: "/")) && !rest.contains(0)
            && extensions.contains {
                rest.count > $0.utf8.count + 1 && path.hasSuffix(".\($0)")
            }
    }

    private static let pictureExtensions = MediaType.allCases.filter(\.isPicture)
        .map(\.fileExtension)

    private static func checkPicture(_ check: inout Check, _ picture: JSON, _ day: Day) {
        check.require(picture, "path") { isPath($0, of: day, pictureExtensions) }
        check.require(picture, number: "bytes", atLeast: 1)
        check.require(picture, "sha256", isHash)
        check.require(picture, "type") { MediaType(rawValue: $0)?.isPicture ?? false }
        check.require(picture, number: "width", atLeast: 0)
        check.require(picture, number: "height", atLeast: 0)
        check.require(picture, "origin") { _ in true }
        for key in ["etag", "last_modified"] { check.allow(picture, key) { _ in true } }
        check.allow(picture, "removed", isTime)
        if let reduced = picture["reduced"], reduced != true { check.fail("reduced") }
    }

    private static func checkVideo(_ check: inout Check, _ video: JSON, _ day: Day) {
        check.require(video, "url", isAddress)
        check.allow(video, "page") { isPath($0, of: day, ["html"]) }
        let ofFile = ["path", "bytes", "sha256", "etag", "last_modified", "removed"]
        guard ofFile.contains(where: { video[$0] != nil }) else { return }
        check.require(video, "path") { isPath($0, of: day, ["mp4"]) }
        check.require(video, number: "bytes", atLeast: 1)
        check.require(video, "sha256", isHash)
        for key in ["etag", "last_modified"] { check.allow(video, key) { _ in true } }
        check.allow(video, "removed", isTime)
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A }
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix),
            let first = text.unicodeScalars.dropFirst(scheme.count).first
        else { return false }
        return first != "/" && !first.properties.isWhitespace
    }

    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }

    private static func isTime(_ text: String) -> Bool {
        let mask = Array("0000-00-00T00:00:00Z".utf8)
        return text.utf8.count == mask.count
            && zip(text.utf8, mask).allSatisfy { byte, sample in
                sample == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == sample
            }
    }
}

/// Collects the places that break a rule.
private struct Check {
    let place: String
    private(set) var violations: [String] = []

    mutating func fail(_ key: String) { violations.append(place + key) }

    mutating func require(_ json: JSON, _ key: String, _ rule: (String) -> Bool) {
        if !(json[key]?.string.map(rule) ?? false) { fail(key) }
    }

    mutating func allow(_ json: JSON, _ key: String, _ rule: (String) -> Bool) {
        if json[key] != nil { require(json, key, rule) }
    }

    mutating func require(_ json: JSON, number key: String, atLeast least: Int) {
        if !(json[key]?.integer.map { $0 >= least } ?? false) { fail(key) }
    }

    mutating func require(_ json: JSON, object key: String, _ body: (inout Check, JSON) -> Void) {
        json[key] == nil ? fail(key) : nested(json, key, body)
    }

    mutating func nested(_ json: JSON, _ key: String, _ body: (inout Check, JSON) -> Void) {
        guard let value = json[key] else { return }
        guard case .object = value else { return fail(key) }
        var check = Check(place: "\(place)\(key).")
        body(&check, value)
        violations += check.violations
    }
}
