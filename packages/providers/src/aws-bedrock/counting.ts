import type { Offer } from '@tallyport/contracts';
import { editMembers } from '@tallyport/wire';
import { type CountingRequest, countingHeaders, type TokenCounting, withMembers } from '../counting/token-counting.ts';
import { members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

/** A model or a profile of Anthropic's: the operation has no others. */
const claude = /(?:^|[./])(anthropic\.claude-(?!v\d|instant)[\w.:-]+)$/;

/** Only models are counted for, not the profiles by which they are invoked in several regions. */
function countingRequest({ modelName }: Offer, body: () => Buffer): CountingRequest | undefined {
  const [, model] = claude.exec(modelName) ?? [];
  if (model === undefined) return undefined;
  return {
    method: 'POST',
    path: `/model/${encodeURIComponent(model)}/count-tokens`,
    headers: countingHeaders,
    body: body(),
  };
}

const tokens = (answer: unknown): number | undefined => tokenCount(members(answer).inputTokens);

const converseMembers: ReadonlySet<string> = new Set([
  'additionalModelRequestFields',
  'messages',
  'system',
  'toolConfig',
]);

/** The tokens of a request of the Converse API. */
export const converseCounting: TokenCounting = {
  request: ({ body }, offer) =>
    countingRequest(offer, () =>
      Buffer.concat([Buffer.from('{"input":{"converse":'), withMembers(body, converseMembers), Buffer.from('}}')]),
    ),
  tokens,
};

/**
 * The tokens of a request in Claude's own format. It is checked like one for an answer, which has a limit above that of
 * thinking.
 */
export const invokeCounting: TokenCounting = {
  request: ({ body }, offer) =>
    countingRequest(offer, () =>
      Buffer.from(JSON.stringify({ input: { invokeModel: { body: withLimit(body).toString('base64') } } })),
    ),
  tokens,
};

function withLimit(body: Buffer): Buffer {
  const { thinking } = members(JSON.parse(body.toString('utf8')));
  const limit = (tokenCount(members(thinking).budget_tokens) ?? 0) + 1;
  return editMembers(body, { removed: new Set(['max_tokens']), added: { max_tokens: String(limit) } });
}
