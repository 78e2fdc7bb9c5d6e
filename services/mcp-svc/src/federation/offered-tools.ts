import { toolNameSeparator } from '@tallyport/contracts';
import type { Annotations } from '../tool.ts';
import { isShallow, readableText, refersOutside } from './bounded-value.ts';
import type { RedactSecrets } from './redact.ts';
import { redactTexts } from './redact-texts.ts';

type Schema = Record<string, unknown>;

/** A tool as a registered server describes it. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  annotations?: { [member: string]: unknown } | undefined;
  inputSchema: Schema;
  outputSchema?: Schema | undefined;
}

/** A tool of a registered server within our bounds. */
export interface FederatedTool {
  /** The server's own name for it. */
  name: string;
  /** The name that our clients use. */
  offeredAs: string;
  title: string;
  description: string;
  annotations: Partial<Annotations>;
  inputSchema: Schema;
  outputSchema: Schema | undefined;
}

export interface FederatedTools {
  tools: readonly FederatedTool[];
  /** The number of listed tools that are not offered. */
  leftOut: number;
}

/** Hosts put the whole list into the context of their model, so these bounds are far above useful lists. */
export const listBounds = {
  tools: 200,
  /** Bytes of one tool, and of all tools of a server, as JSON. */
  toolBytes: 32 * 1024,
  bytes: 512 * 1024,
  /** Bytes of all tools as they were sent: what is read of them takes at most about 50 ms. */
  sentBytes: 1024 * 1024,
  schemaDepth: 32,
  descriptionLength: 4_000,
  titleLength: 200,
} as const;

/** The form of names in the MCP specification. */
const validName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Chooses the tools of a server that are offered, in its order, with prefixed names and without secrets. */
export function offerTools(server: string, listed: readonly ListedTool[], redact: RedactSecrets): FederatedTools {
  const tools = new Map<string, FederatedTool>();
  let [bytes, sentBytes] = [0, 0];
  for (const tool of listed) {
    if (tools.size === listBounds.tools) break;
    const sent = sizeOf(tool);
    if (sentBytes + sent > listBounds.sentBytes) continue;
    sentBytes += sent;
    const offered = offeredTool(server, tool, redact);
    if (offered === undefined || tools.has(offered.name)) continue;
    const size = sizeOf(offered);
    if (size > listBounds.toolBytes || bytes + size > listBounds.bytes) continue;
    bytes += size;
    tools.set(offered.name, offered);
  }
  return { tools: [...tools.values()], leftOut: listed.length - tools.size };
}

function offeredTool(server: string, tool: ListedTool, redact: RedactSecrets): FederatedTool | undefined {
  const { name, title, description = '', annotations = {}, inputSchema, outputSchema } = tool;
  const offeredAs = `${server}${toolNameSeparator}${name}`;
  // The server would not know a changed name.
  if (name === '' || !validName.test(offeredAs) || redact(name) !== name) return undefined;
  if (!isAcceptable(inputSchema) || !isAcceptable(outputSchema)) return undefined;
  return {
    name,
    offeredAs,
    title: readableText(redact(title ?? titleOf(annotations) ?? name), listBounds.titleLength),
    description: readableText(redact(description), listBounds.descriptionLength),
    annotations: annotationsOf(annotations),
    inputSchema: redactTexts(inputSchema, redact),
    outputSchema: redactTexts(outputSchema, redact),
  };
}

const isAcceptable = (schema: Schema | undefined): boolean =>
  isShallow(schema, listBounds.schemaDepth) && !refersOutside(schema);

const titleOf = ({ title }: Record<string, unknown>): string | undefined =>
  typeof title === 'string' ? title : undefined;

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Only what the server states: a client has its own defaults for the rest. */
const annotationsOf = (annotations: Record<string, unknown>): Partial<Annotations> =>
  Object.fromEntries(
    hints.flatMap((hint) => (typeof annotations[hint] === 'boolean' ? [[hint, annotations[hint]]] : [])),
  );

const sizeOf = (tool: FederatedTool | ListedTool): number => Buffer.byteLength(JSON.stringify(tool));
