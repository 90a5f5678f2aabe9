import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct DaemonTests {
        /// Also after nohup(1), which ignores SIGHUP: it does not end the daemon.
        @Test(arguments: ["", "trap '' HUP; "])
        func aSIGHUPDownloadsTheNewDayAtOnce(trap: String) async throws {
            try await withSite(days: 11) { site in
                site.simulator.newest = Site.day(1)
                let program = try Program(
                    ["bash", "-c", "\(trap)exec \"$0\" \"$@\"", Program.path, "run"]
                        + site.settings(),
                    environment: ["HOME": site.home])
                try await program.errors.wait(for: "downloaded 10 days")

                site.simulator.newest = Site.today
                program.signal(SIGHUP)
                try await program.errors.wait(for: "\(Site.today) “")
                let ending = try await program.stop()

                #expect(ending.code == 0 && ending.output == "", "\(ending)")
                let tree = try site.tree()
                #expect(tree.complete.contains(Site.today))
                #expect(tree.damage == [] && tree.incoming == [])
            }
        }

        /// After code 4, systemd does not start the daemon again, which would make a second mirror at the path.
        ///
        /// After code 1, it does: the disk failed and returned, or a restore replaced the files of the mirror.
        @Test(arguments: [
            ("mv $R $R.old", 4, "moved or removed"),
            ("mv $R $R.old && mkdir $R", 4, "moved or removed"),
            ("mv $R $R.old && cp -a $R.old $R", 1, "as by a restore"),
            ("cd $R/.apod-mirror && cp -a lock new && mv new lock", 1, "as by a restore"),
        ])
        func aDaemonWhoseMirrorWasExchangedEnds(
            change: String, code: Int32, reason: String
        ) async throws {
            try await withSite { site in
                let program = try await site.daemon()
                let ending = try await site.shell("R=$APOD_MIRROR_ROOT; \(change)")
                #expect(ending.code == 0, "\(ending)")

                program.signal(SIGHUP)
                let end = try await program.end()

                #expect(end.code == code, "\(end)")
                #expect(end.errors.contains(reason), "\(end)")
            }
        }

        /// Another process may have got the new lock, such as a command after a restore with rsync or tar.
        @Test func aDaemonWhoseLockWasReplacedEndsInsteadOfRecordingFavorites() async throws {
            try await withSite { site in
                let program = try await site.daemon()
                let ending = try await site.shell(
                    """
                    cd $APOD_MIRROR_ROOT/.apod-mirror && cp -a lock new && mv new lock \
                        && mkdir -p ../favorites/album
                    """)
                #expect(ending.code == 0, "\(ending)")

                let end = try await program.end()

                #expect(end.code == 1 && end.errors.contains("as by a restore"), "\(end)")
            }
        }

        /// As while somebody renames the folder and changes their mind; the next sync would end the daemon.
        @Test func aMirrorThatIsAwayForAMomentEndsNoDaemon() async throws {
            try await withSite { site in
                let program = try await site.daemon()
                let away = try await site.shell(
                    """
                    mv $APOD_MIRROR_ROOT $APOD_MIRROR_ROOT.away && cd $APOD_MIRROR_ROOT.away/favorites \
                        && ln -s "$(ls -d ../pictures/*/*/*.jpg | head -n 1)" .
                    """)
                #expect(away.code == 0, "\(away)")
                try await program.errors.wait(for: "added to favorites")
                let back = try await site.shell("mv $APOD_MIRROR_ROOT.away $APOD_MIRROR_ROOT")
                #expect(back.code == 0, "\(back)")

                let ending = try await program.stop()
                #expect(ending.code == 0, "\(ending)")
            }
        }

        enum Moment: CaseIterable {
            case idle, whilePicturesHang, whileTheListHangs, whileNASAIsAway
        }

        @Test(arguments: zip([SIGTERM, SIGINT, SIGTERM, SIGINT], Moment.allCases))
        func aSignalEndsTheDaemonAtAnyMoment(signal: Int32, moment: Moment) async throws {
            try await withSite { site in
                var arrivals = site.simulator.arrivals().makeAsyncIterator()
                switch moment {
                case .idle: break
                case .whilePicturesHang: site.simulator.inject(.hang, on: .media, times: nil)
                case .whileTheListHangs: site.simulator.inject(.hang, on: .lists, times: nil)
                case .whileNASAIsAway: site.simulator.inject(.refuse, on: .any, times: nil)
                }
                let program = try site.start(["run"] + site.settings())
                if moment == .idle {
                    try await program.errors.wait(for: "downloaded 10 days")
                } else {
                    let isMedia = moment == .whilePicturesHang
                    while let request = await arrivals.next(), isMedia != (request.kind == .media) {
                    }
                }

                program.signal(signal)
                let ending = try await program.end()

                #expect(ending.code == 0, "\(ending)")
                // The lock is free, no file is lost, and none remains of a stop that took so long that it was forced.
                site.simulator.clearFaults()
                site.simulator.release()
                #expect(try await site.mirror().code == 0)
                #expect(try site.tree().complete.count == 10)
                #expect(try site.tree().incoming == [])
            }
        }

        /// The journal as announced by systemd, or another output.
        @Test(arguments: [("$(stat -L -c %d:%i /proc/self/fd/2)", "<6>"), ("8:1", "mirroring ")])
        func journalLinesBeginWithTheirPriority(stream: String, start: String) async throws {
            try await withSite { site in
                let script = "JOURNAL_STREAM=\(stream) exec \"$@\""
                let program = try Program(
                    ["/bin/sh", "-c", script, "sh", Program.path, "run"] + site.settings(),
                    environment: ["HOME": site.home])
                try await program.errors.wait(for: "downloaded 10 days")
                program.signal(SIGTERM)

                let lines = try await program.end().errors.split(separator: "\n")
                #expect(lines.first?.hasPrefix(start) == true)
                #expect(lines.count { $0.hasPrefix("<6>") } == (start == "<6>" ? lines.count : 0))
            }
        }
    }
}
