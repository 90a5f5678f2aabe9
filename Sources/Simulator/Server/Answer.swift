/// What a client gets, and how: whole and at once unless a fault says otherwise.
struct Answer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a file, sent by the kernel: see sendfile(2).
        case file(path: String, offset: Int, count: Int)
        /// The pattern again and again, without a length in the headers.
        case repeated([UInt8], count: Int)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, _, let count), .repeated(_, let count): count
            }
        }
    }

    var status = 200
    var headers: [(name: String, value: String)] = []
    var body = Body.bytes([])
    /// The length that the headers claim where it is not the body's.
    var claimedLength: Int?
    /// How many bytes of the body are sent before the connection is cut.
    var cut: Int?
    /// How many bytes of the body are sent before nothing comes until it is released.
    var stall: Int?
    /// In bytes a second.
    var pace: Int?

    /// Whether the body can be handed over in one piece.
    var isPlain: Bool {
        if case .repeated = body { return false }
        return claimedLength == nil && cut == nil && stall == nil && pace == nil
    }

    static func text(_ text: String, type: String, status: Int = 200) -> Answer {
        Answer(
            status: status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }

    static func html(_ text: String, status: Int = 200) -> Answer {
        .text(text, type: "text/html; charset=UTF-8", status: status)
    }

    static func json(_ json: JSON, status: Int = 200) -> Answer {
        .text(json.text, type: "application/json; charset=UTF-8", status: status)
    }

    static func redirect(to address: String) -> Answer {
        Answer(status: 302, headers: [("Location", address)])
    }

    /// A page as web servers send it with `status`, whatever was asked for.
    static func page(_ status: Int, _ phrase: String) -> Answer {
        .html(
            """
            <!DOCTYPE html>
            <html><head><title>\(status) \(phrase)</title></head>
            <body><h1>\(phrase)</h1></body></html>

            """, status: status)
    }
}
