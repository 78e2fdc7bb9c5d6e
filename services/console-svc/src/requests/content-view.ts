import type { ContentPart, ContentText, KeptTexts } from '@tallyport/contracts';
import { heading, type Html, html, panel } from '@tallyport/pages';
import { contentDaysField } from '../account/view.ts';
import { whole, words } from './words.ts';

interface ContentPlace {
  base: string;
  /** Of the request's record. */
  id: string;
  /** Whether the account keeps prompts and answers now. */
  isKept: boolean;
  /** Whether the reader may change that. */
  mayChange: boolean;
}

interface ContentPage extends ContentPlace {
  content: KeptTexts | undefined;
  /** Why there is no content. */
  problem: string | undefined;
}

/** What a client sent and what it got, of an account that keeps both. */
export const contentPage = ({ base, id, content, problem, isKept, mayChange }: ContentPage): Html =>
  html`${heading({
    title: 'Prompt and answer',
    text: 'Each visit of this page is in the audit log.',
    back: { href: `${base}/requests/${encodeURIComponent(id)}`, text: 'Request' },
  })}
  ${problem !== undefined && html`<p class="panel padded">${problem} ${!isKept && keepingText(base, mayChange)}</p>`}
  ${content && html`${textPanel('Prompt', content.prompt)} ${answerPanel(content)}`}`;

/** Below the story of a request, for those who may read its content. */
export const contentLink = ({ base, id, isKept, mayChange }: ContentPlace): Html =>
  panel(
    'Prompt and answer',
    html`<p>
      <a href="${base}/requests/${encodeURIComponent(id)}/content">Show what was kept of this request</a>
    </p>`,
    isKept ? 'Each visit is in the audit log.' : keepingText(base, mayChange),
  );

/** How the account keeps them, in reach of a click. */
const keepingText = (base: string, mayChange: boolean): Html =>
  html`The account does not keep prompts and answers.
    ${mayChange ? html`<a href="${base}/account#${contentDaysField}">Keep them from now on</a>.` : 'An owner can change that on the page Account.'}
    The operator has to allow it: <code>LOG_CONTENT=true</code>.`;

const answerPanel = ({ answer }: KeptTexts): Html =>
  answer === undefined ? panel('Answer', [html`<p>No provider answered.</p>`]) : textPanel('Answer', answer);

const textPanel = (title: string, { parts, cut }: ContentText): Html =>
  panel(title, [
    ...parts.map(partView),
    ...(parts.length === 0 ? [html`<p class="quiet">No text.</p>`] : []),
    ...(cut ? [html`<p class="small quiet">It was longer than the account keeps, and ends here.</p>`] : []),
  ]);

const partView = (part: ContentPart): Html =>
  html`<h3 class="small quiet">${captionOf(part)}</h3>
    ${part.text !== undefined && html`<p class="kept">${part.text}</p>`}`;

const kinds = { text: undefined, reasoning: 'reasoning', tool_call: 'call of a tool', file: 'file' } as const;

function captionOf({ role, kind, name, mediaType, bytes }: ContentPart): string {
  const size = bytes === undefined ? undefined : `${whole(bytes)} bytes`;
  const known = [role && words(role), kinds[kind], name, mediaType, size].filter((text) => text !== undefined);
  return known.length === 0 ? 'text' : known.join(', ');
}
