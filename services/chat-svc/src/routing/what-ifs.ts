import { GatewayError } from '@tallyport/contracts';
import type { Plan, WhatIf, WhatIfs } from '@tallyport/dispatch';

interface Assumption {
  /** The parameter, with a list such as `openai:50,azure:99.5`. */
  name: keyof WhatIf;
  least: number;
  most: number;
  what: string;
  valueOf(figure: number): number;
}

const asIs = (figure: number): number => figure;

const assumptions: readonly Assumption[] = [
  { name: 'uptime', least: 0, most: 100, what: 'a percentage from 0 to 100', valueOf: (percent) => percent / 100 },
  { name: 'price', least: 0, most: 1_000, what: 'how many times its price, from 0 to 1000', valueOf: asIs },
  { name: 'slowness', least: 0.01, most: 1_000, what: 'how many times as slow, from 0.01 to 1000', valueOf: asIs },
];

/** The assumptions in a query; `undefined` without any. */
export function readWhatIfs(query: string | undefined): WhatIfs | undefined {
  const parameters = new URLSearchParams(query);
  const whatIfs = new Map<string, WhatIf>();
  for (const assumption of assumptions) {
    const parts = parameters.get(assumption.name)?.split(',') ?? [];
    for (const part of parts) {
      const { provider, value } = readPart(part, assumption);
      whatIfs.set(provider, { ...whatIfs.get(provider), [assumption.name]: value });
    }
  }
  return whatIfs.size === 0 ? undefined : whatIfs;
}

function readPart(part: string, { name, least, most, what, valueOf }: Assumption): { provider: string; value: number } {
  const [, provider = '', digits = ''] = /^([^:]+):(\d{1,4}(?:\.\d{1,6})?)$/.exec(part.trim()) ?? [];
  const figure = Number(digits);
  if (digits !== '' && figure >= least && figure <= most) return { provider, value: valueOf(figure) };
  const message = `'${name}' must name a provider and ${what}, such as ${name}=openai:${most === 100 ? 50 : 2}.`;
  throw new GatewayError('invalid_parameters', message, { param: name });
}

/** Throws if something is assumed about a provider that does not offer the model: it would have no effect. */
export function refuseStrangers(whatIfs: WhatIfs | undefined, plans: readonly Plan[]): void {
  const offers = plans.flatMap(({ candidates, excluded }) => [...candidates, ...excluded]);
  const providers = new Set(offers.map(({ offer }) => offer.providerId));
  const models = plans.map(({ model }) => model.id).join(' or ');
  for (const [provider, whatIf] of whatIfs ?? []) {
    if (providers.has(provider)) continue;
    const message = `'${provider}' does not offer ${models}. Its providers: ${[...providers].join(', ')}.`;
    throw new GatewayError('invalid_parameters', message, { param: Object.keys(whatIf)[0] ?? 'uptime' });
  }
}
