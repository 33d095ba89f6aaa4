"use strict";
{
  const table = document.getElementById("findings");
  const rows = [...table.tBodies];
  const heads = [...table.tHead.rows[0].cells];
  const search = document.getElementById("search");
  const count = document.getElementById("count");

  const key = (body, column) => {
    const cell = body.rows[0].cells[column];
    const text = cell.dataset.key ?? cell.textContent.trim();
    return cell.classList.contains("number") ? parseFloat(text) || 0 : text;
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0);

  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.sort((a, b) => (up ? 1 : -1) * compare(key(a, column), key(b, column)));
    table.append(...rows);
  }));

  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const body of rows) {
      const text = body.rows[0].textContent.toLowerCase();
      body.hidden = !words.every((word) => text.includes(word));
      shown += !body.hidden;
    }
    count.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}
