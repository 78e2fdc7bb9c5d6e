import { parseArgs } from 'node:util';
import { cases } from './cases/index.ts';
import type { Case } from './cases/case.ts';
import type { System } from './system.ts';

export interface Options {
  cases: readonly Case[];
  systems: readonly System['name'][];
  quick: boolean;
  profile: boolean;
  /** What the gateway is asked for; the floor and the upstream answer to any name. */
  model: string;
}

export const usage = `npm run bench -- [cases] [options]

  cases              ${cases.map(({ id }) => id).join(' ')}; all when none is named
  --quick            less of everything, under a minute
  --systems <list>   some of direct,floor,gateway
  --model <id>       the model to ask the gateway for (openai/gpt-4o-mini)
  --profile          write a CPU profile of every gateway process to bench/results
`;

const systemNames: readonly System['name'][] = ['direct', 'floor', 'gateway'];

export function parseOptions(argumentList: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: argumentList.filter((argument) => argument !== '--'),
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      systems: { type: 'string', default: systemNames.join(',') },
      model: { type: 'string', default: 'openai/gpt-4o-mini' },
    },
  });
  const { quick, profile, model } = values;
  return { cases: chosenCases(positionals), systems: chosenSystems(values.systems), quick, profile, model };
}

function chosenCases(ids: readonly string[]): readonly Case[] {
  const unknown = ids.find((id) => !cases.some((known) => known.id === id));
  if (unknown !== undefined) throw new Error(`there is no case "${unknown}"`);
  return ids.length === 0 ? cases : cases.filter(({ id }) => ids.includes(id));
}

function chosenSystems(list: string): readonly System['name'][] {
  const wanted = list.split(',');
  const unknown = wanted.find((name) => !systemNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`there is no system "${unknown}"`);
  return systemNames.filter((name) => wanted.includes(name));
}
