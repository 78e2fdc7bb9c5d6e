import { ConfigError } from '../config/read.ts';
import { createRedact } from '../log/redact.ts';

/** A start failure that the operator can fix. The message is printed without a stack trace. */
export class StartError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartError';
  }
}

/**
 * Explains a start failure to the operator: sentences that each end with what to do. `undefined` means that the
 * operator cannot fix it, and the log has the details.
 */
function explainStartFailure(thrown: unknown, config: object = {}): readonly string[] | undefined {
  if (thrown instanceof ConfigError) return thrown.problems;
  if (thrown instanceof StartError) return [thrown.message];
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  const { code, port, address } = thrown as Error & { code: unknown; port?: unknown; address?: unknown };
  const setting = portSetting(config, port);
  if (code === 'EADDRINUSE') return [portsInUse([{ setting, port }])];
  if (code === 'EACCES' && typeof port === 'number') {
    return [`This user may not listen on port ${port}: set ${setting} to a port above 1023.`];
  }
  if (code === 'EADDRNOTAVAIL')
    return [`This machine does not have the address ${String(address)}: set ${hostOf(setting)} to one that it has.`];
  return undefined;
}

/** The sentence about ports that other programs use. */
export function portsInUse(used: readonly { setting: string; port: unknown }[]): string {
  const ports = used.map(({ port }) => String(port)).join(' and ');
  const settings = used.map(({ setting }) => setting).join(' and ');
  return used.length === 1
    ? `Port ${ports} is in use: set ${settings} to another port.`
    : `Ports ${ports} are in use: set ${settings} to other ports.`;
}

/** The setting with this port, because a process may run several servers. */
function portSetting(config: object, port: unknown): string {
  const found = Object.entries(config).find(([name, value]) => /(^|_)PORT$/.test(name) && value === port);
  return found?.[0] ?? 'PORT';
}

function hostOf(setting: string): string {
  return setting.replace(/PORT$/, 'HOST');
}

/** Prints the reason on stderr. Returns `false` when the details belong in the log. */
export function sayStartFailure(name: string, thrown: unknown, config?: object): boolean {
  const sentences = explainStartFailure(thrown, config);
  const message = thrown instanceof Error ? thrown.message : 'for an unknown reason';
  const text = sentences ?? [`${name} could not start: ${createRedact()(message)}`];
  process.stderr.write(`${text.join('\n')}\n`);
  return sentences !== undefined;
}
