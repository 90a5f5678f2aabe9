import Platform

/// A program that did not end well, with what it said.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - what: The program and its end.
    ///   - log: The file with what it printed.
    init(_ what: String, log: String) {
        let said = try? FileDescriptor(opening: log, 0).readToEnd(limit: 1 << 20, path: log)
        description = "\(what): \(String(decoding: said ?? [], as: UTF8.self))"
    }
}
