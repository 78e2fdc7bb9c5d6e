import { googleVertex } from '../../google-vertex/chat.ts';
import { anthropicColumns } from './anthropic.ts';
import type { Column } from './column.ts';
import { googleColumns } from './google.ts';

/** The bodies of Google's own API, with another address. */
const gemini = googleColumns.map((column): Column => ({
  ...column,
  title: `google-vertex: ${column.title}`,
  provider: googleVertex,
}));

/** The bodies of Anthropic's own API, with the model in the path and the version in the body. */
const claude = anthropicColumns.map(({ further, ...column }): Column => ({
  ...column,
  title: `google-vertex: ${column.title}`,
  provider: googleVertex,
  bodies: { ...column.bodies, ...onVertex(column.bodies) },
  ...(further && { further: { ...further, ...onVertex(further) } }),
}));

function onVertex(bodies: object): object {
  const changed = Object.entries(bodies).map(([name, body]) => {
    const { model: _model, ...rest } = { model: undefined, ...body };
    return [name, 'refused' in body ? body : { anthropic_version: 'vertex-2023-10-16', ...rest }];
  });
  return Object.fromEntries(changed);
}

export const vertexColumns: readonly Column[] = [...gemini, ...claude];
