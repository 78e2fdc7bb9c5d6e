export {
  imageModel,
  type Metered,
  type MeteredClass,
  sandboxProviders,
  sharedModel,
  type Simulator,
} from '@tallyport/sandbox';
export { basePathOf } from './bases.ts';
export { sampleImageProviders } from './images/sample-painters.ts';
export { totalDollars } from './bill/items.ts';
export { keyLabel } from './bill/key-label.ts';
export { startSimulator, type SimulatedVendors, type SimulatorOptions } from './simulator.ts';
