package import APOD
package import Mirror
package import Platform
package import Transfer
package import Views

/// The settings of the daemon.
package struct Settings: Sendable {
    package var root: String
    /// Another absolute path of the root, as the user typed it.
    package var typedRoot: String?
    package var since = Since.days(30)
    package var keep = Keep.all
    /// Whether all mirrored days are requested again within 30 days, to find edits by NASA.
    package var rechecks = true
    package var upstream: WebURL = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"
    /// The kind of feed at ``upstream``; `nil` decides by its path.
    package var feed: FeedKind?
    /// The number of concurrent downloads.
    package var jobs = 4
    /// The minimum time between two requests for lists.
    package var pace = Duration.seconds(1)
    /// Bytes of the disk to leave free.
    package var minimumFree = 1 << 30
    package var downloadsVideos = false
    /// What is made from the tree.
    package var views = ViewSettings()
    package var isQuiet = false
    /// The file for Prometheus metrics.
    package var metricsFile: MetricsFile?
    /// The minimum level of messages.
    package var logLevel = Log.Level.info

    package init(root: String) {
        self.root = root
    }

    package func client(
        retry: RequestAttempts = .standard, transferMetrics: TransferMetrics = TransferMetrics()
    ) -> Client {
        Client(
            agent: "apod-mirror/\(Version.current) (a personal mirror of APOD)",
            policy: AddressPolicy(upstream: upstream), retry: retry, pace: pace, width: jobs,
            hosts: HostPauses(), metrics: transferMetrics)
    }

    /// Only a v1 feed gets the API key; `observe` receives each response.
    package func feed(
        through client: Client, apiKey: String?,
        observe: @escaping @Sendable (BufferedResponse) -> Void = { _ in }
    ) -> any Feed {
        client.feed(feed, at: upstream, apiKey: apiKey, observe: observe)
    }
}
