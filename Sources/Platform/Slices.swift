internal import Glibc

/// A large work done in parts at once, by as many threads as there are processors.
package enum Slices {
    /// How many threads share a work: more than four wait for each other in the kernel.
    static let threads = max(1, min(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 4))

    /// Does `body` to all numbers below `count`, slice by slice, and blocks until all is done.
    ///
    /// - Parameters:
    ///   - count: How much there is to do.
    ///   - least: What is worth a thread: less is done here.
    ///   - body: Does the numbers of one slice.
    /// - Returns: What each slice brought, in their order.
    package static func of<Result: Sendable>(
        _ count: Int, least: Int, _ body: @escaping @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        let number = max(1, min(threads, count / least))
        let bounds = (0...number).map { count * $0 / number }
        let others = (1..<number).map { slice in
            ThreadFuture { body(bounds[slice]..<bounds[slice + 1]) }
        }
        return [body(0..<bounds[1])] + others.map { $0.value() }
    }
}
