/**
 * Script of every page. A press on an element with `data-action` sends a `PageMessage`. Ticks of boxes with `data-key`
 * survive while the page is hidden. An element with `data-some` shows that text, with the number of ticks in place of
 * `{n}`, and `data-base` plus it in place of `{sum}`; without a tick it shows `data-none`. A message `{ show: id }` of
 * the extension shows a hidden element. An element with `data-focus` gets the focus first.
 */
export const PAGE_SCRIPT = `(() => {
  const vscode = acquireVsCodeApi();
  const boxes = () => [...document.querySelectorAll('input[data-key]')];
  const ticked = () => boxes().filter((box) => box.checked).map((box) => box.dataset.key);
  const count = () => {
    const n = ticked().length;
    for (const element of document.querySelectorAll('[data-some]')) {
      const { none, some, base } = element.dataset;
      const words = n === 0 ? none : some;
      element.textContent = words.replaceAll('{n}', n).replaceAll('{sum}', Number(base ?? 0) + n);
    }
  };
  const before = vscode.getState()?.ticked ?? [];
  for (const box of boxes()) box.checked = before.includes(box.dataset.key);
  count();
  addEventListener('change', () => {
    vscode.setState({ ticked: ticked() });
    count();
  });
  addEventListener('click', ({ target }) => {
    const button = target.closest('[data-action]');
    if (button === null) return;
    const { action, value = '' } = button.dataset;
    vscode.postMessage({ action, value, ticked: ticked() });
  });
  addEventListener('message', ({ data }) => {
    const element = document.getElementById(data.show);
    if (element !== null) element.hidden = false;
  });
  document.querySelector('[data-focus]')?.focus();
})();`;
