/** How a webhook or a decision model is asked about texts. */
export interface Asking {
  /** What happens if it does not decide. */
  onFailure: 'allow' | 'block';
  timeoutMs: number;
  /** Of a streamed answer, how many characters it gets at a time. */
  portion: number;
}

interface AskingChecks {
  onFailure: Asking['onFailure'];
  timeoutMs?: number | undefined;
  portion?: number | undefined;
}

const defaultTimeoutMs = 2_000;
const defaultPortion = 1_000;

/**
 * The longest time and portion: a key that names a shorter time must not keep the rule of its account, which may let pass
 * what is not decided, from being asked.
 */
export const combineAsking = (checks: readonly AskingChecks[]): Asking => ({
  onFailure: checks.some(({ onFailure }) => onFailure === 'block') ? 'block' : 'allow',
  timeoutMs: Math.max(...checks.map(({ timeoutMs = defaultTimeoutMs }) => timeoutMs)),
  portion: Math.max(...checks.map(({ portion = defaultPortion }) => portion)),
});
