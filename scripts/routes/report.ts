import type { Decision } from './decide.ts';

/** The result of a case, with the reasons if it differs from what was expected. */
export function describeCase(name: string, differences: readonly string[], decision: Decision): string {
  if (differences.length === 0) return `ok    ${name}\n`;
  const lines = [...differences, ...reasonsOf(decision)];
  return [`FAIL  ${name}`, ...lines.map((line) => `      ${line}`), ''].join('\n');
}

function reasonsOf({ choices, reasons, passedOver }: Decision): string[] {
  const routes = choices.flatMap(({ route, conditions, models }) => [
    `route ${route.name}:`,
    ...conditions.map(
      ({ if: text, result, problem }) => `  ${text} is ${result}${problem === undefined ? '' : ` (${problem})`}`,
    ),
    ...models.map(({ model, reason }) => `  ${model}: ${reason}`),
  ]);
  return [
    ...routes,
    ...(reasons.length > 0 ? ['offers:', ...reasons.map((reason) => `  ${reason}`)] : []),
    ...passedOver.map(({ model, error }) => `passed over ${model}: ${error.message}`),
  ];
}
