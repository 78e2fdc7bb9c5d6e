import { GatewayError } from '@tallyport/contracts';
import { camelNamed } from '@tallyport/dialects';

/** Tools that cost nothing besides their tokens. */
const served: ReadonlySet<string> = new Set(['functionDeclarations', 'codeExecution', 'urlContext']);

/** Throws for tools with a price of their own, whose uses a session does not report in its usage. */
export function refuseCostlyTools(tools: unknown): void {
  for (const tool of Array.isArray(tools) ? tools : [tools]) {
    const costly = Object.keys(camelNamed(tool)).find((name) => !served.has(name));
    if (costly !== undefined) throw notServed(costly);
  }
}

const notServed = (name: string): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    `tools: sessions have ${[...served].join(', ')} here, not '${name.slice(0, 30)}'.`,
    { param: 'tools' },
  );
