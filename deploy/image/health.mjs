// The image's health check: asks the admin port whether the service is ready.
import process from 'node:process';

const withinMs = 3_000;
const { ADMIN_PORT: port = '4001' } = process.env;

const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(withinMs) }).then(
  async (response) => response.ok || (await response.text()),
  (error) => error.message,
);
if (ready !== true) {
  process.stderr.write(`${ready}\n`);
  process.exit(1);
}
