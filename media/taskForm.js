// The page of the task form. It sends what is typed and shows what comes back; every rule is in the extension.
(() => {
  const api = acquireVsCodeApi();
  const byId = (id) => document.getElementById(id);
  const form = byId('form');
  const fields = [...form.querySelectorAll('[data-field]')];
  const after = byId('after');
  /** Fields that the user has left: only their problems are shown. */
  const left = new Set();
  let isSubmitted = false;
  let view = null;
  let lastFocus = null;

  const readValues = () => Object.fromEntries(fields.map((field) => [field.dataset.field, field.value]));
  const sendChange = () => api.postMessage({ kind: 'change', values: readValues() });

  const submit = (again) => {
    isSubmitted = true;
    takeDependency();
    api.postMessage({ kind: 'submit', values: readValues(), again });
  };

  const controlOf = (name) => (name === 'dependencies' ? after : byId(name));

  const showText = (element, text, tone = '') => {
    if (element.textContent !== text) element.textContent = text;
    element.dataset.tone = tone;
    element.hidden = text === '';
  };

  const showNotes = (name) => {
    const isShown = isSubmitted || left.has(name);
    const problem = (isShown && view.problems[name]) || '';
    const hint = problem === '' ? view.hints[name] : undefined;
    showText(byId(`problem-${name}`), problem);
    showText(byId(`hint-${name}`), hint ? hint.text : '', hint ? hint.tone : '');
    const control = controlOf(name);
    if (problem === '') control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
  };

  /** Returns a text of the page with a value in it. */
  const fill = (text, value) => text.replaceAll('{0}', () => value);

  const createButton = (label, text, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'remove';
    button.setAttribute('aria-label', label);
    button.title = label;
    button.textContent = text;
    button.addEventListener('click', act);
    return button;
  };

  const createItem = (className, text) => {
    const item = document.createElement('span');
    item.className = className;
    item.setAttribute('role', 'listitem');
    const label = document.createElement('span');
    label.textContent = text;
    item.append(label);
    return item;
  };

  const showChips = () => {
    const chips = byId('chips');
    const drawn = view.chips.map(({ id, text, isBad }) => {
      const chip = createItem(isBad ? 'chip bad' : 'chip', text);
      chip.append(createButton(fill(chips.dataset.remove, text), '×', () => removeDependency(id)));
      return chip;
    });
    chips.replaceChildren(...drawn);
  };

  const showAttachments = () => {
    const list = byId('attachments');
    const drawn = view.attachments.map(({ title, text }, index) => {
      const item = document.createElement('div');
      item.className = 'attachment';
      item.setAttribute('role', 'listitem');
      const head = createItem('attached', title);
      head.removeAttribute('role');
      const remove = () => api.postMessage({ kind: 'detach', index });
      head.append(createButton(fill(list.dataset.remove, title), '×', remove));
      item.append(head);
      if (text !== '') {
        const shown = document.createElement('pre');
        shown.textContent = text;
        shown.tabIndex = 0;
        shown.setAttribute('aria-label', fill(list.dataset.context, title));
        item.append(shown);
      }
      return item;
    });
    list.replaceChildren(...drawn);
  };

  const showOptions = (list, texts) => {
    if (list.dataset.texts === texts.join('\n')) return;
    list.dataset.texts = texts.join('\n');
    const options = texts.map((text) => {
      const option = document.createElement('option');
      option.value = text;
      return option;
    });
    list.replaceChildren(...options);
  };

  /** Takes no text while it is being saved: nobody would save that. The focus is where it was afterwards. */
  const showSaving = (isSaving) => {
    const main = form.querySelector('main');
    if (main.inert === isSaving) return;
    if (isSaving) lastFocus = document.activeElement;
    main.inert = isSaving;
    if (!isSaving && lastFocus !== null) lastFocus.focus();
  };

  const show = (next) => {
    const before = view;
    view = next;
    for (const field of fields) showNotes(field.dataset.field);
    const repeat = byId('repeat').value;
    byId('repeatAt').hidden = repeat !== 'day' && repeat !== 'weekday';
    byId('interval').hidden = repeat !== 'interval';
    if (JSON.stringify(before && before.chips) !== JSON.stringify(next.chips)) showChips();
    if (JSON.stringify(before && before.attachments) !== JSON.stringify(next.attachments)) showAttachments();
    showOptions(byId('tasks'), next.tasks);
    showOptions(byId('folders'), next.folders);
    byId('prompt').readOnly = next.promptFile !== null;
    showSaving(next.isSaving);
    showText(byId('failure'), next.failure || '');
    showText(byId('lead'), next.outcome.lead);
    showText(byId('rest'), next.outcome.rest);
  };

  const setValues = (values) => {
    for (const field of fields) {
      const value = values[field.dataset.field];
      // A value that the list does not have must not be lost.
      if (field.tagName === 'SELECT' && ![...field.options].some((option) => option.value === value)) {
        field.add(new Option(value, value));
      }
      if (field.value !== value) field.value = value;
    }
    const isUsed = (name) => values[name] !== '' && !(name === 'retries' && values[name] === '3');
    if ([...byId('more').querySelectorAll('[data-field]')].some(({ id }) => isUsed(id)))
      byId('more').open = true;
  };

  const dependencies = () =>
    byId('dependencies')
      .value.split('|')
      .filter((id) => id.trim() !== '');

  const setDependencies = (ids) => {
    byId('dependencies').value = [...new Set(ids)].join('|');
    left.add('dependencies');
    sendChange();
  };

  const removeDependency = (id) => {
    setDependencies(dependencies().filter((one) => one.trim() !== id));
    after.focus();
  };

  /** Takes the task that is typed: by its id, or the only one with these words. */
  const takeDependency = () => {
    const typed = after.value.trim();
    if (typed === '') return;
    const words = typed.toLowerCase();
    const found = view.tasks.filter((task) => task.toLowerCase().includes(words));
    const [, id] = /^(\d+)(?:\s|$)/.exec(typed) || /^(\d+)/.exec(found.length === 1 ? found[0] : '') || [];
    after.value = '';
    setDependencies([...dependencies(), id || typed.replaceAll('|', ' ')]);
  };

  const focusField = (name) => {
    const control = controlOf(name);
    const more = control.closest('details');
    if (more) more.open = true;
    control.focus();
  };

  after.addEventListener('change', takeDependency);
  after.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    takeDependency();
  });
  form.addEventListener('input', (event) => {
    if (event.target !== after) sendChange();
  });
  form.addEventListener('focusout', ({ target, relatedTarget }) => {
    // The window lost the focus, not the field.
    if (relatedTarget === null && document.activeElement === target) return;
    const { field } = target.dataset;
    if (field === undefined || view === null || target.value === '') return;
    left.add(field);
    showNotes(field);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(false);
  });
  form.addEventListener('keydown', (event) => {
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    // Enter alone sends nothing: a task is not added by accident.
    if (event.key === 'Enter' && event.target.tagName === 'INPUT') event.preventDefault();
    if (!isSend) return;
    event.preventDefault();
    submit(false);
  });
  byId('editPrompt').addEventListener('click', () => api.postMessage({ kind: 'editPrompt' }));
  byId('browse').addEventListener('click', () => api.postMessage({ kind: 'browse' }));
  byId('cancel').addEventListener('click', () => api.postMessage({ kind: 'cancel' }));
  const again = byId('again');
  if (again !== null) again.addEventListener('click', () => submit(true));

  window.addEventListener('message', ({ data }) => {
    if (data.values) {
      left.clear();
      isSubmitted = false;
      setValues(data.values);
      // Also after the page was hidden: VS Code then loads it anew.
      for (const field of fields) if (field.value !== '') left.add(field.dataset.field);
    }
    show(data.view);
    if (data.focus) focusField(data.focus);
  });
  api.postMessage({ kind: 'ready' });
})();
