// The site's script: search, the page as of a day, quotes, theme. Everything can be read without it; it asks for nothing
// outside this folder, and whatever a page or a session says reaches the document as text alone.
"use strict";
(() => {
  const me = document.currentScript;
  const root = me.dataset.root;
  const $ = (what, where = document) => where.querySelector(what);
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // Files that hand over data call this; each is loaded once, by a script tag, which also works without a server.
  const waiting = new Map();
  window.wikimem = { take: (kind, name, value) => waiting.get(kind + "/" + name)?.(value), load, text: make };
  const loaded = new Map();
  function load(kind, name, file) {
    const key = kind + "/" + name;
    if (!loaded.has(key)) {
      loaded.set(key, new Promise((done) => {
        waiting.set(key, done);
        const script = make("script");
        script.src = root + file;
        if (kind === "library") script.onload = () => done(true);
        script.onerror = () => { loaded.delete(key); done(null); };
        document.head.append(script);
      }));
    }
    return loaded.get(key);
  }

  // Theme
  const theme = $(".theme");
  const remembered = () => { try { return localStorage.getItem("wikimem-theme"); } catch { return null; } };
  if (remembered()) document.documentElement.dataset.theme = remembered();
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const next = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try { localStorage.setItem("wikimem-theme", next); } catch { /* a browser may forbid it */ }
    document.dispatchEvent(new Event("wikimem-theme"));
  });

  // Search: the files of the letters typed are loaded and searched by MiniSearch, whose stored form they have.
  const find = $(".find");
  const input = $("#find");
  const found = $(".found");
  const list = $("ol", found);
  const status = $("#find-status");
  const FIELDS = ["title", "names", "text"];
  const DENSE = /[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
  const LONGEST = 40;
  const SHOWN = 20;
  find.hidden = false;

  function terms(text) {
    const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
    const out = [];
    for (const word of folded.match(/[\p{L}\p{N}]+/gu) || []) {
      let position = 0;
      const plain = (piece) => { if ([...piece].length > 1) out.push([...piece].slice(0, LONGEST).join("")); };
      for (const run of word.matchAll(DENSE)) {
        plain(word.slice(position, run.index));
        const signs = [...run[0]];
        for (let at = 0; at < Math.max(1, signs.length - 1); at++) out.push(signs.slice(at, at + 2).join(""));
        position = run.index + run[0].length;
      }
      plain(word.slice(position));
    }
    return [...new Set(out)];
  }
  function shard(term) {
    const first = term.codePointAt(0);
    if (first < 128) return term[0] + (term.length > 1 && term.charCodeAt(1) < 128 ? term[1] : "_");
    return "u" + (first >= 0x2e80 ? first >> 6 : first).toString(16);
  }

  let ground = null;
  const indexes = new Map();
  async function index(name) {
    if (!indexes.has(name)) {
      const all = await load("ground", "", "data/ground.js");
      if (!all) return null;
      if (!ground) {
        ground = { documentIds: {}, fieldLength: {}, average: all.average, count: all.ids.length };
        ground.minor = new Set(all.minor);
        ground.shards = new Set(all.shards);
        all.ids.forEach((id, at) => { ground.documentIds[id] = id; ground.fieldLength[id] = all.lengths[at]; });
      }
      const told = ground.shards.has(name) ? await load("shard", name, "data/w-" + name + ".js") : null;
      indexes.set(name, told && MiniSearch.loadJS({
        documentCount: ground.count, nextId: 0, documentIds: ground.documentIds, fieldIds: { title: 0, names: 1, text: 2 },
        fieldLength: ground.fieldLength, averageFieldLength: ground.average, storedFields: {}, dirtCount: 0,
        index: told, serializationVersion: 2,
      }, { fields: FIELDS, tokenize: (text) => [text], processTerm: (term) => term }));
    }
    return indexes.get(name);
  }

  async function search(query) {
    await Promise.all([load("library", "minisearch", "assets/minisearch.js"), load("ground", "", "data/ground.js")]);
    const wanted = terms(query);
    const scores = new Map();
    const shards = await Promise.all(wanted.map((term) => index(shard(term))));
    wanted.forEach((term, at) => {
      if (!shards[at]) return;
      const options = { prefix: true, fuzzy: term.length > 4 ? 0.2 : false, boost: { title: 4, names: 3 } };
      for (const hit of shards[at].search(term, options)) {
        const known = scores.get(hit.id) || [0, 0];
        scores.set(hit.id, [known[0] + 1, known[1] + hit.score * (ground.minor.has(hit.id) ? .5 : 1)]);
      }
    });
    // Whoever has more of the words comes first.
    const ranked = [...scores].sort((a, b) => b[1][0] - a[1][0] || b[1][1] - a[1][1] || a[0] - b[0]);
    const most = ranked.length ? ranked[0][1][0] : 0;
    const best = ranked.filter((each) => each[1][0] === most || each[1][0] > wanted.length / 2);
    const top = best.slice(0, SHOWN).map((each) => each[0]);
    const told = await Promise.all(top.map((id) => {
      const name = (id % 256).toString(16).padStart(2, "0");
      return load("documents", name, "data/d-" + name + ".js");
    }));
    return { total: best.length, hits: top.map((id, at) => told[at] && told[at][id]).filter(Boolean) };
  }

  let turn = 0;
  async function show() {
    const mine = ++turn;
    const query = input.value.trim();
    if (!terms(query).length) { shut(); return; }
    const { total, hits } = await search(query);
    if (mine !== turn) return;
    list.replaceChildren(...hits.map(([file, title, type, scope, summary]) => {
      const link = make("a");
      link.href = root + file.split("/").map(encodeURIComponent).join("/");
      link.append(make("span", scope ? type + " · " + scope.replace(/^project:/, "") : type, "kind"), make("b", title));
      if (summary) link.append(make("small", summary));
      link.dir = "auto";
      const item = make("li");
      item.append(link);
      return item;
    }));
    status.textContent = total ? total + (total === 1 ? " result" : " results") + (total > SHOWN ? ", the best " + SHOWN : "") : "Nothing found for “" + query + "”";
    found.hidden = false;
    found.dataset.query = query;
  }
  function shut() { found.hidden = true; list.replaceChildren(); status.textContent = ""; delete found.dataset.query; }

  input.addEventListener("input", show);
  input.addEventListener("focus", () => {
    load("library", "minisearch", "assets/minisearch.js");
    load("ground", "", "data/ground.js");
    if (input.value.trim() && found.hidden) show();
  });
  find.addEventListener("keydown", (event) => {
    const links = all("a", list);
    const at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && links.length) { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus(); }
    else if (event.key === "ArrowUp" && at >= 0) { event.preventDefault(); (at ? links[at - 1] : input).focus(); }
    else if (event.key === "Enter" && document.activeElement === input && links.length) { event.preventDefault(); links[0].click(); }
    else if (event.key === "Escape") { input.focus(); input.select(); shut(); }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); input.focus(); }
    if (event.key === "Escape") all(".cite:hover, .cite:focus-within").forEach((cite) => {
      cite.classList.add("shut");
      const again = () => cite.classList.remove("shut");
      cite.addEventListener("mouseleave", again, { once: true });
      cite.addEventListener("focusout", again, { once: true });
    });
  });
  document.addEventListener("click", (event) => { if (!find.contains(event.target)) shut(); });

  // The page as of a day. A claim's stretches are half open: it holds on its first day, not on the day after its last.
  const form = $("form.asof");
  if (form) {
    const day = $("#asof");
    const told = $("output", form);
    const claims = all(".claim");
    const line = $("svg line.asof");
    form.hidden = false;
    day.min = form.dataset.first;
    const holds = (claim, on) => claim.dataset.spans.trim().split(" ").filter(Boolean).some((span) => {
      const [start, end] = span.split("/");
      return (!start || start <= on) && (!end || on < end);
    });
    const apply = () => {
      const on = /^\d{4}-\d\d-\d\d$/.test(day.value) ? day.value : "";
      document.body.classList.toggle("then", Boolean(on));
      let held = 0;
      for (const claim of claims) {
        const then = !on || holds(claim, on);
        claim.hidden = !then;
        claim.classList.toggle("held", Boolean(on) && then);
        held += Boolean(on) && then;
      }
      all("main section").forEach((section) => {
        const mine = all(".claim", section);
        if (mine.length && !section.classList.contains("timeline")) section.classList.toggle("without", mine.every((claim) => claim.hidden));
      });
      told.textContent = on ? held + " of " + claims.length + " claims held" : "";
      if (line) {
        const svg = line.ownerSVGElement;
        const days = (Date.parse(on) - Date.parse(svg.dataset.first)) / 864e5;
        const x = on ? Number(svg.dataset.left) + Number(svg.dataset.scale) * days : -9;
        for (const end of ["x1", "x2"]) line.setAttribute(end, String(x));
      }
      const address = new URL(location.href);
      if (on) address.searchParams.set("as-of", on); else address.searchParams.delete("as-of");
      try { history.replaceState(null, "", address); } catch { /* not every browser lets a file do that */ }
    };
    day.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    const asked = new URLSearchParams(location.search).get("as-of");
    if (asked) { day.value = asked; apply(); }
    const quotes = $(".quotes", form);
    quotes.addEventListener("click", () => {
      const shown = document.body.classList.toggle("with-quotes");
      quotes.setAttribute("aria-pressed", String(shown));
      quotes.textContent = shown ? "Hide quotes" : "Show quotes";
    });
  }

  // A turn that is jumped to is unfolded.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) all("details", target).forEach((details) => { details.open = true; });
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
