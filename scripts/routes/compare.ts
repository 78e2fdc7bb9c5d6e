import type { RouteCase } from './case-file.ts';
import type { Decision } from './decide.ts';

/** One line for each difference; empty if the gateway decides as expected. */
export function differences({ expect }: RouteCase, { models, offers, passedOver, error }: Decision): string[] {
  const over = new Map(passedOver.map(({ model, error: reason }) => [model, reason.message]));
  return [
    ...differentOrder('models', expect.models, models),
    ...differentOrder('offers', expect.offers, offers),
    ...Object.entries(expect.passedOver ?? {}).flatMap(([model, part]) =>
      differentReason(model, part, over.get(model)),
    ),
    ...differentError(expect.error, error?.message),
  ];
}

function differentOrder(what: string, expected: readonly string[] | undefined, actual: readonly string[]): string[] {
  if (expected === undefined || JSON.stringify(expected) === JSON.stringify(actual)) return [];
  return [`expected ${what}  ${expected.join(', ') || 'none'}`, `actual ${what}    ${actual.join(', ') || 'none'}`];
}

function differentReason(model: string, part: string, reason: string | undefined): string[] {
  if (reason?.includes(part)) return [];
  return [`expected ${model} to be passed over: ${part}`, `actual: ${reason ?? 'it is not passed over'}`];
}

function differentError(expected: string | undefined, message: string | undefined): string[] {
  if (expected === undefined ? message === undefined : message?.includes(expected)) return [];
  return [`expected error  ${expected ?? 'none'}`, `actual error    ${message ?? 'none'}`];
}
