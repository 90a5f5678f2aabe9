"use strict";
// Part of the gallery of apod-mirror.
// One picture after the other in full screen, without end.

const form = document.getElementById("slideshow");
const choice = form.elements.choice;
const stage = document.getElementById("stage");
const caption = document.getElementById("caption");
const problem = document.getElementById("problem");
let slides = [];
let place = 0;
let timer = 0;
let isPaused = false;
let isFull = false;
// Keeping the screen on is allowed to some pages only.
let lock = null;

function chosen() {
    const pictures = days.filter(day => day.picture);
    const value = choice.value;
    const some = value === "all" ? pictures
        : pictures.filter(day => value === "favorites" ? day.marks & 1 : day.date.startsWith(value));
    if (form.elements.order.value === "oldest") some.reverse();
    if (form.elements.order.value === "random") shuffle(some);
    return some;
}

function shuffle(list) {
    for (let last = list.length - 1; last > 0; last -= 1) {
        const other = Math.floor(Math.random() * (last + 1));
        [list[last], list[other]] = [list[other], list[last]];
    }
}

// Loads a picture; `null` if it cannot be shown.
function load(slide) {
    slide.image ??= new Promise(resolve => {
        const image = new Image();
        image.alt = slide.day.title;
        image.onload = () => resolve(image);
        image.onerror = () => resolve(null);
        image.src = slide.day.picture;
    });
    return slide.image;
}

async function step(by) {
    clearTimeout(timer);
    const show = slides;
    // Each picture at most once: else a show whose pictures are all missing would never end.
    for (let count = 0; count < show.length; count += 1) {
        const next = (place + by + show.length) % show.length;
        place = next;
        const image = await load(show[next]);
        // Another step or another show began meanwhile.
        if (place !== next || slides !== show) return;
        if (!image) continue;
        // Only the pictures next to this one stay in memory.
        show.forEach((slide, index) => {
            if (Math.abs(index - next) > 1) slide.image = undefined;
        });
        stage.querySelectorAll("img").forEach(old => old.remove());
        stage.prepend(image);
        caption.textContent = `${show[next].day.title}, ${inWords(show[next].day.date)}`;
        load(show[(next + 1) % show.length]);
        wait();
        return;
    }
    end("No picture of these days can be shown.");
}

function wait() {
    clearTimeout(timer);
    stage.classList.toggle("paused", isPaused);
    if (!isPaused) timer = setTimeout(() => step(1), 1000 * form.elements.seconds.value);
}

function end(reason = "") {
    clearTimeout(timer);
    if (stage.hidden) return;
    stage.hidden = true;
    stage.querySelectorAll("img").forEach(old => old.remove());
    slides = [];
    problem.textContent = reason;
    lock?.then(held => held.release()).catch(() => {});
    lock = null;
    isFull = false;
    if (document.fullscreenElement) document.exitFullscreen();
    form.querySelector("button").focus();
}

form.addEventListener("submit", event => {
    event.preventDefault();
    slides = chosen().map(day => ({ day }));
    problem.textContent = slides.length ? "" : "There is no picture in this choice.";
    if (!slides.length) return;
    place = -1;
    isPaused = false;
    stage.hidden = false;
    stage.focus();
    // Without full screen it fills the window.
    stage.requestFullscreen?.().catch(() => {});
    lock = navigator.wakeLock?.request("screen") ?? null;
    lock?.catch(() => {});
    step(1);
});

// The browser ends full screen in ways of its own. The event of an earlier show may come late.
document.addEventListener("fullscreenchange", () => {
    if (document.fullscreenElement) {
        isFull = true;
    } else if (isFull) {
        end();
    }
});

stage.addEventListener("click", event => event.target.id === "end" ? end() : step(1));
document.addEventListener("keydown", event => {
    if (stage.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
        ArrowRight: () => step(1), ArrowLeft: () => step(-1), Escape: () => end(),
        " ": () => {
            isPaused = !isPaused;
            wait();
        },
    }[event.key];
    // The other keys of the gallery have no meaning here.
    event.stopImmediatePropagation();
    if (!act) return;
    act();
    event.preventDefault();
}, true);

// `slideshow.html#favorites` chooses the favorites, `#2026` a year.
const wanted = fragment();
if ([...choice.options].some(option => option.value === wanted)) choice.value = wanted;
loadYears("days").then(() => {
    const button = form.querySelector("button");
    button.disabled = false;
    button.textContent = "Start";
});
