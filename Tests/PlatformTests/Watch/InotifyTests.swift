import CInotifyTools
import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    /// The pitfalls of libinotifytools.
    @Suite struct InotifyTests {
        @Test func oneInstanceExistsAtATime() throws {
            let first = try Inotify()
            #expect(throws: WatchObstacle.inUse) { try Inotify() }
            withExtendedLifetime(first) {}
        }

        @Test func anInstanceReturnsNoEventOfAnEarlierOne() async throws {
            try await withDisk { disk in
                let folder = try Directory(opening: disk.path)
                do {
                    let inotify = try Inotify()
                    _ = try inotify.watch(folder.descriptor.rawValue, for: .named)
                    for number in 0..<5 { disk.makeDirectory("favorites\(number)") }
                    #expect(inotify.next()?.name == Array("favorites0".utf8))
                }

                #expect(try Inotify().next() == nil)
            }
        }
    }
}
