export * from '../read.ts';
