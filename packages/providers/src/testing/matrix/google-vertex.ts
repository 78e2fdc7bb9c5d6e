import { googleVertex } from '../../google-vertex/chat.ts';
import { anthropicColumns } from './anthropic.ts';
import type { Column } from './column.ts';
import { googleColumns } from './google.ts';

/** The bodies of Google's own API, under another address. */
const gemini = googleColumns.map((column): Column => ({
  ...column,
  title: `google-vertex: ${column.title}`,
  provider: googleVertex,
}));

/** The bodies of Anthropic's own API, but for the model, which stands in the path, and the version. */
const claude = anthropicColumns.map((column): Column => {
  const changed = Object.entries(column.bodies).map(([name, body]) => {
    const { model: _model, ...rest } = { model: undefined, ...body };
    return [name, { anthropic_version: 'vertex-2023-10-16', ...rest }];
  });
  return {
    ...column,
    title: `google-vertex: ${column.title}`,
    provider: googleVertex,
    bodies: { ...column.bodies, ...Object.fromEntries(changed) },
  };
});

export const vertexColumns: readonly Column[] = [...gemini, ...claude];
