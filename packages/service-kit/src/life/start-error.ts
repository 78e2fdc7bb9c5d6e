import { ConfigError } from '../config/read.ts';
import { createRedact } from '../log/redact.ts';

/** A start that cannot succeed for a reason the person at the keyboard can mend. The message is shown as it is, without a stack. */
export class StartError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartError';
  }
}

/**
 * What to tell the person whose start failed: sentences, each ending with what to do. `undefined` means the reason is not
 * theirs to mend and the log has to tell it.
 */
export function explainStartFailure(thrown: unknown, config: object = {}): readonly string[] | undefined {
  if (thrown instanceof ConfigError) return thrown.problems;
  if (thrown instanceof StartError) return [thrown.message];
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  const { code, port, address } = thrown as Error & { code: unknown; port?: unknown; address?: unknown };
  const setting = portSetting(config, port);
  if (code === 'EADDRINUSE') return [`Port ${String(port)} is taken: set ${setting} to another one.`];
  if (code === 'EACCES' && typeof port === 'number') {
    return [`Port ${port} is not allowed to this user: set ${setting} to one above 1023.`];
  }
  if (code === 'EADDRNOTAVAIL')
    return [`This machine has no address ${String(address)}: set ${hostOf(setting)} to one of its own.`];
  return undefined;
}

/** The setting that holds this port: several servers may run in one process. */
function portSetting(config: object, port: unknown): string {
  const found = Object.entries(config).find(([name, value]) => /(^|_)PORT$/.test(name) && value === port);
  return found?.[0] ?? 'PORT';
}

function hostOf(setting: string): string {
  return setting.replace(/PORT$/, 'HOST');
}

/** Tells stderr why; `false` when only the log can tell it all. */
export function sayStartFailure(name: string, thrown: unknown, config?: object): boolean {
  const sentences = explainStartFailure(thrown, config);
  const message = thrown instanceof Error ? thrown.message : 'for an unknown reason';
  const text = sentences ?? [`${name} could not start: ${createRedact()(message)}`];
  process.stderr.write(`${text.join('\n')}\n`);
  return sentences !== undefined;
}
