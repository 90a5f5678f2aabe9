import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(1))) struct SlicesTests {
    @Test(arguments: [0, 1, 2, 3, 999, 1000, 1001, 4000])
    func allIsDoneOnceAndInOrder(count: Int) {
        let slices = Slices.of(count, least: 1) { Array($0) }

        #expect(slices.flatMap(\.self) == Array(0..<count))
    }

    @Test func whatIsNotWorthAThreadIsDoneHere() {
        #expect(Slices.of(999, least: 1000) { $0 } == [0..<999])
        #expect(Slices.of(1999, least: 1000) { $0 } == [0..<1999])
    }
}
