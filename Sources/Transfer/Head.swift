/// What comes of an answer before its body.
struct Head: Hashable, Sendable {
    let address: Address
    private(set) var status = 0
    private(set) var headers = Headers()
    /// The line that ends the head of a final answer has come.
    private(set) var isComplete = false

    init(_ address: Address) {
        self.address = address
    }

    /// Takes one line as it came, its end included.
    ///
    /// The heads of interim answers, status 100 to 199, give way to the next one.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let line = unsafe String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        if line.hasPrefix("HTTP/") {
            headers = Headers()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if line.isEmpty {
            isComplete = status >= 200
        } else {
            headers.add(line)
        }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The whole head of an answer that brings nothing has come.
    var isRefusal: Bool { isComplete && status >= 400 }

    /// Whether the answer is to be had elsewhere: at `Location`.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}
