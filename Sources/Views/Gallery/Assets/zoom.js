"use strict";
// Part of the gallery of apod-mirror.
// Zooming into the opened picture: by clicks or taps, two fingers, the wheel, and the keys +, - and 0. It is
// moved by dragging and by the arrow keys.

const natural = { scale: 1, x: 0, y: 0 };
let zoom = natural;
// What presses the picture, the mouse or fingers: places by pointer, and whether one of them has moved.
const pointers = new Map();
let isDragged = false;
let isFinger = false;
let lastClick = -Infinity;

function zoomable() {
    return openView()?.querySelector(".picture > a:not(.play) > img:not(.below)");
}

// The box of a picture is the picture, whatever its proportions: the style sheet needs them for that.
function fit() {
    for (const image of openView()?.querySelectorAll(".picture img[height]") ?? []) {
        const [width, height] = ["width", "height"].map(side => Number(image.getAttribute(side)));
        image.style.setProperty("--width", `${width}px`);
        image.style.setProperty("--ratio", width / height);
    }
}

// The width of the file in pixels, also while a smaller rendition of it is shown.
function pixels(image) {
    return Number(image.dataset.original && image.getAttribute("width")) || image.naturalWidth;
}

const loading = new WeakSet();

// The rendition stays until the original can be painted.
function loadOriginal(image) {
    const { original } = image.dataset;
    if (!original || loading.has(image)) return;
    loading.add(image);
    const load = new Image();
    load.src = original;
    load.decode().then(() => {
        image.decoding = "sync";
        image.src = original;
        delete image.dataset.original;
    }, () => loading.delete(image));
}

function isZoomed() {
    return zoom.scale > 1;
}

// A picture that is larger than the box fills it; a smaller one stays within.
function bounded(place, size, start, length) {
    const end = start + length - size;
    return Math.min(Math.max(start, end), Math.max(Math.min(start, end), place));
}

// Where the picture is without the zoom.
function rest(image) {
    const now = image.getBoundingClientRect();
    return {
        left: now.left - zoom.x, top: now.top - zoom.y, width: now.width / zoom.scale, height: now.height / zoom.scale,
    };
}

// Shows the picture at `scale`; the point (x, y) of the window stays where it is.
function zoomTo(scale, x, y) {
    const image = zoomable();
    if (!image || !image.naturalWidth) return;
    const most = Math.max(4, 2 * pixels(image) / rest(image).width);
    const next = Math.min(most, Math.max(1, scale));
    if (next === 1) {
        unzoom();
        return;
    }
    const now = image.getBoundingClientRect();
    const factor = next / zoom.scale;
    // On a small screen it takes all of it.
    image.closest(".picture").classList.add("zoomed");
    loadOriginal(image);
    move(image, next, x - (x - now.left) * factor, y - (y - now.top) * factor);
}

function move(image, scale, left, top) {
    const box = image.closest(".picture").getBoundingClientRect();
    const still = rest(image);
    zoom = {
        scale,
        x: bounded(left, still.width * scale, box.left, box.width) - still.left,
        y: bounded(top, still.height * scale, box.top, box.height) - still.top,
    };
    image.style.transform = `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
}

// Moves it to what is hidden: where nothing is, it stays.
function moveBy(x, y) {
    const image = zoomable();
    const now = image.getBoundingClientRect();
    const box = image.closest(".picture").getBoundingClientRect();
    move(image, zoom.scale, now.left + (now.width > box.width ? x : 0),
        now.top + (now.height > box.height ? y : 0));
}

// The scale after the next click: a panorama first fills the box, then has the size of its file, as any other picture
// at once; a last click zooms out.
function nextScale(image) {
    const box = image.closest(".picture");
    // On a small screen the box is larger then.
    box.classList.add("zoomed");
    const [room, still] = [box.getBoundingClientRect(), rest(image)];
    box.classList.toggle("zoomed", isZoomed());
    const filled = Math.max(room.width / still.width, room.height / still.height);
    const full = Math.max(2.5, pixels(image) / still.width);
    const scales = filled > 2 && filled < full / 1.2 ? [filled, full] : [full];
    return scales.find(scale => scale > 1.1 * zoom.scale) ?? 1;
}

function center() {
    const box = zoomable().closest(".picture").getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
}

function unzoom() {
    for (const box of document.querySelectorAll(".zoomed")) {
        box.classList.remove("zoomed");
        box.querySelector("img").style.transform = "";
    }
    zoom = natural;
}

// The second of a double click or of two taps does nothing. Some browsers do not count taps.
document.addEventListener("click", event => {
    const image = zoomable();
    if (!image || !image.parentElement.contains(event.target)) return;
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const isSecond = event.detail > 1 || event.detail && isFinger && event.timeStamp - lastClick < 350;
    lastClick = event.timeStamp;
    if (isSecond || isDragged) return;
    const place = event.detail ? [event.clientX, event.clientY] : center();
    zoomTo(nextScale(image), ...place);
}, true);

document.addEventListener("wheel", event => {
    const image = zoomable();
    if (!image || !image.parentElement.contains(event.target)) return;
    const view = openView();
    // On a small screen the wheel scrolls to the text.
    if (!isZoomed() && !event.ctrlKey && view.scrollHeight > view.clientHeight + 1) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
    zoomTo(zoom.scale * 1.002 ** (-event.deltaY * lines), event.clientX, event.clientY);
}, { passive: false });

document.addEventListener("dragstart", event => {
    if (event.target.closest(".zoomed")) event.preventDefault();
});
document.addEventListener("pointerdown", event => {
    if (event.button || !zoomable()?.parentElement.contains(event.target)) return;
    if (event.isPrimary) {
        pointers.clear();
        isDragged = false;
        isFinger = event.pointerType === "touch";
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
document.addEventListener("pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (!before || !event.buttons || !zoomable()) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other && !isZoomed()) return;
    // A click can move the mouse a little.
    if (!isDragged && !other && Math.hypot(now.x - before.x, now.y - before.y) < 4) return;
    pointers.set(event.pointerId, now);
    isDragged = true;
    if (other) {
        pinch(before, now, other);
    } else {
        moveBy(now.x - before.x, now.y - before.y);
    }
});

// What was between two fingers stays between them.
function pinch(before, now, other) {
    const distance = place => Math.max(1, Math.hypot(place.x - other.x, place.y - other.y));
    zoomTo(zoom.scale * distance(now) / distance(before), (before.x + other.x) / 2, (before.y + other.y) / 2);
    if (isZoomed()) moveBy((now.x - before.x) / 2, (now.y - before.y) / 2);
}

for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, event => pointers.delete(event.pointerId));
}

document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !zoomable()) return;
    const steps = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
    if (event.key === "+" || event.key === "=") {
        zoomTo(zoom.scale * 1.5, ...center());
    } else if (event.key === "-") {
        zoomTo(zoom.scale / 1.5, ...center());
    } else if (isZoomed() && (event.key === "0" || event.key === "Escape")) {
        unzoom();
    } else if (isZoomed() && steps) {
        moveBy(...steps);
    } else {
        return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
}, true);

for (const kind of ["hashchange", "pageshow"]) {
    addEventListener(kind, () => {
        unzoom();
        fit();
    });
}
addEventListener("resize", unzoom);
