import { parseArgs } from 'node:util';
import { type NewKey, promptCachingSchema, requestKinds } from '@tallyport/contracts';

const options = {
  expires: { type: 'string' },
  project: { type: 'string' },
  models: { type: 'string' },
  providers: { type: 'string' },
  tiers: { type: 'string' },
  'mcp-tools': { type: 'string' },
  addresses: { type: 'string' },
  rpm: { type: 'string' },
  tpm: { type: 'string' },
  concurrency: { type: 'string' },
  budget: { type: 'string' },
  'end-user-budget': { type: 'string' },
  cache: { type: 'string' },
  'prompt-caching': { type: 'string' },
  admin: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse>['values'];

/**
 * Parses the options of `create`; `undefined` if they are invalid. The values themselves are checked when the key is
 * created.
 */
export function readNewKey(words: readonly string[], now: number): NewKey | undefined {
  try {
    const { values, positionals } = parse(words);
    const [name, ...rest] = positionals;
    if (name === undefined || name === '' || rest.length > 0) return undefined;
    return { name, ...(values.admin === true && { admin: true }), ...bounds(values, now) };
  } catch (error) {
    if (error instanceof TypeError || error instanceof InvalidOption) return undefined;
    throw error;
  }
}

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: true });

class InvalidOption extends Error {}

const bounds = (values: Values, now: number): Omit<NewKey, 'name'> => ({
  ...(values.expires !== undefined && { expiresAt: new Date(now + duration(values.expires)).toISOString() }),
  ...(values.project !== undefined && { projectId: values.project }),
  ...(values.models !== undefined && { allowedModels: list(values.models) }),
  ...(values.providers !== undefined && { allowedProviders: list(values.providers) }),
  ...(values.tiers !== undefined && { allowedTiers: list(values.tiers) }),
  ...(values['mcp-tools'] !== undefined && { allowedMcpTools: list(values['mcp-tools']) }),
  ...(values.addresses !== undefined && { allowedAddresses: list(values.addresses) }),
  ...(values.budget !== undefined && { budget: budget(values.budget) }),
  ...(values['end-user-budget'] !== undefined && { endUserBudget: budget(values['end-user-budget']) }),
  ...(values.cache !== undefined && { cacheTtlSeconds: wholeNumber(values.cache) }),
  ...promptCaching(values),
  ...limits(values),
});

function promptCaching({ 'prompt-caching': chosen }: Values): Pick<NewKey, 'promptCaching'> {
  if (chosen === undefined) return {};
  const { success, data } = promptCachingSchema.safeParse(chosen);
  if (!success) throw new InvalidOption();
  return { promptCaching: data };
}

function limits({ rpm, tpm, concurrency }: Values): Pick<NewKey, 'limits'> {
  if (rpm === undefined && tpm === undefined && concurrency === undefined) return {};
  return {
    limits: {
      ...(rpm !== undefined && { requestsPerMinute: perKind(wholeNumber(rpm)) }),
      ...(tpm !== undefined && { tokensPerMinute: wholeNumber(tpm) }),
      ...(concurrency !== undefined && { concurrency: wholeNumber(concurrency) }),
    },
  };
}

const perKind = (limit: number) => Object.fromEntries(requestKinds.map((kind) => [kind, limit]));

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function duration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') throw new InvalidOption();
  return Number(count) * unitMs[unit];
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidOption();
  return Number(text);
}

function budget(text: string): NonNullable<NewKey['budget']> {
  const [amount = '', period] = text.split('/');
  if (period !== 'day' && period !== 'week' && period !== 'month' && period !== 'total') throw new InvalidOption();
  return { amount, period };
}
