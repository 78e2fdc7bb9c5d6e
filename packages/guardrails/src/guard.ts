import type { GuardrailChecks, Guardrails } from '@tallyport/contracts';
import { type TextRules, compileRules } from './text-rules.ts';

/** The compiled guardrails of a caller. A part without rules is absent. */
export interface CompiledGuardrails {
  request: TextRules | undefined;
  answer: TextRules | undefined;
}

/** Throws `invalid_parameters` with the path of a wrong pattern. */
export const compileGuard = (policies: readonly Guardrails[]): CompiledGuardrails => ({
  request: compileRules(
    policies.flatMap(({ request }): GuardrailChecks[] => (request ? [request] : [])),
    'guardrails.request',
  ),
  answer: compileRules(
    policies.flatMap(({ answer }) => (answer ? [answer] : [])),
    'guardrails.answer',
  ),
});

/** Compiled guards by their policies; the least recently compiled ones are forgotten. */
export function createGuards(most = 1_000): (policies: readonly Guardrails[]) => CompiledGuardrails {
  const guards = new Map<string, CompiledGuardrails>();
  return (policies) => {
    const key = JSON.stringify(policies);
    const known = guards.get(key);
    if (known !== undefined) return known;
    const guard = compileGuard(policies);
    const [oldest] = guards.keys();
    if (guards.size >= most && oldest !== undefined) guards.delete(oldest);
    guards.set(key, guard);
    return guard;
  };
}
