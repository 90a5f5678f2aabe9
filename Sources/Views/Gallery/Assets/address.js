"use strict";
// Part of the gallery of apod-mirror.
// Runs before anything else is loaded. The address of a day loads that day only: its page loads no other picture,
// and the page of a year leads to the page of the month.

{
    const months = (document.currentScript.dataset.months ?? "").split(" ");
    const arrive = () => {
        const month = location.hash.match(/^#(\d{4}-\d\d)-\d\d$/)?.[1];
        document.documentElement.classList.toggle("opening", Boolean(month));
        if (!months.includes(month)) return;
        document.documentElement.style.display = "none";
        location.replace(`${month}.html${location.hash}`);
    };
    arrive();
    addEventListener("hashchange", arrive);
}
