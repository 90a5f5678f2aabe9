import Testing

@testable import Transfer

/// What a text that its user publishes says about the home.
@Suite struct HomeFilterTests {
    private let filter = HomeFilter(
        roots: ["/home/anna/Pictures/APOD", "/mnt/Smith Family/apod"], home: "/home/anna",
        users: ["anna", "Anna Smith", "apod-mirror", "root"], hosts: ["attic.example.org"],
        key: "s3cr3tkey")

    @Test(arguments: [
        ("mirror      /home/anna/Pictures/APOD", "mirror      MIRROR"),
        (
            "cannot write /mnt/Smith Family/apod/pictures/2026/2026-11/2026-11-20 A.jpg: disk full",
            "cannot write MIRROR/pictures/2026/2026-11/2026-11-20 A.jpg: disk full"
        ),
        ("/home/anna/other: a directory", "~/other: a directory"),
        ("open /media/anna/My Disk/x: no such file", "open PATH: no such file"),
        ("open /media/anna/My, own/x: no such file", "open PATH,: no such file"),
        ("open /media/Pics(old) Mum/x: no such file", "open PATH): no such file"),
        ("[--root=/srv/apod] failed", "[--root=PATH] failed"), ("[/srv/x]", "[PATH]"),
        ("x.y=/srv/apod", "x.y=PATH"), ("dir:path=/srv/apod", "dir:path=PATH"),
        ("Options=rw,upperdir=/srv/apod", "Options=rw,upperdir=PATH"),
        ("nas.lan=[fe80::1]", "HOST=ADDRESS"), ("“[fe80::1]:80” refused", "“ADDRESS” refused"),
        // A bracket may be part of the path: in doubt the rest of the line is removed.
        ("(mirror in /srv/x) has no space", "(mirror in PATH)"),
        ("(mirror in /srv/My Pics(old) x) is full", "(mirror in PATH"),
        ("(see /media/A :) B/x) again", "(see PATH"),
        ("--root=/srv/apod", "--root=PATH"), ("a\t/srv/apod", "a PATH"),
        ("“--root=/srv/apod” and", "“--root=PATH” and"), ("APOD_ROOT=/srv/a", "APOD_ROOT=PATH"),
        ("--upstream=http://nas/x", "--upstream=http://HOST"),
        ("/mnt/a=b/Müller: no such file", "PATH: no such file"),
        ("/mnt/a =b/Müller: no such file", "PATH: no such file"),
        ("favorites/Mum=Dad/x.jpg: nothing", "favorites/PATH: nothing"),
        ("NAS.LOCAL and ATTIC", "HOST and HOST"), ("[fe80::1]:8080 refused", "ADDRESS refused"),
        ("(“/srv/Müller/y”) and more", "(“PATH”) and more"),
        ("favorites/Mum and Dad/x.jpg: nothing", "favorites/PATH: nothing"),
        ("MIRROR/favorites/Mum.jpg", "favorites/PATH"),
        ("run by anna; annals stay", "run by USER; annals stay"),
        ("by Anna Smith on attic", "by USER on HOST"),
        ("anna@attic", "ADDRESS"), ("bounce+anna=example.org@list.org", "ADDRESS"),
        ("anna@nas=secret", "ADDRESS"), ("anna@nas=/srv/apod", "ADDRESS=PATH"),
        (
            "no response from http://192.168.1.5:8080/feed: refused",
            "no response from http://HOST: refused"
        ),
        (
            "no response from https://nas.example.net/x?api_key=k: refused",
            "no response from https://HOST: refused"
        ),
        ("Could not resolve host: nas.local", "Could not resolve host: HOST"),
        ("proxy.lan:3128 refused", "HOST refused"),
        ("Failed to connect to 10.0.0.7 port 80", "Failed to connect to ADDRESS port 80"),
        ("from fe80::1, and 2003:e5:1::7:8080.", "from ADDRESS, and ADDRESS."),
        ("mail to a.b@example.org", "mail to ADDRESS"),
        ("?api_key=S3CR3Tkey&x", "?api_key=…&x"),
        ("attic: attic.example.org", "HOST: HOST"),
    ])
    func whatIdentifiesAHomeIsReplaced(text: String, expected: String) {
        #expect(filter.filtered(text) == expected)
        #expect(filter.filtered("\(text)\nnext line") == "\(expected)\nnext line")
    }

    /// Otherwise a report would say nothing.
    @Test(arguments: [
        "https://science.nasa.gov/wp-json/wp/v2/apod-basic?page=1 responded with status 503",
        "no response from https://i.ytimg.com/vi/x/maxresdefault.jpg: timed out",
        "2026-11-20 04:10:00 UTC, 3 minutes ago (04:10)",
        "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg: an empty file instead of 12 bytes",
        "apod-mirror 0.1.0, libcurl/7.88.1 GnuTLS/3.7.9, Linux 6.1.0-18-amd64",
        "open /proc/sys/fs/inotify/max_user_watches: read-only file system",
        "items in favorites/ that refer to no day", "the variable PATH is empty", "",
    ])
    func whatIsPublicStays(text: String) {
        #expect(filter.filtered(text) == text)
    }
}
