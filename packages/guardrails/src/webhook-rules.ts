import type { GuardrailChecks } from '@tallyport/contracts';

/** A webhook that decides about the texts of a request or an answer. */
export interface WebhookRule {
  name: string;
  onFailure: 'allow' | 'block';
  timeoutMs: number;
  /** Of a streamed answer, how many characters it gets at a time. */
  portion: number;
}

const defaultTimeoutMs = 2_000;
const defaultPortion = 1_000;

/** One rule for each webhook, with the stricter value of each setting; portions are as long as the longest one. */
export function combineWebhooks(named: readonly NonNullable<GuardrailChecks['webhook']>[]): WebhookRule[] {
  const names = new Set(named.map(({ name }) => name));
  return [...names].map((name) => {
    const same = named.filter((each) => each.name === name);
    return {
      name,
      onFailure: same.some(({ onFailure }) => onFailure === 'block') ? 'block' : 'allow',
      timeoutMs: Math.min(...same.map(({ timeoutMs = defaultTimeoutMs }) => timeoutMs)),
      portion: Math.max(...same.map(({ portion = defaultPortion }) => portion)),
    };
  });
}
