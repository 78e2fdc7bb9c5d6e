// Adds a button to each text to copy. Browsers offer the clipboard on https and on this machine only.
const resetMs = 2_000;

if (navigator.clipboard) {
  for (const box of document.querySelectorAll('.copy')) {
    const text = box.querySelector('pre');
    addButton(text, { name: text.getAttribute('aria-label'), look: 'plain', place: box.querySelector('.label') });
  }
  for (const text of document.querySelectorAll('[data-copy]')) {
    addButton(text, { name: text.textContent, look: 'link small', place: text.parentElement });
  }
}

function addButton(text, { name, look, place }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = look;
  button.setAttribute('aria-label', `Copy: ${name}`);
  const result = document.createElement('span');
  result.setAttribute('role', 'status');
  const show = (label, announced = '') => {
    button.textContent = label;
    result.textContent = announced;
  };
  result.className = 'unseen';
  show('Copy');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text.textContent).then(
      () => show('Copied', 'Copied'),
      () => {
        getSelection().selectAllChildren(text);
        show('Selected', 'The text is selected. Copy it with the keyboard.');
      },
    );
    setTimeout(show, resetMs, 'Copy');
  });
  place.append(' ', button, result);
}
