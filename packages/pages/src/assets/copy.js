// Adds a button to each box with text to copy. Browsers offer the clipboard on https and on this machine only.
const resetMs = 2_000;

if (navigator.clipboard) for (const box of document.querySelectorAll('.copy')) addButton(box);

function addButton(box) {
  const text = box.querySelector('pre');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.setAttribute('aria-label', `Copy: ${text.getAttribute('aria-label')}`);
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
  box.querySelector('.label').append(button, result);
}
