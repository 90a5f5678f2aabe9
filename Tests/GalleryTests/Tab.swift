import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// A page in the browser, with simulated input.
struct Tab {
    private let browser: Chromium
    private let session: String
    /// The address of the mirror, which those of its pages follow.
    private let base: String

    init(_ browser: Chromium, of mirror: SampleMirror) async throws {
        self.browser = browser
        base = mirror.address("")
        let target = try await browser.call("Target.createTarget", ["url": "about:blank"])
        let attached = try await browser.call(
            "Target.attachToTarget", ["targetId": target["targetId"], "flatten": true])
        session = attached["sessionId"]?.string ?? ""
        for domain in ["Page", "Runtime", "Log", "Network"] { try await call("\(domain).enable") }
        try await size(1280, 800)
    }

    @discardableResult
    func call(_ method: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await browser.call(method, parameters, session: session)
    }

    // MARK: Settings

    /// - Parameters:
    ///   - width: In pixels of CSS.
    ///   - height: In pixels of CSS.
    ///   - isPhone: Whether it has a touch screen.
    /// - Throws: The error of the browser.
    func size(_ width: Int, _ height: Int, isPhone: Bool = false) async throws {
        try await call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height),
                "deviceScaleFactor": isPhone ? 2 : 1, "mobile": .bool(isPhone),
            ])
        try await call(
            "Emulation.setTouchEmulationEnabled", ["enabled": .bool(isPhone), "maxTouchPoints": 5])
    }

    /// Sets the color scheme `light` or `dark` for all pages, and reduces motion.
    func prefer(_ scheme: String) async throws {
        try await call(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": .string(scheme)],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ])
    }

    func forbidScripts() async throws {
        try await call("Emulation.setScriptExecutionDisabled", ["value": true])
    }

    // MARK: Hands

    /// Opens a page of the mirror, or any address, and waits until it is loaded.
    func open(_ page: String) async throws {
        let address = page.contains(":") ? page : base + page
        let loads = browser.events("Page.loadEventFired", session: session).count
        let answer = try await call("Page.navigate", ["url": .string(address)])
        if let error = answer["errorText"]?.string {
            throw Chromium.Refusal(description: "\(address): \(error)")
        }
        // A link to a fragment of the same page loads nothing.
        guard answer["loaderId"] != nil else { return }
        while browser.events("Page.loadEventFired", session: session).count == loads {
            try await pause()
        }
    }

    /// Opens a day in the page of its month, and waits until it is shown.
    func open(day: String) async throws {
        try await open("gallery/\(day.prefix(7)).html#\(day)")
        try await expect(isOpen(day))
    }

    func press(_ key: String, text: String? = nil) async throws {
        let codes = [
            "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35,
            "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        ]
        let code = codes[key].map(JSON.integer)
        let text = text ?? (key == "Enter" ? "\r" : nil)
        try await call(
            "Input.dispatchKeyEvent",
            [
                "type": text == nil ? "rawKeyDown" : "keyDown", "key": .string(key),
                "code": .string(key), "windowsVirtualKeyCode": code, "text": text.map(JSON.string),
            ])
        try await call(
            "Input.dispatchKeyEvent",
            [
                "type": "keyUp", "key": .string(key), "code": .string(key),
                "windowsVirtualKeyCode": code,
            ])
    }

    func type(_ text: String) async throws {
        for character in text { try await press(String(character), text: String(character)) }
    }

    /// Clicks in the middle of the first element that `selector` finds.
    func click(_ selector: String) async throws {
        _ = try await value(
            "document.querySelector(`\(selector)`)?.scrollIntoView({ block: 'center', behavior: 'instant' })"
        )
        try await clickWhereItIs(selector)
    }

    /// Clicks in the middle of an element that is on the screen, and scrolls nothing.
    ///
    /// Waits until the element stays where it is: what comes into sight is laid out later and may move it.
    func clickWhereItIs(_ selector: String) async throws {
        let script = """
            (() => { const e = document.querySelector("\(selector)");
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2].map(Math.round); })()
            """
        var place = try await value(script)
        var earlier: JSON
        repeat {
            earlier = place
            // Draws the page, also where scripts are forbidden.
            try await call("Page.captureScreenshot", ["format": "jpeg", "quality": 1])
            place = try await value(script)
        } while place != earlier
        guard case .array(let numbers) = place, numbers.count == 2 else {
            throw Chromium.Refusal(description: "there is no \(selector)")
        }
        let middle = (x: numbers[0].integer ?? 0, y: numbers[1].integer ?? 0)
        for kind in ["mousePressed", "mouseReleased"] { try await mouse(kind, at: middle) }
    }

    private func mouse(_ kind: String, at place: (x: Int, y: Int), turn: Int = 0) async throws {
        let isButton = kind != "mouseWheel"
        let isDown = isButton && kind != "mouseReleased"
        try await call(
            "Input.dispatchMouseEvent",
            [
                "type": .string(kind), "x": .integer(place.x), "y": .integer(place.y),
                "button": isButton ? "left" : "none", "buttons": isDown ? 1 : 0,
                "clickCount": isButton ? 1 : nil, "deltaX": 0, "deltaY": .integer(turn),
            ])
    }

    /// Turns the wheel at a point, down for positive values.
    func turnWheel(by delta: Int, at place: (x: Int, y: Int)) async throws {
        try await mouse("mouseWheel", at: place, turn: delta)
    }

    /// Drags with the mouse from one point to another.
    func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) async throws {
        try await mouse("mousePressed", at: start)
        try await mouse("mouseMoved", at: end)
        try await mouse("mouseReleased", at: end)
    }

    /// Swipes over the screen.
    func swipe(from start: Int, to end: Int) async throws {
        try await touch((0...4).map { [(start + (end - start) * $0 / 4, $0 == 0 ? 300 : 303)] })
    }

    /// Taps twice at a point, with timestamps a tenth of a second apart.
    func tapTwice(_ place: (x: Int, y: Int)) async throws {
        let now = Date().timeIntervalSince1970
        for time in [now - 0.1, now] { try await touch([[place]], at: time) }
    }

    /// Touches the screen at the first points, moves to the others, and ends the touch.
    func touch(_ places: [[(x: Int, y: Int)]], at time: Double? = nil) async throws {
        let time = time.map(JSON.number)
        for (index, fingers) in places.enumerated() {
            let points = fingers.enumerated().map { number, place -> JSON in
                ["id": .integer(number), "x": .integer(place.x), "y": .integer(place.y)]
            }
            try await call(
                "Input.dispatchTouchEvent",
                [
                    "type": index == 0 ? "touchStart" : "touchMove", "touchPoints": .array(points),
                    "timestamp": time,
                ])
        }
        try await call(
            "Input.dispatchTouchEvent",
            ["type": "touchEnd", "touchPoints": [], "timestamp": time])
    }

    // MARK: Eyes

    /// The value of a JavaScript expression.
    func value(_ expression: String) async throws -> JSON {
        let answer = try await call(
            "Runtime.evaluate",
            ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
        if let exception = answer["exceptionDetails"] {
            throw Chromium.Refusal(description: "\(expression): \(exception.line)")
        }
        return answer["result"]?["value"] ?? .null
    }

    /// Expects that a JavaScript expression is true, at once or after a while.
    func expect(
        _ condition: String, at location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await waits(for: condition), "\(condition)", sourceLocation: location)
    }

    /// Expects that a JavaScript expression has this value now.
    func expect(
        _ expression: String, is expected: JSON, at location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await value(expression) == expected, "\(expression)", sourceLocation: location)
    }

    /// Waits until `condition` holds in a loaded page.
    ///
    /// - Returns: Whether it does.
    private func waits(for condition: String) async throws -> Bool {
        let end = ContinuousClock.now + .hang
        while ContinuousClock.now < end {
            // During navigation there is no page.
            let isSo = "document.readyState == 'complete' && Boolean(\(condition))"
            if (try? await value(isSo)) == .bool(true) { return true }
            try await pause()
        }
        return false
    }

    /// Between two questions, which the browser answers in the time in which it would load and draw.
    private func pause() async throws {
        try await LoopClock().sleep(for: .milliseconds(10))
    }

    /// The errors and policy violations that the browser reported so far.
    var complaints: [String] {
        let entries = browser.events("Log.entryAdded", session: session).map {
            $0["entry"]?.line ?? ""
        }
        let exceptions = browser.events("Runtime.exceptionThrown", session: session).map(\.line)
        return entries + exceptions
    }

    /// The URLs of all requests of the pages without `data:`, which the browser uses for the
    /// controls of its video player.
    var requests: [String] {
        browser.events("Network.requestWillBeSent", session: session)
            .compactMap { $0["request"]?["url"]?.string }.filter { !$0.hasPrefix("data:") }
    }

    /// Saves a screenshot in the directory `APOD_MIRROR_SCREENSHOTS`, if it is set.
    func photograph(_ name: String) async throws {
        guard let folder = processEnvironment()["APOD_MIRROR_SCREENSHOTS"] else { return }
        let answer = try await call("Page.captureScreenshot", ["format": "png"])
        guard let data = Data(base64Encoded: answer["data"]?.string ?? "") else { return }
        let path = "\(folder)/\(name).png"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC).write(
            Array(data), path: path)
    }
}
