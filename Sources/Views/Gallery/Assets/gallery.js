"use strict";
// Part of the gallery of apod-mirror.
// Keys, swipes, focus and the way back. All of it follows links that are on the page: without it they are clicked.

// What follows “#” in the address; empty if it is not encoded correctly.
function fragment() {
    try {
        return decodeURIComponent(location.hash.slice(1));
    } catch {
        return "";
    }
}

// The opened day on the page of its month, with the words of a search to mark.
function dayAddress(date, query) {
    return `${date.slice(0, 7)}.html${query ? `?q=${encodeURIComponent(query)}` : ""}#${date}`;
}

function openView() {
    return document.querySelector(".day:target .view");
}

// What is remembered with the place in the history that is shown now: `opened` says that the place before it
// is the one where the picture was opened, `left` which link led away.
function remember(more) {
    history.replaceState({ ...history.state, ...more }, "");
}

// The address of a picture that is being opened, until it is; in a folder some browsers have no storage.
let opening = "";

function willOpen(address) {
    opening = address;
    try {
        sessionStorage.opening = address;
    } catch {}
}

function isOpening() {
    let address = opening;
    opening = "";
    try {
        address ||= sessionStorage.opening;
        sessionStorage.removeItem("opening");
    } catch {}
    return address === location.href;
}

// A key may come before the event that says that a picture is open.
function arrive() {
    if (isOpening()) remember({ opened: true });
}

// The place of the open picture in the history is that of the one before it: "back" leads to where it was opened.
function follow(kind) {
    const link = openView()?.querySelector(`a.${kind}`);
    if (!link) return false;
    arrive();
    if (kind === "close" && history.state?.opened) {
        history.back();
    } else {
        if (history.state?.opened) willOpen(link.href);
        location.replace(link.href);
    }
    return true;
}

document.addEventListener("click", event => {
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const kind = ["prev", "next", "close", "hit-prev", "hit-next"].find(kind => link.classList.contains(kind));
    if (kind) {
        event.preventDefault();
        follow(kind);
    } else if (!link.target && /#\d{4}-\d\d-\d\d$/.test(link.href)) {
        remember({ left: link.getAttribute("href") });
        willOpen(link.href);
    }
});

// The keys that scroll, wherever in the open picture the focus is.
function scrollText(event) {
    const view = openView();
    const box = view && [view.querySelector(".words"), view].find(box => box.scrollHeight > box.clientHeight + 1);
    if (!box || box.contains(event.target)) return;
    const page = box.clientHeight * 0.85;
    const space = event.shiftKey ? -page : page;
    const way = {
        ArrowDown: 40, ArrowUp: -40, PageDown: page, PageUp: -page, " ": space,
        End: box.scrollHeight, Home: -box.scrollHeight,
    }[event.key];
    if (!way) return;
    box.scrollBy({ top: way, behavior: "instant" });
    event.preventDefault();
}

document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, video")) return;
    if (event.key === "/") {
        const view = openView();
        if (view) location.replace(view.querySelector(".close").href);
        closeViews();
        const field = document.querySelector(".search input");
        field.focus();
        field.select();
        event.preventDefault();
        return;
    }
    const kind = { ArrowLeft: "prev", ArrowRight: "next", Escape: "close", p: "hit-prev", n: "hit-next" }[event.key];
    if (kind && follow(kind)) {
        event.preventDefault();
    } else {
        scrollText(event);
    }
});

// The browser closes a dialog in ways of its own, such as a gesture.
document.addEventListener("cancel", event => {
    if (event.target !== openView()) return;
    event.preventDefault();
    follow("close");
}, true);
document.addEventListener("close", event => {
    if (closed.delete(event.target)) return;
    if (event.target === openView() && !event.target.open) follow("close");
}, true);

