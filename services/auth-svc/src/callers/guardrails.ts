import { type Guardrails, knownGuardrailsSchema, type Principal } from '@tallyport/contracts';
import { compileGuard } from '@tallyport/guardrails';

/** Throws `invalid_parameters` with the path of a pattern that cannot be used. */
export function checkGuardrails(guardrails: Guardrails | null | undefined): void {
  if (guardrails) compileGuard([guardrails]);
}

/** Reads stored guardrails; null if there are none. Those of a key only add to those of its account. */
export function guardrailsOf(...stored: readonly unknown[]): Pick<Principal, 'guardrails'> {
  const guardrails = stored.flatMap((each) => (each === null ? [] : [knownGuardrailsSchema.parse(each)]));
  return guardrails.length === 0 ? {} : { guardrails };
}
