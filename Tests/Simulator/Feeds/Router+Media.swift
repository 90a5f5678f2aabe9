internal import APOD
internal import Glibc
internal import Platform

extension Router {
    /// The file at the requested path of NASA.
    func media(_ request: SimulatedRequest) -> SimulatedResponse {
        media(request, at: request.path, in: catalog)
    }

    func media(
        _ request: SimulatedRequest, at path: String, in catalog: Catalog
    ) -> SimulatedResponse {
        guard let asset = catalog.asset(at: path),
            let body = bytes(of: source(of: asset, request.query))
        else { return .page(404, "Not Found") }
        let tag = "\"\(SHA256.digits(16, of: body))\""
        let modified = httpDate(catalog.modified(catalog.day(ofFileAt: path)))
        var response = SimulatedResponse(
            headers: [
                ("Content-Type", contentType(of: path)),
                ("ETag", tag), ("Last-Modified", modified),
            ], body: body)
        if request.headers["if-none-match"] == tag {
            return SimulatedResponse(status: 304, headers: response.headers)
        }
        if request.headers["if-range"] == tag,
            let start = request.headers["range"].flatMap({ Int($0.dropFirst(6).dropLast()) }),
            body.indices.contains(start)
        {
            response.status = 206
            response.headers.append(
                ("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)"))
            response.body = Array(body[start...])
        }
        return response
    }

    /// What is served; `/dynamicimage/` has every size.
    private func source(of asset: SimulatedAsset, _ query: [String: String]) -> PictureSource {
        let source = asset.file.source
        guard asset.isReduced else { return source }
        guard let width = query["w"].flatMap({ Int($0) }), width > 0,
            let height = query["h"].flatMap({ Int($0) }), height > 0
        else { return query.isEmpty ? asset.file.reduced ?? source : source }
        return source.fitting(width: width, height: height)
    }

    /// The bytes of `source`; `nil` if its file cannot be read.
    private func bytes(of source: PictureSource) -> [UInt8]? {
        switch source {
        case .drawn(let drawing): drawing.encoded()
        case .bytes(let bytes, _, _): bytes
        case .file(let path):
            try? FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: 1 << 30, path: path)
        }
    }
}

/// The type that a web server derives from the name of a file.
private func contentType(of name: String) -> String {
    switch name.trimmingTrailingBlanks.split(separator: ".").last?.lowercased() {
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "tif", "tiff": "image/tiff"
    case "mp4": "video/mp4"
    case "mov": "video/quicktime"
    case "mpg", "mpeg": "video/mpeg"
    case "wmv": "video/x-ms-wmv"
    default: "application/octet-stream"
    }
}

/// A time in the format of HTTP: `Fri, 20 Nov 2026 12:00:00 GMT`, see RFC 9110, section 5.6.7.
private func httpDate(_ seconds: Int) -> String {
    var seconds = seconds
    var time = unsafe tm()
    unsafe gmtime_r(&seconds, &time)
    var text = [CChar](repeating: 0, count: 30)
    let count = unsafe strftime(&text, text.count, "%a, %d %b %Y %T GMT", &time)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
