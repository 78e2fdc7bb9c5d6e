import { startOneInstallation } from './installation.ts';
import { neighboursSuite } from './neighbours.suite.ts';

neighboursSuite(startOneInstallation);
