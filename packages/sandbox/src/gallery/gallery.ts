import { escape } from '../page/escape.ts';
import { imageModel } from '../providers.ts';

const ways = [
  ['generate', 'Generated', 'POST /v1/images/generations'],
  ['edit', 'Edited', 'POST /v1/images/edits'],
  ['chat', 'Generated in a chat', 'POST /v1/chat/completions'],
] as const;

/** A page that requests images from the gateway in all three ways, using only its public API. */
export const galleryOf = (gateway: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gallery</title>
<link rel="stylesheet" href="/control/page.css">
<link rel="stylesheet" href="/control/gallery.css">
<link rel="icon" href="data:,">
<script type="module" src="/control/key.js"></script>
<script type="module" src="/control/gallery.js"></script>
</head>
<body>
<header>
<h1>Gallery</h1>
<p>One prompt, three ways: each requests <code>${imageModel}</code>, a simulated model, from ${escape(gateway)}.
The key stays in this tab and is sent only to the gateway.</p>
</header>
<noscript><p class="bad">This page needs scripts. Without them it sends nothing, so that the key never gets into an address.</p></noscript>
<form method="dialog">
<label>API key<input name="key" type="password" autocomplete="off" spellcheck="false" required></label>
<label>Prompt<input name="prompt" value="A red fox in the snow" maxlength="1000" required></label>
<label>Edit prompt<input name="change" value="The same at night" maxlength="1000" required></label>
<button>Generate</button>
</form>
<main data-gateway="${escape(gateway)}" data-model="${imageModel}">
${ways.map(cardOf).join('\n')}
</main>
<footer><p>Break a provider on <a href="/control">the providers page</a> and generate again: another provider answers.</p></footer>
</body>
</html>
`;

const cardOf = ([name, title, operation]: (typeof ways)[number]): string => `<section data-way="${name}">
<h2>${title}</h2>
<code>${operation}</code>
<figure><img alt="${title}" hidden><figcaption><output aria-live="polite">Not yet.</output></figcaption></figure>
</section>`;

export const noGateway = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gallery</title><link rel="stylesheet" href="/control/page.css"></head>
<body><h1>Gallery</h1><p>This simulator has no gateway. <code>npm start</code> starts both.</p></body></html>
`;
