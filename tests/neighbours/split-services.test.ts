import { startSplitInstallation } from './installation.ts';
import { neighboursSuite } from './neighbours.suite.ts';

neighboursSuite(startSplitInstallation);
