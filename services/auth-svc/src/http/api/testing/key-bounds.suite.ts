import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenedManagement } from './open-management.ts';
import { type Person, signUp } from './person.ts';

const nextYear = '2031-01-01T00:00:00.000Z';

const set = {
  expiresAt: nextYear,
  allowedModels: ['a', 'b'],
  allowedProviders: ['p', 'q'],
  allowedTiers: ['flex'],
  allowedMcpTools: ['docs', 'tickets__read'],
  allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
  limits: { requestsPerMinute: { chat: 100 }, tokensPerMinute: 5_000, concurrency: 3 },
  budget: { amount: '12.50', period: 'month' },
  endUserBudget: { amount: '2', period: 'week' },
  cacheTtlSeconds: 10,
  promptCaching: 'off',
  guardrails: { request: { detect: { email: 'block', card: 'redact' } } },
};

const loosened: readonly (readonly [setting: string, value: unknown])[] = [
  ...Object.keys(set).map((name) => [name, null] as const),
  ['expiresAt', '2031-01-01T00:00:00.001Z'],
  ['allowedModels', ['a', 'c']],
  ['allowedProviders', ['p', 'q', 'r']],
  ['allowedTiers', ['flex', 'priority']],
  ['allowedMcpTools', ['docs', 'tickets__write']],
  ['allowedMcpTools', ['tickets']],
  ['allowedAddresses', ['203.0.112.0/23']],
  ['allowedAddresses', ['203.0.114.0/24']],
  ['allowedAddresses', ['2001:db8::/31']],
  ['limits', {}],
  ['limits', { ...set.limits, concurrency: 4 }],
  ['limits', { ...set.limits, concurrency: 0 }],
  ['limits', { ...set.limits, tokensPerMinute: 5_001 }],
  ['limits', { ...set.limits, requestsPerMinute: {} }],
  ['limits', { ...set.limits, requestsPerMinute: { chat: 101 } }],
  ['budget', { amount: '12.51', period: 'month' }],
  ['budget', { amount: '1', period: 'day' }],
  ['endUserBudget', { amount: '2.01', period: 'week' }],
  ['endUserBudget', { amount: '1', period: 'day' }],
  ['cacheTtlSeconds', 11],
  ['promptCaching', 'auto'],
  ['guardrails', {}],
  ['guardrails', { request: { detect: { email: 'redact', card: 'redact' } } }],
];

const tightened = {
  expiresAt: '2030-12-31T23:59:59.999Z',
  allowedModels: ['a'],
  allowedProviders: [],
  allowedTiers: [],
  allowedMcpTools: ['docs__search', 'tickets__read'],
  allowedAddresses: ['203.0.113.128/25', '2001:db8:1::/48'],
  limits: { requestsPerMinute: { chat: 99, images: 1 }, tokensPerMinute: 4_999, concurrency: 2 },
  budget: { amount: '12.49', period: 'month' },
  endUserBudget: { amount: '1.99', period: 'week' },
};

export function describeKeyBounds(open: () => Promise<OpenedManagement>): void {
  describe('bounds of keys', () => {
    let management: OpenedManagement;
    let admin: string;
    let member: Person;
    beforeAll(async () => {
      management = await open();
      admin = (await management.makeKey({ admin: true })).key;
      const invited = await management.ask('POST', '/invitations', { key: admin, body: { email: 'm@example.com' } });
      member = await signUp(management, invited.body);
    });
    afterAll(() => management.close());

    const byAdmin = (id: string, body: object) => management.ask('PATCH', `/keys/${id}`, { key: admin, body });
    const byMember = (id: string, body: object) => member.ask('PATCH', `/keys/${id}`, body);
    async function makeBounded(): Promise<string> {
      const { id } = (await member.ask('POST', '/keys', { name: 'mine' })).body.record;
      expect((await byAdmin(id, set)).status).toBe(200);
      return id;
    }

    it('set by an admin cannot be removed or loosened by the member who owns the key', async () => {
      const id = await makeBounded();
      for (const [setting, value] of loosened) {
        expect([setting, value, await byMember(id, { name: 'renamed', [setting]: value })]).toMatchObject([
          setting,
          value,
          { status: 403, body: { error: { code: 'permission_denied', param: setting } } },
        ]);
      }
      expect((await member.ask('GET', `/keys/${id}`)).body).toMatchObject({ ...set, name: 'mine' });
    });

    it('may be tightened by the member, and loosened again up to what the admin set', async () => {
      const id = await makeBounded();
      expect(await byMember(id, tightened)).toMatchObject({ status: 200, body: tightened });
      expect(await byMember(id, { ...set, name: 'renamed' })).toMatchObject({ status: 200, body: set });
      expect((await byMember(id, { allowedModels: ['a', 'b', 'c'] })).status).toBe(403);
    });

    it('end when an admin removes them, and only cover settings that the admin changed', async () => {
      const id = await makeBounded();
      const budget = { amount: '20', period: 'day' };
      expect((await byAdmin(id, { budget: null })).status).toBe(200);
      expect((await byMember(id, { budget })).status).toBe(200);
      // A form sends every setting, including unchanged ones.
      expect((await byAdmin(id, { ...set, budget, allowedModels: ['a'] })).status).toBe(200);
      expect((await byMember(id, { budget: null })).status).toBe(200);
      expect((await byMember(id, { allowedModels: ['a', 'b'] })).status).toBe(403);
      expect((await byMember(id, { cacheTtlSeconds: null })).status).toBe(403);
    });

    it('set by the members themselves can be changed by them', async () => {
      const { id } = (await member.ask('POST', '/keys', { name: 'own', ...set })).body.record;
      const nothing = Object.fromEntries(Object.keys(set).map((name) => [name, null]));
      expect((await byMember(id, nothing)).status).toBe(200);
    });
  });
}
