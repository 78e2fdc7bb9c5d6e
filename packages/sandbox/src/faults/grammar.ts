import { FaultSyntaxError, type FaultEffect, type FaultKind, type FaultSpec } from './fault.ts';
import { faultKinds } from './registry.ts';

/**
 * Parses `fault [, fault]…`, each `name[:value][;option=value]…`, such as `slow-first-byte:200, cut:1000`. Faults are
 * applied from left to right. Throws FaultSyntaxError for unknown faults and options.
 */
export function parseFaults(text: string): FaultEffect {
  const faults = text.split(',').map((part) => buildFault(parseSpec(part.trim())));
  return (answer, dialect) => faults.reduce((changed, fault) => fault(changed, dialect), answer);
}

function parseSpec(text: string): FaultSpec {
  const [head = '', ...options] = text.split(';').map((part) => part.trim());
  const [name, value] = halves(head, ':');
  return { name, value, options: Object.fromEntries(options.map((option) => parseOption(option, text))) };
}

function parseOption(option: string, text: string): [string, string] {
  const [name, value] = halves(option, '=');
  if (name === '' || value === undefined) throw new FaultSyntaxError(`'${option}' in '${text}' is not option=value.`);
  return [name, value];
}

function halves(text: string, separator: string): [string, string | undefined] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, undefined] : [text.slice(0, place).trim(), text.slice(place + 1).trim()];
}

function buildFault(spec: FaultSpec): FaultEffect {
  const kind = faultKinds.find(({ name }) => name === spec.name);
  if (kind === undefined)
    throw new FaultSyntaxError(
      `There is no fault '${spec.name}'. Known: ${faultKinds.map(({ usage }) => usage).join(', ')}.`,
    );
  refuseUnknownOptions(kind, spec);
  return kind.build(spec);
}

function refuseUnknownOptions({ options = [] }: FaultKind, spec: FaultSpec): void {
  const unknown = Object.keys(spec.options).find((name) => !options.includes(name));
  if (unknown !== undefined) throw new FaultSyntaxError(`Fault '${spec.name}' has no option '${unknown}'.`);
}
