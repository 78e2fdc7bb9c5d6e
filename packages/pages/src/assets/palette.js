// Opens a dialog with Ctrl-K or ⌘K, in which a text leads to pages and actions.
const link = document.querySelector('a.jump');
const waitMs = 120;
const deadlineMs = 5_000;

if (link) start(link.href);

function start(address) {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);
  const shortcut = make('kbd', { textContent: isMac ? '⌘K' : 'Ctrl K' });
  link.append(shortcut);
  let dialog;
  const open = () => {
    dialog ??= createDialog(address);
    dialog.show();
  };
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
}

function createDialog(address) {
  const input = make('input', { type: 'text', autocomplete: 'off', spellcheck: false, maxLength: 100 });
  input.placeholder = link.dataset.placeholder;
  set(input, { role: 'combobox', 'aria-label': 'Jump to', 'aria-controls': 'palette-places', 'aria-expanded': 'true' });
  const list = set(make('ul', { id: 'palette-places' }), { role: 'listbox', 'aria-label': 'Places' });
  const state = set(make('p', { className: 'quiet small' }), { role: 'status' });
  const dialog = set(make('dialog', { className: 'palette' }), { 'aria-label': 'Jump to' });
  dialog.append(input, list, state);
  document.body.append(dialog);

  let running;
  let timer;
  let chosen = 0;

  const choose = (at) => {
    const options = [...list.children];
    chosen = Math.max(0, Math.min(at, options.length - 1));
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === chosen)));
    options[chosen]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[chosen]?.id ?? '');
  };

  const load = async () => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const url = new URL(`${address}/places`);
    url.searchParams.set('q', input.value);
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { places } = await response.json();
      list.replaceChildren(...places.map(optionOf));
      state.textContent = places.length === 0 ? 'Nothing has this name or id.' : '';
      choose(0);
    } catch {
      if (!signal.aborted) state.textContent = 'The search did not answer. Type again to retry.';
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(load, waitMs);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
    }
    if (event.key === 'Enter') list.children[chosen]?.click();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return {
    show() {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
      load();
    },
  };
}

function optionOf({ kind, text, detail, href }, at) {
  const option = set(make('li', { id: `palette-place-${at}` }), { role: 'option' });
  option.append(
    make('span', { textContent: text }),
    make('span', { className: 'quiet small', textContent: detail ? `${kind}, ${detail}` : kind }),
  );
  option.addEventListener('click', () => location.assign(href));
  return option;
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
