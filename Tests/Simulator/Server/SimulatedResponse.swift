internal import JSON

/// A response and how it is sent: whole and at once, unless a fault says otherwise.
struct SimulatedResponse: Sendable {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The number of bytes that are sent by repeating the body, without a length in the headers.
    var repeatedLength: Int?
    /// The `Content-Length`, if it is not that of the body.
    var claimedLength: Int?
    /// How many bytes of the body are sent before the connection is cut.
    var cut: Int?
    /// In bytes a second.
    var pace: Int?

    /// The number of bytes that are sent.
    var length: Int { min(cut ?? .max, repeatedLength ?? body.count) }

    /// Whether the whole body is sent, with its own length.
    var isWhole: Bool { claimedLength == nil && cut == nil }

    static func text(_ text: String, type: String, status: Int = 200) -> SimulatedResponse {
        SimulatedResponse(
            status: status, headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    static func html(_ text: String, status: Int = 200) -> SimulatedResponse {
        .text(text, type: "text/html; charset=UTF-8", status: status)
    }

    static func json(_ json: JSON, status: Int = 200) -> SimulatedResponse {
        .text(json.asciiLine, type: "application/json; charset=UTF-8", status: status)
    }

    static func redirect(to address: String) -> SimulatedResponse {
        SimulatedResponse(status: 302, headers: [("Location", address)])
    }

    /// The error page of a web server.
    static func page(_ status: Int, _ phrase: String) -> SimulatedResponse {
        .html(
            """
            <!DOCTYPE html>
            <html><head><title>\(status) \(phrase)</title></head>
            <body><h1>\(phrase)</h1></body></html>

            """, status: status)
    }
}

extension JSON {
    /// The value on one line, in ASCII as PHP and Flask write it.
    fileprivate var asciiLine: String {
        var text = ""
        for unit in line.utf16 {
            if unit < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}
