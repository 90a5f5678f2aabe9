/// Where the body of an answer goes; told of one answer after the other.
protocol BodySink: AnyObject, Sendable {
    /// An answer of status 200 to 299 begins; what an earlier one left is of no use any more.
    func begin(_ head: Head) throws(Setback)
    func write(_ bytes: UnsafeRawBufferPointer) throws(Setback)
    /// The answer has ended.
    func finish(_ head: Head) throws(Setback)
}
