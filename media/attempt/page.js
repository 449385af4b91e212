// The script of the page that shows an attempt. All HTML comes from the extension, which escapes every word of others.
/* global acquireVsCodeApi, document, innerHeight, scrollY, scrollTo, addEventListener */
(() => {
  const vscode = acquireVsCodeApi();
  const byId = (id) => document.getElementById(id);
  const [steps, newer, spoken] = [byId('steps'), byId('newer'), byId('spoken')];
  /** Pixels above the end at which the view still counts as being there. */
  const NEAR_END = 40;
  let isFollowing = true;
  let unseen = 0;

  const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_END;
  const showEnd = () => {
    scrollTo(0, document.documentElement.scrollHeight);
  };

  /** Replaces the content of an element; the focus stays on the same control. */
  function replaceContent(element, html) {
    const focused = element.contains(document.activeElement) ? nameControl(document.activeElement) : null;
    element.innerHTML = html;
    if (focused !== null) element.querySelector(focused)?.focus();
  }

  /** A selector for a control of the page's head. */
  function nameControl({ id, dataset }) {
    if (id !== '') return `#${id}`;
    if (dataset.command !== undefined) return `[data-command="${dataset.command}"]`;
    return dataset.continue === undefined ? null : `[data-continue="${dataset.continue}"]`;
  }

  /** Adds a block or replaces it; what the user unfolded stays unfolded. */
  function placeBlock({ key, html }) {
    const old = steps.querySelector(`[data-key="${key}"]`);
    const block = old ?? document.createElement('div');
    const wasOpen = old?.querySelector('details')?.open === true;
    block.dataset.key = key;
    replaceContent(block, html);
    if (wasOpen) block.querySelector('details')?.setAttribute('open', '');
    if (old === null) steps.insertBefore(block, findNext(key));
    return old === null;
  }

  /** Returns the block before which one with this key is placed; null: it is the last. */
  function findNext(key) {
    let next = null;
    for (let each = steps.lastElementChild; each !== null && Number(each.dataset.key) > key;) {
      next = each;
      each = each.previousElementSibling;
    }
    return next;
  }

  function removeBlocks(gone) {
    if (gone === null) steps.replaceChildren();
    else for (const key of gone) steps.querySelector(`[data-key="${key}"]`)?.remove();
  }

  function update({ parts, blocks, gone, isRunning, shown }) {
    // The next window shows it again.
    vscode.setState(shown);
    const isFirst = gone === null;
    for (const [id, html] of Object.entries(parts)) replaceContent(byId(id), html);
    removeBlocks(gone);
    const added = blocks.filter(placeBlock);
    if (isFirst) {
      isFollowing = isRunning;
      unseen = 0;
    } else if (added.length > 0) {
      spoken.textContent = added.map((block) => block.spoken).join('. ');
      if (!isFollowing) unseen += added.length;
    }
    if (isRunning && isFollowing) showEnd();
    newer.hidden = !isRunning || unseen === 0;
    newer.textContent = unseen === 1 ? newer.dataset.one : newer.dataset.more.replaceAll('{0}', unseen);
  }

  addEventListener('message', ({ data }) => update(data));
  addEventListener(
    'scroll',
    () => {
      isFollowing = isAtEnd();
      if (!isFollowing) return;
      unseen = 0;
      newer.hidden = true;
    },
    { passive: true },
  );
  newer.addEventListener('click', () => {
    isFollowing = true;
    showEnd();
  });
  addEventListener('click', ({ target }) => {
    const button = target.closest('button');
    if (button === null) return;
    const { command, path, line, continue: where } = button.dataset;
    if (command !== undefined) vscode.postMessage({ kind: 'command', name: command });
    else if (path !== undefined) vscode.postMessage({ kind: 'file', path, line: Number(line) });
    else if (where !== undefined) vscode.postMessage({ kind: 'continue', where });
  });
  addEventListener('change', ({ target }) => {
    if (target.id === 'attempt') vscode.postMessage({ kind: 'attempt', number: Number(target.value) });
  });
  vscode.postMessage({ kind: 'ready' });
})();
