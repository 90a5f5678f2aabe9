internal import Glibc

/// The descriptors that ``EventLoop`` waits for, as poll(2) wants them.
///
/// They change seldom, and an event is to be told of within microseconds: they are kept from one wait to
/// the next.
struct PollSet {
    private var polled: [pollfd]
    /// Who waits for each of `polled` but the first.
    private var ids: [Int] = []

    /// - Parameter wakeUp: An eventfd that ends a wait.
    init(wakeUp: CInt) {
        polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
    }

    mutating func replace(with readers: [Int: (poll: pollfd, body: @Sendable () -> Void)]) {
        polled.removeLast(polled.count - 1)
        polled += readers.values.map(\.poll)
        ids = Array(readers.keys)
    }

    /// Blocks until something can be read, or so many milliseconds have passed.
    ///
    /// - Parameters:
    ///   - milliseconds: For ever where this is below zero.
    ///   - body: Called with those for whom there is something.
    mutating func poll(_ milliseconds: CInt, _ body: (Int) -> Void) {
        // An error leaves what is in there, see poll(2).
        guard unsafe Glibc.poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        if polled[0].revents != 0 {
            var count: UInt64 = 0
            _ = unsafe read(polled[0].fd, &count, 8)
        }
        for (index, id) in ids.enumerated() where polled[index + 1].revents != 0 { body(id) }
    }
}
