// Shows what moved sliders assume, without loading the page again. Without this module, the form has a button.
const timeoutMs = 10_000;

for (const form of document.querySelectorAll('[data-renews]')) {
  form.addEventListener('input', ({ target }) => showValue(target));
  form.addEventListener('change', () => renew(form));
}

let running;

function showValue(slider) {
  const [output] = slider.labels[0].parentElement.getElementsByTagName('output');
  if (!output) return;
  output.textContent = `${slider.value} ${output.dataset.unit}`;
  slider.setAttribute('aria-valuetext', output.textContent);
}

/** The page itself is requested with the fields of the form, and its part with the results taken from it. */
function renew(form) {
  const isPosted = form.method === 'post';
  const fields = new URLSearchParams(new FormData(form));
  const address = isPosted ? form.action : `${form.action}?${fields}`;
  running?.abort();
  running = new XMLHttpRequest();
  const request = running;
  request.open(isPosted ? 'POST' : 'GET', address);
  // A document is parsed without running its scripts.
  request.responseType = 'document';
  request.timeout = timeoutMs;
  request.addEventListener('load', () => {
    const results = request.response?.getElementById(form.dataset.renews);
    if (!results) return form.submit();
    const shown = document.getElementById(form.dataset.renews);
    const before = textsOf(shown);
    shown.replaceChildren(...results.childNodes);
    numbersIn(shown).forEach((cell, at) => cell.classList.toggle('changed', cell.textContent !== before[at]));
    if (!isPosted) history.replaceState(null, '', address);
  });
  for (const name of ['error', 'timeout']) request.addEventListener(name, () => form.submit());
  request.send(isPosted ? fields : null);
}

const numbersIn = (part) => [...part.querySelectorAll('td.number')];

const textsOf = (part) => numbersIn(part).map(({ textContent }) => textContent);
