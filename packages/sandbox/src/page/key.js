// Keeps the key for this tab, so that it is entered once. `npm start` prints a link with `#key=…`: browsers send no
// server what follows `#`.
const field = document.querySelector('input[name="key"]');
const storedAs = 'tallyport-api-key';

function takeFromAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return;
  history.replaceState(null, '', location.pathname);
  sessionStorage.setItem(storedAs, key);
  field.value = key;
}

field.value = sessionStorage.getItem(storedAs) ?? '';
takeFromAddress();
addEventListener('hashchange', takeFromAddress);
field.addEventListener('input', () => sessionStorage.setItem(storedAs, field.value.trim()));
