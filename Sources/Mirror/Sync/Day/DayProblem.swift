internal import APOD

/// Why a day, or one of its files, is missing, or differs from what NASA announces.
///
/// Each failed download of a day has one. By its ``cause``, ``DayState`` decides when the day is tried again; the log and
/// `status` print its ``reason``. A problem that keeps all days away is an ``Obstacle``.
package struct DayProblem: Error, Sendable {
    /// What else is known about the problem.
    package enum Detail: Sendable {
        case none
        /// NASA says that it does not have the file.
        case absence
        /// The host, or the network before it, refuses the file, or sends one of another kind, such as a page for a login.
        ///
        /// That says nothing about NASA's file, which may come at any time.
        case refusal
        /// No request was sent, because the host failed for other days.
        case skip
        /// A file of so many bytes does not fit on the disk.
        case size(Int)
        /// An error of this machine, which will make other days fail, too, if it lasts.
        case obstacle(Obstacle)
    }

    package let cause: RetryState.Cause
    /// What failed, for people.
    package let reason: String
    var detail: Detail

    package init(_ cause: RetryState.Cause, _ reason: String, _ detail: Detail = .none) {
        self.cause = cause
        self.reason = reason
        self.detail = detail
    }

    /// The reason and, if the machine is the cause, what to do.
    package var advice: String { obstacle?.text ?? reason }
    var isAbsence: Bool { if case .absence = detail { true } else { false } }
    var isRefusal: Bool { if case .refusal = detail { true } else { false } }
    var isSkip: Bool { if case .skip = detail { true } else { false } }
    var size: Int? { if case .size(let bytes) = detail { bytes } else { nil } }
    var obstacle: Obstacle? { if case .obstacle(let obstacle) = detail { obstacle } else { nil } }
}

extension DayProblem {
    /// Makes the reason why the mirror has neither the picture nor the video of the day of `entry`.
    ///
    /// `pictureProblem` and `videoProblem` say why files could not be downloaded; `nil` for a file that was not requested.
    init(ofDayWithoutFiles entry: Entry, picture pictureProblem: Self?, video videoProblem: Self?) {
        if let videoProblem {
            self = videoProblem
        } else if let pictureProblem {
            let isStill = entry.media.video != nil
            self = isStill ? pictureProblem.asProblemOfStill(in: entry) : pictureProblem
        } else if let video = entry.media.video {
            self.init(.noImage, "a video without a still image: \(video)", notNamedIn: entry)
        } else if entry.mediaType != "image" {
            let type = entry.mediaType
            self.init(.noImage, "no picture: NASA's media type is “\(type)”", notNamedIn: entry)
        } else {
            let reason = "NASA has no picture for this day, or only a placeholder"
            self.init(.lost, reason, notNamedIn: entry)
        }
    }

    /// Makes the problem of a day whose picture or video `entry` does not name.
    ///
    /// If a field was left out that may name it, nobody knows whether NASA has it: this is the problem instead.
    init(_ cause: RetryState.Cause, _ reason: String, notNamedIn entry: Entry) {
        if let mediaProblem = entry.mediaProblem {
            self.init(.unusable, mediaProblem)
        } else {
            self.init(cause, reason)
        }
    }

    /// The problem of a day whose video has a still image with this problem.
    ///
    /// The day has at least its video, at NASA or elsewhere, and does not count as missing. But if it is not certain that NASA
    /// lacks the still image, the day counts as missing for the reason of the image.
    private func asProblemOfStill(in entry: Entry) -> Self {
        let isOfNASA = !cause.isTransient && cause != .doesNotFit
        guard isOfNASA, entry.mediaProblem == nil else { return self }
        return Self(.noStill, "a video whose still image is not here: \(reason)", detail)
    }
}
