import { isMembers, items, type Members, members } from '../read.ts';

/** The vendor requires a schema for every function, even one without parameters. */
export function withParameters(body: Members): Members {
  if (body.tools === undefined) return body;
  return { ...body, tools: items(body.tools).map(described) };
}

function described(tool: unknown): unknown {
  const { function: declared, ...rest } = members(tool);
  if (!isMembers(declared) || isMembers(declared.parameters)) return tool;
  return { ...rest, function: { ...declared, parameters: { type: 'object', properties: {} } } };
}
