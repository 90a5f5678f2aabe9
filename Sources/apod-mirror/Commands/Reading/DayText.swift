import CommandLine
import Mirror
import Platform
import Service

extension Reader {
    /// A day as readable text, as wide as the terminal.
    func text(of record: DayRecord) -> String {
        let entry = record.entry
        let width = min(StandardStream.output.columns ?? 80, 100)
        var lines = ["\(entry.day)  \(entry.title)", ""]
        for paragraph in entry.explanation.split(separator: "\n\n") {
            lines += paragraph.wrapped(to: width) + [""]
        }
        if let copyright = entry.copyright {
            lines.append("Copyright  \(copyright)")
        } else if let credit = entry.credit {
            lines.append("Credit     \(credit)")
        }
        if let picture = record.picture {
            let pixels = picture.width > 0 ? "\(picture.width) x \(picture.height), " : ""
            let size = "\(pixels)\(ByteCount(picture.bytes))"
            lines.append(
                picture.removed.map { "Picture    removed by --keep at \($0.timestamp) (\(size))" }
                    ?? "Picture    \(tree.root.path)/\(picture.path) (\(size))")
        }
        if let video = record.video {
            let path = video.removed == nil ? video.path : nil
            lines.append("Video      \(path.map { "\(tree.root.path)/\($0)" } ?? video.url)")
        }
        if let missing = record.missing { lines.append("Missing    \(missing.reason)") }
        if let permalink = entry.permalink { lines.append("Article    \(permalink)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
