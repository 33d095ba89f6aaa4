/** What runs in the page: it says what was asked for. */
export const SCRIPT = `
const vscode = acquireVsCodeApi();
document.addEventListener("click", (event) => tell(event.target));
document.addEventListener("keydown", (event) => {
  if ((event.key === "Enter" || event.key === " ") && event.target.closest("[data-node]")) {
    event.preventDefault();
    tell(event.target);
  }
});
function tell(target) {
  const asked = target.closest("[data-do], [data-node]");
  if (asked) {
    vscode.postMessage({ what: asked.dataset.do || "reveal", node: Number(asked.dataset.node) });
  }
}
`;
