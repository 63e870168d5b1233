// What is wrong with the page, as a list of sentences.
(() => {
  const wrong = [];
  const name = (element) => {
    const text = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 60);
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> ${text}`;
  };

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    wrong.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
    for (const element of document.body.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      if (box.right > root.clientWidth + 0.5 && !element.closest(".scroll")) {
        wrong.push(`beyond the right edge: ${name(element)}`);
        break;
      }
    }
  }
  if (document.scripts.length) wrong.push("there is a script");

  for (const svg of document.querySelectorAll("svg")) {
    if (svg.getAttribute("aria-hidden") === "true") continue;
    const ids = (svg.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean);
    const texts = ids.map((id) => document.getElementById(id)?.textContent.trim());
    if (svg.getAttribute("role") !== "img" || !texts.length || texts.some((text) => !text)) {
      wrong.push(`a drawing without a text in its place: ${name(svg)}`);
    }
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id occurs twice");

  // Labels of drawings must be apart, and inside of their drawing.
  for (const svg of document.querySelectorAll("svg[role=img]")) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")]
      .filter((text) => text.textContent.trim())
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    labels.forEach((a, place) => {
      const out = 1.5;
      if (a.box.left < frame.left - out || a.box.right > frame.right + out ||
          a.box.top < frame.top - out || a.box.bottom > frame.bottom + out) {
        wrong.push(`a label is cut off: ${a.text}`);
      }
      for (const b of labels.slice(0, place)) {
        const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (x > 1 && y > 3) wrong.push(`labels overlap: ${a.text} / ${b.text}`);
      }
    });
    // A label of a network stays within its box.
    for (const group of svg.querySelectorAll("g")) {
      const box = group.querySelector("rect")?.getBoundingClientRect();
      for (const text of box ? group.querySelectorAll("text") : []) {
        const label = text.getBoundingClientRect();
        if (label.left < box.left || label.right > box.right) {
          wrong.push(`a label leaves its box: ${text.textContent}`);
        }
      }
    }
  }

  // Headings go down one level at a time, and every head of a table says what it heads.
  let level = 0;
  for (const heading of document.querySelectorAll("h1,h2,h3,h4")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) wrong.push(`a heading skips a level: ${name(heading)}`);
    level = next;
  }
  for (const head of document.querySelectorAll("th:not([scope])")) {
    wrong.push(`a head without scope: ${name(head)}`);
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one heading of the first level");

  // Texts stand out from what is behind them: 4.5 to 1 (WCAG 2, AA).
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  canvas.canvas.width = canvas.canvas.height = 1;
  const over = (below, color) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const layer of [...below, color]) {
      canvas.fillStyle = layer;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const known = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("title,desc,style")) continue;
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    const style = getComputedStyle(element);
    const isSvg = element.closest("svg");
    const color = isSvg ? style.fill : style.color;
    const box = isSvg ? element.closest("g")?.querySelector("rect") : null;
    if (box) layers.push(getComputedStyle(box).fill);
    const key = layers.join() + color;
    if (known.has(key)) continue;
    const [a, b] = [luminance(over(layers, color)), luminance(over(layers, "transparent"))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    known.set(key, ratio);
    if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${name(element)}`);
  }
  return wrong;
})()
