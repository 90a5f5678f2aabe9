internal import APOD
internal import Glibc
internal import Platform

/// Answers for files: whole, in parts, or "not modified"; see RFC 9110, sections 13 and 14.
struct MediaHandler: Sendable {
    let catalog: Catalog
    let renderedPictures: RenderedPictureCache
    /// Whether files have an ETag and a modification time.
    let validators: Bool

    func answer(_ request: Request) -> Answer {
        guard let asset = catalog.asset(at: request.path),
            let body = body(of: source(of: asset, request.query))
        else { return .page(404, "Not Found") }
        let modified = catalog.modified(catalog.day(ofFileAt: request.path))
        var answer = Answer(
            headers: [("Content-Type", contentType(of: request.path))], body: body.whole)
        answer.headers.append(("Accept-Ranges", "bytes"))
        if validators {
            answer.headers += [("ETag", body.tag), ("Last-Modified", HTTPDate.text(modified))]
            if request.isFresh(tag: body.tag, modified: modified) { return answer.notModified }
        }
        let mayBeParts = validators ? request.isSame(tag: body.tag, modified: modified) : true
        guard mayBeParts, let range = request.headers["range"] else { return answer }
        return answer.part(ByteRange(range, of: answer.body.count))
    }

    /// What is served: `/dynamicimage/` has every size, and perhaps less than the original.
    private func source(of asset: Asset, _ query: [String: String]) -> PictureSource {
        let file = asset.file
        switch asset.form {
        case .original: return file.source
        case .shown: return file.reduced ?? file.source
        case .dynamic:
            guard let width = query["w"].flatMap({ Int($0) }), width > 0,
                let height = query["h"].flatMap({ Int($0) }), height > 0
            else { return query.isEmpty ? file.reduced ?? file.source : file.source }
            return file.source.fitting(width: width, height: height)
        }
    }

    private func body(of source: PictureSource) -> (whole: Answer.Body, tag: String)? {
        switch source {
        case .drawn(let drawing):
            return (.bytes(renderedPictures.bytes(of: drawing)), tag(Array("\(drawing)".utf8)))
        case .bytes(let bytes):
            return (.bytes(bytes), tag(bytes))
        case .file(let path):
            guard let file = try? FileDescriptor(opening: path, O_RDONLY),
                let status = try? file.status(path: path)
            else { return nil }
            let name = "\(status.identity.inode)-\(status.size)-\(status.modified)"
            return (.file(path: path, offset: 0, count: status.size), "\"\(name)\"")
        }
    }

    private func tag(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return "\"\(hash.hexDigest().prefix(16))\""
    }
}

extension Answer {
    fileprivate var notModified: Answer {
        Answer(status: 304, headers: headers.filter { $0.name != "Content-Type" })
    }

    /// The part of this whole that was asked for.
    fileprivate func part(_ range: ByteRange) -> Answer {
        var answer = self
        switch range {
        case .all: break
        case .unsatisfiable:
            answer = .page(416, "Range Not Satisfiable")
            answer.headers.append(("Content-Range", "bytes */\(body.count)"))
        case .part(let range):
            answer.status = 206
            let (first, last) = (range.lowerBound, range.upperBound - 1)
            answer.headers.append(("Content-Range", "bytes \(first)-\(last)/\(body.count)"))
            answer.body = body.part(range)
        }
        return answer
    }
}

extension Answer.Body {
    fileprivate func part(_ range: Range<Int>) -> Answer.Body {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .file(let path, let offset, _):
            .file(path: path, offset: offset + range.lowerBound, count: range.count)
        case .repeated: self
        }
    }
}

extension Request {
    /// Whether the client has this version already.
    fileprivate func isFresh(tag: String, modified: Int) -> Bool {
        if let tags = headers["if-none-match"] {
            return tags == "*" || tags.split(separator: ",").contains { $0.trimmed == tag }
        }
        guard let since = headers["if-modified-since"].flatMap(HTTPDate.seconds) else {
            return false
        }
        return modified <= since
    }

    /// Whether parts of this version go with what the client has.
    fileprivate func isSame(tag: String, modified: Int) -> Bool {
        guard let condition = headers["if-range"] else { return true }
        return condition == tag || HTTPDate.seconds(condition) == modified
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
