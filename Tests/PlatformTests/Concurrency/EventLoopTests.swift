import Glibc
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    /// The timeout of poll(2) would stop while the machine is suspended; see proc_pid_fdinfo(5).
    @Test func deadlinesAreOfAClockThatGoesOnDuringSuspension() async throws {
        let sleeper = EventLoop.shared.at(.now + .seconds(3600)) {}
        defer { sleeper.cancel() }
        while try !hasBootTimer() { await Task.yield() }
    }

    @Test func eachDeadlineComesOnce() async throws {
        let (order, sender) = AsyncStream.makeStream(of: Int.self)
        let now = ContinuousClock.now
        let registrations = [3, 1, 2].map { number in
            EventLoop.shared.at(now + .milliseconds(20 * number)) { sender.yield(number) }
        }
        var received: [Int] = []
        for await number in order {
            received.append(number)
            if received.count == 3 { break }
        }
        // Those that are due at once come in no order.
        #expect(received.sorted() == [1, 2, 3])
        withExtendedLifetime(registrations) {}
    }

    @Test func aCancelledDeadlineRunsNothing() async throws {
        let (calls, sender) = AsyncStream.makeStream(of: String.self)
        let deadline = ContinuousClock.now + .milliseconds(20)
        EventLoop.shared.at(deadline) { sender.yield("cancelled") }.cancel()
        let last = EventLoop.shared.at(deadline + .milliseconds(1)) { sender.yield("last") }
        var first = calls.makeAsyncIterator()
        #expect(await first.next() == "last")
        withExtendedLifetime(last) {}
    }

    @Test func aDescriptorIsReportedUntilItsRegistrationEnds() async throws {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let (calls, sender) = AsyncStream.makeStream(of: Void.self)
        let registration = EventLoop.shared.onReadable(descriptor) { sender.yield() }
        var iterator = calls.makeAsyncIterator()
        for _ in 1...3 { #expect(await iterator.next() != nil) }
        registration.cancel()
        // On the thread itself: no call is under way any more.
        await EventLoop.shared.run { sender.finish() }
        while await iterator.next() != nil {}
    }

    /// As when the work of a program ends at the moment of a signal, which has scheduled the forced end.
    @Test func theEndOfARegistrationMayEndAnotherOneThatItsClosureOwns() async throws {
        await #expect(processExitsWith: .success) {
            let owned = { EventLoop.shared.at(.now + .seconds(3600)) {} }
            let sleeper = EventLoop.shared.at(.now + .seconds(3600)) { [owned = owned()] in
                withExtendedLifetime(owned) {}
            }
            sleeper.cancel()
            let reader = EventLoop.shared.onReadable(-1) { [owned = owned()] in
                withExtendedLifetime(owned) {}
            }
            reader.cancel()
        }
    }

    private func hasBootTimer() throws -> Bool {
        let folder = try Directory(opening: "/proc/self/fdinfo")
        return try folder.textNames().contains { name in
            let bytes = (try? folder.read(name, limit: 4096)) ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains("clockid: \(CLOCK_BOOTTIME)\n")
                && !text.contains("it_value: (0, 0)")
        }
    }
}
