import { allow } from '../../oauth/gateway.ts';
import { createPerson } from '../../oauth/person.ts';
import { recordVisit } from './browser.ts';

/**
 * `visit.ts LOG ADDRESS`: the process of the browser. Signs in, grants access, and follows the redirect to the waiting
 * program.
 */
const [log = '', ...rest] = process.argv.slice(2);
const address = rest.at(-1) ?? '';
const deadlineMs = 20_000;
const deadline = setTimeout(() => {
  void recordVisit(log, `${address} took longer than ${deadlineMs} ms`).finally(() => process.exit(1));
}, deadlineMs);
try {
  const { origin } = new URL(address);
  const answer = await allow(createPerson(origin), address);
  if (answer.origin === origin || !answer.searchParams.has('code')) throw new Error(`It redirected to ${answer.href}`);
  const received = await fetch(answer);
  if (!received.ok) throw new Error(`The program answered ${received.status}: ${await received.text()}`);
  await recordVisit(log, `${origin} allowed`);
} catch (error) {
  await recordVisit(log, `${address} failed: ${String(error)}`);
} finally {
  clearTimeout(deadline);
}
