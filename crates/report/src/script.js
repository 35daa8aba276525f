"use strict";
// Light or dark: as the system says, until the reader says otherwise. Nothing is kept.
const root = document.documentElement, button = document.getElementById("theme");
const system = matchMedia("(prefers-color-scheme: dark)");
const dark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
const label = () => {
  const word = dark() ? "Light" : "Dark";
  button.querySelector("span").textContent = word;
  button.setAttribute("aria-label", word + " colours");
};
button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });
system.addEventListener("change", label);
button.hidden = false;
label();

// A click on a column sorts by it; numbers by their values, the rest as text.
const key = (row, i) => row.cells[i].dataset.k ?? row.cells[i].textContent;
const compare = (a, b) => {
  const x = Number(a), y = Number(b), numbers = a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y);
  return numbers ? x - y : String(a).localeCompare(String(b), "en", { numeric: true });
};
for (const head of document.querySelectorAll("th:has(button)")) {
  head.querySelector("button").addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending", i = head.cellIndex;
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compare(key(a, i), key(b, i)));
    body.append(...rows);
  });
}

// A double click on a series shows it alone, another all.
for (const legend of document.querySelectorAll(".legend")) {
  legend.addEventListener("dblclick", event => {
    const own = event.target.closest("label")?.querySelector("input");
    if (!own) return;
    event.preventDefault();
    const all = [...legend.querySelectorAll("input")];
    const alone = all.every(box => box.checked === (box === own));
    for (const box of all) box.checked = alone || box === own;
  });
}

// What the pointer is nearest to.
const tip = document.createElement("div"), name = document.createElement("b"), text = document.createElement("span");
tip.id = "tip";
tip.hidden = true;
tip.append(name, text);
document.body.append(tip);
const hide = () => { tip.hidden = true; };
const show = (box, title, words) => {
  name.textContent = title;
  name.hidden = !title;
  text.textContent = words;
  tip.hidden = false;
  const left = scrollX + Math.min(Math.max(box.x - tip.offsetWidth / 2, 6), root.clientWidth - tip.offsetWidth - 6);
  const above = box.y - tip.offsetHeight - 12;
  tip.style.left = left + "px";
  tip.style.top = scrollY + (above > 4 ? above : box.y + 16) + "px";
};
for (const picture of document.querySelectorAll(".picture")) {
  const point = event => {
    const cell = event.target.closest("[data-l]");
    if (cell && !cell.closest(".signs")) return show({ x: event.clientX, y: event.clientY }, "", cell.dataset.l);
    const frame = picture.getBoundingClientRect();
    let best = null, least = 26 * 26;
    for (const group of picture.querySelectorAll(".signs")) {
      if (getComputedStyle(group).display === "none") continue;
      for (const sign of group.children) {
        const x = frame.left + parseFloat(sign.getAttribute("x")) / 100 * frame.width;
        const y = frame.top + parseFloat(sign.getAttribute("y")) / 100 * frame.height;
        const far = (x - event.clientX) ** 2 + (y - event.clientY) ** 2;
        if (far < least) { least = far; best = { x, y, title: group.dataset.n, words: sign.dataset.l }; }
      }
    }
    if (best) show(best, best.title, best.words); else hide();
  };
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  picture.addEventListener("pointerleave", hide);
}
addEventListener("keydown", event => { if (event.key === "Escape") hide(); });
