import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Routes, ScoreWeights } from '@tallyport/contracts';
import { indexCatalogue, type ModelIndex } from '@tallyport/dispatch';
import { readGatewayDocument } from '@tallyport/gateway-document';
import { chatProviders, imageProvidersWith } from '@tallyport/providers';
import { routesProblems } from '@tallyport/routes';
import { issueText } from '@tallyport/wire';
import { FileError, locateFile } from '@tallyport/wire/yaml';
import { buildCatalogue } from '../../services/catalog-svc/src/build-catalogue.ts';
import { gatherIngredients } from '../../services/catalog-svc/src/ingredients.ts';
import { applyLayer } from '../../services/catalog-svc/src/layers/apply-layer.ts';
import { LayerError } from '../../services/catalog-svc/src/layers/layer.ts';
import { parseOperatorFile } from '../../services/catalog-svc/src/operator-file/read-operator-file.ts';
import { readDataFiles, readTierRules } from '../../services/catalog-svc/src/read-data.ts';
import { readSource } from '../import/read-source.ts';
import { type CaseFile, caseFileSchema } from './case-file.ts';

/** What all cases of a file have in common: the catalogue, and the routes and weights of an account. */
export interface World {
  cases: CaseFile['cases'];
  routes: Routes;
  scoreWeights: ScoreWeights | undefined;
  /** The catalogue at a time, because models end. */
  indexAt(now: number): ModelIndex;
  /** Why a provider cannot be called. */
  obstacle(providerId: string): string | undefined;
}

const readText = (file: string): Promise<string> => readSource(file, 1_000_000);

/** Reads the file with the cases, and those that it names. Throws FileError for what is wrong with any of them. */
export async function readWorld(file: string): Promise<World> {
  const { value, refusal } = locateFile(file, await readText(file));
  const read = caseFileSchema.safeParse(value, { error: issueText });
  if (!read.success) throw refusal(read.error.issues.map(({ path, message }) => ({ path, message: `${message}.` })));
  const { gateway, account, catalogue, providers, cases } = read.data;
  const beside = (path: string): string => resolve(dirname(file), path);
  const callable = providers && new Set(providers);
  return {
    cases,
    ...(await readAccount(beside(gateway), account)),
    indexAt: await readCatalogue(catalogue === undefined ? undefined : beside(catalogue)),
    obstacle: (id) =>
      callable === undefined || callable.has(id) ? undefined : `it is not among the providers of ${file}`,
  };
}

async function readAccount(file: string, account: string): Promise<Pick<World, 'routes' | 'scoreWeights'>> {
  const { document, refusal } = readGatewayDocument(file, await readText(file));
  const entry = Object.hasOwn(document.accounts, account) ? document.accounts[account] : undefined;
  if (entry === undefined)
    throw new FileError([`${file}: it has no account '${account}'. Set account in the file of the cases.`]);
  const { routes = {}, settings } = entry;
  const problems = routesProblems(routes).map(({ path, message }) => ({
    path: ['accounts', account, 'routes', ...path],
    message,
  }));
  if (problems.length > 0) throw refusal(problems);
  return { routes, scoreWeights: settings?.scoreWeights ?? undefined };
}

const dataFolder = fileURLToPath(new URL('../../services/catalog-svc/src/data/', import.meta.url));

async function readCatalogue(file: string | undefined): Promise<World['indexAt']> {
  const [data, tiers] = await Promise.all([readDataFiles(dataFolder), readTierRules(dataFolder)]);
  const base = gatherIngredients(data, tiers);
  const ingredients = file === undefined ? base : withOwn(base, file, await readText(file));
  const built = new Map<number, ModelIndex>();
  return (now) => {
    const index = built.get(now) ?? indexCatalogue(buildCatalogue(ingredients, { sandbox: true, now }));
    built.set(now, index);
    return index;
  };
}

function withOwn(base: Parameters<typeof applyLayer>[0], file: string, text: string): ReturnType<typeof applyLayer> {
  const { layer, refusal } = parseOperatorFile(file, text);
  try {
    return applyLayer(base, layer, builtIn);
  } catch (error) {
    throw error instanceof LayerError ? refusal(error) : error;
  }
}

const builtIn = new Set([...chatProviders, ...imageProvidersWith([]).all].map(({ id }) => id));
