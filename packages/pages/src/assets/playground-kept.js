// Keeps the conversation of this tab over a reload, and models and system text in the address.

const place = 'tallyport-playground';
/** Of the only conversation that is kept. */
const mostKept = 1_000_000;
const longestSystem = 2_000;

/** What `keep` kept before this page was reloaded or returned to; nothing for another page. */
export function keptBefore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return kept !== null && kept.page === history.state?.page ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keep(conversation) {
  const page = history.state?.page ?? String(performance.timeOrigin);
  try {
    history.replaceState({ ...history.state, page }, '');
    const text = JSON.stringify({ ...conversation, page });
    if (text.length > mostKept) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    // Without storage, a reload begins a new conversation.
  }
}

/** The same page as a link to others: without the message. */
export function showInAddress({ model, model2, model3, system = '' }) {
  const url = new URL(location.pathname, location.origin);
  url.searchParams.set('models', [model, model2, model3].filter(Boolean).join(','));
  if (system.trim() !== '' && system.length <= longestSystem) url.searchParams.set('system', system);
  history.replaceState(history.state, '', url);
  const link = document.querySelector('#new-conversation');
  if (link) link.href = url.href;
}