// A swipe is one finger that moves far along and little across, in a page that is not magnified.
let start = null;
document.addEventListener("touchstart", event => {
    const magnified = window.visualViewport && visualViewport.scale > 1.05;
    const isOne = event.touches.length === 1 && !event.target.closest("video, .zoomed");
    start = isOne && !magnified ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", event => {
    if (!start || event.touches.length) return;
    const end = event.changedTouches[0];
    const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
    start = null;
    if (Math.abs(x) > 48 && Math.abs(x) > 2 * Math.abs(y)) follow(x < 0 ? "next" : "prev");
}, { passive: true });

// The thumbnail below a picture is hidden once the picture can be painted; a large one is loaded before.
function uncover(image) {
    const below = image.nextElementSibling;
    if (below?.matches(".below")) image.decode().then(() => { below.hidden = true; }, () => {});
}
document.addEventListener("load", event => {
    if (event.target.matches?.(".picture img")) uncover(event.target);
}, true);

// A rendition goes with time; the original stays.
document.addEventListener("error", event => {
    const original = event.target.dataset?.original;
    if (!original) return;
    delete event.target.dataset.original;
    event.target.src = original;
}, true);

// Those that were closed here: the event comes later, when the picture may be the open one again.
const closed = new Set();

function closeViews(but) {
    for (const view of document.querySelectorAll(".view[open]")) {
        if (view === but) continue;
        closed.add(view);
        view.close();
    }
}

// The command that makes a favorite can be copied; a phone has no shell for it.
function offerCopy(view) {
    const line = view.querySelector(".command");
    if (!line || line.querySelector("button")) return;
    if (matchMedia("(max-width: 52rem)").matches) {
        const isFavorite = view.querySelector(".date .star");
        line.textContent = `${isFavorite ? "This day is a favorite. To remove it," : "To make this day a favorite,"} \
open the folder of the mirror over the network, with a file app, and \
${isFavorite ? "delete its item in favorites." : "copy the picture into favorites."}`;
        return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
        const code = line.querySelector("code");
        getSelection().selectAllChildren(code);
        try {
            await navigator.clipboard.writeText(code.textContent);
        } catch {
            // A page of a server without TLS has no clipboard.
            document.execCommand("copy");
        }
        button.textContent = "Copied";
    });
    line.append(" ", button);
}

const pageTitle = document.title;

function attend() {
    arrive();
    document.documentElement.classList.remove("opening");
    for (const video of document.querySelectorAll("video")) video.pause();
    const view = openView();
    closeViews(view);
    document.title = view ? ["h2", "time"].map(part => view.querySelector(part).textContent).join(" – ") : pageTitle;
    if (view) {
        if (!view.open) view.showModal();
        view.querySelector(".words").focus({ preventScroll: true });
        view.querySelectorAll(".picture img").forEach(uncover);
        offerCopy(view);
        if (window.markHits && searched) {
            markHits(view);
            offerHits(view, fragment());
        }
        return;
    }
    // The keyboard goes on where it was: at the link that led away, else at the card of the last picture.
    const left = history.state?.left;
    const links = [...document.querySelectorAll(".card, .newest a")];
    const place = links.find(link => left ? link.getAttribute("href") === left
        : link.id && link.id === fragment());
    if (!place || document.activeElement.matches("input")) return;
    place.focus({ preventScroll: Boolean(left) });
    // Above it, months are laid out that were not before.
    const { top, bottom } = place.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) place.scrollIntoView({ block: "center", behavior: "instant" });
}

// The ring around what has the focus is for the keyboard: a script moves the focus after a click, too, and in the
// next page.
function ring(isShown) {
    document.documentElement.classList.toggle("pointed", !isShown);
    try {
        sessionStorage.ring = isShown ? "shown" : "";
    } catch {}
}
addEventListener("keydown", () => ring(true), true);
addEventListener("pointerdown", () => ring(false), true);
try {
    ring(sessionStorage.ring);
} catch {
    ring(false);
}

addEventListener("hashchange", attend);
addEventListener("pageshow", attend);
