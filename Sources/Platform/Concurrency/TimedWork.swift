/// Recurring work, such as a scan, whose time decides how long the pause after it is.
///
/// Such work takes at most a twentieth of the time, unless it takes longer than three seconds: no pause is
/// longer than a minute. The time in which the machine is suspended does not count.
package struct TimedWork: Sendable {
    /// The pause per time of work.
    static let pauseFactor = 20
    static let maximumPause = Duration.seconds(60)

    private let start = SuspendingClock.now

    package init() {}

    /// The time since the start.
    var elapsed: Duration { start.duration(to: .now) }

    /// The pause, if the work ends now.
    package var pause: Duration { Self.pause(after: elapsed) }

    static func pause(after elapsed: Duration) -> Duration {
        min(elapsed * pauseFactor, maximumPause)
    }
}
