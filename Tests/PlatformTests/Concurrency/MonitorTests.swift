import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct MonitorTests {
    @Test func aChangeWakesAllThreadsThatWaitForIt() async {
        let monitor = Monitor((waiting: 0, isOpen: false))
        let (passed, sender) = AsyncStream.makeStream(of: Void.self)
        for _ in 1...3 {
            startThread("waiter") {
                monitor.withLock { $0.waiting += 1 }
                monitor.wait { $0.isOpen ? () : nil }
                sender.yield()
            }
        }
        while monitor.withLock({ $0.waiting }) < 3 { await Task.yield() }
        monitor.withLock { $0.isOpen = true }
        monitor.broadcast()
        var count = 0
        for await _ in passed {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
    }

    @Test func eachSignalPassesOneItemToOneOfManyThreads() async {
        let monitor = Monitor([Int]())
        let (received, sender) = AsyncStream.makeStream(of: Int.self)
        for _ in 1...3 {
            startThread("consumer") {
                while true {
                    let item = monitor.wait { $0.isEmpty ? nil : $0.removeFirst() }
                    guard item >= 0 else { return }
                    sender.yield(item)
                }
            }
        }
        for item in 0..<300 {
            monitor.withLock { $0.append(item) }
            monitor.signal()
        }
        var items: [Int] = []
        for await item in received {
            items.append(item)
            if items.count == 300 { break }
        }
        #expect(items.sorted() == Array(0..<300))
        monitor.withLock { $0 += [-1, -1, -1] }
        monitor.broadcast()
    }

    @Test func aTimeoutEndsTheWaitWithoutAResult() {
        let monitor = Monitor(0)
        #expect(monitor.wait(atMost: .milliseconds(1)) { $0 > 0 ? $0 : nil } == nil)
    }

    @Test func whatIsThereAlreadyIsReturnedWithoutWaiting() {
        let monitor = Monitor(7)
        #expect(monitor.wait(atMost: .zero) { $0 } == 7)
        #expect(monitor.wait(atMost: nil) { $0 } == 7)
        #expect(monitor.wait { $0 } == 7)
    }

    @Test func anErrorInTheLockReleasesIt() {
        struct Failure: Error {}
        let monitor = Monitor(1)
        #expect(throws: Failure.self) { try monitor.withLock { _ in throw Failure() } }
        #expect(monitor.withLock { $0 } == 1)
    }
}
