// Shows the values of a chart under the pointer, at a touch, and with the arrow keys, instead of the browser's tooltips.
for (const chart of document.querySelectorAll('.chart')) {
  const marks = chart.querySelector('.plot-marks');
  if (marks?.querySelector('rect.slot title')) start(marks, chart.querySelector('h2').textContent);
}

function start(marks, name) {
  const slots = slotsIn(marks);
  const plot = marks.parentElement;
  const box = make('div', 'plot-values-at');
  const line = make('div', 'plot-line');
  const status = make('p', 'unseen');
  status.setAttribute('role', 'status');
  plot.append(line, box, status);
  plot.tabIndex = 0;
  plot.setAttribute('role', 'group');
  plot.setAttribute('aria-label', `${name}: values with the arrow keys`);
  let shown = -1;

  function show(at) {
    shown = at;
    box.hidden = line.hidden = at < 0;
    if (at < 0) return;
    const [title, ...values] = slots[at].texts;
    box.replaceChildren(make('strong', '', title), ...values.map((text) => make('span', '', text)));
    place(at);
  }

  function place(at) {
    const { left, width } = marks.getBoundingClientRect();
    const middle = left - plot.getBoundingClientRect().left + ((at + 0.5) / slots.length) * width;
    const side = middle > plot.clientWidth / 2 ? -box.offsetWidth - 12 : 12;
    line.style.left = `${middle}px`;
    box.style.left = `${Math.max(0, Math.min(plot.clientWidth - box.offsetWidth, middle + side))}px`;
  }

  function slotAt(x) {
    const { left, width } = marks.getBoundingClientRect();
    const at = Math.floor(((x - left) / width) * slots.length);
    return at < 0 || at >= slots.length ? -1 : at;
  }

  marks.addEventListener('pointermove', ({ clientX }) => show(slotAt(clientX)));
  marks.addEventListener('pointerdown', ({ clientX }) => show(slotAt(clientX)));
  // A finger that was lifted leaves, and its values stay.
  marks.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && show(-1));
  plot.addEventListener('blur', () => show(-1));
  plot.addEventListener('keydown', (event) => {
    const to = target(event.key, shown, slots.length);
    const href = slots[shown]?.link?.getAttribute('href');
    if (event.key === 'Enter' && href) location.assign(href);
    if (to === undefined) return;
    event.preventDefault();
    show(to);
    status.textContent = to < 0 ? '' : slots[to].texts.join(', ');
  });
  show(-1);
}

/** The slots of a chart with the texts of their tooltips, which are removed. The marks of a slot follow it. */
function slotsIn(marks) {
  const slots = [];
  for (const mark of marks.querySelectorAll('rect')) {
    const title = mark.querySelector('title');
    if (!title) continue;
    const text = title.textContent;
    title.remove();
    if (mark.classList.contains('slot')) {
      const link = mark.closest('a');
      slots.push({ link, texts: text.split('\n') });
    } else slots.at(-1)?.texts.push(text.slice(text.indexOf(', ') + 2));
  }
  return slots;
}

/** The slot that a key leads to; -1 for none, `undefined` for other keys. */
function target(key, shown, count) {
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(last, shown + 1);
    case 'ArrowLeft':
      return shown < 0 ? last : Math.max(0, shown - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return -1;
    default:
      return undefined;
  }
}

function make(name, className, textContent = '') {
  return Object.assign(document.createElement(name), { className, textContent });
}
