import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startOneProcess } from '../../tests/gateway/one-process.ts';

/** A command as it is typed, and what it printed. */
export interface RecordedCommand {
  command: string;
  output: string;
}

const ask = `ask() { curl -s $URL/v1/chat/completions -H "x-api-key: $KEY" -H 'x-no-cache: true' \\
    --json '{"model":"sandbox-chat","messages":[{"role":"user","content":"Hello"}]}' | jq -c "$1"; }`;
const routing = "ask '.metadata | .failover // empty, (.routing[] | {provider, status_code, duration_ms})'";
const everySecond = 'for i in {1..15}; do ask .metadata.used_provider; sleep 1; done | uniq -c';

const commands = [
  ask,
  routing,
  `curl -s $SANDBOX/control/faults --json '{"provider":"sandbox-a","fault":"status:503"}'  # break it`,
  routing,
  everySecond,
  `curl -s -X DELETE $SANDBOX/control/faults  # repair it`,
  everySecond,
];

/** Starts what `npm start` starts, runs the commands against it and returns what each printed. */
export async function recordSession(): Promise<RecordedCommand[]> {
  const running = await startOneProcess();
  const { PATH } = process.env;
  const env = { PATH, URL: running.baseUrl, KEY: running.apiKey, SANDBOX: running.sandboxUrl };
  try {
    const session = [{ command: 'npm start', output: welcomeOf(running.output()) }];
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('bash', ['-c', `${ask}\n${command}`], { env });
      session.push({ command, output: stdout.trimEnd() });
    }
    // The session shows the ports of a usual start, not the free ones it was recorded on.
    const usual = (text: string) =>
      text.replaceAll(running.baseUrl, 'http://127.0.0.1:4000').replaceAll(running.apiKey, 'sk-tp-…');
    return session.map(({ command, output }) => ({ command, output: usual(output) }));
  } finally {
    await running.stop();
  }
}

/** The first lines of the welcome: that it is ready, its address and the key. */
function welcomeOf(output: string): string {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => line.includes('Tallyport is ready'));
  return lines
    .slice(first, first + 5)
    .join('\n')
    .trimEnd();
}
