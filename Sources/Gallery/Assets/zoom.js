"use strict";
// Zooming into the opened picture: by a click, the wheel, and the keys +, - and 0. It is moved by dragging and
// by the arrow keys. Fingers zoom the page itself.

const natural = { scale: 1, x: 0, y: 0 };
let zoom = natural;
let drag = null;

function zoomable() {
    return openView()?.querySelector(".picture > a:not(.play) > img:not(.below)");
}

function isZoomed() {
    return zoom.scale > 1;
}

// A picture that is larger than the box fills it; a smaller one is centered.
function bounded(place, size, start, length) {
    if (size <= length) return start + (length - size) / 2;
    return Math.min(start, Math.max(start + length - size, place));
}

function apply(image, next) {
    const box = image.closest(".picture");
    zoom = next.scale > 1 ? next : natural;
    box.classList.toggle("zoomed", isZoomed());
    image.style.transform = isZoomed() ? `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` : "";
}

// Shows the picture at `scale`; the point (x, y) of the window stays where it is.
function zoomTo(scale, x, y) {
    const image = zoomable();
    if (!image || !image.naturalWidth) return;
    const now = image.getBoundingClientRect();
    const [left, top] = [now.left - zoom.x, now.top - zoom.y];
    const [width, height] = [now.width / zoom.scale, now.height / zoom.scale];
    const most = Math.max(4, 2 * image.naturalWidth / width);
    const next = Math.min(most, Math.max(1, scale));
    const factor = next / zoom.scale;
    move(image, next, { left, top, width, height }, x - (x - now.left) * factor, y - (y - now.top) * factor);
}

function move(image, scale, rest, left, top) {
    const box = image.closest(".picture").getBoundingClientRect();
    apply(image, {
        scale,
        x: bounded(left, rest.width * scale, box.left, box.width) - rest.left,
        y: bounded(top, rest.height * scale, box.top, box.height) - rest.top,
    });
}

function moveBy(x, y) {
    const image = zoomable();
    const now = image.getBoundingClientRect();
    const rest = {
        left: now.left - zoom.x, top: now.top - zoom.y, width: now.width / zoom.scale, height: now.height / zoom.scale,
    };
    move(image, zoom.scale, rest, now.left + x, now.top + y);
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
    drag = null;
}

// A click zooms in to the size of the file, another one out; the second of a double click does nothing.
document.addEventListener("click", event => {
    const image = zoomable();
    if (!image || !image.parentElement.contains(event.target)) return;
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (event.detail > 1 || drag?.isMoved) return;
    if (isZoomed()) {
        unzoom();
    } else if (event.detail === 0) {
        zoomTo(2.5, ...center());
    } else {
        zoomTo(Math.max(2.5, image.naturalWidth / image.clientWidth), event.clientX, event.clientY);
    }
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
    drag = null;
    if (event.button || !event.target.closest(".zoomed")) return;
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, isMoved: false };
});
document.addEventListener("pointermove", event => {
    if (drag?.id !== event.pointerId || !isZoomed() || !event.buttons) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    // A click can move the mouse a little.
    if (!drag.isMoved && Math.hypot(x, y) < 4) return;
    Object.assign(drag, { x: event.clientX, y: event.clientY, isMoved: true });
    moveBy(x, y);
});

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

addEventListener("hashchange", unzoom);
addEventListener("resize", unzoom);
