// Wires the markup that Python made: sends what a reader does, keeps the focus, and says which part is a scroller.
// It makes no markup of its own: every text that it shows was escaped by `renderables.py`.
let made = 0;

function render({ model, el }) {
  const id = `evr-${++made}`;
  el.classList.add("evr", "evr-live");
  if (model.get("role")) el.dataset.role = model.get("role");
  const part = (name, attributes) => {
    const made = document.createElement("div");
    made.className = name;
    for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
    el.append(made);
    return made;
  };
  const controls = part("evr-controls");
  const region = part("evr-scroll");
  const line = part("evr-muted evr-line", { role: "status", "aria-live": "polite" });
  const pager = part("evr-pager");
  const places = [[controls, "controls"], [region, "table"], [pager, "pager"]];

  const overflows = () => {
    const wide = region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1;
    const wanted = wide ? { role: "region", "aria-label": model.get("label"), tabindex: "0" } : {};
    for (const name of ["role", "aria-label", "tabindex"])
      name in wanted ? region.setAttribute(name, wanted[name]) : region.removeAttribute(name);
  };
  const held = (place) => {
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    return focused?.dataset.do ? [focused.dataset.do, focused.dataset.of ?? ""] : null;
  };
  const find = (place, [what, of]) =>
    [...place.querySelectorAll("[data-do]")].find((each) => each.dataset.do === what && (each.dataset.of ?? "") === of);
  let back = null;
  const draw = (place, name) => {
    const focus = back && place === region ? back : held(place);
    const written = name === "controls" ? place.querySelector("input")?.value : undefined;
    place.innerHTML = model.get(name);
    if (written !== undefined && focus?.[0] === "search") place.querySelector("input").value = written;
    if (place === region) {
      region.classList.toggle("evr-tall", model.get("rows") > 12);
      for (const each of region.querySelectorAll("#evr-card")) each.id = `${id}-card`;
      for (const each of region.querySelectorAll("[aria-controls]")) each.setAttribute("aria-controls", `${id}-card`);
      overflows();
      back = null;
    }
    if (focus) (find(place, focus) ?? find(place, ["open", model.get("opened")]) ?? place.querySelector("button"))?.focus();
  };
  const say = () => { line.textContent = model.get("line"); };
  for (const [place, name] of places) {
    draw(place, name);
    model.on(`change:${name}`, () => draw(place, name));
  }
  say();
  model.on("change:line", say);
  const watch = new ResizeObserver(overflows);
  watch.observe(region);

  const send = (what, of) => model.send({ do: what, of });
  let typing = 0;
  el.addEventListener("input", (event) => {
    if (event.target.dataset.do !== "search") return;
    clearTimeout(typing);
    typing = setTimeout(() => send("search", event.target.value), 80);
  });
  el.addEventListener("change", (event) => {
    if (event.target.dataset.do === "facet") model.send({ do: "facet", of: event.target.dataset.of, value: event.target.value });
  });
  el.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (!button) return;
    if (button.dataset.do === "copy") {
      const told = button.textContent;
      navigator.clipboard.writeText(button.dataset.of).then(
        () => { button.textContent = "Copied"; },
        () => { button.textContent = "Not copied: no access to the clipboard"; },
      ).finally(() => setTimeout(() => { button.textContent = told; }, 2000));
    } else send(button.dataset.do, button.dataset.of ?? "");
  });
  el.addEventListener("keydown", (event) => {
    const field = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.key === "/" && !field) {
      controls.querySelector("input")?.focus();
    } else if (event.key === "Escape" && model.get("opened")) {
      back = ["open", model.get("opened")];
      send("close", "");
    } else if (["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key) && event.target.classList.contains("evr-key")) {
      const keys = [...region.querySelectorAll(".evr-key")];
      const at = keys.indexOf(event.target);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: keys.length - 1 }[event.key];
      keys[Math.max(0, Math.min(to, keys.length - 1))].focus();
    } else if (event.target.classList.contains("evr-square") && event.key.startsWith("Arrow")) {
      const rows = [...event.target.closest("tbody").rows].map((row) => [...row.cells].map((cell) => cell.querySelector("button")));
      const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      let y = rows.findIndex((row) => row.includes(event.target)), x = rows[y].indexOf(event.target);
      do { y += down; x += right; } while (rows[y]?.[x] === null && x > 0);
      const to = rows[y]?.[x];
      if (to) { event.target.tabIndex = -1; to.tabIndex = 0; to.focus(); }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return () => watch.disconnect();
}

export default { render };
