internal import Glibc

/// The descriptors of ``EventLoop`` in the format of poll(2), kept between two polls.
struct PollSet {
    private var polled: [pollfd]
    /// The ID of the reader of each of `polled` but the first.
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

    /// Blocks until a descriptor is ready or the timeout has passed.
    ///
    /// - Parameters:
    ///   - milliseconds: The timeout; none if negative.
    ///   - body: Called with the ID of each ready descriptor.
    mutating func poll(_ milliseconds: CInt, _ body: (Int) -> Void) {
        // After an error `polled` is unchanged, see poll(2).
        guard unsafe Glibc.poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        if polled[0].revents != 0 {
            var count: UInt64 = 0
            _ = unsafe read(polled[0].fd, &count, 8)
        }
        for (index, id) in ids.enumerated() where polled[index + 1].revents != 0 { body(id) }
    }
}
