import Platform

/// A program that did not end well.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - program: Its name.
    ///   - status: How it ended, as wait(2) gives it.
    ///   - log: The file with what it printed.
    init(_ program: String, status: Int32, log: String) {
        let said = try? FileDescriptor(opening: log, 0).readToEnd(limit: 1 << 20, path: log)
        description =
            "\(program) ended with \(status): \(String(decoding: said ?? [], as: UTF8.self))"
    }
}
