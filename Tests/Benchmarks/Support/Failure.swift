import Platform

/// A program that failed, with its output.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - what: The program and its exit status.
    ///   - log: The file with its output.
    init(_ what: String, log: String) {
        let said = try? FileDescriptor(opening: log, 0).readToEnd(limit: 1 << 20, path: log)
        description = "\(what): \(String(decoding: said ?? [], as: UTF8.self))"
    }
}
