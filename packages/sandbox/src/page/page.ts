import { sharedModel } from '../providers.ts';
import { escape } from './escape.ts';
import type { ProviderView, RequestView } from './view.ts';

/** Faults that a button applies. */
const faults: readonly (readonly [label: string, fault: string])[] = [
  ['Fails (503)', 'status:503'],
  ['Rate limited (429)', 'status:429;retry-after=5'],
  ['Slow (3 s)', 'slow-first-byte:3000'],
  ['Hangs', 'hang'],
  ['Disconnects', 'cut:1500'],
];

const refreshSeconds = 2;

/** The whole page. It works without a script: the forms are plain, and the page then reloads itself. */
export const pageOf = (providers: readonly ProviderView[], gateway?: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Simulated providers</title>
<link rel="stylesheet" href="/control/page.css">
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>
<script src="/control/page.js" defer></script>
${gateway === undefined ? '' : '<script type="module" src="/control/key.js"></script>\n<script type="module" src="/control/ask.js"></script>'}
</head>
<body>
<header>
<h1>Simulated providers</h1>
<p>Break a provider, ask the gateway, and the next provider answers. Heal it, and requests return to it within about 15 seconds.</p>
</header>
${gateway === undefined ? '' : askForm(gateway)}
<main>
${providers.map(cardOf).join('\n')}
</main>
<footer>
<p>The same over HTTP: <code>POST /control/faults</code>, <code>POST /control/scripts</code>, <code>GET /control/requests</code>. Images: <a href="/control/gallery">the gallery</a>.</p>
<form method="post" action="/control/heal"><button class="quiet">Heal all</button></form>
</footer>
</body>
</html>
`;

/** Without scripts it sends nothing: a form that belongs to no dialog has no target. */
const askForm = (
  gateway: string,
): string => `<form class="ask" aria-label="Ask the gateway" method="dialog" data-gateway="${escape(gateway)}" data-model="${sharedModel}">
<label>API key<input name="key" type="password" autocomplete="off" spellcheck="false" required></label>
<button>Ask the gateway</button>
<output aria-live="polite">Sends a chat to ${escape(gateway)} and shows which providers it tries. The key stays in this tab.</output>
<noscript><p>This button needs scripts. The same with curl: <code>npm start</code> prints the command.</p></noscript>
</form>`;

const cardOf = ({ id, models, fault, requests }: ProviderView): string => `<section aria-labelledby="${escape(id)}">
<div class="title"><h2 id="${escape(id)}">${escape(id)}</h2>${live(`${id}-state`, stateOf(fault))}</div>
<p class="models">${models.map(escape).join(' · ')}</p>
<div class="actions" role="group" aria-label="Break or heal ${escape(id)}">
${faults.map(([label, words]) => buttonOf(id, label, words)).join('\n')}
<form method="post" action="/control/heal">${hidden('provider', id)}<button class="heal">Heal</button></form>
</div>
${live(`${id}-requests`, tableOf(requests))}
</section>`;

const buttonOf = (provider: string, label: string, fault: string): string =>
  `<form method="post" action="/control/break">${hidden('provider', provider)}${hidden('fault', fault)}<button>${label}</button></form>`;

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escape(value)}">`;

/** A part that the script replaces, so that buttons neither move nor lose the focus. */
const live = (name: string, content: string) => `<div data-live="${escape(name)}">${content}</div>`;

const stateOf = (fault: string | undefined): string =>
  fault === undefined
    ? '<span class="state good">healthy</span>'
    : `<span class="state bad" title="${escape(fault)}">${escape(fault)}</span>`;

function tableOf(requests: readonly RequestView[]): string {
  if (requests.length === 0) return '<p class="none">No requests yet.</p>';
  return `<table>
<thead><tr><th>Model</th><th>Result</th><th class="number">Took</th><th class="number">When</th></tr></thead>
<tbody>${requests.map(rowOf).join('')}</tbody>
</table>`;
}

const rowOf = ({ model, result, kind, tookMs, agoSeconds }: RequestView): string =>
  `<tr><td>${escape(model)}</td><td class="${kind}">${escape(result)}</td><td class="number">${duration(tookMs)}</td><td class="number">${ago(agoSeconds)}</td></tr>`;

function duration(ms: number | undefined): string {
  if (ms === undefined) return '…';
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function ago(seconds: number): string {
  if (seconds < 2) return 'now';
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}
