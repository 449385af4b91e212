/**
 * Script of every page. A press on an element with `data-action` sends a `PageMessage`; a field with it sends its value
 * at each change. Ticks of boxes with `data-key` and the values of fields survive while the page is hidden, and
 * its queue is known in the next window. An element
 * with `data-some` shows that text, with the number of ticks in place of `{n}`, and `data-base` plus it in place of
 * `{sum}`; without a tick it shows `data-none`. A message `{ show: id }` of the extension shows a hidden element, and
 * `{ replace: id, html }` replaces the content of one; the focus stays on the same button. An element with `data-focus` gets the focus first.
 */
export const PAGE_SCRIPT = `(() => {
  const vscode = acquireVsCodeApi();
  const boxes = () => [...document.querySelectorAll('input[data-key]')];
  const fields = () => [...document.querySelectorAll('input[data-action], select[data-action]')];
  const ticked = () => boxes().filter((box) => box.checked).map((box) => box.dataset.key);
  const send = (action, value) => vscode.postMessage({ action, value, ticked: ticked() });
  const count = () => {
    const n = ticked().length;
    for (const element of document.querySelectorAll('[data-some]')) {
      const { none, some, base } = element.dataset;
      const words = n === 0 ? none : some;
      element.textContent = words.replaceAll('{n}', n).replaceAll('{sum}', Number(base ?? 0) + n);
    }
  };
  const replaceContent = (element, html) => {
    const { action, value } = element.contains(document.activeElement) ? document.activeElement.dataset : {};
    element.innerHTML = html;
    dispatchEvent(new Event('replaced'));
    if (action === undefined) return;
    const same = [...element.querySelectorAll('button[data-action]')].filter((each) => each.dataset.action === action);
    (same.find((each) => each.dataset.value === value) ?? same[0])?.focus();
  };
  const before = vscode.getState();
  const { queue } = document.body.dataset;
  vscode.setState({ ...before, queue });
  for (const box of boxes()) box.checked = before?.ticked?.includes(box.dataset.key) ?? false;
  for (const field of fields()) {
    const value = before?.values?.[field.dataset.action];
    if (value === undefined || value === field.value) continue;
    field.value = value;
    send(field.dataset.action, value);
  }
  count();
  const keep = () => {
    const values = Object.fromEntries(fields().map(({ dataset, value }) => [dataset.action, value]));
    vscode.setState({ queue, ticked: ticked(), values });
  };
  addEventListener('replaced', keep);
  addEventListener('input', ({ target }) => {
    keep();
    count();
    if (fields().includes(target)) send(target.dataset.action, target.value);
  });
  addEventListener('click', ({ target }) => {
    const button = target.closest('button[data-action]');
    if (button !== null) send(button.dataset.action, button.dataset.value ?? '');
  });
  addEventListener('message', ({ data }) => {
    const element = document.getElementById(data.show ?? data.replace);
    if (element === null) return;
    if (data.show !== undefined) element.hidden = false;
    else replaceContent(element, data.html);
  });
  document.querySelector('[data-focus]')?.focus();
})();`;
