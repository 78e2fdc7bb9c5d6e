export type { ArmedFaults, FaultOrder } from './faults/armed.ts';
export { FaultSyntaxError } from './faults/fault.ts';
export { fastModel, reasoningModel, sandboxProviders, sharedModel, toolModel } from './sandbox.ts';
export type { Outcome, Received } from './recorder.ts';
export { startSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
export { behaviourAt, type Behaviour, type Course, type Step, type Timeline } from './scripts/behaviour.ts';
export { createDice } from './scripts/dice.ts';
export type { RunningScript, ScriptOrder, Scripts } from './scripts/scripts.ts';
export type { AwsCredentials } from './bedrock/signature.ts';
