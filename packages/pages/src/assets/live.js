// Renews a part of the page while it is visible: adds the new rows of a list, or replaces figures. Each time, it requests
// the page with nothing but that part.
const everyMs = { list: 3_000, figures: 15_000 };
const timeoutMs = 10_000;
const mostRows = 200;

const part = document.querySelector('[data-live]');
const kind = part?.dataset.live;
const bar = part?.previousElementSibling;
const button = document.createElement('button');
const status = document.createElement('span');
let timer;
let isOn = true;

if (part) start();

function start() {
  button.type = 'button';
  button.className = 'plain';
  button.addEventListener('click', () => turn(!isOn));
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  bar.append(button);
  bar.after(status);
  document.addEventListener('visibilitychange', schedule);
  turn(true);
}

function turn(on) {
  isOn = on;
  button.textContent = on ? 'Pause live updates' : 'Resume live updates';
  schedule();
}

function schedule() {
  clearTimeout(timer);
  if (isOn && !document.hidden) timer = setTimeout(renew, everyMs[kind]);
}

function renew() {
  const request = new XMLHttpRequest();
  request.open('GET', address());
  // A document is parsed without running its scripts.
  request.responseType = 'document';
  request.timeout = timeoutMs;
  request.addEventListener('load', () => {
    const found = request.status === 200 && request.response?.querySelector('[data-live]');
    if (found) show[kind](found);
    else if (hasEnded(request)) return stop();
    schedule();
  });
  for (const name of ['error', 'timeout']) request.addEventListener(name, schedule);
  request.send();
}

/** The session, or the access to the page. A part that could not be read this time is not an end. */
const hasEnded = ({ status: code, responseURL }) =>
  (code >= 400 && code < 500) || new URL(responseURL).pathname !== location.pathname;

function stop() {
  turn(false);
  status.className = 'note warn';
  status.textContent = 'Live updates have stopped. Reload the page to continue.';
}

const show = { list: addRows, figures: replaceFigures };

function addRows(found) {
  const fresh = [...found.querySelectorAll('tbody tr')];
  const shown = new Set([...part.querySelectorAll('tbody tr')].map(keyOf));
  const added = fresh.filter((row) => !shown.has(keyOf(row)));
  if (added.length === 0) return;
  // If not one row is shown already, there may be others between: the fresh list replaces the shown one.
  if (added.length === fresh.length || shown.size + added.length > mostRows) part.replaceChildren(...found.children);
  else part.querySelector('tbody').prepend(...added);
  for (const row of added) row.classList.add('new');
  status.textContent = added.length === 1 ? 'One new row' : `${added.length} new rows`;
}

/** Titles stay, because a link in them may have the focus. Readers of screens hear nothing: the figures are many. */
function replaceFigures(found) {
  [...part.children].forEach((tile, at) => {
    const before = valuesIn(tile);
    const now = valuesIn(found.children[at]);
    now[0].classList.toggle('changed', now[0].textContent !== before[0].textContent);
    for (const value of before) value.remove();
    tile.append(...now);
  });
}

const valuesIn = (tile) => [...tile.querySelectorAll('dd')];

/** The page with nothing but the part. */
function address() {
  const page = new URL(location.href);
  page.searchParams.set('only', kind);
  return page.href;
}

const keyOf = (row) => row.querySelector('a').href;
