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

/** The stricter value of each setting; portions are as long as the longest one. */
export const combineAsking = (checks: readonly AskingChecks[]): Asking => ({
  onFailure: checks.some(({ onFailure }) => onFailure === 'block') ? 'block' : 'allow',
  timeoutMs: Math.min(...checks.map(({ timeoutMs = defaultTimeoutMs }) => timeoutMs)),
  portion: Math.max(...checks.map(({ portion = defaultPortion }) => portion)),
});
