(() => {
  "use strict";
  const root = document.documentElement, words = document.body.dataset;
  const button = (name, text) => {
    const made = document.createElement("button");
    made.type = "button"; made.className = name; made.textContent = text;
    return made;
  };

  // Light or dark: as the system is, until the reader chooses.
  const keep = (theme) => { try { localStorage.setItem("iodyno-theme", theme); } catch (_) { /* private */ } };
  try { const kept = localStorage.getItem("iodyno-theme"); if (kept) root.dataset.theme = kept; } catch (_) { /* private */ }
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const toggle = button("theme", words.theme);
  const mark = () => toggle.setAttribute("aria-pressed", String(dark()));
  toggle.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; keep(root.dataset.theme); mark(); });
  mark();
  document.querySelector(".contents").append(toggle);

  // Copy commands.
  for (const block of document.querySelectorAll(".code")) {
    const copy = button("copy", words.copy);
    copy.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(block.querySelector("code").textContent); copy.textContent = words.copy + " ✓"; }
      catch (_) { getSelection().selectAllChildren(block.querySelector("code")); }
      setTimeout(() => { copy.textContent = words.copy; }, 2000);
    });
    block.append(copy);
  }

  // Mark where the reader is.
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const heads = [...document.querySelectorAll("main :is(h2, h3)[id]")];
  let current = null;
  const follow = () => {
    const passed = heads.filter((head) => head.getBoundingClientRect().top < innerHeight * 0.3).pop();
    const link = passed && links.get(passed.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    current = link;
  };
  addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
  follow();
})();
