import { parseArgs } from 'node:util';
import { cases } from './cases/index.ts';
import type { Case } from './cases/case.ts';
import { type System, systemNames } from './system.ts';

export interface Options {
  cases: readonly Case[];
  systems: readonly System['name'][];
  quick: boolean;
  profile: boolean;
  /** The model requested from the gateway; the floor and the upstream accept any name. */
  model: string;
}

export const usage = `npm run bench -- [cases] [options]

  cases              ${cases.map(({ id }) => id).join(' ')}; default: all
  --quick            a short run, under a minute
  --systems <list>   a selection of ${systemNames.join(',')}
  --model <id>       the model to request (default: openai/gpt-6-luna)
  --profile          write a CPU profile of every gateway process to bench/results
`;

export function parseOptions(argumentList: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: argumentList.filter((argument) => argument !== '--'),
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      systems: { type: 'string', default: systemNames.join(',') },
      model: { type: 'string', default: 'openai/gpt-6-luna' },
    },
  });
  const { quick, profile, model } = values;
  return { cases: selectCases(positionals), systems: selectSystems(values.systems), quick, profile, model };
}

function selectCases(ids: readonly string[]): readonly Case[] {
  const unknown = ids.find((id) => !cases.some((known) => known.id === id));
  if (unknown !== undefined) throw new Error(`unknown case "${unknown}"`);
  return ids.length === 0 ? cases : cases.filter(({ id }) => ids.includes(id));
}

function selectSystems(list: string): readonly System['name'][] {
  const names = list.split(',');
  const unknown = names.find((name) => !systemNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`unknown system "${unknown}"`);
  return systemNames.filter((name) => names.includes(name));
}
