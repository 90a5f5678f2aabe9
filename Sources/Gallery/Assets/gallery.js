"use strict";
// Keys, swipes and focus. All of it follows links that are on the page: without it they are clicked.

function openView() {
    return document.querySelector(".day:target .view");
}

// The place of the open picture in the history is that of the one before it: "back" leads to the grid.
function follow(kind) {
    const link = openView()?.querySelector(`.ways .${kind}`);
    if (link) location.replace(link.href);
    return Boolean(link);
}

document.addEventListener("click", event => {
    const link = event.target.closest(".ways a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    location.replace(link.href);
});

document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, video")) return;
    if (event.key === "/") {
        const field = document.querySelector(".search input");
        if (openView()) follow("close");
        field.focus();
        field.select();
        event.preventDefault();
        return;
    }
    const kind = { ArrowLeft: "prev", ArrowRight: "next", Escape: "close" }[event.key];
    if (kind && follow(kind)) event.preventDefault();
});

// A swipe is one finger that moves far along and little across, in a page that is not magnified.
let start = null;
document.addEventListener("touchstart", event => {
    const magnified = window.visualViewport && visualViewport.scale > 1.05;
    const isOne = event.touches.length === 1 && !event.target.closest("video");
    start = isOne && !magnified ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", event => {
    if (!start || event.touches.length) return;
    const end = event.changedTouches[0];
    const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
    start = null;
    if (Math.abs(x) > 48 && Math.abs(x) > 2 * Math.abs(y)) follow(x < 0 ? "next" : "prev");
}, { passive: true });

function attend() {
    for (const video of document.querySelectorAll("video")) video.pause();
    const view = openView();
    // Once it has left, the keyboard goes on where it was: at the card of the last picture.
    const place = view ?? document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!view && (!place?.classList.contains("card") || document.activeElement.matches("input"))) return;
    place.focus({ preventScroll: Boolean(view) });
}
addEventListener("hashchange", attend);
addEventListener("DOMContentLoaded", attend);
