import type { Guardrails, Principal } from '@tallyport/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

let bench: ChatBench;
beforeAll(async () => {
  bench = await startChatBench({ environment: { CACHE_TTL_SECONDS: '0' } });
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const secret = 'ada@example.com';
const email = (part: keyof Guardrails, action: 'block' | 'redact'): Guardrails => ({
  [part]: { detect: { email: action } },
});
const callerIn = (projectId?: string, guardrails?: Guardrails): Principal => ({
  accountId: 'account',
  keyId: `key of ${projectId}`,
  ...(projectId !== undefined && { projectId }),
  ...(guardrails && { guardrails: [guardrails] }),
});
const respond = async (principal: Principal, members: object = {}) => {
  const answer = await bench.inApi('responses', { model: 'sandbox-chat', input: 'Hello', ...members }, { principal });
  return { ...answer, response: answer.text === '' ? undefined : JSON.parse(answer.text) };
};
const saidToVendor = () => String(bench.simulator.requests.at(-1)?.body);
const codeOf = ({ status, error }: { status: number; error?: { code: string } | undefined }) => error?.code ?? status;

type Access = (
  principal: Principal,
  id: string,
  item: string,
) => Promise<{ status: number; error?: { code: string } | undefined; text: string }>;

/** All that a client can do with a response that is stored. */
const accesses: Record<string, Access> = {
  'reads it': (principal, id) => bench.stored('getResponse', id, { principal }),
  'streams it again': (principal, id) =>
    bench.stored('getResponse', id, { principal, query: 'stream=true&starting_after=1' }),
  'lists its input': (principal, id) => bench.stored('listInputItems', `${id}/input_items`, { principal }),
  'cancels it': (principal, id) => bench.stored('cancelResponse', `${id}/cancel`, { principal }),
  'deletes it': (principal, id) => bench.stored('deleteResponse', id, { principal }),
  'continues it': (principal, id) => respond(principal, { previous_response_id: id }),
  'refers to its items': (principal, _id, item) =>
    respond(principal, {
      input: [
        { type: 'item_reference', id: item },
        { role: 'user', content: 'Hi' },
      ],
    }),
  'counts its tokens': (principal, id) =>
    bench.countResponseTokens({ model: 'sandbox-chat', input: 'Hi', previous_response_id: id }, { principal }),
};
const refusals: Record<string, string> = {
  'continues it': 'previous_response_not_found',
  'counts its tokens': 'previous_response_not_found',
};
const answers: Record<string, string> = {
  'streams it again': 'invalid_parameters',
  'cancels it': 'invalid_parameters',
};

describe('a stored response of a project', () => {
  const owners = ['search', undefined];
  const strangers = owners.flatMap((owner) =>
    ['search', 'ads', undefined].filter((other) => other !== owner).map((other) => ({ owner, other })),
  );
  test.each(Object.keys(accesses).flatMap((access) => strangers.map((pair) => ({ access, ...pair }))))(
    'of $owner is unknown to a key of $other that $access',
    async ({ access, owner, other }) => {
      const { response } = await respond(callerIn(owner));
      const refused = await accesses[access]!(callerIn(other), response.id, response.output[0].id);
      expect([codeOf(refused), refused.text]).toEqual([refusals[access] ?? 'not_found', '']);
      // It is still there for its own project.
      expect((await bench.stored('getResponse', response.id, { principal: callerIn(owner) })).status).toBe(200);
    },
  );

  test.each(Object.keys(accesses))('is there for another key of the project that %s', async (access) => {
    const { response } = await respond(callerIn('search'));
    const another = { ...callerIn('search'), keyId: 'another' };
    const answer = await accesses[access]!(another, response.id, response.output[0].id);
    expect(codeOf(answer)).toBe(answers[access] ?? 200);
  });
});

describe('rules that are newer than a stored response', () => {
  const kept = async (input = `Say ${secret}`) => (await respond(callerIn(), { input })).response;

  test.each([
    ['reads it', 'answer'],
    ['continues it', 'answer'],
    ['continues it', 'request'],
    ['refers to its items', 'answer'],
    ['refers to its items', 'request'],
    ['counts its tokens', 'request'],
    ['lists its input', 'request'],
  ] as const)('block a key that %s, by rules for the %s', async (access, part) => {
    const response = await kept();
    bench.simulator.reset();
    const refused = await accesses[access]!(
      callerIn(undefined, email(part, 'block')),
      response.id,
      response.output[0].id,
    );
    expect([codeOf(refused), refused.text]).toEqual(['guardrail_blocked', '']);
    expect(bench.simulator.requests).toEqual([]);
  });

  test('leave a record where they block a request that continues it', async () => {
    const response = await kept();
    const before = bench.usage.length;
    await respond(callerIn(undefined, email('answer', 'block')), {
      previous_response_id: response.id,
      user: 'ann',
    });
    await expect
      .poll(() => bench.usage.slice(before).filter(({ endReason }) => endReason === 'refused'))
      .toMatchObject([
        { cost: '0', error: 'guardrail_blocked', requestedModel: 'sandbox-chat', endUser: 'ann', attempts: [] },
      ]);
  });

  test('redact it where it is read', async () => {
    const response = await kept();
    const principal = callerIn(undefined, email('answer', 'redact'));
    const { text } = await bench.stored('getResponse', response.id, { principal });
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(response).replaceAll(secret, '[email]')));
  });

  test.each(['answer', 'request'] as const)('redact it where it is continued, by rules for the %s', async (part) => {
    const response = await kept();
    const next = await respond(callerIn(undefined, email(part, 'redact')), { previous_response_id: response.id });
    expect(next.status).toBe(200);
    expect(saidToVendor()).toContain('You said: \\"Say [email]\\"');
    expect(saidToVendor().split(secret)).toHaveLength(part === 'answer' ? 2 : 1);
  });

  test('redact its input where that is listed', async () => {
    const first = await kept();
    const next = (await respond(callerIn(), { input: 'Next', previous_response_id: first.id })).response;
    const principal = callerIn(undefined, { ...email('request', 'redact'), ...email('answer', 'redact') });
    const { text } = await bench.stored('listInputItems', `${next.id}/input_items`, { principal });
    expect(text).not.toContain(secret);
    expect(text.match(/\[email\]/g)).toHaveLength(2);
  });

  test('do not bring back what was redacted when it was stored', async () => {
    const strict = callerIn(undefined, email('answer', 'redact'));
    const { response } = await respond(strict, { input: `Say ${secret}` });
    const { text } = await bench.stored('getResponse', response.id, { principal: callerIn() });
    expect(text).not.toContain(secret);
  });

  test('leave other responses as they are', async () => {
    const response = await kept('Nothing to find');
    const principal = callerIn(undefined, { ...email('request', 'block'), ...email('answer', 'block') });
    const { text } = await bench.stored('getResponse', response.id, { principal });
    expect(JSON.parse(text)).toEqual(response);
  });
});
