import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct MapOnThreadsTests {
    @Test(arguments: [0, 1, 2, 1000]) func eachElementIsMappedOnceInItsPlace(count: Int) {
        #expect(Array(0..<count).mapOnThreads { $0 + 1 } == Array(0..<count).map { $0 + 1 })
    }
}
