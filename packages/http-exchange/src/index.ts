export { appHandler } from './app-handler.ts';
