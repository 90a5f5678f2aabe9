import Glibc
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct CoalescingSignalTests {
    private struct Reasons: OptionSet, Sendable {
        let rawValue: Int
        static let change = Self(rawValue: 1)
        static let reload = Self(rawValue: 2)
    }

    @Test func reasonsBeforeAWaitAreReceivedTogetherAndOnce() async throws {
        let signal = CoalescingSignal<Reasons>()
        signal.send(.change)
        signal.send(.reload)
        signal.send(.change)
        #expect(signal.pending == [.change, .reload])
        #expect(try await signal.next() == [.change, .reload])
        #expect(signal.receive() == nil)
    }

    @Test func theFirstWaitReceivesTheInitialReasons() async throws {
        let signal = CoalescingSignal<Reasons>(.reload)
        #expect(try await signal.next() == .reload)
    }

    @Test func aWaitingTaskIsWoken() async throws {
        let signal = CoalescingSignal<Reasons>()
        let task = Task { try await signal.next() }
        // Also if it does not wait yet.
        signal.send(.change)
        #expect(try await task.value == .change)
    }

    @Test func aDeadlineEndsTheWaitWithoutReasons() async throws {
        let signal = CoalescingSignal<Reasons>()
        #expect(try await signal.next(by: .now) == [])
    }

    @Test func aReadableDescriptorEndsTheWait() async throws {
        let descriptor = try readableDescriptor()
        defer { close(descriptor) }
        let signal = CoalescingSignal<Reasons>()
        #expect(try await signal.next(onReadable: descriptor) == [])
    }

    @Test func reasonsOutliveACancelledWait() async throws {
        let signal = CoalescingSignal<Reasons>()
        let task = Task { try await signal.next() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        signal.send(.reload)
        #expect(try await signal.next() == .reload)
    }

    @Test func whatIsSentBetweenTwoWaitsEndsTheNextOne() async throws {
        let signal = CoalescingSignal<Reasons>()
        signal.send(.change)
        try await signal.wait(by: nil)
        // The wait received nothing, and saw what was sent.
        #expect(signal.pending == .change)
        signal.send(.reload)
        try await signal.wait(by: nil)
        #expect(signal.receive() == [.change, .reload])
    }

    /// A lost wake-up would let it wait until the limit of time.
    @Test func eachSendWakesTheTaskThatWaitsOrIsAboutTo() async throws {
        let signal = CoalescingSignal<Reasons>()
        let receiver = Task {
            var wakeUps = 0
            while try await !signal.next().contains(.reload) { wakeUps += 1 }
            return wakeUps
        }
        for _ in 0..<1000 {
            signal.send(.change)
            while !signal.pending.isEmpty { await Task.yield() }
        }
        signal.send(.reload)
        #expect(try await receiver.value >= 1000)
    }

    private func readableDescriptor() throws -> CInt {
        // At its end it can always be read.
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        return try #require(descriptor >= 0 ? descriptor : nil)
    }
}
