export { imageModel, sandboxProviders, sharedModel, type Simulator } from '@tallyport/sandbox';
export { basePathOf } from './bases.ts';
export { sampleImageProviders } from './images/sample-painters.ts';
export { startSimulator, type SimulatorOptions } from './simulator.ts';
