import { writeFileSync } from 'node:fs';
import { recordSession } from './demo/recorded-session.ts';
import { terminalSvg } from './demo/terminal-svg.ts';

const loopMs = 20_000;
const picture = new URL('../docs/images/failover.svg', import.meta.url);

// `npm run demo`: records the failover shown in the README. It needs bash, curl 7.82 or newer and jq.
writeFileSync(picture, terminalSvg(await recordSession(), loopMs));
