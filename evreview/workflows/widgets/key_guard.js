// In command mode JupyterLab takes an arrow from a select, and a letter as a command: "dd" in a list deletes the cell.
// It listens on the document, and only what reaches it. Keys with Control, Alt or Command stay its own: saving works.
const keep = (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
};

function render({ el }) {
  let output = null;
  // Only once it is laid out does the element stand in its output.
  const placed = new ResizeObserver(() => {
    if (output) return;
    output = el.closest(".jp-OutputArea-output");
    output?.addEventListener("keydown", keep);
  });
  placed.observe(el);
  return () => placed.disconnect();
}

export default { render };
