(() => {
  "use strict";
  const words = document.body.dataset;
  const button = (text, name) => {
    const made = document.createElement("button");
    made.type = "button"; made.textContent = text; made.className = name;
    return made;
  };
  const title = (point) => point.querySelector("title")?.textContent ?? "";

  // One tip for all charts: the values of the point under the pointer or the keys.
  const tip = document.createElement("div");
  tip.className = "tip"; tip.setAttribute("role", "status"); tip.hidden = true;
  document.body.append(tip);
  const show = (point) => {
    const box = point.getBoundingClientRect();
    tip.textContent = title(point); tip.hidden = false;
    const own = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const above = box.top - own.height - 8;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above < 8 ? box.bottom + 8 : above) + scrollY}px`;
  };
  const hide = () => { tip.hidden = true; };
  addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // A series by its name, in every chart of a figure.
  const nameOf = (element) => element.dataset.series;
  const rowsOf = (figure) => {
    const seen = [...figure.querySelectorAll(".wide .point, .narrow .point")].filter((point) => point.closest(".wide"));
    const columns = ["chart", "series", "x", "y", "low", "high", "label"];
    const rows = seen.map((point) => {
      const data = point.dataset, of = point.closest("[data-series]");
      const svg = point.closest("svg");
      return [svg.getAttribute("aria-label") ?? svg.querySelector("title")?.textContent ?? "", of ? nameOf(of) : "",
        data.x, data.y, data.low ?? "", data.high ?? "", data.label ?? ""];
    });
    return [columns, ...rows].map((row) => row.map((cell) => String(cell).replace(/[\t\n]/g, " ")).join("\t")).join("\n");
  };

  const series = (figure, bar) => {
    const names = [...new Set([...figure.querySelectorAll("[data-series]")].map(nameOf))];
    if (names.length < 2) return;
    for (const name of names) {
      const made = button(name, "series-toggle");
      made.setAttribute("aria-pressed", "true");
      made.title = words.showHide;
      made.addEventListener("click", () => {
        const on = made.getAttribute("aria-pressed") !== "true";
        made.setAttribute("aria-pressed", String(on));
        for (const group of figure.querySelectorAll("[data-series]")) if (nameOf(group) === name) group.toggleAttribute("data-off", !on);
        hide();
      });
      bar.append(made);
    }
  };

  // Left and right go from point to point, for who has no pointer.
  const keys = (svg) => {
    let place = -1;
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const points = [...svg.querySelectorAll(".point")].filter((point) => !point.closest("[data-off]"));
      if (!step || !points.length) return;
      event.preventDefault();
      place = (place + step + points.length) % points.length;
      svg.querySelector(".point[data-here]")?.removeAttribute("data-here");
      points[place].setAttribute("data-here", "");
      show(points[place]);
    });
    svg.addEventListener("blur", () => { svg.querySelector(".point[data-here]")?.removeAttribute("data-here"); hide(); });
  };

  // Large, in a window of its own: the wheel zooms, dragging moves, a double click goes back.
  const zoom = (svg) => {
    const whole = svg.viewBox.baseVal, home = [whole.x, whole.y, whole.width, whole.height];
    let now = [...home], from = null;
    const set = (box) => { now = box; svg.setAttribute("viewBox", box.map((part) => part.toFixed(2)).join(" ")); };
    const at = (event) => {
      const box = svg.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    };
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x, y] = at(event), factor = event.deltaY < 0 ? 0.8 : 1.25;
      const width = Math.min(home[2], now[2] * factor), height = Math.min(home[3], now[3] * factor);
      if (width >= home[2]) return set([...home]);
      set([now[0] + x * (now[2] - width), now[1] + y * (now[3] - height), width, height]);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY, ...now]; svg.setPointerCapture(event.pointerId); });
    svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const box = svg.getBoundingClientRect();
      set([from[2] - (event.clientX - from[0]) / box.width * now[2], from[3] - (event.clientY - from[1]) / box.height * now[3], now[2], now[3]]);
    });
    svg.addEventListener("pointerup", () => { from = null; });
    svg.addEventListener("dblclick", () => set([...home]));
  };
  const enlarge = (figure) => {
    const dialog = document.createElement("dialog");
    dialog.className = "enlarged";
    dialog.setAttribute("aria-label", figure.querySelector("figcaption").textContent);
    const close = button(words.close, "close");
    close.addEventListener("click", () => dialog.close());
    dialog.append(close);
    for (const svg of figure.querySelectorAll(".wide svg")) {
      const copy = svg.cloneNode(true);
      copy.removeAttribute("id");
      dialog.append(copy); zoom(copy); hover(copy);
    }
    dialog.addEventListener("close", () => { hide(); document.body.append(tip); dialog.remove(); });
    document.body.append(dialog);
    dialog.showModal();
    dialog.append(tip);
  };
  const hover = (svg) => {
    svg.addEventListener("pointerover", (event) => { const point = event.target.closest(".point"); if (point) show(point); });
    svg.addEventListener("pointerout", hide);
  };

  for (const figure of document.querySelectorAll(".figure")) {
    const bar = document.createElement("div");
    bar.className = "tools";
    series(figure, bar);
    const copy = button(words.copyData, "copy-data");
    copy.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(rowsOf(figure)); copy.textContent = words.copyData + " ✓"; }
      catch (_) { copy.textContent = words.copyData + " ×"; }
      setTimeout(() => { copy.textContent = words.copyData; }, 2000);
    });
    const large = button(words.enlarge, "enlarge");
    large.addEventListener("click", () => enlarge(figure));
    bar.append(copy, large);
    figure.insertBefore(bar, figure.querySelector("figcaption"));
    for (const svg of figure.querySelectorAll("svg")) { hover(svg); keys(svg); }
    figure.iodynoRows = () => rowsOf(figure);
  }
})();
