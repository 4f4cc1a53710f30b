// The graph: pages and which of them name which, laid out by d3-force on a canvas. The list beside it has the same as links.
"use strict";
(async () => {
  const { load, text } = window.wikimem;
  const box = document.querySelector(".graph");
  const canvas = box.querySelector("canvas");
  const form = document.querySelector(".filters");
  const list = box.querySelector(".list ol");
  const heading = box.querySelector(".list h2");
  const said = form.querySelector("output");
  const told = await load("graph", "", "data/graph.js");
  if (!told || !told.nodes.length) return;
  const MOST = 2000;
  const LISTED = 200;
  const nodes = told.nodes.map(([file, title, kind, scope, claims], id) => ({ id, file, title, kind, scope, claims, near: [] }));
  for (const [a, b] of told.edges) { nodes[a].near.push(nodes[b]); nodes[b].near.push(nodes[a]); }
  const drawing = canvas.getContext("2d");
  let shown = [];
  let links = [];
  let centre = null;
  let over = null;
  let view = { x: 0, y: 0, k: 1 };
  let force = null;
  let colours = {};

  form.hidden = canvas.hidden = false;
  box.classList.add("drawn");
  const option = (value, label) => { const made = text("option", label); made.value = value; return made; };
  told.kinds.forEach((kind, at) => form.kind.append(option(String(at), kind)));
  told.scopes.forEach((scope, at) => form.scope.append(option(String(at), scope || "none")));
  const names = document.getElementById("names");
  [...nodes].sort((a, b) => b.near.length - a.near.length).slice(0, 500).forEach((node) => names.append(option(node.title, "")));

  function choose() {
    const kind = form.kind.value;
    const scope = form.scope.value;
    const fits = (node) => (!kind || node.kind === Number(kind)) && (!scope || node.scope === Number(scope));
    let chosen;
    if (centre) {
      const steps = Number(form.steps.value) || 99;
      const seen = new Set([centre]);
      let edge = [centre];
      for (let step = 0; step < steps && edge.length && seen.size < MOST; step++) {
        edge = edge.flatMap((node) => node.near).filter((node) => fits(node) && !seen.has(node) && seen.add(node));
      }
      chosen = [...seen].slice(0, MOST);
    } else {
      chosen = nodes.filter((node) => fits(node) && node.near.length).sort((a, b) => b.near.length - a.near.length || a.id - b.id).slice(0, MOST);
    }
    const inside = new Set(chosen);
    shown = chosen;
    links = told.edges.map(([a, b]) => ({ source: nodes[a], target: nodes[b] })).filter((link) => inside.has(link.source) && inside.has(link.target));
    const loose = nodes.filter((node) => !node.near.length).length;
    said.textContent = shown.length + " of " + nodes.length + " pages, " + links.length + (links.length === 1 ? " link" : " links") + (!centre && loose ? "; " + loose + " without a link" : "");
    lay();
    tell();
  }

  function lay() {
    if (force) force.stop();
    shown.forEach((node, at) => {
      const angle = at * 2.399963;
      const away = 9 * Math.sqrt(at + .5);
      node.x = away * Math.cos(angle);
      node.y = away * Math.sin(angle);
      node.vx = node.vy = 0;
      node.fx = node.fy = null;
    });
    const many = shown.length > 300;
    force = d3.forceSimulation(shown)
      .force("link", d3.forceLink(links).distance(many ? 30 : 60).strength(many ? .3 : .5))
      .force("charge", d3.forceManyBody().strength(many ? -70 : -160).theta(1.1).distanceMax(many ? 300 : 600))
      .force("x", d3.forceX().strength(.06)).force("y", d3.forceY().strength(.06))
      .force("apart", d3.forceCollide(many ? 5 : 12))
      .alphaDecay(many ? .05 : .03).stop();
    const start = performance.now();
    // Most of it is laid out before it is shown; the rest moves on.
    while (force.alpha() > .08 && performance.now() - start < 700) force.tick();
    fit();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) paint();
    else force.on("tick", paint).restart();
  }

  function fit() {
    const xs = shown.map((node) => node.x);
    const ys = shown.map((node) => node.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const k = Math.min(canvas.clientWidth / (right - left + 120), canvas.clientHeight / (bottom - top + 80), 1.6);
    view = { k, x: canvas.clientWidth / 2 - k * (left + right) / 2, y: canvas.clientHeight / 2 - k * (top + bottom) / 2 };
    paint();
  }

  const HUES = [175, 210, 265, 320, 20, 45, 95, 140];
  const hue = (kind) => `hsl(${HUES[kind % HUES.length]} 45% ${colours.dark ? 62 : 42}%)`;
  const key = text("p", "", "key");
  box.after(key);
  function explain() {
    key.replaceChildren(...told.kinds.map((kind, at) => {
      const dot = text("span", "●");
      dot.style.color = hue(at);
      dot.setAttribute("aria-hidden", "true");
      const named = text("span");
      named.append(dot, " " + kind);
      return named;
    }));
  }
  function paint() {
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    drawing.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawing.clearRect(0, 0, width, height);
    drawing.translate(view.x, view.y);
    drawing.scale(view.k, view.k);
    const lit = over || centre;
    drawing.lineWidth = 1 / view.k;
    drawing.strokeStyle = colours.line;
    drawing.beginPath();
    for (const { source, target } of links) { drawing.moveTo(source.x, source.y); drawing.lineTo(target.x, target.y); }
    drawing.stroke();
    if (lit) {
      drawing.strokeStyle = colours.link;
      drawing.beginPath();
      for (const { source, target } of links) if (source === lit || target === lit) { drawing.moveTo(source.x, source.y); drawing.lineTo(target.x, target.y); }
      drawing.stroke();
    }
    for (const node of shown) {
      drawing.fillStyle = hue(node.kind);
      drawing.beginPath();
      drawing.arc(node.x, node.y, size(node), 0, 7);
      drawing.fill();
    }
    label(lit);
  }
  const size = (node) => (3 + Math.min(9, Math.sqrt(node.near.length) * 1.3)) * (shown.length > 500 ? .55 : 1);
  function label(lit) {
    const some = shown.length <= 60 ? shown : shown.slice(0, Math.max(25, Math.round(40 * view.k)));
    const wanted = new Set([...(lit ? [lit, ...lit.near.slice(0, 30)] : []), ...some]);
    const taken = [];
    drawing.font = `${12 / view.k}px system-ui, sans-serif`;
    drawing.textBaseline = "middle";
    for (const node of wanted) {
      if (!shown.includes(node)) continue;
      const name = node.title.length > 32 ? node.title.slice(0, 31) + "…" : node.title;
      const at = [view.x + node.x * view.k + size(node) * view.k + 4, view.y + node.y * view.k - 8, name.length * 6.4, 16];
      if (node !== lit && taken.some((other) => at[0] < other[0] + other[2] && other[0] < at[0] + at[2] && at[1] < other[1] + other[3] && other[1] < at[1] + at[3])) continue;
      taken.push(at);
      drawing.lineWidth = 3 / view.k;
      drawing.strokeStyle = colours.paper;
      drawing.fillStyle = node === lit ? colours.link : colours.ink;
      drawing.strokeText(name, node.x + size(node) + 4 / view.k, node.y);
      drawing.fillText(name, node.x + size(node) + 4 / view.k, node.y);
    }
  }

  function tell() {
    const ranked = centre ? [centre, ...shown.filter((node) => node !== centre).sort((a, b) => a.title.localeCompare(b.title))] : shown;
    heading.textContent = centre ? "Around " + centre.title : "Most linked";
    list.replaceChildren(...ranked.slice(0, LISTED).map((node) => {
      const item = text("li");
      const link = text("a", node.title);
      link.href = node.file.split("/").map(encodeURIComponent).join("/");
      const around = text("button", String(node.near.length), "count");
      around.type = "button";
      around.title = "Show the neighbourhood";
      around.setAttribute("aria-label", "Show the neighbourhood of " + node.title);
      around.addEventListener("click", () => focus(node));
      item.dir = "auto";
      item.append(link, " ", around);
      return item;
    }));
  }
  function focus(node) { centre = node; form.elements.name.value = node ? node.title : ""; choose(); }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => focus(null)));
  form.elements.name.addEventListener("change", () => {
    const wanted = form.elements.name.value.trim().toLowerCase();
    const node = wanted && (nodes.find((each) => each.title.toLowerCase() === wanted) || nodes.find((each) => each.title.toLowerCase().includes(wanted)));
    if (node) focus(node); else if (!wanted) focus(null); else said.textContent = "No page is called that.";
  });
  for (const each of [form.steps, form.kind, form.scope]) each.addEventListener("change", choose);

  const at = (event) => {
    const place = canvas.getBoundingClientRect();
    return [(event.clientX - place.left - view.x) / view.k, (event.clientY - place.top - view.y) / view.k];
  };
  const hit = (event) => {
    const [x, y] = at(event);
    const near = shown.map((node) => [Math.hypot(node.x - x, node.y - y) - size(node), node]).sort((a, b) => a[0] - b[0])[0];
    return near && near[0] < 6 / view.k ? near[1] : null;
  };
  let from = null;
  canvas.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY, view: { ...view }, moved: false }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (from) {
      from.moved ||= Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4;
      view = { ...view, x: from.view.x + event.clientX - from.x, y: from.view.y + event.clientY - from.y };
      paint();
      return;
    }
    const now = hit(event);
    if (now !== over) { over = now; canvas.title = over ? over.title : ""; paint(); }
  });
  canvas.addEventListener("pointerup", (event) => { const node = from && !from.moved && hit(event); from = null; if (node) focus(node); });
  canvas.addEventListener("dblclick", (event) => { const node = hit(event); if (node) location.href = node.file; });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const [x, y] = at(event);
    const k = Math.min(6, Math.max(.08, view.k * Math.exp(-event.deltaY / 500)));
    view = { k, x: view.x + x * (view.k - k), y: view.y + y * (view.k - k) };
    paint();
  }, { passive: false });

  function dress() {
    const style = getComputedStyle(document.documentElement);
    const named = (name) => style.getPropertyValue(name).trim();
    colours = { line: named("--line"), ink: named("--ink"), link: named("--link"), paper: named("--paper"), dark: style.colorScheme === "dark" };
    explain();
  }
  document.addEventListener("wikimem-theme", () => { dress(); paint(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { dress(); paint(); });
  addEventListener("resize", fit);
  dress();
  choose();
})();
