// Adds new rows to a list while its page is visible. Each time, it requests the page itself and takes the rows from it.
const everyMs = 3_000;
const timeoutMs = 10_000;
const mostRows = 200;

const list = document.querySelector('[data-live]');
const bar = list?.previousElementSibling;
const button = document.createElement('button');
const status = document.createElement('span');
let timer;
let isOn = true;

if (list) start();

function start() {
  button.type = 'button';
  button.className = 'plain';
  button.addEventListener('click', () => turn(!isOn));
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  bar.prepend(button);
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
  if (isOn && !document.hidden) timer = setTimeout(renew, everyMs);
}

function renew() {
  const request = new XMLHttpRequest();
  request.open('GET', location.href);
  // A document is parsed without running its scripts.
  request.responseType = 'document';
  request.timeout = timeoutMs;
  request.addEventListener('load', () => {
    const found = request.status === 200 && request.response?.querySelector('[data-live]');
    if (found) show(found);
    // The session has ended.
    else if (request.status < 500) return stop();
    schedule();
  });
  for (const name of ['error', 'timeout']) request.addEventListener(name, schedule);
  request.send();
}

function stop() {
  turn(false);
  status.className = 'note warn';
  status.textContent = 'Live updates have stopped. Reload the page to continue.';
}

function show(found) {
  const fresh = [...found.querySelectorAll('tbody tr')];
  const shown = new Set([...list.querySelectorAll('tbody tr')].map(keyOf));
  const added = fresh.filter((row) => !shown.has(keyOf(row)));
  if (added.length === 0) return;
  // If not one row is shown already, there may be others between: the fresh list replaces the shown one.
  if (added.length === fresh.length || shown.size + added.length > mostRows) list.replaceChildren(...found.children);
  else list.querySelector('tbody').prepend(...added);
  for (const row of added) row.classList.add('new');
  status.textContent = added.length === 1 ? 'One new row' : `${added.length} new rows`;
}

const keyOf = (row) => row.querySelector('a').href;
