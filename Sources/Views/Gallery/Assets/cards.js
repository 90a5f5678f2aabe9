"use strict";
// Part of the gallery of apod-mirror.
// What the pages share that scripts fill: the cards of days, the same as on all other pages, and the scripts of
// the years. A page that was opened from a folder may load nothing else.

const years = document.querySelector("[data-years]").dataset.years.split(" ").filter(Boolean);

// Runs the scripts of years in `folder`, in their order.
function loadYears(folder, list = years) {
    return Promise.all(list.map(year => new Promise(resolve => {
        const script = document.createElement("script");
        // Else each would run as soon as it is there.
        script.async = false;
        script.src = `${folder}/${year}.js`;
        script.onload = script.onerror = () => {
            script.remove();
            resolve();
        };
        document.head.append(script);
    })));
}

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December"];

function inWords(date) {
    const [year, month, day] = date.split("-");
    return `${Number(day)} ${months[month - 1]} ${year}`;
}

function element(name, kind, ...children) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(...children);
    return made;
}

function badge(kind, sign, name) {
    const made = element("span", kind, sign);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", name);
    return made;
}

function card(day) {
    const tile = element("span", "tile");
    if (day.cover) {
        const image = element("img");
        Object.assign(image, { loading: "lazy", decoding: "async", alt: "", src: day.cover });
        tile.append(image);
    } else {
        tile.append(element("span", "none", day.label));
    }
    if (day.marks & 1) tile.append(badge("star", "★", "favorite"));
    if (day.marks & 2) tile.append(badge("film", "▶", "video"));
    const link = element("a", "card", tile, element("span", "name", day.title), " ",
        element("time", "", inWords(day.date)));
    link.href = dayAddress(day.date);
    return link;
}
