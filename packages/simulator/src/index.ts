export type { ArmedFaults, FaultOrder } from './faults/armed.ts';
export { FaultSyntaxError } from './faults/fault.ts';
export { fastModel, reasoningModel, sandboxProviders, sharedModel, toolModel } from './sandbox.ts';
export type { Outcome, Received } from './recorder.ts';
export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
